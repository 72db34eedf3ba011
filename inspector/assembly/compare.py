"""Comparing two assemblies: the changed items as index arrays; a row is made on demand."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inspector.assembly.answer import Answer
from inspector.assembly.columns import I32, U8, Fate, Rows, Section, word
from inspector.assembly.decisions import Assembly
from inspector.derived import cached_property

ABSENT = len(Fate)
"""Used in place of a fate for an item that only the other assembly has."""

NO_ROW = -1

_KEPT, _SUMMARIZED, _TRUNCATED, _DROPPED, _NOT_YET = Fate
TRANSITIONS: tuple[tuple[int, int], ...] = (
    *((_KEPT, _DROPPED), (_KEPT, _TRUNCATED), (_KEPT, _SUMMARIZED)),
    *((_TRUNCATED, _DROPPED), (_SUMMARIZED, _DROPPED), (_TRUNCATED, _SUMMARIZED), (_SUMMARIZED, _TRUNCATED)),
    *((fate, _NOT_YET) for fate in Fate if fate != _NOT_YET),
    *((fate, ABSENT) for fate in Fate),
    *((ABSENT, fate) for fate in Fate),
    *((_NOT_YET, fate) for fate in Fate if fate != _NOT_YET),
    *((_DROPPED, _SUMMARIZED), (_DROPPED, _TRUNCATED)),
    *((_SUMMARIZED, _KEPT), (_TRUNCATED, _KEPT), (_DROPPED, _KEPT)),
    *((fate, fate) for fate in Fate),
)
"""Every pair (before, after), worst loss first; last the same fate with another spending."""


def _places() -> U8:
    places = np.full((ABSENT + 1, ABSENT + 1), len(TRANSITIONS), np.uint8)
    for place, (before, after) in enumerate(TRANSITIONS):
        places[before, after] = place
    return places


_PLACE = _places()


@dataclass(frozen=True, slots=True)
class TransitionGroup:
    """The changes `start` to `stop` of a comparison, all with the same transition, and their tokens on both sides."""

    before: Fate | None
    after: Fate | None
    start: int
    stop: int
    spent_before: int
    spent_after: int

    def __len__(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True, eq=False)
class Movement:
    """The changes of one direction, as `places` of a comparison, and their tokens on both sides."""

    title: str
    places: Rows
    spent_before: int
    spent_after: int

    def __len__(self) -> int:
        return len(self.places)


@dataclass(frozen=True, eq=False)
class Comparison:
    """The differences between two assemblies: an entry for each item whose fate or spending differs.

    The columns are of equal length, sorted by transition (see `TRANSITIONS`), then in prompt order: the row in either
    assembly (`NO_ROW` where it has none), the fates (`ABSENT` likewise) and the tokens spent.
    """

    before: Assembly
    after: Assembly
    rows_before: Rows
    rows_after: Rows
    fates_before: U8
    fates_after: U8
    spent_before: I32
    spent_after: I32

    def __len__(self) -> int:
        return len(self.rows_before)

    @cached_property
    def groups(self) -> tuple[TransitionGroup, ...]:
        """The transitions found, in order, each as a slice of the entries."""
        places = _PLACE[self.fates_before, self.fates_after]
        bounds = np.searchsorted(places, np.arange(len(TRANSITIONS) + 1))
        found = []
        for (before, after), start, stop in zip(TRANSITIONS, bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            if start < stop:
                spent = [
                    int(column[start:stop].sum(dtype=np.int64)) for column in (self.spent_before, self.spent_after)
                ]
                found.append(TransitionGroup(_fate(before), _fate(after), start, stop, *spent))
        return tuple(found)

    @cached_property
    def movements(self) -> tuple[Movement, ...]:
        """The changes that came in, those that left, and all others; only those that there are."""
        was_in, is_in = self.fates_before < _DROPPED, self.fates_after < _DROPPED
        masks = {"Came in": ~was_in & is_in, "Left": was_in & ~is_in, "Otherwise": was_in == is_in}
        found = ((title, np.flatnonzero(mask)) for title, mask in masks.items())
        return tuple(
            Movement(title, places, *(int(column[places].sum(dtype=np.int64)) for column in self._spent))
            for title, places in found
            if len(places)
        )

    @property
    def _spent(self) -> tuple[I32, I32]:
        return self.spent_before, self.spent_after


@dataclass(frozen=True, slots=True)
class TotalLine:
    """A part of the budget on both sides of a comparison, in tokens; `name` is the word of a section, or its own."""

    name: str
    before: int
    after: int

    @property
    def change(self) -> int:
        """The growth from before to after, negative if it shrank."""
        return self.after - self.before


def total_lines(before: Answer, after: Answer) -> tuple[TotalLine, ...]:
    """Return every part of the bar: the sections of either side, overhead, their total, reserve, and free tokens.

    Sections and overhead sum to the total; `free` is below 0 if the prompt is over its window.
    """
    used = [answer.assembly.used for answer in (before, after)]
    sections = [Section(number) for number in np.flatnonzero(used[0] + used[1]).tolist()]
    lines = [TotalLine(word(section), int(used[0][section]), int(used[1][section])) for section in sections]
    reserves = (answer.assembly.budget.response_reserve for answer in (before, after))
    return (
        *lines,
        TotalLine("overhead", before.ledger.overhead, after.ledger.overhead),
        TotalLine("total", before.ledger.total, after.ledger.total),
        TotalLine("reserve", *reserves),
        TotalLine("free", before.free, after.free),
    )


def compare(before: Assembly, after: Assembly) -> Comparison:
    """Return the differences between two assemblies. Items are the same when their ids are.

    Assemblies of the same items are compared column by column; items of others are matched by id.
    """
    if before.candidates.items is after.candidates.items:
        changed = (before.fate != after.fate) | (before.spent != after.spent)
        rows = np.flatnonzero(changed)
        return _sorted(before, after, rows, rows)
    rows_before, rows_after = _matched(before.candidates.ids, after.candidates.ids)
    comparison = _sorted(before, after, rows_before, rows_after)
    same = comparison.fates_before == comparison.fates_after
    differ = ~same | (comparison.spent_before != comparison.spent_after)
    return _sorted(before, after, comparison.rows_before[differ], comparison.rows_after[differ])


def changed_count(before: Assembly, after: Assembly) -> int:
    """Return the number of differences, in little time for assemblies of the same items."""
    if before.candidates.items is not after.candidates.items:
        return len(compare(before, after))
    return int(np.count_nonzero((before.fate != after.fate) | (before.spent != after.spent)))


def came_in_and_left(before: Assembly, after: Assembly) -> tuple[int, int]:
    """Return how many items are in the prompt only after, and only before, whole or not; quick enough for a slider."""
    if before.candidates.items is after.candidates.items:
        was, now = before.in_prompt, after.in_prompt
        return int(np.count_nonzero(now & ~was)), int(np.count_nonzero(was & ~now))
    was_in, is_in = (
        {side.candidates.ids[row] for row in np.flatnonzero(side.in_prompt).tolist()} for side in (before, after)
    )
    return len(is_in - was_in), len(was_in - is_in)


def _sorted(before: Assembly, after: Assembly, rows_before: Rows, rows_after: Rows) -> Comparison:
    fates_before, spent_before = _side(before, rows_before)
    fates_after, spent_after = _side(after, rows_after)
    order = np.argsort(_PLACE[fates_before, fates_after], kind="stable")
    return Comparison(
        before=before,
        after=after,
        rows_before=rows_before[order],
        rows_after=rows_after[order],
        fates_before=fates_before[order],
        fates_after=fates_after[order],
        spent_before=spent_before[order],
        spent_after=spent_after[order],
    )


def _side(assembly: Assembly, rows: Rows) -> tuple[U8, I32]:
    """Return fate and spending of these rows; ABSENT and 0 for NO_ROW."""
    if not len(assembly.fate):
        return np.full(len(rows), ABSENT, np.uint8), np.zeros(len(rows), np.int32)
    missing = rows == NO_ROW
    if not missing.any():
        return assembly.fate[rows], assembly.spent[rows]
    fates = np.where(missing, np.uint8(ABSENT), assembly.fate[rows])
    return fates, np.where(missing, np.int32(0), assembly.spent[rows])


def _matched(ids_before: Sequence[str], ids_after: Sequence[str]) -> tuple[Rows, Rows]:
    """Return pairs of rows with the same id, unmatched ones with NO_ROW: in the order of after, then before."""
    row_of = {name: row for row, name in enumerate(ids_before)}
    partners = np.fromiter((row_of.get(name, NO_ROW) for name in ids_after), np.intp, len(ids_after))
    alone = np.setdiff1d(np.arange(len(ids_before)), partners)
    rows_before = np.concatenate([partners, alone])
    return rows_before, np.concatenate([np.arange(len(ids_after)), np.full(len(alone), NO_ROW)])


def _fate(number: int) -> Fate | None:
    return None if number == ABSENT else Fate(number)
