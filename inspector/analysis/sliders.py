"""Sliders: the numbers that can be varied in a scenario, parameters and the window, and the axis of each."""

from dataclasses import replace
from typing import Any

import numpy as np

from inspector.analysis.axis import Axis
from inspector.assembly.candidates import Candidates
from inspector.assembly.case import Case
from inspector.assembly.choices import ScenarioError
from inspector.assembly.policy import MOST, Parameter, parameters_of
from inspector.assembly.scenario import Scenario
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


def what_is_varied(scenario: Scenario, name: str) -> Scenario:
    """The scenario without the value of a slider: two that agree in the rest have the same survival along it."""
    if name == WINDOW:
        return replace(scenario, context_window=None)
    others = {key: value for key, value in scenario.parameters.items() if key != name}
    return replace(scenario, parameters=others)


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
