"""Sliders: the adjustable numbers of a scenario, parameters and the window, and the axis of each."""

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.analysis.axis import Axis
from inspector.assembly.candidates import Candidates
from inspector.assembly.case import Case
from inspector.assembly.choices import ScenarioError
from inspector.assembly.columns import I64
from inspector.assembly.edits import Edit, set_parameters, set_value
from inspector.assembly.policy import MOST, Parameter, parameters_of
from inspector.assembly.scenario import Scenario
from inspector.assembly.shares import SHARES, moved_shares
from inspector.assembly.thresholds import WINDOW
from inspector.nearest import instead

MODEL_SIZES = "model_sizes"
"""The window again, along the window sizes of models."""
_WINDOW_REACH = 10
_REACH_ABOVE_RANGE = 10
WINDOW_TITLE, SIZES_TITLE = "Context window", "Model windows"


@dataclass(frozen=True)
class Slider:
    """A slider: its name in files, and its displayed name."""

    name: str
    title: str
    parameter: Parameter | None = None


def sliders_of(case: Case) -> list[Slider]:
    """Return the window, with all values and with those of models, and the numbers of the policy, in order of
    declaration.
    """
    windows = Slider(WINDOW, WINDOW_TITLE), Slider(MODEL_SIZES, SIZES_TITLE)
    return [*windows, *(Slider(each.name, each.label, each) for each in sliders(case))]


def sliders(case: Case) -> tuple[Parameter, ...]:
    """Return the numeric parameters of a case."""
    parameters = () if case.policy is None else parameters_of(case.policy)
    return tuple(each for each in parameters if is_number(each))


def is_number(parameter: Parameter) -> bool:
    """Return whether a parameter is a number, and no switch, choice or list."""
    return not isinstance(parameter.default, bool | tuple) and not parameter.choices


def other_words(parameter: Parameter, today: Any) -> tuple[Any, ...]:
    """Return the other values of a switch or a choice; none for a number."""
    if isinstance(parameter.default, bool):
        return (not today,)
    return tuple(choice for choice in parameter.choices if choice != today)


def value_of(case: Case, name: str) -> float:
    """Return the value of a slider in a case."""
    return case.model.window.tokens if name in (WINDOW, MODEL_SIZES) else getattr(case.policy, name)


def moved_values(case: Case, name: str, value: float, locked: Collection[str] = ()) -> Mapping[str, float]:
    """Return the values set by moving a slider of a case: its own, and for a share those of the others with the same
    sum.

    Locked shares do not move; a locked slider moves nothing.
    """
    return moved_together(case, {name: value}, locked)


def moved_together(case: Case, wanted: Mapping[str, float], locked: Collection[str] = ()) -> Mapping[str, float]:
    """Return the values set by moving several sliders of a case in sequence; a moved share keeps its place."""
    shares, held, values = shares_of(case), {*locked}, dict[str, float]()
    for name, value in wanted.items():
        if name not in shares:
            values[WINDOW if name == MODEL_SIZES else name] = value
            continue
        if name not in locked:
            shares = moved_shares(shares, name, value, held).values
        held.add(name)
        values |= shares
    return values


def move_slider(scenario: Scenario, case: Case, name: str, value: float, locked: Collection[str] = ()) -> Edit:
    """Give a slider a value, together with the unlocked shares moved by it from their values in a case."""
    values = moved_values(case, name, value, locked)
    if len(values) == 1:
        (setting,) = values
        return set_value(scenario, setting, value)
    return set_parameters(scenario, values, f"Change {name.replace('_', ' ')}")


def values_along(
    case: Case, name: str, axis: Axis, numbers: I64, locked: Collection[str] = ()
) -> dict[str, NDArray[Any]]:
    """Return the values set by moving a slider to each of these numbers of its axis: an array for each name."""
    if name not in shares_of(case):
        if axis.listed:
            return {WINDOW: np.array(axis.listed, np.int64)[numbers]}
        return {name: numbers if axis.whole else axis.values(numbers)}
    different, places = np.unique(numbers, return_inverse=True)
    moves = [moved_values(case, name, axis.value(number), locked) for number in different.tolist()]
    return {each: np.array([moved[each] for moved in moves])[places] for each in shares_of(case)}


def values_together(
    case: Case, axes: Mapping[str, Axis], numbers: Sequence[I64], locked: Collection[str] = ()
) -> dict[str, NDArray[Any]]:
    """Return the values set by moving several sliders to these numbers of their axes: an array for each name."""
    if len(shares_of(case).keys() & axes.keys()) > 1:
        rows = zip(*(column.tolist() for column in numbers), strict=True)
        moves = [moved_together(case, _values_at(axes, row), locked) for row in rows]
        return {each: np.array([moved[each] for moved in moves]) for each in moves[0]}
    along = zip(axes.items(), numbers, strict=True)
    return {
        each: values
        for (name, axis), column in along
        for each, values in values_along(case, name, axis, column, locked).items()
    }


def _values_at(axes: Mapping[str, Axis], numbers: Sequence[int]) -> dict[str, float]:
    return {name: axis.value(number) for (name, axis), number in zip(axes.items(), numbers, strict=True)}


def is_along(start: Case, case: Case, name: str, locked: Collection[str] = ()) -> bool:
    """Return whether moving a slider leads from one case to another: then both have the same survival along it."""
    if start.scenario == case.scenario and start.preset == case.preset:
        return True
    if start.policy is None or case.policy is None or start.preset != case.preset:
        return False
    moved = moved_values(start, name, value_of(case, name), locked)
    if _without(start.scenario, moved) != _without(case.scenario, moved):
        return False
    return all(value == value_of(case, each) for each, value in moved.items())


def shares_of(case: Case) -> dict[str, float]:
    """Return the shares of the policy of a case that have to add up."""
    parameters = () if case.policy is None else parameters_of(case.policy)
    return {each.name: getattr(case.policy, each.name) for each in parameters if each.group == SHARES}


def _without(scenario: Scenario, names: Container[str]) -> Scenario:
    others = {key: value for key, value in scenario.parameters.items() if key not in names}
    window = None if WINDOW in names else scenario.context_window
    return replace(scenario, parameters=others, context_window=window)


def axis_along(case: Case, candidates: Candidates, name: str) -> Axis:
    """Return the axis of a parameter of a case, or of its window. Raise ScenarioError if its policy has no such
    number.
    """
    if name == WINDOW:
        return window_axis(case.model.window.tokens, candidates)
    parameter = next((each for each in sliders(case) if each.name == name), None)
    if parameter is None:
        known = [WINDOW, *(each.name for each in sliders(case))]
        named = instead(name, known, len(known), "those are")
        raise ScenarioError(f"{name} is not a number of {case.policy_name}; {named}")
    return axis_of(parameter, getattr(case.policy, name), candidates)


def sizes_axis(case: Case, sizes: Iterable[int]) -> Axis:
    """Return the axis of these sizes of windows in tokens, and of today's."""
    window = case.model.window.tokens
    listed = sorted({window, *sizes})
    return Axis(window, listed[0], listed[-1], whole=True, listed=tuple(listed))


def axis_of(parameter: Parameter, today: float, candidates: Candidates) -> Axis:
    """Return the useful values of a parameter: the declared range, and above it as far as it may matter."""
    whole = isinstance(parameter.default, int)
    if whole:
        highest = max(parameter.maximum, _tokens(candidates) if parameter.unit == "tokens" else len(candidates))
    else:
        highest = parameter.maximum * (1 if parameter.unit == "share" else _REACH_ABOVE_RANGE)
    return Axis(today, parameter.minimum, min(max(highest, today), MOST), whole)


def window_axis(window: int, candidates: Candidates) -> Axis:
    """Return the useful windows: up to twice today's, and up to a size that may hold everything."""
    return Axis(window, 1, min(max(2 * window, _WINDOW_REACH * _tokens(candidates), 1), MOST), whole=True)


def _tokens(candidates: Candidates) -> int:
    return int(candidates.tokens.sum(dtype=np.int64))
