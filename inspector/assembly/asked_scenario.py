"""A scenario given by Python code: a Scenario, or a mapping with the keys of a scenario file.

Unknown names are errors.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from inspector.assembly.case import Choices
from inspector.assembly.choices import ScenarioError
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.references import OF_ITEMS, with_ids
from inspector.assembly.scenario import SCENARIO_FORMAT, Scenario
from inspector.assembly.scenario_values import value_troubles, with_own_names
from inspector.nearest import instead
from inspector.reading.decode import decode


def scenario_in(
    pipeline: Pipeline,
    given: Scenario | Mapping[str, Any] | None,
    *,
    everywhere: bool = False,
    has_window: bool = False,
) -> Scenario:
    """Return the scenario of a value or of a mapping that names its conversation, items and other parts by their ids.

    With `everywhere` items may be of any conversation; with `has_window` the window is named elsewhere. Raise the
    errors of `scenario_of`, and ScenarioError for unknown names.
    """
    scenario = scenario_of(pipeline.choices, given, has_window=has_window)
    if given is None or isinstance(given, Scenario):
        return scenario
    return with_ids(scenario, pipeline, {name: getattr(scenario, name) for name in OF_ITEMS}, everywhere=everywhere)


def scenario_of(choices: Choices, given: Scenario | Mapping[str, Any] | None, *, has_window: bool = False) -> Scenario:
    """Return the scenario of a value or of a mapping, whichever workspace is open.

    Raise ScenarioError and UnknownTokenizerError for unknown names, UnreadableError for a value of a wrong type.
    """
    scenario = given if isinstance(given, Scenario) else _decoded(given or {})
    kind = choices.kind(scenario)
    for steps, trouble in value_troubles(scenario, kind):
        place = ".".join(steps)
        raise ScenarioError(f"{place}: {trouble}", place)
    scenario = with_own_names(scenario, kind)
    choices.check(scenario, guesses_model=has_window)
    return scenario


def _decoded(given: Mapping[str, Any]) -> Scenario:
    scenario, problems = decode(given, Scenario, "scenario", expected_format=SCENARIO_FORMAT)
    if problems:
        place = problems[0].place.removeprefix("$.")
        holder, _, key = place.rpartition(".")
        held = getattr(scenario, holder, None) if holder else scenario
        known = [field.name for field in fields(held)] if is_dataclass(held) else []
        raise ScenarioError(f"{place} is not a key of a scenario; {instead(key, known, len(known))}", place)
    return scenario
