from collections import Counter
from dataclasses import replace
from functools import partial

import pytest
from building import chat, memories, pipeline_for, workspace
from cases import workspaces
from hypothesis import given

from inspector.assembly.answer import Answer, complete_answer, planned_answer
from inspector.assembly.columns import Action
from inspector.assembly.compare import NO_ROW
from inspector.assembly.contenders import Contender, contender_named, contender_of
from inspector.assembly.scenario import Scenario
from inspector.assembly.side_by_side import SideBySide, answered_sides, fate_at, side_by_side
from inspector.model import Character, Workspace
from tests.examples import examples

ALL = tuple(map(Contender, ("naive", "ratio", "adaptive", "reserve", "window_rag", "slots")))
FOUND = workspace(
    chat(9, 4, 30, 6, 2, 12, 7, 3, 8, 5), memories(5, 8, 3, 20), Character("nova", system_prompt="be kind")
)
SCENARIO = Scenario(tokenizer="estimate:words", context_window=90)


def sides_under(found: Workspace, scenario: Scenario = SCENARIO, contenders: tuple[Contender, ...] = ALL) -> SideBySide:
    asked = [(contender.name, contender.scenario(scenario)) for contender in contenders]
    return side_by_side(answered_sides(asked, partial(complete_answer, pipeline_for(found))))


@examples(25)
@given(workspaces())
def test_the_matrix_holds_what_each_policy_decides_alone(found: Workspace) -> None:
    sides = sides_under(found)
    made = [place for place, answer in enumerate(sides.answers) if answer.assembly.error is None]
    for place, contender in enumerate(ALL):
        alone = sides_under(found, replace(SCENARIO, policy=contender.policy), (contender,))
        assert sides.actions[:, place].tolist() == alone.answers[0].assembly.action.tolist()
    for row, dissent in enumerate(sides.dissent.tolist()):
        counted = Counter(int(sides.actions[row, place]) for place in made)
        assert dissent == len(made) - max(counted.values(), default=0)
    assert sides.disputed == sum(dissent > 0 for dissent in sides.dissent.tolist())


def test_outcomes_say_tokens_overflow_and_findings() -> None:
    sides = sides_under(FOUND)
    for outcome, answer in zip([side.outcome for side in sides.sides], sides.answers, strict=True):
        budget = answer.assembly.budget
        assert outcome.total == answer.ledger.total
        assert outcome.over == max(0, answer.ledger.total + budget.response_reserve - 90)
        assert (outcome.over > 0) == ("over_window" in [finding.code for finding in answer.findings])
        assert outcome.errors == sum(finding.severity == "error" for finding in answer.findings)
        assert outcome.made
        assert outcome.items == int(answer.assembly.in_prompt.sum())
        assert not outcome.exact, "words are an estimate"
    assert sides.sides[0].outcome.over > 0


def test_a_policy_without_a_prompt_takes_no_part_in_the_disagreement() -> None:
    pair = (Contender("naive"), Contender("ratio"))
    sides = sides_under(FOUND, replace(SCENARIO, policy="ratio", parameters={"memory_share": 0.9}), pair)
    error = sides.answers[1].assembly.error
    assert error is not None
    assert error.code == "shares_do_not_sum"
    assert sides.made.tolist() == [True, False]
    assert (sides.actions[:, 0] != sides.actions[:, 1]).any()
    assert sides.disputed == 0


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


def test_answers_about_other_items_are_matched_by_id() -> None:
    def answer_to(scenario: Scenario) -> Answer:
        pipeline = pipeline_for(
            FOUND if scenario.policy == "naive" else workspace(chat(3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4))
        )
        return planned_answer(pipeline, pipeline.case(scenario))

    asked = [(name, replace(SCENARIO, policy=name)) for name in ("naive", "ratio")]
    sides = side_by_side(answered_sides(asked, answer_to))
    assert sides.ids[-1] == "m10"
    assert (sides.rows == NO_ROW).any(axis=1).tolist() == [name not in shared(sides) for name in sides.ids]
    assert fate_at(sides, len(sides) - 1, 0) is None
    candidates, row = sides.candidate(len(sides) - 1)
    assert candidates.ids[row] == "m10"
    assert sides.dissent[-1] == 1
    with pytest.raises(ValueError, match="nothing"):
        side_by_side(())


def shared(sides: SideBySide) -> set[str]:
    return set.intersection(*(set(answer.assembly.candidates.ids) for answer in sides.answers))


def test_what_differs_is_sorted_by_its_actions() -> None:
    sides = sides_under(FOUND)
    actions = [tuple(sides.actions[place].tolist()) for place in sides.differing.tolist()]
    assert actions == sorted(actions)
    alike = [place for place, found in enumerate(sides.actions.tolist()) if len(set(found)) == 1]
    assert sorted([*sides.differing.tolist(), *alike]) == list(range(len(sides)))


def test_a_directive_that_one_policy_prefers_leaves_the_rows_the_same() -> None:
    found = workspace(chat(3, 4), None, Character("nova", system_prompt="be kind", directive="be very brief and kind"))
    sides = sides_under(found)
    assert sides.ids == ("nova", "m0", "m1")
    assert (sides.actions[0] == Action.KEPT).all()
