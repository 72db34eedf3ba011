"""The contents of Gemini CLI as columns, for a list in which no text was cut: texts are measured once for a talk."""

from dataclasses import dataclass

import numpy as np

from inspector.assembly.columns import F64, I64, Bool
from inspector.assembly.policies.agents.course import Course
from inspector.assembly.policies.agents.gemini_contents import MODEL, USER, Contents, units
from inspector.assembly.policies.agents.talk import ASSISTANT, TOOL


@dataclass(frozen=True, eq=False, slots=True)
class Measured:
    """By place: the lengths of the parts of a message, how many there are, whether it calls tools, and, of the first n
    messages, the estimate of their tokens; the places of results with their lengths.
    """

    lengths: I64
    parts: I64
    calls: Bool
    estimates: F64
    results: I64
    units: I64


def measured(course: Course) -> Measured:
    """Return the columns of the talk of a course, first of all of one that has not begun: no text is cut by then."""
    talk = course.talk

    def make() -> Measured:
        contents, number = Contents(course, {}, ""), len(talk)
        parts = [contents.measured(place) for place in range(number)]
        results = np.flatnonzero(talk.is_result).astype(np.int64)
        return Measured(
            np.array([sum(lengths) for lengths, _ in parts], np.int64),
            np.array([len(lengths) for lengths, _ in parts], np.int64),
            np.fromiter((bool(talk.calls(place)) for place in range(number)), np.bool_, number),
            np.concatenate([[0.0], np.cumsum([estimate for _, estimate in parts], dtype=np.float64)]),
            results,
            np.array([units(talk.content(place)) for place in results.tolist()], np.int64),
        )

    return talk.derived("gemini columns", (), make)


@dataclass(frozen=True, eq=False)
class PlainList:
    """A list of summary and note, `front`, and the messages from `start` to before `stop`, none of them cut."""

    course: Course
    contents: Contents
    front: tuple[int, ...]
    start: int
    stop: int

    def estimate(self, start: int) -> float:
        """Return the estimate of the messages from a place on. Sums are exact: each is a multiple of 0.25."""
        sums = measured(self.course).estimates
        return float(sums[self.stop] - sums[start])

    def whole_estimate(self) -> float:
        """Return the estimate of the whole list."""
        return sum(map(self.contents.estimate, self.front)) + self.estimate(self.start)

    def cost(self, stop: int) -> int:
        """Return the tokens of the list up to before a place."""
        sums = self.course.talk.sums
        return self.course.total(self.front) + int(sums[stop] - sums[self.start])

    def usage(self) -> int:
        """Return the tokens of the list without a last answer."""
        is_answer = self.stop > self.start and self.course.role(self.stop - 1) == ASSISTANT
        return self.cost(self.stop - is_answer)

    def split(self, preserve: float) -> int | None:
        """Return the place of the first message that stays; None if none is folded."""
        talk, columns = self.course.talk, measured(self.course)
        roles, own = talk.roles[self.start : self.stop], slice(self.start, self.stop)
        begins = np.ones(len(roles), np.bool_)
        begins[1:] = (roles[1:] != TOOL) | (roles[:-1] != TOOL)
        firsts = np.flatnonzero(begins)
        frames = np.where(roles[firsts] == ASSISTANT, len(MODEL), len(USER))
        joints = np.maximum(np.add.reduceat(columns.parts[own], firsts) - 1, 0)
        lengths = np.add.reduceat(columns.lengths[own], firsts) + frames + joints
        before = np.concatenate([[0], np.cumsum(lengths)]) + sum(self.contents.length([entry]) for entry in self.front)
        is_request = (roles[firsts] != ASSISTANT) & (roles[firsts] != TOOL)
        target = int(before[-1]) * (1 - preserve)
        if self.front and target <= 0:
            return None
        due = np.flatnonzero(is_request & (before[:-1] >= target))
        if len(due):
            return self._place(firsts, int(due[0]))
        last = int(firsts[-1]) + self.start
        if roles[firsts[-1]] == ASSISTANT and not columns.calls[last]:
            return self.stop
        requests = np.flatnonzero(is_request)
        return self._place(firsts, int(requests[-1])) if len(requests) else None

    def _place(self, firsts: I64, number: int) -> int | None:
        """Return the place of a content; None for the very first, before which nothing is folded."""
        return None if not self.front and not number else self.start + int(firsts[number])


def plain_list(course: Course, contents: Contents, most: int) -> PlainList | None:
    """Return the list of a course if none of its results is longer than `most` and none was cut; else None."""
    state = course.state
    front = tuple(entry for entry in state[:2] if entry < 0)
    if course.forms or len(front) == len(state):
        return None
    start, stop = state[len(front)], state[-1] + 1
    columns = measured(course)
    among = slice(*np.searchsorted(columns.results, (start, stop)).tolist())
    if stop - start != len(state) - len(front) or np.any(columns.units[among] > most):
        return None
    return PlainList(course, contents, front, start, stop)
