"""A session of Aider, walked from shortening to shortening over sums made once.

At each check the list is a summary, a note after it if nothing else follows, and the newest messages. The tail that may
stay depends on the check alone, so a list that is still too large afterwards is folded whole in its second round.
Source: Aider-AI/aider 5dc9490b, `history.py`, `ChatSummary`.
"""

from bisect import bisect_left
from dataclasses import dataclass

import numpy as np

from inspector.assembly.columns import I32, I64, Bool
from inspector.assembly.compaction import END, Compactions
from inspector.assembly.policies.agents.checks import Checks
from inspector.assembly.policies.agents.course import CUT_OUT, Course
from inspector.assembly.policies.agents.folds import Events, Moments
from inspector.assembly.policies.agents.talk import ASSISTANT, Talk

FEWEST = 4
ANSWER, ANSWER_COST = "Ok.", 1


@dataclass(frozen=True, slots=True)
class Terms:
    """The limit of finished exchanges, the room of the summarizer and the size of its summary, in tokens."""

    most: int
    room: int
    size: int


@dataclass(frozen=True, eq=False, slots=True)
class _Shortenings:
    """Shortenings in their order: the number of the check, the end of the list, its first message before and after, and
    the first of its tail.

    A list `is_whole` if one summary tells all of it, and `is_twice` if a second one tells the tail and the first one.
    """

    numbers: I64
    ends: I64
    starts: I64
    after: I64
    tails: I64
    is_whole: Bool
    is_twice: Bool

    def __len__(self) -> int:
        return len(self.numbers)


def walk(course: Course, checks: Checks, terms: Terms) -> None:
    """Walk through a session and give the course its result."""
    talk, found = course.talk, _walked(course.talk, checks, terms)
    if not len(found):
        course.state = list(range(len(talk)))
        return
    heads = _heads(talk, found, terms)
    number = np.cumsum(1 + found.is_twice)
    into = _into(talk, found, heads, number)
    last, end = int(number[-1]), int(found.after[-1])
    note = [course.note("assistant", ANSWER, ANSWER_COST)] if end == found.ends[-1] else []
    course.adopt(
        [-last, *note, *range(end, len(talk))],
        np.maximum(into, 0),
        into < 0,
        _summaries(found, heads, number, terms),
        _events(talk, checks, found, terms),
    )


def _walked(talk: Talk, checks: Checks, terms: Terms) -> _Shortenings:
    """Walk from shortening to shortening. Only this part is a loop: there may be as many shortenings as checks."""
    sums, upto = talk.sums, checks.upto
    tails = _tails(talk, upto, terms.most // 2)
    is_large = terms.size + sums[upto] - sums[tails] >= terms.most
    tokens, used, ends, tail = sums.tolist(), sums[upto].tolist(), upto.tolist(), tails.tolist()
    after = np.where(is_large, upto, tails).tolist()
    numbers, starts, whole = list[int](), [0], list[bool]()
    front, start, count, least = 0, 0, len(used), terms.most + 1
    number = max(bisect_left(used, least), count - 1 if checks.is_last_only else 0)
    while number < count:
        end = ends[number]
        is_whole = front + end - start <= FEWEST or front + tail[number] - start <= FEWEST
        start = end if is_whole else after[number]
        numbers.append(number)
        whole.append(is_whole)
        starts.append(start)
        front = 2 if start == end else 1
        own = least - terms.size - (ANSWER_COST if start == end else 0) + tokens[start]
        number += 1
        if number < count and used[number] < own:
            number = bisect_left(used, own, number)
    at, begun, is_all = np.array(numbers, np.int64), np.array(starts, np.int64), np.array(whole, np.bool_)
    return _Shortenings(
        at, upto[at], begun[:-1], begun[1:], np.where(is_all, upto[at], tails[at]), is_all, ~is_all & is_large[at]
    )


def _tails(talk: Talk, upto: I64, half: int) -> I64:
    """Return by check the first message of the tail, which follows an answer; 0 where there is none."""
    newest = np.minimum(np.searchsorted(talk.sums, talk.sums[upto] - half, side="right"), upto)
    places = np.arange(1, len(talk) + 1, dtype=np.int64)
    answered = np.concatenate([[0], np.maximum.accumulate(np.where(talk.roles == ASSISTANT, places, 0))])
    return answered[newest]


def _fronts(found: _Shortenings) -> tuple[Bool, Bool]:
    """Return whether a summary stands in the list before each shortening, and whether a note follows it."""
    has_summary = np.arange(len(found)) > 0
    has_note = has_summary & (found.starts == np.concatenate([[-1], found.ends[:-1]]))
    return has_summary, has_note


def _heads(talk: Talk, found: _Shortenings, terms: Terms) -> I64:
    """Return the first message without room in the summarizer's input, at most the first of the tail."""
    has_summary, has_note = _fronts(found)
    room = terms.room - np.where(has_summary, terms.size, 0) - np.where(has_note, ANSWER_COST, 0)
    fitting = np.searchsorted(talk.sums, talk.sums[found.starts] + room, side="right") - 1
    read = np.clip(fitting, found.starts, found.tails)
    return np.where(found.is_whole, found.ends, read)


def _into(talk: Talk, found: _Shortenings, heads: I64, number: I64) -> I32:
    """Return by message the number of its summary, 0 for none and -1 for a lost message."""
    first = np.where(found.is_twice, number - 1, number)
    values = np.column_stack([first, np.full(len(found), -1), number]).ravel()
    lengths = np.column_stack([heads - found.starts, found.tails - heads, found.after - found.tails]).ravel()
    into = np.repeat(values, lengths)
    return np.concatenate([into, np.zeros(len(talk) - len(into), np.int64)]).astype(np.int32)


def _summaries(found: _Shortenings, heads: I64, number: I64, terms: Terms) -> Compactions:
    has_summary, _ = _fronts(found)
    # A summary that the next one has no room for is lost with the messages after it.
    is_lost = has_summary & ~found.is_whole & (terms.size > terms.room)
    first = np.where(found.is_twice, number - 1, number)
    told = np.zeros(int(number[-1]), np.int64)
    told[number - 1] = 1 + found.ends - found.tails
    told[first - 1] = heads - found.starts + (has_summary & ~is_lost)
    following = np.arange(2, len(told) + 2, dtype=np.int32)
    following[-1] = 0
    lost = (first[is_lost] - 1).tolist()
    following[[each - 1 for each in lost]] = 0
    sizes = np.full(len(told), terms.size, np.int64)
    return Compactions(sizes, told, following, lambda _: ("user", None), dict.fromkeys(lost, CUT_OUT))


def _events(talk: Talk, checks: Checks, found: _Shortenings, terms: Terms) -> Events:
    sums, (has_summary, has_note) = talk.sums, _fronts(found)
    front = np.where(has_summary, terms.size, 0) + np.where(has_note, ANSWER_COST, 0)
    ends = sums[found.ends]
    after = terms.size + ends - sums[found.after] + np.where(found.after == found.ends, ANSWER_COST, 0)
    moments = Moments("compacted", checks.places[found.numbers], front + ends - sums[found.starts], after)
    return Events(np.append(talk.rows, END).astype(np.int64), (moments,), "token")
