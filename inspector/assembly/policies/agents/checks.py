"""The moments at which a program looks at its list, and the next of them at which it is too large."""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from inspector.assembly.columns import I64
from inspector.assembly.policies.agents.course import Course


@dataclass(frozen=True, eq=False)
class Checks:
    """Checks in their order: each at the message of a place, when the list has been given the first `upto` messages.

    `measured` is how many of these count, by default all. With `is_last_only` there is one check, the last.
    """

    places: I64
    upto: I64
    measured: I64 | None = None
    is_last_only: bool = False

    def reaching(self, course: Course, limit: Callable[[], int]) -> Iterator[int]:
        """Yield the place of each check at which the list costs at least `limit()` tokens; append messages until then.

        After each the list may be another one; at the end it has every message.
        """
        sums, done, first = course.talk.sums, 0, max(0, len(self.places) - 1) if self.is_last_only else 0
        tokens = sums[self.upto if self.measured is None else self.measured].tolist()
        while first < len(self.places):
            needed = limit() - course.total() + int(sums[done])
            number = bisect_left(tokens, needed, first)
            if number == len(self.places):
                break
            done = _append(course, done, int(self.upto[number]))
            yield int(self.places[number])
            first = number + 1
        _append(course, done, len(course.talk))

    def first_with(self, sums: I64, least: int, summary: int) -> I64:
        """Return the number of the first check at which the list reaches `least`: by its first message, from 0 on, with
        `summary` before it, and at the end from 0 on without. `sums` are those of the first n messages.
        """
        beginnings = np.append(sums + (least - summary), least)
        return np.searchsorted(sums[self.upto], beginnings).astype(np.int64)

    def due(self, course: Course, is_due: Callable[[int, int], bool]) -> Iterator[int]:
        """Yield the place of each check at which the tokens and the number of entries are `is_due`, as `reaching`."""
        sums, done = course.talk.sums.tolist(), 0
        measured = (self.upto if self.measured is None else self.measured).tolist()
        total, count = course.total(), len(course.state)
        for number in range(max(0, len(self.places) - 1) if self.is_last_only else 0, len(self.places)):
            tokens, entries = total + sums[measured[number]] - sums[done], count + measured[number] - done
            if is_due(tokens, entries):
                done = _append(course, done, int(self.upto[number]))
                yield int(self.places[number])
                total, count = course.total(), len(course.state)
        _append(course, done, len(course.talk))


def _append(course: Course, done: int, upto: int) -> int:
    course.state.extend(range(done, upto))
    return max(done, upto)


def before_requests(course: Course, *, is_last_only: bool) -> Checks:
    """Return the checks before each request, with everything that is sent."""
    requests = course.talk.requests
    return Checks(requests, requests + 1, is_last_only=is_last_only)
