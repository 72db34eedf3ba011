"""Variations of a scenario: one key with another value, whether the key is a parameter or a field of the scenario."""

from dataclasses import replace
from typing import Any

from inspector.assembly.scenario import DEFAULT_POLICY, Scenario

SCENARIO_KEYS = ("context_window", "policy", "preset", "tokenizer", "model", "at")
"""The fields of a scenario that can be varied beside the parameters of its policy."""


def varied(scenario: Scenario, key: str, value: Any) -> Scenario:
    """The same scenario with one key changed. Another policy starts from its own defaults, a preset without changes."""
    if key not in SCENARIO_KEYS:
        return replace(scenario, parameters={**scenario.parameters, key: value})
    if key == "policy" and value != (scenario.policy or DEFAULT_POLICY):
        return replace(scenario, policy=value, preset=None, parameters={})
    if key == "preset":
        return replace(scenario, preset=value, parameters={})
    return replace(scenario, **{key: value})
