"""The table of recorded requests, and the recording as JSON."""

from collections.abc import Callable
from typing import Any

import numpy as np

from inspector.analysis.requests.agents import change_words
from inspector.analysis.requests.measured import Measured
from inspector.analysis.requests.recording import Recording
from inspector.analysis.requests.words import recording_sentences, saving_sentence
from inspector.assembly.columns import F64
from inspector.figures import figures
from inspector.tables import Column, Face, Kind, Table, Tone, Value

REQUESTS_FORMAT = "prompt-inspector/requests@1"

_Read = Callable[[Measured, int], Value]


def _tone(found: Recording, at: int) -> Tone | None:
    return "error" if found.requests[at].has_failed else None


def _of(side: str, read: _Read) -> Callable[[Recording, int], Value]:
    """Return a value of the prompts of a side, `sent` or `other`; None while they are unknown, and without a prompt."""

    def value(found: Recording, at: int) -> Value:
        measured = getattr(found, side)
        return None if measured is None or measured.prompts[at].trouble else read(measured, at)

    return value


def _values(value: Callable[[Recording, int], Value]) -> Callable[[Recording], F64]:
    def values(found: Recording) -> F64:
        told = (value(found, at) for at in range(len(found)))
        return np.array([one if isinstance(one, int | float) else np.nan for one in told], np.float64)

    return values


def _figure(
    key: str, title: str, help: str, kind: Kind, value: Callable[[Recording, int], Value], **more: Any
) -> Column[Recording]:
    return Column(key, title, help, value, _values(value), kind, **more)


def _is_estimated(side: str) -> Callable[[Recording, int], bool]:
    def estimated(found: Recording, at: int) -> bool:
        measured = getattr(found, side)
        return measured is not None and bool(measured.estimated[at])

    return estimated


def _money(side: str) -> Callable[[Recording, int], Value]:
    value = _of(side, lambda made, at: None if np.isnan(made.paid[at]) else float(made.paid[at]))
    return lambda found, at: None if found.requests[at].has_failed else value(found, at)


def _prefix(found: Recording, at: int) -> Value:
    return None if found.before(at) is None else _of("sent", lambda made, row: int(made.shared[row]))(found, at)


def _saved(found: Recording, at: int) -> int | None:
    sent, other = found.sent, found.other
    if sent is None or other is None or sent.prompts[at].trouble or other.prompts[at].trouble:
        return None
    return int(other.tokens[at] - sent.tokens[at])


def _saved_tone(found: Recording, at: int) -> Tone | None:
    saved = _saved(found, at)
    return None if not saved else "kept" if saved < 0 else "warning"


def _unused(found: Recording, at: int) -> Value:
    value = _of("sent", lambda made, row: made.prompts[row].unused)(found, at)
    return value if found.requests[at].tools else None


def _unused_words(found: Recording, at: int) -> str:
    tools = found.requests[at].tools
    if not tools:
        return ""
    never = len(found.unused_tools[at])
    tokens = _unused(found, at)
    told = "" if not isinstance(tokens, int) or not never else f", {figures(tokens)}"
    return f"{never:,} of {len(tools):,}{told}"


def _status(found: Recording, at: int) -> str:
    request = found.requests[at]
    trouble = "" if found.sent is None else found.sent.prompts[at].trouble
    return trouble or ("no answer" if request.made.status is None else str(request.made.status))


def _has_other(found: Recording) -> bool:
    return found.other is not None


REQUEST_COLUMNS: tuple[Column[Recording], ...] = (
    Column(
        "time",
        "Time",
        "When the request was sent",
        lambda found, at: found.requests[at].began,
        lambda found: np.array(
            [np.nan if (time := one.began) is None else time.timestamp() for one in found.requests], np.float64
        ),
        Kind.TIME,
        words=lambda found, at: "" if (time := found.requests[at].began) is None else f"{time:%H:%M:%S}",
        tone=lambda _, __: "muted",
        tooltip=lambda found, at: "" if (time := found.requests[at].began) is None else f"{time:%Y-%m-%d %H:%M:%S}",
        digits=8,
        yields=4,
    ),
    Column(
        "agent",
        "Agent",
        "Who sent it: requests that go on from each other; a subagent was called by an agent's tool",
        lambda found, at: found.places[at].words,
        digits=11,
        tone=lambda found, at: "muted" if found.places[at].is_subagent else None,
        goes_last=3,
    ),
    Column(
        "model",
        "Model",
        "The model that was asked",
        lambda found, at: found.requests[at].model,
        digits=12,
        yields=5,
        least=8,
    ),
    Column(
        "request",
        "Request",
        "The last question in it",
        lambda found, at: found.requests[at].title,
        kind=Kind.EXCERPT,
        faces=Face.FILES | Face.WINDOW,
        stretches=True,
        digits=18,
        tone=_tone,
    ),
    Column(
        "changed",
        "Changed",
        "What changed since the request before of the same agent",
        lambda found, at: change_words(found.before(at), found.requests[at], found.places[at]),
        digits=17,
        yields=2,
        tooltip=lambda found, at: change_words(found.before(at), found.requests[at], found.places[at]),
    ),
    _figure(
        "tokens",
        "Tokens",
        "Tokens of the prompt as it was sent, counted here",
        Kind.TOKENS,
        _of("sent", lambda made, at: int(made.tokens[at])),
        estimated=_is_estimated("sent"),
        digits=9,
    ),
    _figure(
        "provider",
        "Provider",
        "Tokens of the prompt, as the provider's usage says",
        Kind.TOKENS,
        lambda found, at: found.requests[at].usage.prompt,
        digits=9,
        tone=lambda _, __: "muted",
        yields=1,
    ),
    _figure(
        "provider_cached",
        "From cache",
        "Tokens of the prompt that the provider read from its cache, as its usage says",
        Kind.TOKENS,
        lambda found, at: found.requests[at].usage.cached,
        digits=9,
        at_first=False,
        faces=Face.FILES | Face.WINDOW,
        yields=6,
    ),
    _figure(
        "answer_tokens",
        "Answer",
        "Tokens of the answer, as the provider's usage says",
        Kind.TOKENS,
        lambda found, at: found.requests[at].usage.output,
        digits=7,
        at_first=False,
        faces=Face.FILES | Face.WINDOW,
        yields=6,
    ),
    _figure(
        "prefix",
        "Prefix",
        "Tokens at its beginning that are those of the request before of the same agent, which a cache can use",
        Kind.TOKENS,
        _prefix,
        estimated=_is_estimated("sent"),
        digits=9,
    ),
    _figure(
        "unused_tools",
        "Tools never used",
        "Tools sent with it that its agent calls nowhere in the recording, and their tokens",
        Kind.TOKENS,
        _unused,
        words=_unused_words,
        digits=15,
        yields=2,
        shown=lambda found: any(one.tools for one in found.requests),
        tooltip=lambda found, at: ", ".join(found.unused_tools[at]),
    ),
    _figure(
        "cost",
        "Cost",
        "US dollars of the input, with the maker's cache where its rule is known",
        Kind.MONEY,
        _money("sent"),
        estimated=_is_estimated("sent"),
        absent="",
        digits=10,
        yields=2,
    ),
    _figure(
        "other_tokens",
        "What if",
        "Tokens of the prompt under the setting in question",
        Kind.TOKENS,
        _of("other", lambda made, at: int(made.tokens[at])),
        estimated=_is_estimated("other"),
        shown=_has_other,
        digits=9,
    ),
    _figure(
        "difference",
        "Difference",
        "Tokens more or fewer than were sent",
        Kind.DIFFERENCE,
        _saved,
        shown=_has_other,
        tone=_saved_tone,
        digits=9,
    ),
    _figure(
        "other_dropped",
        "Lacks",
        "Messages of the request that are not whole in the prompt under the setting in question",
        Kind.COUNT,
        _of("other", lambda made, at: int(made.dropped[at]) or None),
        shown=_has_other,
        absent="",
        digits=6,
        yields=3,
    ),
    _figure(
        "other_cost",
        "Cost then",
        "US dollars of the input under the setting in question, with the maker's cache where its rule is known",
        Kind.MONEY,
        _money("other"),
        estimated=_is_estimated("other"),
        shown=_has_other,
        absent="",
        digits=10,
        yields=2,
    ),
    Column(
        "status",
        "Status",
        "The status of the answer",
        _status,
        tone=lambda found, at: "error" if found.requests[at].has_failed else "muted",
        tooltip=_status,
        digits=9,
        needs=lambda found: min(max((len(_status(found, at)) for at in range(len(found))), default=0), 9),
        yields=3,
    ),
    _figure(
        "seconds",
        "Seconds",
        "How long the answer took",
        Kind.NUMBER,
        lambda found, at: found.requests[at].made.seconds,
        words=lambda found, at: "" if (took := found.requests[at].made.seconds) is None else f"{took:.1f}",
        at_first=False,
        faces=Face.FILES | Face.WINDOW,
        digits=6,
        yields=6,
    ),
    Column("conversation", "Id", "The id of its conversation", lambda found, at: found.requests[at].conversation,
           faces=Face.FILES),
)  # fmt: skip

REQUESTS: Table[Recording] = Table(REQUEST_COLUMNS, lambda found: range(len(found)), has_both_ends=True)


def recording_value(found: Recording) -> dict[str, Any]:
    """Return a recording as JSON."""
    words = saving_sentence(found)
    return {
        "format": REQUESTS_FORMAT,
        "sentences": list(recording_sentences(found)),
        "requests": list(REQUESTS.records(found)),
        **({"what_if": {"setting": found.setting_words, "words": words}} if words else {}),
    }
