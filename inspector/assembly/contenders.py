"""Contenders: policies under presets, to be set side by side or replayed."""

from collections.abc import Mapping
from dataclasses import dataclass

from inspector.assembly.edits import use_policy
from inspector.assembly.preset import Preset
from inspector.assembly.scenario import DEFAULT_POLICY, DEFAULT_PRESET, Scenario


@dataclass(frozen=True, slots=True)
class Contender:
    """A policy under a preset."""

    policy: str
    preset: str = DEFAULT_PRESET

    @property
    def name(self) -> str:
        """The policy, with its preset unless it is the usual one: `ratio`, `ratio/long-chat`."""
        return self.policy if self.preset == DEFAULT_PRESET else f"{self.policy}/{self.preset}"

    def scenario(self, scenario: Scenario) -> Scenario:
        """Return the scenario under this contender: unchanged if it is its own, else with the preset's parameters."""
        return use_policy(scenario, self.policy, self.preset).scenario


def contender_of(scenario: Scenario) -> Contender:
    """Return the policy and preset of a scenario itself."""
    return Contender(scenario.policy or DEFAULT_POLICY, scenario.preset or DEFAULT_PRESET)


def contender_named(name: str, scenario: Scenario) -> Contender:
    """Return the contender of a name such as `ratio/long-chat`; the scenario's own policy alone keeps its preset."""
    policy, _, preset = name.strip().partition("/")
    own = contender_of(scenario)
    return Contender(policy, preset or (own.preset if policy == own.policy else DEFAULT_PRESET))


def available_contenders(
    policies: Mapping[str, type], presets: Mapping[tuple[str, str], Preset]
) -> tuple[Contender, ...]:
    """Return every policy under each of its presets, the document's own first."""
    return tuple(
        Contender(policy, preset)
        for policy in policies
        for preset in dict.fromkeys([DEFAULT_PRESET, *(name for owner, name in presets if owner == policy)])
    )
