"""Records of scenarios: by values, the same for whoever has other presets and models, and followed by name again."""

from dataclasses import replace

import pytest

from inspector.assembly.choices import ScenarioError
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import parameter_values
from inspector.assembly.preset import Preset
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.assembly.scenario_records import followed, record, with_labels
from inspector.model import Conversation, Message, Workspace
from inspector.plugins import policies
from inspector.tokens.models.loading import load_models
from inspector.tokens.models.table import ModelRow, ModelTable

CHAT = Workspace(conversations=(Conversation("c", messages=(Message("m", "user", "hello"),), model="nova-7b"),))
SHIPPED = load_presets()
OWN_ROW = ModelRow("nova-7b", "me", 5_000, None, "estimate:words", "chatml", "")
WITH_VARIANT = next(key for key, preset in SHIPPED.items() if preset.variant)
SHARES = {"history_share": 0.2, "memory_share": 0.5}
MINE = Preset("Mine", parameters=SHARES, base="document", tokenizer="estimate:ibex", is_own=True)


def pipeline_with(*own: tuple[str, str, Preset], rows: tuple[ModelRow, ...] = ()) -> Pipeline:
    presets = {**SHIPPED, **{(policy, name): preset for policy, name, preset in own}}
    return Pipeline(CHAT, policies()[0], presets, ModelTable((*rows, *load_models().rows)))


def decided(pipeline: Pipeline, scenario: Scenario) -> tuple[object, ...]:
    case = pipeline.case(scenario)
    return type(case.policy), parameter_values(case.policy), case.model.row, case.model.tokenizer.tokenizer.name


def test_a_record_of_each_shipped_preset_decides_as_it_does_and_is_followed_to_it() -> None:
    pipeline = pipeline_with()
    for policy, preset in (*SHIPPED, *((name, None) for name in policies()[0])):
        scenario = Scenario(policy=policy, preset=preset)
        kept = record(pipeline, scenario)
        assert decided(pipeline, kept) == decided(pipeline, scenario), (policy, preset)
        assert record(pipeline, kept) == kept
        assert followed(pipeline, kept) == scenario


def test_an_own_preset_and_model_are_kept_by_value_and_the_name_is_a_label() -> None:
    here, scenario = pipeline_with(("ratio", "mine", MINE), rows=(OWN_ROW,)), Scenario(policy="ratio", preset="mine")
    kept = record(here, scenario)
    assert (kept.preset, kept.base, kept.tokenizer, kept.model_row) == ("mine", "document", "estimate:ibex", OWN_ROW)
    assert followed(here, kept) == scenario
    tuned = replace(scenario, parameters={"history_share": 0.2})
    assert followed(here, record(here, tuned)) == tuned, "also where it was given as the preset has it"
    other = replace(MINE, parameters={"history_share": 0.6, "memory_share": 0.1}, tokenizer="estimate:words")
    changed = pipeline_with(("ratio", "mine", other), rows=(replace(OWN_ROW, context_window=9),))
    for elsewhere in (pipeline_with(), changed):
        assert decided(elsewhere, kept) == decided(here, scenario)
        assert decided(elsewhere, followed(elsewhere, kept)) == decided(here, scenario)


def test_an_own_preset_keeps_the_code_that_its_base_decides_by() -> None:
    policy, base = WITH_VARIANT
    own = replace(SHIPPED[WITH_VARIANT], base=base, is_own=True)
    here, scenario = pipeline_with((policy, "mine", own)), Scenario(policy=policy, preset="mine")
    kept = record(here, scenario)
    assert decided(pipeline_with(), kept) == decided(here, scenario)
    assert type(pipeline_with().case(kept).policy) is not policies()[0][policy]


def test_a_preset_of_a_file_with_all_its_values_is_a_label_and_one_without_is_looked_up() -> None:
    pipeline = pipeline_with()
    whole = replace(record(pipeline, Scenario(policy="ratio")), preset="theirs")
    part = Scenario(policy="ratio", preset="theirs", parameters={"history_share": 0.3})
    labelled = with_labels(whole, policies()[0], SHIPPED)
    assert decided(pipeline, labelled) == decided(pipeline, Scenario(policy="ratio"))
    assert labelled.preset == "theirs"
    assert with_labels(part, policies()[0], SHIPPED) == part
    with pytest.raises(ScenarioError, match="theirs is not a preset of ratio"):
        pipeline.case(part)


def test_a_row_that_no_table_could_hold_is_refused_and_one_of_another_model_is_no_matter() -> None:
    pipeline = pipeline_with()
    with pytest.raises(ScenarioError, match="model_row: context_window: expected a number of tokens above 0"):
        pipeline.case(Scenario(model_row=replace(OWN_ROW, context_window=-1)))
    assert pipeline.case(Scenario(model="gpt-4o", model_row=OWN_ROW)).model.window.tokens == 128_000
    assert pipeline.case(Scenario(model="nova-7b-instruct", model_row=OWN_ROW)).model.window.tokens == 5_000
