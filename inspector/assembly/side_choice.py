"""Choices of what to set side by side: now, the baseline, a policy under a preset, a model, a tokenizer, a snapshot."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from inspector.assembly.answer import Answer
from inspector.assembly.choices import ScenarioError
from inspector.assembly.contenders import Contender
from inspector.assembly.edits import use_model, use_tokenizer
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import parameter_values
from inspector.assembly.scenario import DEFAULT_PRESET, Scenario
from inspector.assembly.scenario_records import followed, record
from inspector.assembly.snapshots import Snapshots, snapshot_named
from inspector.reading.values import mapping
from inspector.tokens.choice import UnknownTokenizerError

SideKind = Literal["now", "baseline", "recorded", "policy", "model", "tokenizer", "snapshot"]
_KINDS: Mapping[str, SideKind] = {kind: kind for kind in get_args(SideKind)}
_VALUES = ("policy", "preset", "base", "given", "parameters")
"""The fields of a scenario that a policy holds."""


@dataclass(frozen=True, slots=True)
class SideChoice:
    """A setting by its kind and name.

    The name of a policy is `ratio/long-chat` under a preset. `values` holds its values at the time it was chosen, for
    presets may change; None takes those of the preset.
    """

    kind: SideKind
    name: str = ""
    values: Scenario | None = field(default=None, compare=False)

    @property
    def key(self) -> str:
        """The key of its column: `now`, `policy:ratio/long-chat`."""
        return f"{self.kind}:{self.name}" if self.name else self.kind


@dataclass(frozen=True, eq=False)
class Beside:
    """What choices refer to besides the current scenario: the snapshots, the baseline, and answers already known."""

    snapshots: Snapshots = ()
    baseline: Scenario | None = None
    answers: Mapping[SideChoice, Answer] = field(default_factory=dict)


NOW, BASELINE, RECORDED = SideChoice("now"), SideChoice("baseline"), SideChoice("recorded")


def policy_choice(contender: Contender) -> SideChoice:
    """Return the choice of a policy under a preset."""
    return SideChoice("policy", contender.name)


def with_values(choice: SideChoice, pipeline: Pipeline, scenario: Scenario) -> SideChoice:
    """Return the choice with its values as they are now, if it names a preset."""
    if choice.kind != "policy" or choice.values is not None:
        return choice
    return replace(choice, values=_only_values(record(pipeline, _designed(choice, scenario))))


def chosen_scenario(
    choice: SideChoice, pipeline: Pipeline, scenario: Scenario, snapshots: Snapshots, baseline: Scenario | None
) -> Scenario | None:
    """Return the scenario of a choice beside the current one; None if there is none any more."""
    if choice.kind == "now":
        return scenario
    if choice.kind == "baseline":
        return None if baseline is None else followed(pipeline, baseline)
    if choice.kind == "snapshot":
        return _of_snapshot(choice.name, pipeline, snapshots)
    if choice.kind == "model":
        return use_model(scenario, choice.name).scenario
    if choice.kind == "tokenizer":
        return use_tokenizer(scenario, choice.name).scenario
    if choice.values is None:
        return _designed(choice, scenario)
    held = {name: getattr(choice.values, name) for name in _VALUES}
    return followed(pipeline, replace(scenario, **held))


def _of_snapshot(name: str, pipeline: Pipeline, snapshots: Snapshots) -> Scenario | None:
    try:
        return followed(pipeline, snapshot_named(snapshots, name).scenario)
    except KeyError:
        return None


def _designed(choice: SideChoice, scenario: Scenario) -> Scenario:
    """Return the scenario under the policy and preset of a choice, without any value set by the user."""
    policy, _, preset = choice.name.partition("/")
    named = None if preset in ("", DEFAULT_PRESET) else preset
    return replace(scenario, policy=policy, preset=named, parameters={}, base=None, given=None)


def _only_values(scenario: Scenario) -> Scenario:
    return replace(Scenario(), **{name: getattr(scenario, name) for name in _VALUES})


def without_new_endpoint(scenario: Scenario, now: Scenario) -> Scenario:
    """Return a scenario without its request for a server's summaries, unless now has it too: chats are sent only on
    demand.
    """
    is_new = scenario.summaries == "endpoint" and now.summaries != "endpoint"
    return replace(scenario, summaries=None) if is_new else scenario


def changed_parameters(pipeline: Pipeline, scenario: Scenario) -> tuple[str, ...]:
    """Return the parameters with other values than those of the scenario's preset; none if either is refused."""
    try:
        asked = pipeline.case(scenario).policy
        plain = pipeline.case(replace(scenario, parameters={}, given=None)).policy
    except (ScenarioError, UnknownTokenizerError):
        return ()
    if asked is None or plain is None:
        return tuple(scenario.parameters)
    usual = parameter_values(plain)
    return tuple(name for name, value in parameter_values(asked).items() if usual.get(name) != value)


def choice_value(choice: SideChoice) -> dict[str, Any]:
    """Return a choice as a plain value, which `read_side_choice` reads back."""
    value = {"kind": choice.kind, "name": choice.name}
    held = choice.values
    if held is None:
        return value
    plain = {name: [*one] if isinstance(one, tuple) else one for name, one in held.parameters.items()}
    values = {"policy": held.policy, "preset": held.preset, "base": held.base, "parameters": plain}
    given = None if held.given is None else list(held.given)
    return {**value, "values": {name: one for name, one in {**values, "given": given}.items() if one is not None}}


def read_side_choice(value: Any) -> SideChoice | None:
    """Return the choice of a plain value, None if it is none. Never raises."""
    known = mapping(value)
    kind, name = _KINDS.get(str(known.get("kind"))), known.get("name")
    if kind is None or not isinstance(name, str):
        return None
    values = mapping(known.get("values"))
    return SideChoice(kind, name, _read_values(values) if values else None)


def _read_values(values: Mapping[str, Any]) -> Scenario | None:
    policy, preset, base = (values.get(name) for name in ("policy", "preset", "base"))
    given, parameters = values.get("given"), values.get("parameters")
    if not all(one is None or isinstance(one, str) for one in (policy, preset, base)):
        return None
    if not isinstance(parameters, Mapping):
        return None
    told = {str(name): one for name, one in parameters.items()}
    names = tuple(map(str, given)) if isinstance(given, list) else None
    return Scenario(policy=policy, preset=preset, base=base, parameters=told, given=names)
