"""Knobs: the adjustable values of a setting, each with the values worth trying. Values only; no widgets."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import floor, log10
from typing import Any

import numpy as np

from inspector.assembly.edits import set_parameters
from inspector.assembly.parameter_text import value_text
from inspector.assembly.policy import Parameter
from inspector.assembly.scenario import Scenario
from inspector.assembly.shares import moved_shares
from inspector.assembly.thresholds import WINDOW

WINDOW_TITLE = "Window"
LEAST_WINDOW, LARGEST_WINDOW = 512, 65_536
SHARES = "shares"
"""The group of parameters that sum to 1: changing any of them moves the others."""
_LOG_STEPS = 1.5
"""The maximum factor between adjacent values of a logarithmic knob."""


@dataclass(frozen=True)
class Knob:
    """The name of a knob in files, and its values in order; `parameter` is its declaration, None for the window.

    `shares` are the current shares that move with it, including itself.
    """

    name: str
    values: tuple[Any, ...]
    parameter: Parameter | None = None
    shares: Mapping[str, float] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The displayed name."""
        return self.parameter.label if self.parameter else WINDOW_TITLE

    @property
    def is_ordered(self) -> bool:
        """Whether there is more and less of it: a number, and no switch or choice."""
        return self.parameter is None or self.parameter.is_number

    def written(self, value: Any) -> str:
        """Return a value as displayed."""
        return value_text(self.parameter, value) if self.parameter else f"{value:,}"

    def place(self, value: Any) -> float | None:
        """Return the position of a value among the values, in parts of a step; None if it is outside."""
        if not self.is_ordered:
            return float(self.values.index(value)) if value in self.values else None
        if not self.values[0] <= value <= self.values[-1]:
            return None
        return float(np.interp(value, self.values, np.arange(len(self.values))))

    def turned(self, scenario: Scenario, value: Any, fixed: Collection[str] = ()) -> Scenario | None:
        """Return the scenario with a value of this knob; None if the `fixed` shares leave no room for it."""
        if self.parameter is None:
            return replace(scenario, context_window=value)
        if not self.shares:
            return set_parameters(scenario, {self.name: value}).scenario
        shares = {name: scenario.parameters.get(name, share) for name, share in self.shares.items()}
        moved = moved_shares(shares, self.name, value, fixed)
        return None if moved.stop is not None else set_parameters(scenario, moved.values).scenario


def knobs_of(parameters: Iterable[Parameter], values: Mapping[str, Any], window: int, most: int) -> tuple[Knob, ...]:
    """Return the window, and every parameter except lists and texts, each with at most `most` values.

    `values` are today's.
    """
    declared = [each for each in parameters if not isinstance(each.default, tuple) and not each.is_text]
    shares = {each.name: values[each.name] for each in declared if _is_share(each)}
    windows = window_knob(window)
    knobs = (
        knob_of(_within(each, values[each.name], windows.values[-1]), most, shares if _is_share(each) else {})
        for each in declared
    )
    return windows, *knobs


def _within(parameter: Parameter, today: Any, window: int) -> Parameter:
    """Return a parameter in tokens up to the largest window tried, or to its current value if that is larger."""
    if parameter.unit != "tokens" or not parameter.is_number:
        return parameter
    return replace(parameter, maximum=min(parameter.maximum, max(window, today)))


def window_knob(today: int) -> Knob:
    """Return windows of powers of two and 1.5 times these, up to the first at least as large as the current window."""
    powers = [LEAST_WINDOW]
    while powers[-1] < max(today, LARGEST_WINDOW):
        powers.append(2 * powers[-1])
    between = [power * 3 // 2 for power in powers[:-1]]
    return Knob(WINDOW, tuple(sorted([*powers, *between])))


def knob_of(parameter: Parameter, most: int, shares: Mapping[str, float]) -> Knob:
    """Return the knob of a parameter over its declared range; of a choice or a switch, over all of its values."""
    if isinstance(parameter.default, bool):
        return Knob(parameter.name, (False, True), parameter)
    if parameter.choices:
        return Knob(parameter.name, tuple(parameter.choices), parameter)
    return Knob(parameter.name, tuple(_numbers(parameter, most)), parameter, shares)


def _numbers(parameter: Parameter, most: int) -> Sequence[float]:
    low, high = parameter.minimum, parameter.maximum
    if parameter.scale == "log":
        first = max(low, high / _LOG_STEPS ** (most - 2), 1)
        spread = [low, *np.geomspace(first, high, most - 1).tolist()]
    else:
        step = _round_step((high - low) / max(1, most - 1))
        spread = [*np.arange(low, high - step / 2, step).tolist(), high]
    is_whole = isinstance(parameter.default, int)
    return list(dict.fromkeys(round(each) if is_whole else round(each, 3) for each in spread))


def _round_step(least: float) -> float:
    """Return the smallest of 1, 2, 2.5 and 5 times a power of ten that is at least as large."""
    power = 10.0 ** floor(log10(least)) if least > 0 else 1.0
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= least * (1 - 1e-9))


def _is_share(parameter: Parameter) -> bool:
    return parameter.group == SHARES
