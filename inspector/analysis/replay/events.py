"""The compactions of a replay: a row for each moment at which the program shortened its list, and all in a sentence."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from inspector.analysis.replay.ask import Replay
from inspector.analysis.replay.shortening import Shortening
from inspector.analysis.replay.words import policy_name
from inspector.assembly.answer import event_value
from inspector.assembly.columns import I64, Rows
from inspector.assembly.compaction import END, EventKind, EventUnit
from inspector.assembly.numbers import number_of, numbers_of
from inspector.figures import counted, dollars, figures
from inspector.tables import Column, Face, Kind, Table, Value, named, or_none

EVENT_NAMES: dict[EventKind, str] = {
    "compacted": "compaction",
    "truncated": "truncation",
    "pruned": "pruning",
    "cleared": "clearing of results",
    "deduplicated": "deduplication",
    "failed_inflated": "failed compaction",
    "truncated_only": "cut of results",
    "forgotten": "cut without a summary",
}
_PLURALS = {
    "cleared": "clearings of results",
    "truncated_only": "cuts of results",
    "forgotten": "cuts without a summary",
}
_UNITS: dict[EventUnit, str] = {"token": "", "entry": " entries"}
_MOST_TURNS = 6


def turn_of(found: Replay, event: Shortening) -> int:
    """Return the turn of the sent prompt that first tells an event."""
    return int(found.turns[event.place])


def event_places(found: Replay) -> Rows:
    """Return the places of the turns with events, each once."""
    return np.unique(np.array([event.place for event in found.events], np.intp))


def event_sentences(found: Replay) -> list[str]:
    """Describe all events: how often and at which turns, what became of the list, and what the cache lost by them.

    Empty without events.
    """
    if not found.events:
        return []
    places = event_places(found)
    turns, sizes = _turn_words(found.turns[places].tolist()), _size_words(found.events)
    told = [_counts(found.events), f"at {turns}: {'; '.join([*sizes, *_loss_words(found)])}."]
    return [", ".join(told), _cache_sentence(found, places)]


def _counts(events: Sequence[Shortening]) -> str:
    """Return how many events there are of each kind: 3 compactions and 1 pruning."""
    kinds: Counter[EventKind] = Counter(one.event.kind for one in events)
    return _listed(
        [counted(number, EVENT_NAMES[kind], plural=_PLURALS.get(kind, "")) for kind, number in kinds.items()]
    )


def _turn_words(turns: Sequence[int]) -> str:
    if len(turns) == 1:
        return f"turn {figures(turns[0])}"
    if len(turns) <= _MOST_TURNS:
        return f"turns {_listed([figures(turn) for turn in turns])}"
    return f"{counted(len(turns), 'turn')} from {figures(turns[0])} to {figures(turns[-1])}"


def _size_words(events: Sequence[Shortening]) -> Iterator[str]:
    """Yield the size of the list before and after all events, in tokens, or in entries where a program counts these."""
    for unit, plural in (("token", ""), ("entry", "entries")):
        own = [one.event for one in events if one.event.unit == unit]
        if own:
            before, after = sum(event.before for event in own), sum(event.after for event in own)
            yield f"{counted(before, unit, plural=plural)} became {figures(after)}"


def _loss_words(found: Replay) -> Iterator[str]:
    """Yield how many messages summaries tell since, and how many items left the prompt or are no longer whole in it.

    Events of the same prompt share both, which count once.
    """
    ones = {event.place: event for event in found.events}.values()
    folded, lost = sum(len(one.folded) for one in ones), sum(len(one.lost) for one in ones)
    if folded:
        yield f"{counted(folded, 'message')} told by summaries"
    if lost:
        yield f"{counted(lost, 'item')} gone or no longer whole"


def _cache_sentence(found: Replay, places: Rows) -> str:
    """Describe the prefix at the turns with events, and what their prompts cost."""
    broken, lost = int(found.is_broken[places].sum()), int(found.unshared[places].sum())
    some = "each of these turns" if broken == len(places) else f"{figures(broken)} of these {len(places):,} turns"
    where = "there" if len(places) == 1 else f"at {some}"
    said = f"The prefix breaks {where}: {counted(lost, 'token')} of the prompts before cannot be read from a cache"
    said = said if broken else "The prefix stays whole there"
    cost = found.paid[places]
    if np.isnan(cost).any():
        return f"{said}."
    estimated = bool(found.estimated[places].any())
    cached = "" if found.scheme is None else " with the cache"
    return f"{said}. The prompts there cost {dollars(float(cost.sum()), estimated)}{cached}."


def _listed(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


# The table


def _of(read: Callable[[Replay, Shortening], Value]) -> Callable[[Replay, int], Value]:
    return lambda found, row: read(found, found.events[row])


def _figures(read: Callable[[Replay, Shortening], int]) -> Callable[[Replay], I64]:
    return lambda found: np.array([read(found, event) for event in found.events], np.int64)


def _ids(rows: Callable[[Shortening], Rows]) -> Callable[[Replay, int], Value]:
    return lambda found, row: tuple(found.candidates.ids[at] for at in rows(found.events[row]).tolist())


def _at(found: Replay, event: Shortening) -> str:
    return str(event_value(event.event, found.candidates.ids)["at"])


def _at_words(found: Replay, row: int) -> str:
    at = found.events[row].event.row
    return "the end" if at == END else number_of(found.candidates, at)


def _size(found: Replay, row: int, is_after: bool) -> str:
    event = found.events[row].event
    return f"{figures(event.after if is_after else event.before)}{_UNITS[event.unit]}"


EVENT_COLUMNS: tuple[Column[Replay], ...] = (
    Column("policy", "policy", "The policy and preset", lambda found, row: policy_name(found), faces=Face.FILES),
    Column(
        "turn",
        "At turn",
        "The turn of the sent prompt that is the first after it",
        _of(turn_of),
        _figures(turn_of),
        Kind.COUNT,
        digits=8,
    ),
    Column(
        "at",
        "At",
        "The message before or after which it happened, or the end",
        _of(_at),
        words=_at_words,
        digits=7,
        yields=4,
    ),
    Column(
        "kind",
        "Event",
        "How the program shortened its list",
        _of(lambda found, event: event.event.kind),
        words=lambda found, row: EVENT_NAMES[found.events[row].event.kind],
        digits=20,
    ),
    Column(
        "before",
        "Before",
        "The tokens of the list before it by the program's own measure, or its entries",
        _of(lambda found, event: event.event.before),
        _figures(lambda found, event: event.event.before),
        Kind.COUNT,
        lambda found, row: _size(found, row, is_after=False),
        digits=14,
    ),
    Column(
        "after",
        "After",
        "The same after it",
        _of(lambda found, event: event.event.after),
        _figures(lambda found, event: event.event.after),
        Kind.COUNT,
        lambda found, row: _size(found, row, is_after=True),
        digits=14,
    ),
    Column(
        "unit",
        "unit",
        "Whether the program measures its list in tokens or in entries",
        _of(lambda found, event: event.event.unit),
        faces=Face.FILES,
    ),
    Column(
        "folded",
        "Summarized",
        "Messages told by a summary since the prompt sent before",
        _ids(lambda event: event.folded),
        _figures(lambda found, event: len(event.folded)),
        Kind.IDS,
        lambda found, row: figures(len(found.events[row].folded)),
        digits=9,
    ),
    Column(
        "lost",
        "Lost",
        "Items that left the prompt since the prompt sent before, or are no longer whole in it",
        _ids(lambda event: event.lost),
        _figures(lambda found, event: len(event.lost)),
        Kind.IDS,
        lambda found, row: named(numbers_of(found.candidates, found.events[row].lost.tolist())),
        digits=20,
        stretches=True,
        yields=3,
    ),
    Column(
        "unshared",
        "Prefix lost",
        "Tokens of the prompt sent before that a cache cannot serve any more",
        _of(lambda found, event: int(found.unshared[event.place])),
        _figures(lambda found, event: int(found.unshared[event.place])),
        Kind.TOKENS,
        digits=9,
    ),
    Column(
        "cost",
        "Cost",
        "US dollars of the prompt of its turn, with the provider's cache of prompts where its rule is known",
        _of(lambda found, event: or_none(found.paid[event.place])),
        lambda found: np.array([found.paid[event.place] for event in found.events]),
        Kind.MONEY,
        absent="",
        estimated=lambda found, row: bool(found.estimated[found.events[row].place]),
        digits=9,
        yields=2,
    ),
)

EVENTS: Table[Replay] = Table(EVENT_COLUMNS, lambda found: range(len(found.events)))
"""Every moment at which the program shortened its list, the earliest first."""
