"""The compactions of a session whose list is one summary and the newest messages, as columns.

A program that compacts after every few messages writes as many summaries as there are messages; none is made here.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from inspector.assembly.columns import I32, I64, Bool
from inspector.assembly.compaction import END, Compactions, Event, EventKind, EventUnit, MadeWhenAsked
from inspector.assembly.policies.agents.checks import Checks
from inspector.assembly.policies.agents.course import Course
from inspector.assembly.policies.agents.talk import Talk


@dataclass(frozen=True, eq=False)
class Moments:
    """Events of a kind in their order: each at the message of a place, with the size of the list before and after."""

    kind: EventKind
    at: I64
    before: I64
    after: I64


@dataclass(frozen=True, eq=False)
class Folds:
    """Compactions in their order: each at the message of a place, after which `starts` is the first message that stays.

    `before` and `after` are the size of the list, in `unit`. `front` are the messages that stand before the summary and
    `behind` the notes right after it, `first` is the first message that was ever folded; `later` comes after them all.
    """

    at: I64
    starts: I64
    before: I64
    after: I64
    unit: EventUnit
    front: Sequence[int] = ()
    behind: Sequence[int] = ()
    later: Sequence[Moments] = ()

    @property
    def first(self) -> int:
        """The first message that may be folded."""
        return len(self.front)


@dataclass(frozen=True, eq=False)
class Alone:
    """When a summary is told anew with none of the messages after it: where the first of these is `before` a place, by
    check. `starts` has by that message the first one that stays.
    """

    before: I64
    starts: I64


@dataclass(frozen=True, eq=False)
class Stays:
    """By check the first message that stays: `first` if it is in the list by then, else `other`.

    Nothing is folded if there are fewer than the `fewest` messages before it, unless the summary `alone` is.
    """

    first: I64
    other: I64
    alone: Alone | None = None
    fewest: int = 1


def fold_at(course: Course, checks: Checks, due: I64, stays: Stays, size: int, base: int = 0) -> None:
    """Walk through a session whose list is a summary of `size` tokens and the newest messages.

    `due` has by the first message of the list, without a summary at the end, the number of the check that folds.
    """
    numbers, starts = fold_numbers(checks, due, stays)
    folds = folds_of(course.talk, checks, numbers, starts, size, base)
    take_folds(course, folds, np.ones(len(course.talk), np.bool_), size, "user")


def folds_of(talk: Talk, checks: Checks, numbers: I64, starts: I64, size: int, base: int) -> Folds:
    """Return the folds at the checks of these numbers, with a summary of `size` tokens and `base` beside the list."""
    sums, upto = talk.sums, checks.upto[numbers]
    measured = upto if checks.measured is None else checks.measured[numbers]
    earlier = np.concatenate([[0], starts])[: len(starts)]
    before = base + sums[measured] - sums[earlier] + np.where(np.arange(len(starts)) > 0, size, 0)
    return Folds(checks.places[numbers], starts, before, base + sums[upto] - sums[starts] + size, "token")


def fold_numbers(checks: Checks, due: I64, stays: Stays) -> tuple[I64, I64]:
    """Return the numbers of the checks that fold, and the first message that stays at each. The loop is all of it that
    is no column: there may be as many folds as checks.
    """
    first, other, dues, alone = stays.first.tolist(), stays.other.tolist(), due.tolist(), stays.alone
    before, fewest = [] if alone is None else alone.before.tolist(), stays.fewest
    numbers, starts, start, count = list[int](), list[int](), 0, len(first)
    number = max(dues[-1], count - 1 if checks.is_last_only else 0)
    while number < count:
        place = first[number]
        if place < start:
            place = other[number]
        is_due = place >= start + fewest
        if alone is not None and starts:
            is_due = start < before[number]
            place = place if place > start else int(alone.starts[start])
        if is_due:
            numbers.append(number)
            starts.append(place)
            start = place
        number = max(number + 1, dues[start]) if starts else number + 1
    return np.array(numbers, np.int64), np.array(starts, np.int64)


class Events(MadeWhenAsked[Event]):
    """The events of a session; `rows` are those of the messages."""

    def __init__(self, rows: I64, moments: Sequence[Moments], unit: EventUnit) -> None:
        self._ends = list(accumulate(len(each.at) for each in moments))
        super().__init__(self._ends[-1])
        self._rows, self._moments = rows, moments
        self._unit: EventUnit = unit

    def made(self, place: int) -> Event:
        """Return the event at a place from 0 on."""
        number = bisect_right(self._ends, place)
        own, number_in = self._moments[number], place - self._ends[number]
        at, before, after = (int(column[number_in]) for column in (own.at, own.before, own.after))
        return Event(int(self._rows[min(at, len(self._rows) - 1)]), own.kind, before, after, unit=self._unit)


def take_folds(course: Course, folds: Folds, told: Bool, size: int, role: str, text: str | None = None) -> None:
    """Give a course these compactions; of the folded messages those that are not `told` are cut out."""
    count, number = len(folds.at), len(course.talk)
    ends = np.concatenate([[folds.first], folds.starts])
    into = np.zeros(number, np.int32)
    into[folds.first : ends[-1]] = np.repeat(np.arange(1, count + 1, dtype=np.int32), np.diff(ends))
    gone = (into > 0) & ~told
    into[gone] = 0
    course.adopt(
        [*folds.front, -count, *folds.behind, *range(int(ends[-1]), number)] if count else list(range(number)),
        into,
        gone,
        _compactions(told, ends, size, role, text) if count else Compactions.of(()),
        Events(
            np.append(course.talk.rows, END).astype(np.int64),
            (Moments("compacted", folds.at, folds.before, folds.after), *folds.later),
            folds.unit,
        ),
    )


def _compactions(told: Bool, ends: I64, size: int, role: str, text: str | None) -> Compactions:
    """Return the summaries, each told by the next; each but the first tells the one before it."""
    count = len(ends) - 1
    sums = np.concatenate([[0], np.cumsum(told, dtype=np.int64)])
    own = np.diff(sums[ends])
    own[1:] += 1
    into: I32 = np.arange(2, count + 2, dtype=np.int32)
    into[-1] = 0
    return Compactions(np.full(count, size, np.int64), own, into, lambda _: (role, text), {})
