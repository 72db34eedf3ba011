"""Sliders: the numbers that can be varied in a scenario, parameters and the window, and the axis of each."""

from collections.abc import Container, Mapping
from dataclasses import replace
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

_WINDOW_REACH = 10
_REACH_ABOVE_RANGE = 10


def sliders(case: Case) -> tuple[Parameter, ...]:
    """The parameters of a case that are numbers."""
    parameters = () if case.policy is None else parameters_of(case.policy)
    return tuple(each for each in parameters if is_number(each))


def is_number(parameter: Parameter) -> bool:
    """Whether a parameter is a number, and no switch, choice or list."""
    return not isinstance(parameter.default, bool | tuple) and not parameter.choices


def other_words(parameter: Parameter, today: Any) -> tuple[Any, ...]:
    """The other values of a switch or a choice; none for a number."""
    if isinstance(parameter.default, bool):
        return (not today,)
    return tuple(choice for choice in parameter.choices if choice != today)


def value_of(case: Case, name: str) -> float:
    """The value that a slider has in a case."""
    return case.model.window.tokens if name == WINDOW else getattr(case.policy, name)


def moved_values(case: Case, name: str, value: float) -> Mapping[str, float]:
    """What moving a slider of a case sets: the slider, and of a share the others, as all of them have to add up."""
    shares = _shares(case)
    return moved_shares(shares, name, value, ()).values if name in shares else {name: value}


def move_slider(scenario: Scenario, case: Case, name: str, value: float) -> Edit:
    """Give a slider a value, and with it the shares that it moves from where they are in a case."""
    values = moved_values(case, name, value)
    if len(values) == 1:
        return set_value(scenario, name, value)
    return set_parameters(scenario, values, f"Change {name.replace('_', ' ')}")


def values_along(case: Case, name: str, axis: Axis, numbers: I64) -> dict[str, NDArray[Any]]:
    """What moving a slider sets under each of these numbers of its axis: an array for each name."""
    if name not in _shares(case):
        return {name: numbers if axis.whole else axis.values(numbers)}
    moves = [moved_values(case, name, axis.value(number)) for number in numbers.tolist()]
    return {each: np.array([moved[each] for moved in moves]) for each in _shares(case)}


def is_along(start: Case, case: Case, name: str) -> bool:
    """Whether moving a slider leads from one case to another: then both have the same survival along it."""
    if start.scenario == case.scenario and start.preset == case.preset:
        return True
    if start.policy is None or case.policy is None or start.preset != case.preset:
        return False
    moving = _shares(start) if name in _shares(start) else {name}
    if _without(start.scenario, moving) != _without(case.scenario, moving):
        return False
    moved = moved_values(start, name, value_of(case, name))
    return all(value == value_of(case, each) for each, value in moved.items())


def _shares(case: Case) -> dict[str, float]:
    """The shares of the policy of a case that have to add up."""
    parameters = () if case.policy is None else parameters_of(case.policy)
    return {each.name: getattr(case.policy, each.name) for each in parameters if each.group == SHARES}


def _without(scenario: Scenario, names: Container[str]) -> Scenario:
    others = {key: value for key, value in scenario.parameters.items() if key not in names}
    window = None if WINDOW in names else scenario.context_window
    return replace(scenario, parameters=others, context_window=window)


def axis_along(case: Case, candidates: Candidates, name: str) -> Axis:
    """The axis of a parameter of a case, or of its window. Raises ScenarioError for what is no number of its policy."""
    if name == WINDOW:
        return window_axis(case.model.window.tokens, candidates)
    parameter = next((each for each in sliders(case) if each.name == name), None)
    if parameter is None:
        known = ", ".join((WINDOW, *(each.name for each in sliders(case))))
        raise ScenarioError(f"{name} is no number of {case.policy_name}; those are {known}")
    return axis_of(parameter, getattr(case.policy, name), candidates)


def axis_of(parameter: Parameter, today: float, candidates: Candidates) -> Axis:
    """The values of a parameter that are worth looking at: the declared range, and above it as far as it may matter."""
    whole = isinstance(parameter.default, int)
    if whole:
        highest = max(parameter.maximum, _tokens(candidates) if parameter.unit == "tokens" else len(candidates))
    else:
        highest = parameter.maximum * (1 if parameter.unit == "share" else _REACH_ABOVE_RANGE)
    return Axis(today, parameter.minimum, min(max(highest, today), MOST), whole)


def window_axis(window: int, candidates: Candidates) -> Axis:
    """The windows that are worth looking at: twice today's, and as large as may hold everything."""
    return Axis(window, 1, min(max(2 * window, _WINDOW_REACH * _tokens(candidates), 1), MOST), whole=True)


def _tokens(candidates: Candidates) -> int:
    return int(candidates.tokens.sum(dtype=np.int64))
