"""Values of scenarios by their declarations: checks of numbers, parameters and overrides beyond their type hints.

A policy declares its parameters, an item its fields; errors are reported with their place in the scenario.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from reprlib import repr as shown
from typing import Any

from inspector.assembly.item_fields import override_troubles
from inspector.assembly.policy import by_own_names, parameter_troubles
from inspector.assembly.preset import Preset
from inspector.assembly.scenario import DEFAULT_POLICY, DEFAULT_PRESET, Scenario
from inspector.limits import MOST

KindFor = Callable[[Scenario], type | None]
"""Returns the class that decides under a scenario, None if unknown."""
Steps = tuple[str, ...]
"""The keys that lead from a scenario to a value in it."""
WINDOW = "context_window"
_LEAST = {WINDOW: 0, "at": 0, "summary_tokens": 1}


def no_kind(scenario: Scenario) -> None:
    """Return None, to leave refusing parameters to the assembly, as part of its answer."""


def decider(scenario: Scenario, policies: Mapping[str, type], presets: Mapping[tuple[str, str], Preset]) -> type | None:
    """Return the deciding class of a scenario, None for an unknown policy or preset."""
    policy, preset = scenario.policy or DEFAULT_POLICY, scenario.looked_up
    known = presets.get((policy, preset), Preset() if preset == DEFAULT_PRESET else None)
    return None if known is None or policy not in policies else known.kind(policies[policy])


def setting_troubles(scenario: Scenario) -> Iterator[tuple[str, str]]:
    """Yield the key and the error of each invalid number or group of settings."""
    for name, least in _LEAST.items():
        number = getattr(scenario, name)
        if number is not None and (trouble := number_trouble(number, least)):
            yield name, trouble
    for name, settings in (("relevance", scenario.relevance), ("lore", scenario.lore)):
        if trouble := settings.trouble():
            yield name, trouble


def number_trouble(value: Any, least: int = 0) -> str:
    """Return why a value is not a whole number of at least `least`, "" if it is."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        return f"expected a whole number of at least {least}, found {shown(value)}"
    return "" if value <= MOST else f"expected at most {MOST:,}, found {shown(value)}"


def value_troubles(scenario: Scenario, kind: type | None) -> Iterator[tuple[Steps, str]]:
    """Yield the steps to each value of a scenario refused by its declaration, with the reason.

    `kind` is the deciding class: without it parameters are not checked, and unknown names are left to it to refuse.
    """
    yield from (((name,), trouble) for name, trouble in setting_troubles(scenario))
    if trouble := number_trouble(scenario.parameters.get(WINDOW, 0)):
        yield ("parameters", WINDOW), trouble
    for steps, trouble in parameter_troubles(kind, scenario.parameters, takes_unknown=True) if kind else ():
        yield ("parameters", *steps), trouble
    yield from ((("overrides", *steps), trouble) for steps, trouble in override_troubles(scenario.overrides))


def with_own_names(scenario: Scenario, kind: type | None) -> Scenario:
    """Return a scenario with its window in its own field, if `--set` named it, and its parameters by their own names.

    `kind` is the deciding class; without it, objects among the parameters stay.
    """
    parameters = by_own_names(kind, scenario.parameters)
    window = {WINDOW: parameters.pop(WINDOW)} if WINDOW in parameters else {}
    if not window and parameters == scenario.parameters:
        return scenario
    return replace(scenario, **window, parameters=parameters)


def without(scenario: Scenario, steps: Steps) -> Scenario:
    """Return the scenario without the value at these steps."""
    key, *inner = steps
    if not inner:
        return replace(scenario, **{key: getattr(Scenario(), key)})
    return replace(scenario, **{key: _without(getattr(scenario, key), inner)})


def _without(value: Mapping[str, Any], steps: Sequence[str]) -> dict[str, Any]:
    """Return an object without the value at these steps, nor an object that held nothing else."""
    name, *inner = steps
    kept = {key: held for key, held in value.items() if key != name}
    rest = _without(value[name], inner) if inner else {}
    return {**kept, name: rest} if rest else kept
