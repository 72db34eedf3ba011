"""What was tuned for each policy under each of its presets, so that it is there when a person comes back."""

from collections.abc import Mapping
from typing import Any

from inspector.assembly.scenario import DEFAULT_POLICY, DEFAULT_PRESET, Scenario

Remembered = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""Policy → preset → parameters; the preset that was used last is the last one of its policy."""

NOTHING: Remembered = {}


def remember(remembered: Remembered, scenario: Scenario) -> Remembered:
    """The same with the parameters that a scenario has for its policy and preset."""
    policy, preset = scenario.policy or DEFAULT_POLICY, scenario.preset or DEFAULT_PRESET
    others = {name: values for name, values in remembered.get(policy, {}).items() if name != preset}
    return {**remembered, policy: {**others, preset: scenario.parameters}}


def last_preset(remembered: Remembered, policy: str) -> str | None:
    """The preset that was used last with a policy, None where it was not used."""
    return next(reversed(list(remembered.get(policy, ()))), None)
