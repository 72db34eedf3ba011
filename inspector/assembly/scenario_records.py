"""Records: saved scenarios, with values for the names whose meaning users may change.

A saved or pinned scenario or a snapshot holds every parameter; its preset is a label, and a row of the user's own model
table goes with it. Continuing with a record follows its names again, as long as they mean the same.
"""

from collections.abc import Mapping
from dataclasses import replace

from inspector.assembly.case import Case, Choices
from inspector.assembly.choices import ScenarioError
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import parameter_values, parameters_of
from inspector.assembly.preset import Preset
from inspector.assembly.scenario import DEFAULT_POLICY, DEFAULT_PRESET, Scenario
from inspector.tokens.choice import UnknownTokenizerError
from inspector.tokens.models.loading import load_models
from inspector.tokens.models.table import ModelRow


def record_of(case: Case) -> Scenario:
    """Return the scenario of a case for saving: it gives the same answer whatever becomes of presets and own models."""
    scenario, preset = case.scenario, case.preset
    given = {**preset.parameters, **scenario.parameters}
    return replace(
        scenario,
        given=tuple(scenario.parameters) if scenario.given is None else scenario.given,
        parameters=given if case.policy is None else parameter_values(case.policy),
        base=(preset.base or DEFAULT_PRESET) if preset.is_own else scenario.base,
        tokenizer=_own_tokenizer(preset) if scenario.tokenizer == "auto" else scenario.tokenizer,
        model_row=_own_row(case.model.row),
    )


def record(pipeline: Pipeline, scenario: Scenario) -> Scenario:
    """Return a scenario for saving; unchanged if the pipeline refuses it."""
    try:
        return record_of(pipeline.fork().case(scenario))
    except (ScenarioError, UnknownTokenizerError):
        return scenario


def with_labels(
    scenario: Scenario, policies: Mapping[str, type], presets: Mapping[tuple[str, str], Preset]
) -> Scenario:
    """Return the scenario of a file; the name of an unknown preset becomes a label if every parameter is given.

    Otherwise a scenario with an unknown preset is refused on use.
    """
    policy = scenario.policy or DEFAULT_POLICY
    if scenario.base is not None or (policy, scenario.looked_up) in presets or policy not in policies:
        return scenario
    declared = {parameter.name for parameter in parameters_of(policies[policy])}
    return replace(scenario, base=DEFAULT_PRESET) if declared <= set(scenario.parameters) else scenario


def followed(pipeline: Pipeline, record: Scenario) -> Scenario:
    """Return a record to continue with: its preset and its model are followed by name, if these still give the same.

    The answer is the same; the parameters are those that were given, and those whose values would change without them.
    """
    by_name, apart = _by_name(pipeline.choices, record), pipeline.fork()
    try:
        plain = apart.case(replace(by_name, parameters={}, model_row=None))
        asked = apart.case(record)
    except (ScenarioError, UnknownTokenizerError):
        return record
    if plain.policy is None or asked.policy is None:
        return record
    usual, values, given = parameter_values(plain.policy), parameter_values(asked.policy), record.given or ()
    return replace(
        by_name,
        given=None,
        parameters={
            name: held
            for name, held in record.parameters.items()
            if name in given or usual.get(name) != values.get(name)
        },
        model_row=None if plain.model.row == asked.model.row else record.model_row,
    )


def _by_name(choices: Choices, record: Scenario) -> Scenario:
    """Return the record with its preset looked up again, if an own preset of this name has the same base."""
    preset = choices.presets.get((record.policy or DEFAULT_POLICY, record.preset or DEFAULT_PRESET), Preset())
    if not preset.is_own or record.base not in (None, preset.base or DEFAULT_PRESET):
        return record
    said = _own_tokenizer(preset)
    return replace(record, base=None, tokenizer="auto" if record.tokenizer == said else record.tokenizer)


def _own_tokenizer(preset: Preset) -> str:
    """Return the tokenizer of an own preset for `auto`."""
    return preset.tokenizer if preset.is_own and preset.tokenizer else "auto"


def _own_row(row: ModelRow | None) -> ModelRow | None:
    """Return the row unless it is shipped."""
    return None if row is None or load_models().find(row.name).row == row else row
