"""Wrong usage: one line with the option, or the place in the scenario file, and the nearest correct name."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import click

from inspector.assembly.choices import ScenarioError
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import parameter_trouble, unknown_parameters
from inspector.assembly.references import OF_ITEMS, with_ids
from inspector.assembly.scenario import Scenario
from inspector.cli.failure import InputError
from inspector.cli.known import known_choices
from inspector.cli.output import warn
from inspector.model import Problem
from inspector.nearest import instead
from inspector.tokens.choice import UnknownTokenizerError

_OPTIONS = {
    "context_window": "--window",
    "memory_sets": "--memories",
    "parameters": "--set",
    "pinned": "--pin",
    "excluded": "--exclude",
    "overrides": "--override",
    "score_scales": "--scores",
}
"""Options whose names differ from their fields of a scenario."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The sources of a scenario: its file, "" for none, and the options; `settings` are those of --set."""

    file: str
    given: Mapping[str, Any]
    settings: Mapping[str, Any]

    def place(self, field: str) -> str:
        """Return the option of a field, else its place in the file; "" if it was not given."""
        if self.settings if field == "parameters" else self.given.get(field) not in (None, ()):
            return f"{option_of(field)}: "
        return f"{self.file}: $.{field}: " if self.file and field else ""


def option_of(field: str) -> str:
    """Return the option for a field of a scenario."""
    return _OPTIONS.get(field, f"--{field.replace('_', '-')}")


@contextmanager
def placed(asked: Asked) -> Iterator[None]:
    """End the command, naming the option or the place in a file, if a scenario asks for something missing."""
    try:
        yield
    except UnknownTokenizerError as problem:
        raise InputError(f"{asked.place('tokenizer')}{problem}") from None
    except ScenarioError as problem:
        place = asked.place(problem.field)
        raise InputError(place + str(problem).removeprefix(f"{problem.field}: " if place else "")) from None


def checked(scenario: Scenario, asked: Asked, *, guesses_model: bool = False) -> Scenario:
    """Return a scenario after all checks that do not depend on open files. End the command if any fails.

    Unknown parameters of its file are reported and left out; with `guesses_model` the model need not match a row.
    """
    choices = known_choices()
    with placed(asked):
        kind = choices.kind(scenario)
        for name, value in asked.settings.items():
            if trouble := parameter_trouble(kind, {name: value}):
                raise click.UsageError(f"--set {name}: {trouble}")
        scenario = _without_unknown(scenario, kind, asked.file)
        choices.check(scenario, guesses_model=guesses_model)
    return scenario


def _without_unknown(scenario: Scenario, kind: type, file: str) -> Scenario:
    unknown = unknown_parameters(kind, scenario.parameters)
    for name, trouble in unknown.items():
        warn(Problem(file, f"$.parameters.{name}", f"{trouble} (it was skipped)"))
    known = {name: value for name, value in scenario.parameters.items() if name not in unknown}
    return replace(scenario, parameters=known) if unknown else scenario


def located(pipeline: Pipeline, scenario: Scenario, asked: Asked, *, everywhere: bool = False) -> Scenario:
    """Return a scenario with its conversation, items and other things found, by their ids. End the command if any is
    missing.

    With `everywhere`, items of all conversations may be named.
    """
    items = {field: asked.given.get(field) or () for field in OF_ITEMS}
    items["overrides"] = [text.partition("=")[0].rpartition(":")[0] for text in items["overrides"]]
    with placed(asked):
        scenario = with_ids(scenario, pipeline, items, everywhere=everywhere)
        pipeline.case(scenario)
    return scenario


def check_models(option: str, names: Sequence[str]) -> None:
    """End the command for a model that the table does not have."""
    table = known_choices().models
    for name in names:
        if table.find(name).row is None:
            near = table.nearest(name)
            named = instead(name, near) if near else "`prompt-inspector models` lists those that are"
            raise InputError(f"{option}: {name} is not in the model table; {named}")


def check_policies(option: str, names: Sequence[str]) -> None:
    """End the command for an unknown policy, or an unknown preset (POLICY/PRESET)."""
    choices = known_choices()
    for name in names:
        policy, _, preset = name.strip().partition("/")
        try:
            choices.kind(Scenario(policy=policy, preset=preset or None))
        except ScenarioError as problem:
            raise InputError(f"{option}: {problem}") from None
