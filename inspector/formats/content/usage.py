"""The usage of a request in the layouts of all makers, read into one value: the only reader of usage.

Names are compared without case, `_` and `-`, and paths with dots between: `promptTokenCount` and `prompt_token_count`
are one. Makers differ in whether a part is inside of its whole; this follows their own types:

- OpenAI Chat Completions and all that copy it (openai/openai-python `types/completion_usage.py`; Azure, Groq, Mistral,
  vLLM, LM Studio's server, OpenRouter, litellm, Open WebUI): `cached_tokens` and `reasoning_tokens` are inside.
  DeepSeek's `prompt_cache_hit_tokens` are inside; xAI's `reasoning_tokens` are beside `completion_tokens`, as the total
  shows.
- OpenAI Responses (openai-python `types/responses/response_usage.py`), Codex (openai/codex `codex-rs/protocol`,
  `TokenUsage`), LangChain (`messages/ai.py`, `UsageMetadata`), Vercel's AI SDK (`LanguageModelUsage`), OpenInference
  and OpenTelemetry (semantic conventions of generative AI): inside of `input_tokens` and `output_tokens`.
- Anthropic (anthropics/anthropic-sdk-python `types/usage.py`) and Bedrock Converse (`TokenUsage`): read and written
  tokens are beside `input_tokens`; `cache_creation` divides the written ones by lifetime.
- Gemini (googleapis/python-genai `types.py`, `GenerateContentResponseUsageMetadata`): cached tokens are inside of the
  prompt's; thoughts are beside the candidates', results of built-in tools beside the prompt's.
- Langfuse's `usageDetails`, OpenCode's `tokens`: every kind is beside the others.
- Ollama, llama.cpp's `timings` (`cache_n` beside `prompt_n`), LM Studio's `stats`, LobeChat's `ModelTokensUsage`.
- big-AGI (enricoros/big-AGI `metrics.chatgenerate.ts`): `TIn` is what is neither read nor written; `TOutR` is inside.
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any

from inspector.model.usage import MOST_RECORDED, Usage
from inspector.reading.values import as_whole, mapping

_DEEPEST = 3
_NOTHING = Usage()

_Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Layout:
    """The names of a usage, folded; of several names for one figure the first with a figure counts.

    prompt: the prompt's tokens; cached, written: inside of them; thoughts: inside of `output`.
    cached_beside, written_beside, thoughts_beside: not inside. further: of the prompt and beside it, all added.
    """

    prompt: tuple[str, ...]
    output: tuple[str, ...]
    cached: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    thoughts: tuple[str, ...] = ()
    cached_beside: tuple[str, ...] = ()
    written_beside: tuple[str, ...] = ()
    thoughts_beside: tuple[str, ...] = ()
    further: tuple[str, ...] = ()


def _of_details(wholes: Iterable[str], parts: Iterable[str]) -> tuple[str, ...]:
    """Return the names of parts in the details of a whole, whose names differ by an `s`."""
    return tuple(f"{whole}{details}.{part}" for whole in wholes for details in ("details", "detail") for part in parts)


_INPUTS = ("prompttokens", "prompttoken", "inputtokens", "inputtoken", "prompt")
_OUTPUTS = ("completiontokens", "completiontoken", "outputtokens", "outputtoken", "completion")
_CACHED_PARTS = ("cachedtokens", "cachereadtokens", "cacheread", "cachereadinputtokens")
_WRITTEN_PARTS = ("cachewritetokens", "cachecreationtokens", "cachewrite", "cachecreation")
_INSIDE_CACHED = (
    *_of_details(_INPUTS, _CACHED_PARTS),
    "promptcachehittokens",
    "cachedinputtokens",
    "cachedtokens",
    "cacheread.inputtokens",
    "cachereadtokens",
)
_INSIDE_WRITTEN = (
    *_of_details(_INPUTS, _WRITTEN_PARTS),
    "cachecreation.inputtokens",
    "cachewritetokens",
    "cachewriteinputtokens",
)
_INSIDE_THOUGHTS = (
    *_of_details(_OUTPUTS, ("reasoningtokens", "reasoning", "thinkingtokens")),
    "reasoningoutputtokens",
    "reasoning.outputtokens",
    "reasoningtokens",
)
_READ_BESIDE = ("cachereadinputtokens", "cachereadinputtokencount")
_WRITTEN_BESIDE = ("cachecreationinputtokens", "cachewriteinputtokens", "cachewriteinputtokencount")
_LIFETIMES = ("ephemeral5minputtokens", "ephemeral1hinputtokens")
_INSIDE_LIFETIMES = frozenset(_of_details(_INPUTS, _LIFETIMES))
_BESIDE_LIFETIMES = frozenset(f"cachecreation.{name}" for name in _LIFETIMES)

_LAYOUTS: tuple[_Layout, ...] = (
    _Layout(  # Gemini
        ("prompttokencount",),
        ("candidatestokencount", "responsetokencount"),
        cached=("cachedcontenttokencount",),
        thoughts_beside=("thoughtstokencount",),
        further=("tooluseprompttokencount",),
    ),
    _Layout(("prompttokenscount",), ("predictedtokenscount",)),  # LM Studio
    _Layout(  # LobeChat
        ("totalinputtokens",),
        ("totaloutputtokens",),
        cached=("inputcachedtokens",),
        written=("inputwritecachetokens",),
        thoughts=("outputreasoningtokens",),
    ),
    _Layout(  # OpenAI Chat Completions, and the older names of spans
        ("prompttokens", "prompt"),
        ("completiontokens", "completion"),
        cached=(*_INSIDE_CACHED, *_READ_BESIDE),
        written=(*_INSIDE_WRITTEN, *_WRITTEN_BESIDE),
        thoughts=_INSIDE_THOUGHTS,
    ),
    _Layout(("promptevalcount",), ("evalcount",)),  # Ollama
    _Layout(("promptn",), ("predictedn",), cached_beside=("cachen",)),  # llama.cpp
    _Layout(  # big-AGI
        ("tin",), ("tout",), thoughts=("toutr",), cached_beside=("tcacheread",), written_beside=("tcachewrite",)
    ),
    _Layout(  # OpenAI Responses and its like, Anthropic and Bedrock
        ("inputtokens", "inputtokencount", "requesttokens", "inputtokens.total"),
        ("outputtokens", "outputtokencount", "responsetokens", "totaloutputtokens", "outputtokens.total"),
        cached=(*_INSIDE_CACHED, "inputtokens.cacheread"),
        written=(*_INSIDE_WRITTEN[:-1], "inputtokens.cachewrite"),
        thoughts=(*_INSIDE_THOUGHTS, "outputtokens.reasoning"),
        cached_beside=_READ_BESIDE,
        written_beside=_WRITTEN_BESIDE,
    ),
    _Layout(  # Gemini CLI
        ("input",),
        ("output",),
        cached=("cached",),
        thoughts_beside=("thoughts", "reasoning"),
        cached_beside=("cache.read",),
        written_beside=("cache.write",),
        further=("tool",),
    ),
)


def read_usage(*told: Any, is_inside: bool = False) -> Usage:
    """Return the usage in an object of any maker, or in several that describe the same request; else nothing is told.

    A usage of zeros only tells nothing. With `is_inside`, cached tokens are part of the prompt's under whatever names,
    as the conventions for spans have it.
    """
    counts = {name: count for one in reversed(told) for name, count in _counts(mapping(one), "", _DEEPEST)}
    if "input" in counts and not counts.keys() & _OF_GEMINI_CLI:
        return _of_langfuse(counts)
    layout = _layout_of(counts)
    return _NOTHING if layout is None else _divided(counts, layout, is_inside)


_OF_GEMINI_CLI = frozenset(("cached", "tool", "thoughts", "cache.read", "cache.write"))


def _counts(told: Mapping[str, Any], above: str, depth: int) -> Iterator[tuple[str, int]]:
    """Yield the figures of an object and of the objects in it, by their folded paths."""
    for key, value in told.items():
        name = above + "".join(letter for letter in str(key).casefold() if letter not in "_-")
        if isinstance(value, Mapping) and depth:
            below = "" if name == "tokens" else f"{name}."  # Cohere: the counts beside the billed units
            yield from _counts(value, below, depth - 1)
        elif (count := as_whole(value)) is not None and 0 <= count < MOST_RECORDED:
            yield name, count


def _layout_of(counts: _Counts) -> _Layout | None:
    """Return the first layout whose prompt has tokens, else the first of which any name is there."""
    with_prompt = (one for one in _LAYOUTS if _first(counts, one.prompt))
    known = (one for one in _LAYOUTS if counts.keys() & {*one.prompt, *one.output})
    return next(with_prompt, None) or next(known, None)


def _divided(counts: _Counts, layout: _Layout, is_inside: bool) -> Usage:
    """Return the usage in this layout, each whole without the parts that are inside of it."""
    prompt, output = _first(counts, layout.prompt), _first(counts, layout.output)
    inside = _first(counts, layout.cached), _written(counts, layout.written, _INSIDE_LIFETIMES)
    beside = _first(counts, layout.cached_beside), _written(counts, layout.written_beside, _BESIDE_LIFETIMES)
    are_inside = is_inside or inside != (None, None)
    cached, written = (one if one is not None else other for one, other in zip(inside, beside, strict=True))
    fresh = _rest(prompt, (cached or 0) + (written or 0) if are_inside else 0)
    if fresh is not None:
        fresh += sum(counts.get(name, 0) for name in layout.further)
    within, apart = _first(counts, layout.thoughts), _first(counts, layout.thoughts_beside)
    is_total = bool(within) and counts.get("totaltokens") == (prompt or 0) + (output or 0) + (within or 0)
    answer = _rest(output, 0 if is_total else within or 0)
    return _usage(fresh, cached, written, apart if within is None else within, answer)


def _rest(whole: int | None, parts: int) -> int | None:
    """Return a whole without its parts; parts larger than the whole are beside it."""
    return whole if whole is None or parts > whole else whole - parts


def _written(counts: _Counts, names: tuple[str, ...], lifetimes: Set[str]) -> int | None:
    """Return the tokens written to a cache: told as one figure, or as one for each lifetime, or both."""
    whole, parts = _first(counts, names), [counts[name] for name in lifetimes if name in counts]
    return max(whole or 0, sum(parts)) if names and parts else whole


def _of_langfuse(counts: _Counts) -> Usage:
    """Return a usage whose kinds are all beside each other: all with `input` or `output` in their names.

    Where the total is that of input and output alone, the kinds are parts of them. Langfuse's documentation, "Token and
    cost tracking".
    """
    of_input, of_output = (
        {name: count for name, count in counts.items() if side in name and name != side} for side in ("input", "output")
    )
    cached, written = _named(of_input, ("cached", "cacheread")), _named(of_input, ("cachecreation", "cachewrite"))
    thoughts = _named(of_output, ("reasoning", "thought", "thinking"))
    prompt, output = counts["input"], counts.get("output")
    if counts.get("total") == prompt + (output or 0):
        fresh, answer = _rest(prompt, (cached or 0) + (written or 0)), _rest(output, thoughts or 0)
    else:
        fresh = prompt + sum(of_input.values()) - (cached or 0) - (written or 0)
        answer = None if output is None else output + sum(of_output.values()) - (thoughts or 0)
    return _usage(fresh, cached, written, thoughts, answer)


def _named(counts: _Counts, words: tuple[str, ...]) -> int | None:
    found = [count for name, count in counts.items() if any(word in name for word in words)]
    return sum(found) if found else None


def _usage(
    fresh: int | None, cached: int | None, written: int | None, thoughts: int | None, answer: int | None
) -> Usage:
    """Return the usage; a prompt of no tokens was never sent and is not told, nor are parts of an untold whole."""
    if fresh is None or not any((fresh, cached, written)):
        fresh = cached = written = None
    if answer is None or (fresh is None and not any((thoughts, answer))):
        thoughts = answer = None
    return Usage(fresh, cached, written, thoughts, answer)


def _first(counts: _Counts, names: tuple[str, ...]) -> int | None:
    """Return the first figure that is not 0, else 0 where one is there."""
    found = [counts[name] for name in names if name in counts]
    return next(filter(None, found), found[0] if found else None)
