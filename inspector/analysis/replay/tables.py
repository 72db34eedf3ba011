"""The tables of a replay: a row for each turn, and a row for each item that falls out."""

from collections.abc import Callable
from typing import Any

import numpy as np

from inspector.analysis.replay.ask import NOTHING, Replay
from inspector.analysis.replay.events import EVENTS
from inspector.analysis.replay.moments import Moments
from inspector.analysis.replay.words import (
    broken,
    cache_sentence,
    caption,
    fallen,
    policy_name,
    prefix_sentence,
    stayed,
    time_of,
)
from inspector.assembly.columns import Section, section_title, word
from inspector.assembly.numbers import number_of, numbers_of
from inspector.tables import Column, Face, Kind, Table, Tone, Value, named, or_none

REPLAY_FORMAT = "prompt-inspector/replay@1"


def _quiet(found: Replay, place: int) -> Tone | None:
    return None if found.is_sent[place] else "muted"


def _made(read: Callable[[Replay, int], Value]) -> Callable[[Replay, int], Value]:
    """Return the value of a turn, unknown where the policy refused to make a prompt."""
    return lambda found, place: None if found.refused[place] else read(found, place)


def _cached(read: Callable[[Replay, int], Value]) -> Callable[[Replay, int], Value]:
    """Return the value of a turn, unknown without a prompt, or without a rule of a cache."""
    return lambda found, place: None if found.refused[place] or found.scheme is None else read(found, place)


def _is_estimated(found: Replay, place: int) -> bool:
    return bool(found.estimated[place])


def _section(section: Section) -> Column[Replay]:
    return Column(
        f"tokens_{word(section)}",
        section_title(section),
        f"Tokens of the section {section_title(section)}",
        _made(lambda found, place: int(found.tokens[place, section])),
        lambda found: found.tokens[:, section],
        Kind.TOKENS,
        tone=_quiet,
        shown=lambda found: bool(found.tokens[:, section].any()),
        at_first=False,
    )


def _file(key: str, help: str, value: Callable[[Replay, int], Value]) -> Column[Replay]:
    return Column(key, key, help, value, faces=Face.FILES)


def _recorded(key: str, title: str, part: str, help: str) -> Column[Replay]:
    """Return the column of a part of the recorded prompts, for files, and elsewhere if the file tells any."""

    def value(found: Replay, place: int) -> int | None:
        usage = found.recorded[place]
        return None if usage is None else getattr(usage, part)

    return Column(
        key,
        title,
        help,
        value,
        lambda found: np.array([_or_nan(value(found, place)) for place in range(len(found))]),
        Kind.TOKENS,
        absent="",
        tone=_quiet,
        digits=9,
        shown=lambda found: any(value(found, place) is not None for place in range(len(found))),
        yields=7 if part != "prompt" else 0,
        at_first=part == "prompt",
    )


def _or_nan(tokens: int | None) -> float:
    """Return tokens to sort by, NaN for none."""
    return np.nan if tokens is None else float(tokens)


def _breaks_at(found: Replay, place: int) -> str | None:
    return found.candidates.ids[int(found.breaks[place])] if _has_break(found, place) else None


def _has_break(found: Replay, place: int) -> bool:
    return bool(found.is_broken[place]) and int(found.breaks[place]) != NOTHING


def _findings(found: Replay, place: int) -> str:
    if found.refused[place]:
        return "refused"
    return ", ".join(code.replace("_", " ") for code in found.findings[place])


TURN_COLUMNS: tuple[Column[Replay], ...] = (
    _file("policy", "The policy and preset", lambda found, place: policy_name(found)),
    Column(
        "turn",
        "Turn",
        "How many messages exist; in grey where the reply was said and nothing was sent",
        lambda found, place: int(found.turns[place]),
        lambda found: found.turns,
        Kind.COUNT,
        tone=_quiet,
    ),
    Column(
        "time",
        "When",
        "When its newest message was said",
        time_of,
        kind=Kind.TIME,
        tone=_quiet,
        digits=17,
        yields=4,
    ),
    _file("sent", "Whether a prompt went to the model", lambda found, place: bool(found.is_sent[place])),
    _file("refused", "Whether the policy refused to make a prompt", lambda found, place: bool(found.refused[place])),
    *map(_section, Section),
    Column(
        "overhead",
        "Formatting",
        "Tokens of templates, headings and joints",
        _made(lambda found, place: int(found.overhead[place])),
        lambda found: found.overhead,
        Kind.TOKENS,
        estimated=_is_estimated,
        tone=_quiet,
        digits=9,
        yields=1,
        at_first=False,
    ),
    Column(
        "total",
        "Tokens",
        "Tokens of the prompt as planned; ≈ where its texts are estimated, or counted apart in one message",
        _made(lambda found, place: int(found.totals[place])),
        lambda found: found.totals,
        Kind.TOKENS,
        estimated=_is_estimated,
        tone=_quiet,
        digits=9,
    ),
    _file("estimated", "Whether the tokens are estimated", _made(_is_estimated)),
    _recorded(
        "recorded", "Recorded", "prompt", "Tokens of the prompt that was answered next, as the file records them"
    ),
    _recorded("recorded_cached", "Was cached", "cached", "Of the recorded prompt, the tokens read from a cache"),
    _recorded("recorded_written", "Was written", "written", "Of the recorded prompt, the tokens written to a cache"),
    _recorded("recorded_fresh", "Was fresh", "fresh", "Of the recorded prompt, all other tokens"),
    Column(
        "horizon",
        "Reaches back",
        "How many messages back the oldest one of the prompt is",
        _made(lambda found, place: int(found.horizon[place])),
        lambda found: found.horizon,
        Kind.COUNT,
        tone=_quiet,
        digits=12,
    ),
    Column(
        "shared",
        "Shared",
        "Tokens of the same beginning as the last prompt",
        _made(lambda found, place: int(found.shared[place])),
        lambda found: found.shared,
        Kind.TOKENS,
        tone=_quiet,
        digits=9,
        tooltip=prefix_sentence,
    ),
    Column(
        "read",
        "Read",
        "Tokens read from the provider's cache of prompts",
        _cached(lambda found, place: int(found.read[place])),
        lambda found: found.read,
        Kind.TOKENS,
        tone=_quiet,
        digits=9,
        tooltip=lambda found, place: cache_sentence(found),
        shown=lambda found: found.scheme is not None,
        yields=6,
        at_first=False,
    ),
    Column(
        "written",
        "Written",
        "Tokens written to the provider's cache of prompts",
        _cached(lambda found, place: int(found.written[place])),
        lambda found: found.written,
        Kind.TOKENS,
        tone=_quiet,
        digits=9,
        tooltip=lambda found, place: cache_sentence(found),
        shown=lambda found: found.scheme is not None,
        yields=6,
        at_first=False,
    ),
    _file("breaks_at", "The first item that differs from the last prompt", _breaks_at),
    Column(
        "cost",
        "Full price",
        "US dollars of a prompt that was sent, without a cache of prompts",
        lambda found, place: or_none(found.costs[place]),
        lambda found: found.costs,
        Kind.MONEY,
        absent="",
        estimated=_is_estimated,
        digits=9,
        yields=5,
        at_first=False,
    ),
    Column(
        "cost_cached",
        "Cost",
        "US dollars of a prompt that was sent, with the provider's cache of prompts",
        lambda found, place: or_none(found.cached_costs[place]),
        lambda found: found.cached_costs,
        Kind.MONEY,
        absent="",
        estimated=_is_estimated,
        digits=9,
        yields=3,
    ),
    Column(
        "fell",
        "Fell",
        "Items that left the prompt at this turn, or are no longer whole in it",
        lambda found, place: tuple(found.candidates.ids[row] for row in found.falls[place].rows.tolist()),
        lambda found: np.array([len(fall.rows) for fall in found.falls], np.int64),
        Kind.IDS,
        lambda found, place: named(numbers_of(found.candidates, found.falls[place].rows.tolist())),
        digits=24,
        stretches=True,
        tooltip=caption,
    ),
    Column(
        "findings",
        "Findings",
        "Warnings and errors of this turn",
        lambda found, place: found.findings[place],
        words=_findings,
        digits=24,
        yields=2,
    ),
)


def _fell_at(found: Replay, row: int) -> int:
    return int(found.fell_at[row])


def _section_of(found: Replay, row: int) -> Section:
    return Section(int(found.candidates.home_section[row]))


def _stayed(found: Replay, row: int) -> int | None:
    turns = int(stayed(found)[row])
    return None if turns == NOTHING else turns


ITEM_COLUMNS: tuple[Column[Replay], ...] = (
    _file("policy", "The policy and preset", lambda found, row: policy_name(found)),
    Column(
        "item",
        "#",
        "The number of the item",
        lambda found, row: found.candidates.ids[row],
        lambda found: np.arange(len(found.candidates)),
        words=lambda found, row: number_of(found.candidates, row),
        digits=7,
    ),
    Column(
        "section",
        "Section",
        "Its part of the budget",
        lambda found, row: word(_section_of(found, row)),
        lambda found: found.candidates.home_section,
        words=lambda found, row: section_title(_section_of(found, row)),
        digits=13,
        yields=3,
    ),
    Column(
        "falls",
        "Falls out at",
        "The first turn that drops it after it was in a prompt",
        _fell_at,
        lambda found: found.fell_at,
        Kind.COUNT,
        digits=11,
    ),
    Column(
        "time",
        "When",
        "When the newest message of that turn was said",
        lambda found, row: time_of(found, found.place(_fell_at(found, row))),
        kind=Kind.TIME,
        digits=17,
        yields=2,
    ),
    Column(
        "stayed",
        "After turns",
        "How many turns a message was there before it fell out",
        _stayed,
        stayed,
        Kind.COUNT,
        absent="",
        digits=11,
        yields=1,
    ),
    Column(
        "text",
        "Text",
        "Its beginning",
        lambda found, row: found.candidates.texts[row],
        kind=Kind.EXCERPT,
        faces=Face.WINDOW,
        digits=14,
        stretches=True,
    ),
)

TURNS: Table[Replay] = Table(TURN_COLUMNS, lambda found: range(len(found)))
FALLEN: Table[Replay] = Table(ITEM_COLUMNS, lambda found: fallen(found).tolist())
"""The items that fall out, in order of falling."""


def replay_value(moments: Moments) -> dict[str, Any]:
    """Return a replay as JSON: a row for each turn, for each moment at which the list was shortened here, for each that
    the file records, and for each item that ever falls out its first turn.

    The figures of all prompts (`broken`, `cost`, `cost_cached`, `cache_change`) are null unless every sent prompt is
    replayed; the two of the cache are null, too, where its rule (`cache`) is not known.
    """
    found = moments.found
    spending = found.spending() if found.has_all_sent else None
    falling = np.flatnonzero(found.fell_at >= 0).tolist()
    return {
        "format": REPLAY_FORMAT,
        "policy": policy_name(found),
        "context_window": found.window,
        "turns": list(TURNS.records(found)),
        "events": list(EVENTS.records(moments.of("here"))),
        "recorded_events": list(EVENTS.records(moments.of("recorded"))),
        "fell_at": {found.candidates.ids[row]: _fell_at(found, row) for row in falling},
        "sent": int(found.is_sent.sum()),
        "broken": broken(found) if found.has_all_sent else None,
        "cost": None if spending is None else spending.without,
        "cost_cached": None if spending is None else spending.cached,
        "cache_change": None if spending is None else spending.change,
        "cache": _scheme_value(found),
    }


def _scheme_value(found: Replay) -> dict[str, Any] | None:
    scheme = found.scheme
    if scheme is None:
        return None
    return {
        "scheme": scheme.kind,
        "minimum": scheme.minimum,
        "step": scheme.step,
        "lifetime_s": scheme.lifetime,
        "rule": scheme.rule,
        "times_assumed": found.assumes_alive,
    }
