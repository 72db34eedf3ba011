"""Wrong usage: one line that names the option, or the place in the scenario file, and the nearest right name."""

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
from inspector.tokens.choice import UnknownTokenizerError

_OPTIONS = {
    "context_window": "--window",
    "memory_sets": "--memories",
    "parameters": "--set",
    "pinned": "--pin",
    "excluded": "--exclude",
    "overrides": "--override",
}
"""The options of fields of a scenario that are not called as these are."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Where a scenario comes from: its file, "" for none, and the options; `settings` are those of --set."""

    file: str
    given: Mapping[str, Any]
    settings: Mapping[str, Any]

    def place(self, field: str) -> str:
        """The option that gives a field, else its place in the file; "" where nobody gave it."""
        if self.settings if field == "parameters" else self.given.get(field) not in (None, ()):
            return f"{option_of(field)}: "
        return f"{self.file}: $.{field}: " if self.file and field else ""


def option_of(field: str) -> str:
    """The option that gives a field of a scenario."""
    return _OPTIONS.get(field, f"--{field.replace('_', '-')}")


@contextmanager
def placed(asked: Asked) -> Iterator[None]:
    """End the command with one line that says which option, or which place in a file, asks for what is not there."""
    try:
        yield
    except UnknownTokenizerError as problem:
        raise InputError(f"{asked.place('tokenizer')}{problem}") from None
    except ScenarioError as problem:
        place = asked.place(problem.field)
        raise InputError(place + str(problem).removeprefix(f"{problem.field}: " if place else "")) from None


def checked(scenario: Scenario, asked: Asked, *, guesses_model: bool = False) -> Scenario:
    """A scenario of which all is known that does not depend on what is open. Ends the command for anything else.

    Unknown parameters of its file are named, and left out; with `guesses_model` the model may be one that no row means.
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
    """A scenario whose conversation, items and other things are there, by their ids. Ends the command for any other.

    With `everywhere`, items of all conversations may be named.
    """
    items = {field: asked.given.get(field) or () for field in OF_ITEMS}
    items["overrides"] = [text.partition("=")[0].rpartition(":")[0] for text in items["overrides"]]
    with placed(asked):
        scenario = with_ids(scenario, pipeline, items, everywhere=everywhere)
        pipeline.case(scenario)
    return scenario


def check_policies(option: str, names: Sequence[str]) -> None:
    """End the command with one line where one of these policies, or its preset (POLICY/PRESET), is none."""
    choices = known_choices()
    for name in names:
        policy, _, preset = name.strip().partition("/")
        try:
            choices.kind(Scenario(policy=policy, preset=preset or None))
        except ScenarioError as problem:
            raise InputError(f"{option}: {problem}") from None
