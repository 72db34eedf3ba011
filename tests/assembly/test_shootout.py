from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from building import chat, memories, pipeline_for, workspace
from cases import workspaces
from hypothesis import given

from inspector.analysis.basis import Basis
from inspector.analysis.snapshots import shootouts
from inspector.assembly.answer import planned_answer
from inspector.assembly.columns import Action
from inspector.assembly.scenario import Scenario
from inspector.assembly.shootout import Contender, Shootout, contender_named, contender_of, shoot_out
from inspector.model import Character, Workspace
from tests.examples import examples

ALL = tuple(map(Contender, ("naive", "ratio", "adaptive", "reserve", "window_rag", "slots")))
FOUND = workspace(
    chat(9, 4, 30, 6, 2, 12, 7, 3, 8, 5), memories(5, 8, 3, 20), Character("nova", system_prompt="be kind")
)
SCENARIO = Scenario(tokenizer="estimate:words", context_window=90)


def shootout_of(found: Workspace, scenario: Scenario = SCENARIO, contenders: tuple[Contender, ...] = ALL) -> Shootout:
    *_, last = shootouts(Basis(pipeline_for(found), scenario), contenders)
    return last


@examples(25)
@given(workspaces())
def test_the_matrix_holds_what_each_policy_decides_alone(found: Workspace) -> None:
    shootout = shootout_of(found)
    made = [place for place, answer in enumerate(shootout.answers) if answer.assembly.error is None]
    for place, contender in enumerate(ALL):
        alone = shootout_of(found, replace(SCENARIO, policy=contender.policy), (contender,))
        assert shootout.actions[:, place].tolist() == alone.answers[0].assembly.action.tolist()
    for row, dissent in enumerate(shootout.dissent.tolist()):
        counted = Counter(int(shootout.actions[row, place]) for place in made)
        assert dissent == len(made) - max(counted.values(), default=0)
    assert shootout.disputed == sum(dissent > 0 for dissent in shootout.dissent.tolist())


def test_outcomes_say_tokens_overflow_and_findings() -> None:
    shootout = shootout_of(FOUND)
    for outcome, answer in zip(shootout.outcomes, shootout.answers, strict=True):
        budget = answer.assembly.budget
        assert outcome.total == answer.ledger.total
        assert outcome.over == max(0, answer.ledger.total + budget.response_reserve - 90)
        assert (outcome.over > 0) == ("over_window" in [finding.code for finding in answer.findings])
        assert outcome.errors == sum(finding.severity == "error" for finding in answer.findings)
        assert outcome.made
        assert not outcome.exact, "words are an estimate"
    assert shootout.outcomes[0].over > 0


def test_a_policy_without_a_prompt_takes_no_part_in_the_disagreement() -> None:
    pair = (Contender("naive"), Contender("ratio"))
    shootout = shootout_of(FOUND, replace(SCENARIO, policy="ratio", parameters={"memory_share": 0.9}), pair)
    error = shootout.answers[1].assembly.error
    assert error is not None
    assert error.code == "shares_do_not_sum"
    assert shootout.made.tolist() == [True, False]
    assert (shootout.actions[:, 0] != shootout.actions[:, 1]).any()
    assert shootout.disputed == 0


def test_the_policy_in_use_keeps_its_parameters_and_others_start_from_their_preset() -> None:
    scenario = replace(SCENARIO, policy="ratio", parameters={"min_exchanges": 0}, pinned=("m2",), at=8)
    own, preset, other = (Contender(*pair) for pair in (("ratio",), ("ratio", "long-chat"), ("slots",)))
    assert own.scenario(scenario) is scenario
    for contender in (preset, other):
        changed = contender.scenario(scenario)
        assert (contender_of(changed), changed.parameters) == (contender, {})
        assert (changed.pinned, changed.at, changed.context_window) == (("m2",), 8, 90)
    assert [contender.name for contender in (own, preset, other)] == ["ratio", "ratio/long-chat", "slots"]


@pytest.mark.parametrize(
    ("name", "preset_in_use", "expected"),
    [
        ("ratio", None, Contender("ratio", "document")),
        (" ratio/long-chat ", None, Contender("ratio", "long-chat")),
        ("ratio", "long-chat", Contender("ratio", "long-chat")),
        ("naive", "long-chat", Contender("naive", "document")),
        ("ratio/document", "long-chat", Contender("ratio", "document")),
    ],
)
def test_names_of_contenders(name: str, preset_in_use: str | None, expected: Contender) -> None:
    scenario = Scenario(preset=preset_in_use)
    assert contender_named(name, scenario) == expected
    assert contender_of(Scenario()) == Contender("ratio", "document")


def test_what_is_not_counted_yet_is_estimated_first_and_measured_then() -> None:
    scenario = replace(SCENARIO, tokenizer="embedded:o200k_base", model="gpt-4o")
    pipeline = pipeline_for(FOUND)
    first, second = shootouts(Basis(pipeline, scenario), ALL[:2])
    assert [outcome.exact for outcome in first.outcomes] == [False, False]
    assert [outcome.exact for outcome in second.outcomes] == [True, True]
    assert [answer.ledger.residual for answer in second.answers] == [0, 0]
    planned, _ = shootouts(Basis(pipeline, scenario), ALL[:2])
    assert np.array_equal(planned.actions, second.actions)
    assert [outcome.exact for outcome in planned.outcomes] == [False, False], "it is not measured"


def test_answers_about_other_items_and_no_contenders_are_refused() -> None:
    def answer_to(scenario: Scenario) -> object:
        pipeline = pipeline_for(FOUND if scenario.policy == "naive" else workspace(chat(3, 4)))
        return planned_answer(pipeline, pipeline.case(scenario))

    with pytest.raises(ValueError, match="different items"):
        shoot_out(SCENARIO, ALL[:2], answer_to)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at least one"):
        shoot_out(SCENARIO, (), answer_to)  # type: ignore[arg-type]


def test_a_directive_that_one_policy_prefers_leaves_the_rows_the_same() -> None:
    found = workspace(chat(3, 4), None, Character("nova", system_prompt="be kind", directive="be very brief and kind"))
    shootout = shootout_of(found)
    assert shootout.ids == ("nova", "m0", "m1")
    assert (shootout.actions[0] == Action.KEPT).all()
