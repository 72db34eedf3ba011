"""A session of opencode without pruning, walked from compaction to compaction over sums made once.

The list is a summary, the newest messages, and notes that cost nothing. Source: opencode 1.18.34 (npm),
`session/compaction`.
"""

from dataclasses import dataclass

import numpy as np

from inspector.assembly.columns import I64
from inspector.assembly.policies.agents.checks import Checks
from inspector.assembly.policies.agents.course import Course
from inspector.assembly.policies.agents.folds import folds_of, take_folds
from inspector.assembly.policies.agents.talk import ASSISTANT, USER, Talk


@dataclass(frozen=True, slots=True)
class Terms:
    """The usage without `base` at which the list is compacted, the tokens and the turns that may stay (-1: any number),
    and the size of a summary.
    """

    least: int
    room: int
    turns: int
    base: int
    size: int


@dataclass(frozen=True, eq=False, slots=True)
class _Next:
    """By place, the end included, the next message of the user and the next of the model from there on; `before`: the
    newest message of the user before it, -1 for none. `users` are the places of the user's messages.
    """

    user: I64
    answer: I64
    before: I64
    users: I64


def _next(talk: Talk) -> _Next:
    def make() -> _Next:
        places, end = np.arange(len(talk), dtype=np.int64), len(talk)
        user, answer = (
            np.append(np.minimum.accumulate(np.where(talk.roles == role, places, end)[::-1])[::-1], end)
            for role in (USER, ASSISTANT)
        )
        before = np.concatenate([[-1], np.maximum.accumulate(np.where(talk.roles == USER, places, -1))])
        return _Next(user, answer, before, np.flatnonzero(talk.roles == USER).astype(np.int64))

    return talk.derived("opencode", (), make)


@dataclass(frozen=True, eq=False, slots=True)
class _Tails:
    """By check the first turn that fits, the turn before it, and where the tail begins if that turn is in the list."""

    turns: I64
    earlier: I64
    steps: I64


def _tails(talk: Talk, checks: Checks, terms: Terms) -> _Tails:
    upto, sums, near = checks.upto, talk.sums, _next(talk)
    if not terms.turns:
        return _Tails(upto, np.full(len(upto), -1, np.int64), upto)
    least = sums[upto] - terms.room
    fitting = np.searchsorted(sums, least)
    turns = np.minimum(near.user[fitting], upto)
    earlier = near.before[turns]
    # A step is begun only while something is left, so messages without tokens before it do not count.
    lowest = np.maximum(fitting, np.searchsorted(sums, least, side="right") - 1)
    answers = near.answer[np.minimum(lowest, len(talk))]
    steps = np.where(answers < turns, answers, turns)
    if terms.turns > 0:
        number = np.searchsorted(near.users, upto) - terms.turns
        first = np.where(number > 0, near.users[np.maximum(number, 0)] if len(near.users) else 0, 0)
        earlier = np.where(turns <= first, -1, earlier)
        turns = np.maximum(turns, first)
    return _Tails(turns, earlier, steps)


def walk(course: Course, checks: Checks, terms: Terms, question: str, going_on: str) -> None:
    """Live a session through: a question stands before each summary, and a line that asks to go on after the tail."""
    talk = course.talk
    numbers, starts = _walked(talk, checks, terms)
    folds = folds_of(talk, checks, numbers, starts, terms.size, terms.base)
    take_folds(course, folds, np.ones(len(talk), np.bool_), terms.size, "assistant")
    if len(numbers):
        end = int(checks.upto[numbers[-1]])
        goes_on = [course.note("user", going_on)] if going_on else []
        tail = range(int(starts[-1]), end)
        course.state = [course.note("user", question), -len(numbers), *tail, *goes_on, *range(end, len(talk))]


def _walked(talk: Talk, checks: Checks, terms: Terms) -> tuple[I64, I64]:
    """Return the numbers of the checks that compact, and the first message that stays at each. The loop is all of it
    that is no column: there may be as many compactions as checks.
    """
    assert checks.measured is not None, "what follows the newest answer is not measured"
    tails, sums, used = _tails(talk, checks, terms), talk.sums, talk.sums[checks.measured]
    answered = np.searchsorted(checks.measured, np.arange(1, len(talk) + 2))
    due = np.maximum(answered, np.searchsorted(used, terms.least - terms.size + sums)).tolist()
    turns, earlier, steps, upto = (
        tails.turns.tolist(),
        tails.earlier.tolist(),
        tails.steps.tolist(),
        checks.upto.tolist(),
    )
    following = _next(talk).user
    numbers, starts, start, count = list[int](), list[int](), 0, len(upto)
    number = int(max(np.searchsorted(checks.measured, 1), np.searchsorted(used, terms.least)))
    while number < count:
        end, place = upto[number], turns[number]
        if earlier[number] >= start:
            place = steps[number]
        elif place < start:
            place = int(following[start])
        start = place if start < place < end else end
        numbers.append(number)
        starts.append(start)
        number = max(number + 1, due[start])
    return np.array(numbers, np.int64), np.array(starts, np.int64)
