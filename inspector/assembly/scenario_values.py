"""Values of scenarios by their declarations: what a type hint alone does not say of numbers, parameters and overrides.

A policy declares its parameters, an item its fields; what is wrong is named with its place in the scenario.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from reprlib import repr as shown
from typing import Any

from inspector.assembly.item_fields import override_troubles
from inspector.assembly.policy import MOST, parameter_troubles, parameters_by_name
from inspector.assembly.preset import Preset
from inspector.assembly.scenario import DEFAULT_POLICY, DEFAULT_PRESET, Scenario

KindFor = Callable[[Scenario], type | None]
"""Says which class decides under a scenario, None where nobody knows."""
Steps = tuple[str, ...]
"""The keys that lead from a scenario to a value in it."""
WINDOW = "context_window"
_LEAST = {WINDOW: 0, "at": 0, "summary_tokens": 1}


def no_kind(scenario: Scenario) -> None:
    """For who leaves it to the assembly to refuse parameters, which then is its answer."""


def decider(scenario: Scenario, policies: Mapping[str, type], presets: Mapping[tuple[str, str], Preset]) -> type | None:
    """The class that decides under a scenario, None for a policy or a preset that is not there."""
    policy, preset = scenario.policy or DEFAULT_POLICY, scenario.looked_up
    known = presets.get((policy, preset), Preset() if preset == DEFAULT_PRESET else None)
    return None if known is None or policy not in policies else known.kind(policies[policy])


def setting_troubles(scenario: Scenario) -> Iterator[tuple[str, str]]:
    """The key and the trouble of each number and group of settings that no scenario can have."""
    for name, least in _LEAST.items():
        number = getattr(scenario, name)
        if number is not None and (trouble := number_trouble(number, least)):
            yield name, trouble
    for name, settings in (("relevance", scenario.relevance), ("lore", scenario.lore)):
        if trouble := settings.trouble():
            yield name, trouble


def number_trouble(value: Any, least: int = 0) -> str:
    """Why a value is no whole number from the least one on, "" if it is one."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        return f"expected a whole number of at least {least}, found {shown(value)}"
    return "" if value <= MOST else f"expected at most {MOST:,}, found {shown(value)}"


def value_troubles(scenario: Scenario, kind: type | None) -> Iterator[tuple[Steps, str]]:
    """The steps to each value of a scenario that its declaration refuses, and why.

    `kind` is what decides: without one nothing is said of its parameters, and names that are none are its to refuse.
    """
    yield from (((name,), trouble) for name, trouble in setting_troubles(scenario))
    if trouble := number_trouble(scenario.parameters.get(WINDOW, 0)):
        yield ("parameters", WINDOW), trouble
    declared = parameters_by_name(kind)
    for steps, trouble in parameter_troubles(kind, scenario.parameters) if kind else ():
        if steps[0] in declared or "_".join(steps) in declared:
            yield ("parameters", *steps), trouble
    yield from ((("overrides", *steps), trouble) for steps, trouble in override_troubles(scenario.overrides))


def without(scenario: Scenario, steps: Steps) -> Scenario:
    """The scenario without the value that these steps lead to."""
    key, *inner = steps
    if not inner:
        return replace(scenario, **{key: getattr(Scenario(), key)})
    return replace(scenario, **{key: _without(getattr(scenario, key), inner)})


def _without(value: Mapping[str, Any], steps: Sequence[str]) -> dict[str, Any]:
    name, *inner = steps
    kept = {key: held for key, held in value.items() if key != name}
    return {**kept, name: _without(value[name], inner)} if inner else kept
