"""A session of Gemini CLI without a result long enough to be cut, walked over sums made once."""

from bisect import bisect_left
from dataclasses import dataclass, replace
from math import ceil, floor

import numpy as np

from inspector.assembly.columns import I64
from inspector.assembly.policies.agents.checks import Checks
from inspector.assembly.policies.agents.course import Course
from inspector.assembly.policies.agents.folds import Moments, folds_of, take_folds
from inspector.assembly.policies.agents.gemini_columns import Measured, measured
from inspector.assembly.policies.agents.gemini_contents import MODEL, USER
from inspector.assembly.policies.agents.talk import ASSISTANT, TOOL, Talk


@dataclass(frozen=True, slots=True)
class Front:
    """What stands before the newest messages: a summary and the answer to it.

    `text` is that of the summary, None where only its size is known; `tokens` are its tokens, `characters` those of
    both as the program sends them, `estimate` is the program's own of their tokens.
    """

    text: str | None
    tokens: int
    characters: int
    estimate: float
    answer: str


@dataclass(frozen=True, slots=True)
class Terms:
    """Whether and how a list is folded: `least` is the usage without `base` at which it is, `preserve` the share of its
    characters that stays.
    """

    preserve: float
    least: int
    base: int


@dataclass(frozen=True, eq=False, slots=True)
class _Sums:
    """As plain numbers for the walk: of the first n messages their tokens, the characters of their contents and their
    estimates; the places of the contents of the user, with the end, and the characters before each.
    """

    tokens: tuple[int, ...]
    characters: tuple[int, ...]
    estimates: tuple[float, ...]
    requests: tuple[int, ...]
    before: tuple[int, ...]


def _sums(talk: Talk, columns: Measured) -> _Sums:
    def make() -> _Sums:
        roles, is_result = talk.roles, talk.is_result
        begins = ~(is_result & np.concatenate([[False], is_result[:-1]])[: len(talk)])
        frames = np.where(begins, np.where(roles == ASSISTANT, len(MODEL), len(USER)), 0)
        joints = np.where(begins, np.maximum(columns.parts - 1, 0), 1)
        characters = np.concatenate([[0], np.cumsum(columns.lengths + frames + joints)])
        requests = np.flatnonzero((roles != ASSISTANT) & (roles != TOOL))
        return _Sums(
            tuple(talk.sums.tolist()),
            tuple(characters.tolist()),
            tuple(columns.estimates.tolist()),
            (*requests.tolist(), len(talk)),
            tuple(characters[requests].tolist()),
        )

    return talk.derived("gemini sums", (), make)


@dataclass(frozen=True, eq=False, slots=True)
class _Found:
    """The numbers of the checks that fold, the first message that stays at each, and the check at which a summary is
    thrown away, after which no other is tried; that after the last if none is.
    """

    numbers: I64
    starts: I64
    thrown_away: int


def walk(course: Course, checks: Checks, terms: Terms, front: Front) -> None:
    """Walk through a session without a result to be cut, and give the course its result."""
    talk, columns = course.talk, measured(course)
    found = _walked(talk, columns, checks, terms, front)
    later = _after_failure(talk, columns, checks, terms, front, found)
    behind = [course.note("assistant", front.answer)] if len(found.starts) else []
    folds = folds_of(talk, checks, found.numbers, found.starts, front.tokens, terms.base)
    folds, all_told = replace(folds, later=later, behind=behind), np.ones(len(talk), np.bool_)
    take_folds(course, folds, all_told, front.tokens, "user", front.text)


def _walked(talk: Talk, columns: Measured, checks: Checks, terms: Terms, front: Front) -> _Found:
    """Walk from fold to fold. Only this part is a loop: there may be as many folds as checks."""
    sums, used, stops = _sums(talk, columns), _used(talk, checks), checks.upto.tolist()
    otherwise = _otherwise(talk, columns, checks)
    tokens, characters, estimates, share = sums.tokens, sums.characters, sums.estimates, 1 - terms.preserve
    own, own_characters, start, numbers, starts = 0, 0, 0, list[int](), list[int]()
    number, count = max(bisect_left(used, terms.least), len(used) - 1 if checks.is_last_only else 0), len(used)
    while number < count:
        stop, place = stops[number], -1
        target = (own_characters + characters[stop] - characters[start]) * share
        if target > 0 or not start:
            least = max(ceil(target) - own_characters, 0) + characters[start]
            place = sums.requests[bisect_left(sums.before, least)]
            place = otherwise[number] if place >= stop else place
        if place >= start and place:
            usage = terms.base + own + used[number] - tokens[start]
            if floor(front.estimate + estimates[stop] - estimates[place]) > usage:
                break
            numbers.append(number)
            starts.append(place)
            start, own, own_characters = place, front.tokens, front.characters
        number += 1
        if number < count and used[number] < (least_used := terms.least - own + tokens[start]):
            number = bisect_left(used, least_used, number)
    return _Found(np.array(numbers, np.int64), np.array(starts, np.int64), number)


def _used(talk: Talk, checks: Checks) -> list[int]:
    """Return the tokens of the messages up to each check, without the last answer."""
    assert checks.measured is not None, "the last answer is not measured"
    return talk.sums[checks.measured].tolist()


def _otherwise(talk: Talk, columns: Measured, checks: Checks) -> list[int]:
    """Return by check the first message that stays where no content of the user begins late enough: none after an
    answer without calls, else that of the last such content, -1 for none.
    """
    places, stops = np.arange(len(talk), dtype=np.int64), checks.upto
    is_request = (talk.roles != ASSISTANT) & (talk.roles != TOOL)
    requests = np.concatenate([[-1], np.maximum.accumulate(np.where(is_request, places, -1))])
    is_answer = np.concatenate([[False], (talk.roles == ASSISTANT) & ~columns.calls])
    return np.where(is_answer[stops], stops, requests[stops]).tolist()


def _after_failure(
    talk: Talk, columns: Measured, checks: Checks, terms: Terms, front: Front, found: _Found
) -> list[Moments]:
    """Return the discarded summary, and every later check at which cutting results would leave less."""
    if found.thrown_away >= len(checks.places):
        return []
    assert checks.measured is not None, "the last answer is not measured"
    has_front, start = bool(len(found.starts)), int(found.starts[-1]) if len(found.starts) else 0
    own, estimate = (front.tokens, front.estimate) if has_front else (0, 0.0)
    numbers = np.arange(found.thrown_away, len(checks.places))
    usage = own + talk.sums[checks.measured[numbers]] - talk.sums[start]
    estimates = columns.estimates
    whole = estimate + estimates[checks.upto[numbers]] - estimates[start]
    is_less = (usage >= terms.least) & (np.floor(whole) < terms.base + usage)
    is_less[0] = False
    failed, after = terms.base + usage[:1], terms.base + own + talk.sums[checks.upto[numbers]] - talk.sums[start]
    at = checks.places[numbers]
    return [
        Moments("failed_inflated", at[:1], failed, failed),
        Moments("truncated_only", at[is_less], terms.base + usage[is_less], after[is_less]),
    ]
