"""Settings answered side by side: policies, models, tokenizers and snapshots beside now and the baseline."""

from dataclasses import replace

import pytest

from inspector.analysis.basis import Basis, Share, result_of
from inspector.analysis.sides import AS_DESIGNED, GONE, pair_of, setting_words, sides_of, text_changes
from inspector.assembly.answer import complete_answer
from inspector.assembly.choices import ScenarioError
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.assembly.scenario_records import record
from inspector.assembly.side_by_side import SideBySide
from inspector.assembly.side_choice import (
    BASELINE,
    NOW,
    Beside,
    SideChoice,
    choice_value,
    chosen_scenario,
    read_side_choice,
    with_values,
)
from inspector.assembly.snapshots import Snapshot

RATIO, SLOTS = SideChoice("policy", "ratio"), SideChoice("policy", "slots")
LONG = SideChoice("policy", "ratio/long-chat")
WORDS = SideChoice("tokenizer", "estimate:words")
WIDE = SideChoice("snapshot", "wide")


def sides_beside(
    pipeline: Pipeline, scenario: Scenario, *choices: SideChoice, beside: Beside | None = None
) -> SideBySide:
    return result_of(sides_of(Basis(pipeline, scenario), (NOW, *choices), beside or Beside()))


def test_every_kind_stands_beside_now(pipeline: Pipeline, scenario: Scenario) -> None:
    scenario = replace(scenario, policy="ratio", parameters={})
    changed = replace(scenario, parameters={"min_exchanges": 0})
    beside = Beside((Snapshot("wide", replace(scenario, context_window=900)),), record(pipeline, scenario))
    model = SideChoice("model", "gpt-4o")
    sides = sides_beside(pipeline, changed, BASELINE, RATIO, SLOTS, LONG, model, WORDS, WIDE, beside=beside)
    told = [(side.key, side.about) for side in sides.sides]
    assert told == [
        ("now", "1 changed"),
        ("baseline", AS_DESIGNED),
        ("policy:slots", AS_DESIGNED),
        ("policy:ratio/long-chat", "long-chat"),
        ("model:gpt-4o", "model"),
        ("tokenizer:estimate:words", "tokenizer"),
        ("snapshot:wide", "snapshot"),
    ], "ratio as designed is the baseline"
    now, baseline = sides.names[:2]
    assert now.endswith(", now")
    assert baseline.endswith(", baseline")
    assert sides.sides[-1].answer.case.model.window.tokens == 900
    assert sides.sides[4].answer.model.name == "gpt-4o"


def test_the_policy_in_use_as_designed_has_a_column_once_it_is_changed(pipeline: Pipeline, scenario: Scenario) -> None:
    plain = replace(scenario, policy="ratio", parameters={})
    assert [side.key for side in sides_beside(pipeline, plain, RATIO).sides] == ["now"]
    changed = replace(plain, parameters={"min_exchanges": 0})
    sides = sides_beside(pipeline, changed, RATIO)
    assert [side.about for side in sides.sides] == ["1 changed", AS_DESIGNED]
    assert sides.sides[1].scenario.parameters == {}


def test_a_planned_answer_comes_before_the_measured_one(pipeline: Pipeline, scenario: Scenario) -> None:
    planned, *shares, measured = sides_of(Basis(pipeline, scenario), (NOW, SLOTS), Beside())
    assert isinstance(planned, SideBySide)
    assert isinstance(measured, SideBySide)
    assert shares == [Share(0, 2, "Side by side"), Share(1, 2, "Side by side")]
    assert planned.names == measured.names
    assert all(answer.ledger.residual == 0 for answer in measured.answers)


def test_a_known_answer_is_taken_as_it_is(pipeline: Pipeline, scenario: Scenario) -> None:
    known = complete_answer(pipeline, scenario)
    beside = Beside(baseline=record(pipeline, scenario), answers={BASELINE: known})
    assert sides_beside(pipeline, scenario, BASELINE, beside=beside).answers[1] is known


def test_nothing_is_sent_for_a_snapshot(pipeline: Pipeline, scenario: Scenario) -> None:
    beside = Beside((Snapshot("wide", replace(scenario, summaries="endpoint")),))
    assert sides_beside(pipeline, scenario, WIDE, beside=beside).answers[1].scenario.summaries is None


def test_what_is_refused_is_named_with_the_reason(pipeline: Pipeline, scenario: Scenario) -> None:
    beside = Beside((Snapshot("wide", replace(scenario, memory_sets=("nowhere",))),))
    gone = SideChoice("snapshot", "older")
    sides = sides_beside(pipeline, scenario, WIDE, gone, SLOTS, beside=beside)
    assert [side.key for side in sides.sides] == ["now", "policy:slots"]
    assert "nowhere" in sides.refused[0]
    assert sides.refused[1] == f"older: {GONE}"
    basis = Basis(pipeline, scenario)
    (pair,), (texts,) = pair_of(basis, NOW, WIDE, beside), text_changes(basis, NOW, WIDE, beside)
    for sentence in (pair, texts):
        assert isinstance(sentence, str)
        assert sentence.startswith("wide: ")
    with pytest.raises(ScenarioError):
        list(sides_of(Basis(pipeline, replace(scenario, memory_sets=("nowhere",))), (NOW,), Beside()))


def test_any_two_are_compared(pipeline: Pipeline, scenario: Scenario) -> None:
    beside = Beside((Snapshot("wide", replace(scenario, context_window=900)),))
    ((before, after),) = pair_of(Basis(pipeline, scenario), WIDE, SLOTS, beside)
    assert (before.case.model.window.tokens, after.case.policy_name) == (900, "slots")  # type: ignore[union-attr]
    (lines,) = text_changes(Basis(pipeline, scenario), WIDE, NOW, beside)
    assert any(line.mark == "removed" for line in lines)  # type: ignore[union-attr]


def test_a_choice_holds_its_values_whatever_becomes_of_the_preset(pipeline: Pipeline, scenario: Scenario) -> None:
    held = with_values(LONG, pipeline, scenario)
    assert held.values is not None
    assert held.values.parameters
    assert with_values(WIDE, pipeline, scenario) is WIDE
    assert with_values(held, pipeline, scenario) is held
    changed = replace(held.values, parameters={**held.values.parameters, "min_exchanges": 7}, given=("min_exchanges",))
    found = chosen_scenario(replace(held, values=changed), pipeline, scenario, (), None)
    assert found is not None
    assert (found.preset, found.parameters["min_exchanges"]) == ("long-chat", 7)
    assert found.context_window == scenario.context_window
    assert setting_words(pipeline, found) == "long-chat, 1 changed"


def test_choices_are_written_and_read_back(pipeline: Pipeline, scenario: Scenario) -> None:
    for choice in (NOW, SLOTS, WORDS, with_values(LONG, pipeline, scenario)):
        again = read_side_choice(choice_value(choice))
        assert again is not None
        assert again == choice
        assert again.values == choice.values
    for bad in (None, 3, {}, {"kind": "other", "name": "x"}, {"kind": "policy", "name": 3}):
        assert read_side_choice(bad) is None
    spoilt = read_side_choice({"kind": "policy", "name": "ratio", "values": {"policy": 3, "parameters": []}})
    assert spoilt is not None
    assert spoilt.values is None
