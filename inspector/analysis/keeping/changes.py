"""Ways by other values: each number or choice alone, and pairs of numbers. Every way was assembled."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from inspector.analysis.basis import Share
from inspector.analysis.keeping.question import Question
from inspector.analysis.keeping.way import Kind, Way, cheapest
from inspector.analysis.nearest_rooms import moves_rooms, nearest_room
from inspector.analysis.sliders import (
    Place,
    moved_together,
    moved_values,
    nearest_change,
    nearest_pairs,
    other_words,
    shares_of,
    values_together,
)
from inspector.analysis.survival.ask import budgets_with
from inspector.assembly.columns import I64, Action, Bool
from inspector.assembly.policy import parameters_by_name, parameters_of
from inspector.assembly.thresholds import WINDOW, Packing
from inspector.steps import check_wanted

_WORK = 5_000
_NEARBY = (8, 400)
"""The values next to today's that are all tried, in long and in short chats."""
_STEPS, _STEPS_OF_SHARES, _FEW_STEPS = 40, 10, 2
_PAIRS_REFINED = 4
_Holds = Callable[[I64, I64], Bool]


def single_changes(question: Question) -> Generator[Share, None, tuple[list[Way], list[str]]]:
    """Return the way of each number that keeps the items alone, with the value nearest to today's, and of each choice
    that changes no text; and the numbers with any effect.
    """
    found: list[Way | None] = []
    moving: list[str] = []
    for number, name in enumerate(question.axes):
        yield Share(number, len(question.axes))
        nearest, moves = _nearest(question, name)
        moving += [name] if moves else []
        if nearest is not None:
            moved = moved_values(question.case, name, question.axes[name].value(nearest), question.locked)
            found.append(question.changed(Kind.SINGLE, {name: moved[name], **moved}))
    for name, words in _choices(question):
        quick = [word for word in words if question.trials.case({name: word}) is not None]
        holding = [word for word in quick if question.holds({name: word})]
        found.append(cheapest(question.changed(Kind.SINGLE, {name: word}) for word in holding))
    return [way for way in found if way is not None], moving


def changes_of_texts(question: Question) -> list[Way]:
    """Return the ways of the other choices: for these, texts may have to be made and counted first."""
    slow = ((name, word) for name, words in _choices(question) for word in words
            if question.trials.case({name: word}) is None)  # fmt: skip
    return [way for name, word in slow if (way := question.changed(Kind.SINGLE, {name: word})) is not None]


def _choices(question: Question) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield the name and the other words of each switch and each choice."""
    for parameter in parameters_of(question.case.policy):
        if not parameter.is_number:
            yield parameter.name, other_words(parameter, getattr(question.case.policy, parameter.name))


def _nearest(question: Question, name: str) -> tuple[int | None, bool]:
    """Return the number of the value nearest to today's that keeps the items, and whether the parameter has any
    effect.
    """
    packing = question.packing
    if packing is not None and question.sets_rooms(*_set_by(question, name)):
        moves = moves_rooms(packing, question.case, name, question.axes[name], question.rows, question.locked)
        return _nearest_room(question, packing, name) if moves else None, moves
    if name != WINDOW and parameters_by_name(question.case.policy)[name].cuts:
        return _nearest_cut(question, name), False
    axis, verdicts = question.axes[name], set[str]()

    def judge(number: int) -> Any:
        verdict = question.verdict({name: axis.value(number)})
        verdicts.add(verdict)
        return verdict

    size = len(question.today.candidates)
    nearest = nearest_change(axis, judge, min(max(_WORK // size, _NEARBY[0]), _NEARBY[1]))
    return nearest, bool(verdicts & {"changed", "stirred"})


def _nearest_cut(question: Question, name: str) -> int | None:
    """Return the same for a parameter that cuts longer texts: the items stay whole from their own length on, and the
    less is cut, the less room there is for them. Only few values have to be tried, each of which cuts many texts.
    """
    axis, tokens = question.axes[name], int(question.today.candidates.tokens[question.rows].max())
    keeps = lambda number: question.holds({name: axis.value(number)})  # noqa: E731 - of this axis
    today, near = axis.number(axis.today), max(tokens, 1)
    if not keeps(near):
        return None
    far = today if today > near else near  # today's value does not keep them
    while far - near > 1:
        middle = (near + far) // 2
        near, far = (middle, far) if keeps(middle) else (near, middle)
    is_off_nearer = axis.distance(axis.first) < axis.distance(near)  # at its minimum it cuts nothing
    return axis.first if is_off_nearer and axis.first != today and keeps(axis.first) else near


def _set_by(question: Question, *names: str) -> Mapping[str, float]:
    """Return all values set by moving these sliders: shares move others."""
    return moved_together(question.case, {name: question.axes[name].today for name in names}, question.locked)


def _nearest_room(question: Question, packing: Packing, name: str) -> int | None:
    if (packing.forms[question.rows] != int(Action.KEPT)).any():
        return None
    keeps = lambda room: packing.keeps(room, question.rows)  # noqa: E731 - of these rows
    return nearest_room(packing, question.case, name, question.axes[name], keeps, question.locked)


def change_of_two(question: Question, moving: Sequence[str]) -> Generator[Share, None, Way | None]:
    """Return the cheapest change of two numbers with any effect that neither achieves alone.

    Pairs are tried over values increasingly far from today's, through the thresholds of a policy if it declares them.
    """
    found: list[tuple[float, Place]] = []
    judges: dict[tuple[str, str], _Holds] = {}
    pairs = list(combinations(moving, 2))
    for number, pair in enumerate(pairs):
        check_wanted()
        yield Share(number, len(pairs))
        # The number that sets more than rooms goes first: each of its values has thresholds of its own.
        one, other = sorted(pair, key=lambda name: question.sets_rooms(*_set_by(question, name)))
        judges[one, other], steps = _judge(question, one, other)
        found += nearest_pairs(one, other, question.axes, judges[one, other], steps)
    nearest = [places for _, places in sorted(found)[:_PAIRS_REFINED]]
    return cheapest(_refined(question, judges[one, other], *rest) for rest in nearest for one, other in [rest[:2]])


def _judge(question: Question, one: str, other: str) -> tuple[_Holds, tuple[int, int]]:
    """Return a function that says at which numbers of two axes the items are kept, and how many steps a side to try of
    each.
    """
    if question.sets_rooms(*_set_by(question, one, other)):
        are_shares = shares_of(question.case).keys() >= {one, other}
        steps = _STEPS_OF_SHARES if are_shares else _STEPS
        return lambda first, second: _by_rooms(question, {one: first, other: second}, {}), (steps, steps)
    if question.sets_rooms(*_set_by(question, other)) and len(_set_by(question, one)) == 1:
        return lambda first, second: _for_each(question, one, other, first, second), (_FEW_STEPS, _STEPS)
    axes = question.axes[one], question.axes[other]
    return lambda first, second: np.array(
        [question.holds({one: axes[0].value(a), other: axes[1].value(b)})
         for a, b in zip(first.tolist(), second.tolist(), strict=True)], np.bool_
    ), (_FEW_STEPS, _FEW_STEPS)  # fmt: skip


def _by_rooms(question: Question, numbers: Mapping[str, I64], under: Mapping[str, Any]) -> Bool:
    """Return at which numbers of sliders that set nothing but rooms the items are kept, `under` another value."""
    size = len(next(iter(numbers.values())))
    found = question.packing_under(under)
    if found is None:
        return np.zeros(size, np.bool_)
    case, packing = found
    axes = {name: question.axes[name] for name in numbers}
    values = values_together(case, axes, tuple(numbers.values()), question.locked)
    return packing.keeps(packing.rooms(budgets_with(case, packing, values)), question.rows)


def _for_each(question: Question, one: str, other: str, first: I64, second: I64) -> Bool:
    """Return at which pairs of numbers the items are kept, by the thresholds under each value of the first."""
    found = np.zeros(len(first), np.bool_)
    for number in np.unique(first).tolist():
        alike = first == number
        found[alike] = _by_rooms(question, {other: second[alike]}, {one: question.axes[one].value(number)})
    return found


def _refined(question: Question, holds: _Holds, one: str, other: str, first: int, second: int) -> Way | None:
    """Return the pair with each number moved back towards today's as far as the items stay; None if one change is
    enough.
    """
    numbers = [first, second]
    for place, name in enumerate((one, other)):
        axis = question.axes[name]
        near, far = axis.number(axis.today), numbers[place]
        while abs(far - near) > 1:
            tried = list(numbers)
            tried[place] = (near + far) // 2
            if holds(np.array(tried[:1]), np.array(tried[1:]))[0]:
                far = tried[place]
            else:
                near = tried[place]
        numbers[place] = far
    values = {name: question.axes[name].value(number) for name, number in zip((one, other), numbers, strict=True)}
    if any(question.holds({name: value}) for name, value in values.items()):
        return None
    return question.changed(Kind.PAIR, moved_together(question.case, values, question.locked))
