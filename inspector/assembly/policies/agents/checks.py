"""The moments at which a program looks at its list, and the next of them at which it is too large."""

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
        measured = self.upto if self.measured is None else self.measured
        sums, done, first = course.talk.sums, 0, max(0, len(self.places) - 1) if self.is_last_only else 0
        while first < len(self.places):
            needed = limit() - course.total() + int(sums[done])
            number = first + int(np.searchsorted(sums[measured[first:]], needed))
            if number == len(self.places):
                break
            done = _append(course, done, int(self.upto[number]))
            yield int(self.places[number])
            first = number + 1
        _append(course, done, len(course.talk))

    def each(self, course: Course) -> Iterator[int]:
        """Yield the place of every check; append messages until then. At the end the list has every message."""
        done = 0
        for number in range(len(self.places) - 1 if self.is_last_only else 0, len(self.places)):
            done = _append(course, done, int(self.upto[max(number, 0)]))
            yield int(self.places[number])
        _append(course, done, len(course.talk))


def _append(course: Course, done: int, upto: int) -> int:
    course.state.extend(range(done, upto))
    return max(done, upto)


def before_requests(course: Course, *, is_last_only: bool) -> Checks:
    """Return the checks before each request, with everything that is sent."""
    requests = course.talk.requests
    return Checks(requests, requests + 1, is_last_only=is_last_only)
