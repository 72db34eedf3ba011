"""The choice of a tokenizer for a model: exact, else of the same family, else an estimate, with a sentence of reasons.

Plug-in tokenizers are not looked up here: the caller passes their makers, by the name before the colon.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from inspector.nearest import instead, nearest
from inspector.tokens.embedded import EMBEDDED_NAMES, embedded_tokenizer
from inspector.tokens.estimate import ESTIMATORS
from inspector.tokens.models.lines import Line, line_of, tokenizer_of
from inspector.tokens.models.loading import load_models
from inspector.tokens.models.table import ModelRow
from inspector.tokens.openai import encoding_name, encoding_names, openai_tokenizer
from inspector.tokens.reconstructed.tokenizer import RECONSTRUCTED_NAMES, reconstructed_tokenizer
from inspector.tokens.spread import spread_of
from inspector.tokens.standin.tokenizer import STANDIN_NAMES, standin_tokenizer
from inspector.tokens.tokenizer import MakeTokenizer, Tokenizer, TokenizerUnavailableError


class UnknownTokenizerError(ValueError):
    """The name is unknown; the message lists the known ones."""


@dataclass(frozen=True, slots=True)
class TokenizerChoice:
    """The chosen tokenizer, the request, the reason, and whether it is the model's own and exact."""

    tokenizer: Tokenizer
    requested: str
    reason: str
    exact: bool


AUTO = "auto"
NO_TOKENIZERS: Mapping[str, MakeTokenizer] = MappingProxyType({})
_FOR_UNKNOWN_MODELS = "standin:unknown"

# Replacements for unavailable tokenizers, by the beginning of the family's name. The first match wins.
_RELATIVES = {
    "qwen": "embedded:qwen3",
    "qwq": "embedded:qwen3",
    "deepseek": "embedded:deepseek_r1",
    "glm": "embedded:glm4.5",
    "codellama": "embedded:codellama",
    "llama": "embedded:llama3.3",
    "mistral": "embedded:mistral_v3",
    "mixtral": "embedded:mistral_v1",
    "gemma": "embedded:gemma3",
    "gemini": "embedded:gemma3",
    "kimi": "embedded:kimi_k2",
    "phi": "embedded:phi4",
    "olmo": "embedded:olmo2",
    "gpt-oss": "embedded:gpt-oss",
    "gpt-3": "embedded:cl100k_base",
    "gpt": "embedded:o200k_base",
    "claude-v3": "standin:claude-v3",
    "claude": "standin:claude-v4.7",
    "grok": "standin:grok",
}

# Names of the same vocabulary: each counts every ordinary text like its replacement.
_SAME = {
    "gpt-oss": "o200k_base",
    "o200k_harmony": "o200k_base",
    "llama3.1": "llama3",
    "llama3.2": "llama3",
    "llama3.3": "llama3",
}


def choose_tokenizer(
    requested: str,
    model: ModelRow | None,
    tokenizers: Mapping[str, MakeTokenizer] = NO_TOKENIZERS,
    line: Line | None = None,
) -> TokenizerChoice:
    """Return the tokenizer for `auto` or a name such as `embedded:qwen3`, for a model or for an unknown one (None).

    `tokenizers` are those not built in. `line` is the line of an unknown model, whose vocabulary stands in. An
    unavailable tokenizer is replaced, and the reason says so. Raises UnknownTokenizerError for an unknown name.
    """
    if requested == AUTO:
        return _automatic(model) if model is not None else _for_unknown(line)
    try:
        tokenizer = load_tokenizer(requested, tokenizers)
    except TokenizerUnavailableError as problem:
        # A file that names its model, but none known here, is not assumed to be of the given model's family.
        own = problem.names
        replacement = _relative_of((*own, requested.partition(":")[2]), None if own else model)
        return _replaced(requested, replacement, f"{requested} cannot be had here ({problem})")
    return _as_requested(requested, tokenizer, model)


def load_tokenizer(name: str, tokenizers: Mapping[str, MakeTokenizer] = NO_TOKENIZERS) -> Tokenizer:
    """Return the tokenizer of this name, always the same object for the same name.

    Raises UnknownTokenizerError for an unknown name, TokenizerUnavailableError if it cannot be loaded here.
    """
    check_tokenizer(name, tokenizers)
    kind, _, rest = name.partition(":")
    return (_BUILT_IN.get(kind) or tokenizers[kind])(rest)


def check_tokenizer(name: str, tokenizers: Mapping[str, MakeTokenizer] = NO_TOKENIZERS) -> None:
    """Raise UnknownTokenizerError for an unknown name, without loading anything."""
    kind, _, rest = name.partition(":")
    if kind not in _BUILT_IN and kind not in tokenizers:
        raise UnknownTokenizerError(f"unknown tokenizer {name!r}; {_kinds_for(name, tokenizers)}")
    if kind in _LISTED and not _LISTED[kind].knows(rest):
        names = _LISTED[kind].names()
        near = [f"{kind}:{one}" for one in nearest(rest, names)]
        named = instead(name, near) if near else f"known are {', '.join(f'{kind}:{one}' for one in names)}"
        raise UnknownTokenizerError(f"unknown tokenizer {name!r}; {named}")


def _kinds_for(name: str, tokenizers: Mapping[str, MakeTokenizer]) -> str:
    """Return a hint for a name without a known kind: the names it may mean, else all kinds."""
    listed = list(_listed_names())
    near = [one for one in listed if one.endswith(f":{name}")] or nearest(name, [*listed, AUTO])
    patterns = (AUTO, *map(pattern_of, (*_BUILT_IN, *tokenizers)))
    return f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(patterns)}"


def _listed_names() -> Iterator[str]:
    """Return the whole names of all tokenizers of the kinds with a list of names."""
    return (f"{kind}:{name}" for kind, listed in _LISTED.items() for name in listed.names())


def pattern_of(kind: str) -> str:
    """Return the pattern of the names of a kind (the part before the colon), such as `gguf:FILE`."""
    return f"{kind}:{'FILE' if kind == 'gguf' else 'NAME' if kind in _BUILT_IN else 'REST'}"


def built_in_kinds() -> tuple[str, ...]:
    """Return the names before the colon reserved from plug-ins, `auto` among them."""
    return (AUTO, *_BUILT_IN)


def _for_unknown(line: Line | None) -> TokenizerChoice:
    name = tokenizer_of(line)[0] if line is not None else _FOR_UNKNOWN_MODELS
    whose = f", the vocabulary of the newest {line.family} known here," if line is not None else ""
    try:
        tokenizer = load_tokenizer(name)
    except TokenizerUnavailableError as problem:
        family = line.family if line is not None else ""
        why = f"The model is not known, and the vocabulary of its line cannot be had here ({problem})"
        return _replaced(AUTO, _of_family(family) or _FOR_UNKNOWN_MODELS, why)
    return TokenizerChoice(
        tokenizer,
        AUTO,
        f"The model is not known: {tokenizer.name}{whose} stands in for its tokenizer{_error(tokenizer)}.",
        exact=False,
    )


def _automatic(model: ModelRow) -> TokenizerChoice:
    try:
        tokenizer = load_tokenizer(model.tokenizer)
    except TokenizerUnavailableError as problem:
        why = f"The tokenizer of {model.name} cannot be had here ({problem})"
        return _replaced(AUTO, _relative_of([model.tokenizer.partition(":")[2], model.family], model), why)
    exact = model.exact_tokenizer and tokenizer.exact
    return TokenizerChoice(tokenizer, AUTO, _reason(model, tokenizer), exact)


def _reason(model: ModelRow, tokenizer: Tokenizer) -> str:
    """Return why this tokenizer counts for a model, as a sentence."""
    if model.exact_tokenizer:
        return f"{tokenizer.name} is the tokenizer of {model.name}.{_besides(tokenizer)}"
    line = line_of(model.name)
    if line is None:
        return f"Nothing here says how {model.name} cuts its texts: {tokenizer.name} estimates{_error(tokenizer)}."
    if line.is_open:
        told = "is of the same family" if tokenizer.exact else f"estimates{_error(tokenizer)}"
        return f"The tokenizer of {model.name} cannot be had here: {tokenizer.name} {told}."
    told = "of the same family, stands in" if tokenizer.exact else f"estimates{_error(tokenizer)}"
    return f"{model.maker} publishes no tokenizer for {model.name}: {tokenizer.name}{',' * tokenizer.exact} {told}."


def _replaced(requested: str, replacement: str, problem: str) -> TokenizerChoice:
    tokenizer = load_tokenizer(replacement)
    what = "is of the same family and stands in for it" if tokenizer.exact else f"estimates instead{_error(tokenizer)}"
    reason = f"{problem}: {tokenizer.name} {what}."
    return TokenizerChoice(tokenizer, requested, reason, exact=False)


def _as_requested(requested: str, tokenizer: Tokenizer, model: ModelRow | None) -> TokenizerChoice:
    if not tokenizer.exact:
        reason = f"{requested} was asked for, which estimates{_error(tokenizer)}.{_besides(tokenizer)}"
        return TokenizerChoice(tokenizer, requested, reason, exact=False)
    besides = _besides(tokenizer)
    if model is None:
        reason = f"{requested} was asked for; whether it is the model's own is not known.{besides}"
        return TokenizerChoice(tokenizer, requested, reason, exact=False)
    own = model.exact_tokenizer and _vocabulary(requested) == _vocabulary(model.tokenizer)
    which = "is the tokenizer of" if own else "was asked for, but is not known to be the tokenizer of"
    return TokenizerChoice(tokenizer, requested, f"{requested} {which} {model.name}.{besides}", exact=own)


def _error(tokenizer: Tokenizer) -> str:
    """Return the measured error of an estimate, in brackets with a space before; "" if there is none."""
    spread = spread_of(tokenizer)
    return "" if spread is None else f" ({spread.words})"


def _besides(tokenizer: Tokenizer) -> str:
    """Return remarks on the origin of a vocabulary and the files beside it, as sentences to append."""
    remarks = getattr(tokenizer, "remarks", ()) if tokenizer.name.startswith(_FROM_FILES) else ()
    return "".join(f" {remark}" for remark in remarks)


def _vocabulary(name: str) -> str:
    """Return the vocabulary behind a name, the same for names that count alike."""
    kind, _, rest = name.partition(":")
    if kind not in _BUILT_IN:
        return name
    if kind == "tiktoken":
        rest = encoding_name(rest) or rest
    if kind in ("hf", "gguf"):
        row = load_models().find(_plain_name(rest) if kind == "gguf" else rest).row
        if row is not None and not row.tokenizer.startswith("hf:"):
            return _vocabulary(row.tokenizer)
    return _SAME.get(rest, rest)


def _relative_of(names: Sequence[str], model: ModelRow | None) -> str:
    """Return the best stand-in for a tokenizer: by its own names (`Qwen/Qwen3.5-9B`, a file's name), else by model."""
    plain = [_plain_name(name) for name in names]
    rows = (_stand_in(load_models().find(name).row) for name in plain)
    candidates = [*rows, *map(_of_family, plain), _stand_in(model)]
    return next((found for found in candidates if found is not None), _FOR_UNKNOWN_MODELS)


def _plain_name(place: str) -> str:
    """Return a name as in the model table, the same for `Qwen2.5 7B`, `Qwen/Qwen2.5-7B` and a file of this name."""
    return place.replace("\\", "/").rsplit("/", 1)[-1].casefold().removesuffix(".gguf").replace(" ", "-")


def _stand_in(row: ModelRow | None) -> str | None:
    if row is None:
        return None
    return (
        row.tokenizer
        if row.tokenizer.startswith(("embedded:", "reconstructed:", "standin:", "estimate:"))
        else _of_family(row.family)
    )


def _of_family(family: str) -> str | None:
    return next((relative for beginning, relative in _RELATIVES.items() if family.startswith(beginning)), None)


def _estimate(name: str) -> Tokenizer:
    return ESTIMATORS[f"estimate:{name}"]


def _huggingface(place: str) -> Tokenizer:
    """Return the tokenizer from the hub's cache or a folder, else from a package."""
    from inspector.tokens.huggingface import huggingface_tokenizer
    from inspector.tokens.packaged import packaged_tokenizer

    try:
        return huggingface_tokenizer(place)
    except TokenizerUnavailableError:
        packaged = packaged_tokenizer(place)
        if packaged is None:
            raise
        return packaged


def _gguf(place: str) -> Tokenizer:
    from inspector.tokens.gguf.tokenizer import gguf_tokenizer

    return gguf_tokenizer(place)


_FROM_FILES = ("hf:", "gguf:")
_BUILT_IN: Mapping[str, MakeTokenizer] = {
    "embedded": embedded_tokenizer,
    "reconstructed": reconstructed_tokenizer,
    "standin": standin_tokenizer,
    "estimate": _estimate,
    "tiktoken": openai_tokenizer,
    "hf": _huggingface,
    "gguf": _gguf,
}


@dataclass(frozen=True, slots=True)
class _Names:
    """The listed names after the colon of a kind, and a test for any name, listed or not."""

    names: Callable[[], Sequence[str]]
    knows: Callable[[str], bool]


_ESTIMATES = tuple(name.partition(":")[2] for name in ESTIMATORS)
_LISTED: Mapping[str, _Names] = {
    "embedded": _Names(lambda: EMBEDDED_NAMES, EMBEDDED_NAMES.__contains__),
    "reconstructed": _Names(lambda: RECONSTRUCTED_NAMES, RECONSTRUCTED_NAMES.__contains__),
    "standin": _Names(lambda: STANDIN_NAMES, STANDIN_NAMES.__contains__),
    "estimate": _Names(lambda: _ESTIMATES, _ESTIMATES.__contains__),
    "tiktoken": _Names(encoding_names, lambda name: encoding_name(name) is not None),
}
