"""The compactions of a replay, here and as recorded: a row for each moment at which a list was shortened, and all in
sentences.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from inspector.analysis.replay.moments import Moment, Moments, Whose
from inspector.analysis.replay.words import policy_name
from inspector.assembly.columns import F64, I64, Rows
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
MOST_SENTENCES = 3
"""How many sentences tell all moments, at most: those here, their cost, and those of the file."""
_WHOSE: dict[Whose, str] = {"here": "Here", "recorded": "Recorded"}


def event_sentences(moments: Moments) -> list[str]:
    """Describe all moments, here and as recorded: how often and at which turns, what became of the list, what questions
    need of the lost, and what the cache lost by those here.

    Empty without any.
    """
    here, recorded = moments.of("here"), moments.of("recorded")
    told = [f"{_told(here)}.", _cache_sentence(here)] if len(here) else []
    if not len(recorded):
        return told
    return [*(told or ["Here the list is never shortened."]), f"The file records {_told(recorded)}."]


def _told(moments: Moments) -> str:
    """Return the moments of one side in words."""
    turns = moments.found.turns[moments.places].tolist()
    when = f", at {_turn_words(turns)}" if turns else ""
    more = "; ".join([*_size_words(moments.all), *_loss_words(moments)])
    return f"{_counts(moments.all)}{when}{more and f': {more}'}"


def _counts(moments: Sequence[Moment]) -> str:
    """Return how many moments there are of each kind: 3 compactions and 1 pruning."""
    kinds: Counter[EventKind] = Counter(one.kind for one in moments)
    return _listed(
        [counted(number, EVENT_NAMES[kind], plural=_PLURALS.get(kind, "")) for kind, number in kinds.items()]
    )


def _turn_words(turns: Sequence[int]) -> str:
    if len(turns) == 1:
        return f"turn {figures(turns[0])}"
    if len(turns) <= _MOST_TURNS:
        return f"turns {_listed([figures(turn) for turn in turns])}"
    return f"{counted(len(turns), 'turn')} from {figures(turns[0])} to {figures(turns[-1])}"


def _size_words(moments: Sequence[Moment]) -> Iterator[str]:
    """Yield the size of the list before and after all moments, in tokens, or in entries where a program counts these.

    Moments of which the file tells only one size, or none, are left out.
    """
    for unit, plural in (("token", ""), ("entry", "entries")):
        sizes = [
            (one.before, one.after)
            for one in moments
            if one.unit == unit and one.before is not None and one.after is not None
        ]
        if sizes:
            before, after = (sum(side) for side in zip(*sizes, strict=True))
            yield f"{counted(before, unit, plural=plural)} became {figures(after)}"


def _loss_words(moments: Moments) -> Iterator[str]:
    """Yield how many messages summaries tell since, how many items left the prompt or are no longer whole in it, and
    how many of them questions need.

    Moments here of the same prompt share them, and so count once. All that a recorded summary tells left the prompt,
    which is not said twice.
    """
    ones = {one.place if one.whose == "here" else id(one): one for one in moments.all}.values()
    folded, lost = sum(len(one.folded) for one in ones), sum(len(one.lost) for one in ones)
    lost -= sum(len(one.folded) for one in ones if one.whose == "recorded")
    if folded:
        yield f"{counted(folded, 'message')} told by summaries"
    if lost:
        yield f"{counted(lost, 'item')} gone or no longer whole"
    if len(moments.evidence):
        needed = np.unique(np.concatenate([moments.needed(one) for one in ones]))
        yield f"{len(needed):,} of {counted(len(moments.evidence), 'item')} that questions need among them"


def _cache_sentence(moments: Moments) -> str:
    """Describe the prefix at the turns with moments, and what their prompts cost."""
    found, places = moments.found, moments.places
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


def _of(read: Callable[[Moments, Moment], Value]) -> Callable[[Moments, int], Value]:
    return lambda moments, row: read(moments, moments.all[row])


def _figures(read: Callable[[Moments, Moment], float | None]) -> Callable[[Moments], F64]:
    """Return numbers to sort by, NaN where the file does not tell one."""
    return lambda moments: np.array(
        [np.nan if (value := read(moments, one)) is None else value for one in moments.all], np.float64
    )


def _lengths(rows: Callable[[Moments, Moment], Rows]) -> Callable[[Moments], I64]:
    return lambda moments: np.array([len(rows(moments, one)) for one in moments.all], np.int64)


def _ids(rows: Callable[[Moments, Moment], Rows]) -> Callable[[Moments, int], Value]:
    return lambda moments, row: tuple(
        moments.found.candidates.ids[at] for at in rows(moments, moments.all[row]).tolist()
    )


def _named(rows: Callable[[Moments, Moment], Rows]) -> Callable[[Moments, int], str]:
    return lambda moments, row: named(numbers_of(moments.found.candidates, rows(moments, moments.all[row]).tolist()))


def _at(moments: Moments, moment: Moment) -> str | None:
    if moment.at is None:
        return None
    return "end" if moment.at == END else moments.found.candidates.ids[moment.at]


def _at_words(moments: Moments, row: int) -> str:
    at = moments.all[row].at
    if at is None:
        return ""
    return "the end" if at == END else number_of(moments.found.candidates, at)


def _size(moment: Moment, size: int | None) -> str:
    return "–" if size is None else f"{figures(size)}{_UNITS[moment.unit]}"


def _unshared(moments: Moments, moment: Moment) -> int | None:
    """Return what a cache lost at a moment; None for a recorded one, which is of another prompt."""
    if moment.whose == "recorded" or moment.place is None:
        return None
    return int(moments.found.unshared[moment.place])


def _cost(moments: Moments, moment: Moment) -> float | None:
    if moment.whose == "recorded" or moment.place is None:
        return None
    return or_none(float(moments.found.paid[moment.place]))


def _is_estimated(moments: Moments, row: int) -> bool:
    place = moments.all[row].place
    return place is not None and bool(moments.found.estimated[place])


EVENT_COLUMNS: tuple[Column[Moments], ...] = (
    Column(
        "policy", "policy", "The policy and preset", lambda moments, row: policy_name(moments.found), faces=Face.FILES
    ),
    Column(
        "whose",
        "Whose",
        "By the policy here, or recorded by the program that wrote the file",
        _of(lambda moments, one: one.whose),
        words=lambda moments, row: _WHOSE[moments.all[row].whose],
        tone=lambda moments, row: "accent" if moments.all[row].whose == "recorded" else None,
        shown=lambda moments: moments.has_recorded,
        digits=9,
    ),
    Column(
        "turn",
        "At turn",
        "The turn of the sent prompt that is the first after it; a dash where the file does not tell when",
        _of(Moments.turn),
        _figures(Moments.turn),
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
        yields=3,
    ),
    Column(
        "kind",
        "Event",
        "How the program shortened its list",
        _of(lambda moments, one: one.kind),
        words=lambda moments, row: EVENT_NAMES[moments.all[row].kind],
        digits=20,
    ),
    Column(
        "before",
        "Before",
        "The tokens of the list before it by the program's own measure, or its entries",
        _of(lambda moments, one: one.before),
        _figures(lambda moments, one: one.before),
        Kind.COUNT,
        lambda moments, row: _size(moments.all[row], moments.all[row].before),
        digits=12,
    ),
    Column(
        "after",
        "After",
        "The same after it",
        _of(lambda moments, one: one.after),
        _figures(lambda moments, one: one.after),
        Kind.COUNT,
        lambda moments, row: _size(moments.all[row], moments.all[row].after),
        digits=12,
    ),
    Column(
        "unit",
        "unit",
        "Whether the program measures its list in tokens or in entries",
        _of(lambda moments, one: one.unit),
        faces=Face.FILES,
    ),
    Column(
        "folded",
        "Summarized",
        "Messages told by a summary since the prompt sent before",
        _ids(lambda moments, one: one.folded),
        _lengths(lambda moments, one: one.folded),
        Kind.IDS,
        lambda moments, row: figures(len(moments.all[row].folded)),
        digits=9,
    ),
    Column(
        "lost",
        "Lost",
        "Items that left the prompt since the prompt sent before, or are no longer whole in it",
        _ids(lambda moments, one: one.lost),
        _lengths(lambda moments, one: one.lost),
        Kind.IDS,
        _named(lambda moments, one: one.lost),
        digits=20,
        stretches=True,
        yields=1,
    ),
    Column(
        "evidence",
        "Evidence lost",
        "Items that questions need, among those summarized or lost",
        _ids(Moments.needed),
        _lengths(Moments.needed),
        Kind.IDS,
        _named(Moments.needed),
        tone=lambda moments, row: "warning",
        shown=lambda moments: bool(len(moments.evidence)),
        digits=20,
    ),
    Column(
        "unshared",
        "Prefix lost",
        "Tokens of the prompt sent before that a cache cannot serve any more",
        _of(_unshared),
        _figures(_unshared),
        Kind.TOKENS,
        absent="",
        digits=9,
        yields=4,
    ),
    Column(
        "cost",
        "Cost",
        "US dollars of the prompt of its turn, with the provider's cache of prompts where its rule is known",
        _of(_cost),
        _figures(_cost),
        Kind.MONEY,
        absent="",
        estimated=_is_estimated,
        digits=9,
        yields=5,
    ),
)

EVENTS: Table[Moments] = Table(EVENT_COLUMNS, lambda moments: range(len(moments)))
"""Every moment at which a list was shortened, the earliest first."""
