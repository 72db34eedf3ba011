"""Ways by other values: each number or choice alone, and pairs of numbers. Every way was assembled."""

from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import combinations

import numpy as np

from inspector.analysis.basis import Share
from inspector.analysis.keeping.question import Question
from inspector.analysis.keeping.way import Way, cheapest
from inspector.analysis.sliders import (
    PAIRS_TRIED,
    Place,
    is_number,
    moved_together,
    moved_values,
    nearest_pairs,
    other_words,
    values_together,
)
from inspector.analysis.survival.ask import budgets_with, packing_for, survival
from inspector.analysis.survival.stretches import Survival
from inspector.assembly.columns import I64, Bool
from inspector.assembly.policy import parameters_of
from inspector.steps import check_wanted

_LOOKS = 120
_STEPS, _FEW_STEPS = 40, 2


def single_changes(question: Question) -> Generator[Share, None, tuple[list[Way], list[str]]]:
    """Return the cheapest way for each parameter alone, and for the window; and the numbers with any effect.

    These are searched over the flips of survival.
    """
    found: list[Way | None] = []
    moving: list[str] = []
    for number, name in enumerate(question.axes):
        yield Share(number, len(question.axes))
        values = list(_nearest(question, name, moving))
        moves = (moved_values(question.case, name, value, question.locked) for value in values)
        found.append(cheapest(map(question.changed, moves)))
    for parameter in parameters_of(question.case.policy):
        if not is_number(parameter):
            words = other_words(parameter, getattr(question.case.policy, parameter.name))
            found.append(cheapest(question.changed({parameter.name: word}) for word in words))
    return sorted((way for way in found if way is not None), key=lambda way: way.harm), moving


def _nearest(question: Question, name: str, moving: list[str]) -> Iterator[float]:
    """Yield the values nearest to today's, above it and below, at which all of the items are kept."""
    found = survival(question.pipeline, question.scenario, name, question.cache, _LOOKS, question.locked)
    if len(found.flips):
        moving.append(name)
    firsts, lasts = found.all_kept(question.rows)
    values = found.axis.values
    above, below = firsts[values(firsts) > found.axis.today], lasts[values(lasts) < found.axis.today]
    for number in (*above[:1].tolist(), *below[-1:].tolist()):
        yield found.axis.value(_flip(question, found, number))


def _flip(question: Question, found: Survival, number: int) -> int:
    """Return the number nearest to today's that keeps the items, searching the gap to the last examined number before
    it.
    """
    today = found.axis.number(found.axis.today)
    looked = np.arange(found.first, found.last + 1) if found.asked is None else np.append(found.asked, today)
    between = looked[(looked < number) & (looked >= today) | (looked > number) & (looked <= today)]
    near = int(between[np.argmin(abs(between - number))])
    while abs(number - near) > 1:
        middle = (near + number) // 2
        if question.holds({found.name: found.axis.value(middle)}):
            number = middle
        else:
            near = middle
    return number


def change_of_two(question: Question, moving: Sequence[str]) -> Generator[Share, None, Way | None]:
    """Return the cheapest change of two numbers with any effect that neither achieves alone.

    Pairs are tried over values increasingly far from today's, through the thresholds of a policy if it declares them.
    """
    found: list[tuple[float, Place]] = []
    pairs = list(combinations(moving, 2))
    for number, (one, other) in enumerate(pairs):
        check_wanted()
        yield Share(number, len(pairs))
        holds, steps = _judge(question, one, other)
        found += nearest_pairs(one, other, question.axes, holds, steps)
    return cheapest(_refined(question, *places) for _, places in sorted(found)[: 4 * PAIRS_TRIED])


def _judge(question: Question, one: str, other: str) -> tuple[Callable[[I64, I64], Bool], int]:
    """Return a function that says at which numbers of two axes the items are kept, and the number of steps to try a
    side.
    """
    case, axes = question.case, {name: question.axes[name] for name in (one, other)}
    sets = moved_together(case, {name: axis.today for name, axis in axes.items()}, question.locked)
    packing = packing_for(case, question.today.candidates, *sets)
    if packing is None:
        return lambda first, second: np.array(
            [question.holds({one: axes[one].value(a), other: axes[other].value(b)})
             for a, b in zip(first.tolist(), second.tolist(), strict=True)], np.bool_
        ), _FEW_STEPS  # fmt: skip

    def holds(first: I64, second: I64) -> Bool:
        values = values_together(case, axes, (first, second), question.locked)
        return packing.keeps(packing.rooms(budgets_with(case, packing, values)), question.rows)

    return holds, _STEPS


def _refined(question: Question, one: str, other: str, first: int, second: int) -> Way | None:
    """Return the pair with each number moved back towards today's as far as the items stay; None if one change is
    enough.
    """
    holds, _ = _judge(question, one, other)
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
    return question.changed(moved_together(question.case, values, question.locked))
