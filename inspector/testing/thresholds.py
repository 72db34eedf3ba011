"""The check of thresholds: the packing declared by a policy, against its own decisions."""

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.policy import Parameter, Policy, PolicyError, parameters_by_name, traits_of
from inspector.assembly.thresholds import Packing, budgets_of

_PARTS = (0.0, 0.001, 0.01, 0.1, 0.5, 1.0)
_SMALL = (0, 1, 7, 23, 40, 61, 90, 140, 300)


def check_thresholds(policy: Policy, candidates: Candidates, windows: Sequence[int], where: str) -> None:
    """Compare thresholds with the policy, for every window and for values of every budget they name.

    Raise AssertionError with a sentence. A policy without a packing, or without one for these candidates, passes.
    """
    declared = traits_of(policy).packing
    packing = None if declared is None else declared(candidates)
    if packing is None:
        return
    name = type(policy).__name__
    parameters = parameters_by_name(policy)
    if unknown := packing.budgets - set(parameters):
        raise AssertionError(f"{name}: its packing names the budget {min(unknown)}, which is none of its parameters")
    _compare([policy] * len(windows), windows, candidates, packing, where)
    for budget in sorted(packing.budgets):
        others = list(_with_other_values(policy, parameters[budget]))
        for tokens in windows[3::4]:
            _compare(others, [tokens] * len(others), candidates, packing, where)


def _with_other_values(policy: Any, parameter: Parameter) -> Iterator[Any]:
    """Yield the policy with other values of a parameter, as far as it accepts them."""
    for value in _values(parameter):
        try:
            yield dataclasses.replace(policy, **{parameter.name: value})
        except (ValueError, PolicyError):
            continue


def _values(parameter: Parameter) -> Sequence[Any]:
    if isinstance(parameter.default, bool):
        return (False, True)
    if parameter.choices:
        return tuple(parameter.choices)
    if parameter.is_text:
        return ("", parameter.default)
    if isinstance(parameter.default, int):
        return tuple(value for value in _SMALL if value >= parameter.minimum)
    return tuple(parameter.minimum + part * (parameter.maximum - parameter.minimum) for part in _PARTS)


def _compare(
    policies: Sequence[Any], windows: Sequence[int], candidates: Candidates, packing: Packing, where: str
) -> None:
    room = packing.rooms(budgets_of(policies, windows, packing.budgets))
    for place, (policy, tokens) in enumerate(zip(policies, windows, strict=True)):
        assembly = policy(candidates, ContextWindow(tokens))
        at = f"{policy!r}, {where}, window {tokens:,}"
        if bool(room.refused[place]) != (assembly.error is not None):
            raise AssertionError(f"its thresholds and the policy do not refuse the same ({at})")
        wrong = np.flatnonzero(packing.actions(room, place) != assembly.action)
        if len(wrong) and assembly.error is None:
            item = candidates.ids[int(wrong[0])]
            raise AssertionError(f"its thresholds say something else of {item} than the policy does ({at})")
