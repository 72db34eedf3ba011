"""The smallest changes: each does what it says when it is assembled, and no nearer value does."""

from dataclasses import replace

import pytest

from inspector.analysis.basis import Basis
from inspector.analysis.explanation.solver import CONTEXT_WINDOW, SmallestChange, smallest_changes
from inspector.assembly.columns import Action
from inspector.assembly.decisions import Assembly
from inspector.assembly.edits import set_value
from inspector.assembly.lacking import make_all, missing_texts
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.plugins import policies
from inspector.steps import AbandonedError, while_wanted


def row_of(pipeline: Pipeline, scenario: Scenario, item: str) -> int:
    return int(pipeline.candidates(pipeline.case(scenario)).rows_named([item])[0])


def changes_of(pipeline: Pipeline, scenario: Scenario, item: str) -> dict[str, SmallestChange]:
    return {c.parameter: c for c in smallest_changes(Basis(pipeline, scenario), row_of(pipeline, scenario, item))}


def assembled(pipeline: Pipeline, scenario: Scenario, name: str, value: object) -> Assembly:
    changed = set_value(scenario, name, value).scenario
    make_all(pipeline, changed)
    return pipeline.assemble(pipeline.case(changed))


def ids(assembly: Assembly, rows: tuple[int, ...]) -> list[str]:
    return [assembly.candidates.ids[row] for row in rows]


@pytest.mark.parametrize("item", ["m0", "m5", "m9", "k1", "k3", "nova"])
@pytest.mark.parametrize("borrow", ["none", "both"])
def test_each_answer_holds_and_is_the_nearest(pipeline: Pipeline, scenario: Scenario, item: str, borrow: str) -> None:
    scenario = replace(scenario, parameters={**scenario.parameters, "borrow": borrow, "memory_candidates": 3})
    row = row_of(pipeline, scenario, item)
    today = pipeline.assemble(pipeline.case(scenario))
    policy = pipeline.case(scenario).policy
    for name, change in changes_of(pipeline, scenario, item).items():
        after = assembled(pipeline, scenario, name, change.value)
        assert after.error is None
        assert after.action[row] == change.action != today.action[row]
        if isinstance(change.value, bool | str):
            continue
        before = today.budget.context_window if name == CONTEXT_WINDOW else getattr(policy, name)
        step = 1 if isinstance(change.value, int) else 0.001
        steps = round(abs(change.value - before) / step)
        for number in range(1, steps):
            for value in (before + number * step, before - number * step):
                if value >= 0:
                    nearer = assembled(pipeline, scenario, name, round(value, 3) if step < 1 else value)
                    assert nearer.error or nearer.action[row] == today.action[row], (name, value)


def test_what_else_changes_is_named(pipeline: Pipeline, scenario: Scenario) -> None:
    change = changes_of(pipeline, scenario, "m5")[CONTEXT_WINDOW]
    before = pipeline.assemble(pipeline.case(scenario))
    after = assembled(pipeline, scenario, CONTEXT_WINDOW, change.value)
    in_before, in_after = before.action == Action.KEPT, after.action == Action.KEPT
    others = [name for name in before.candidates.ids if name != "m5"]
    entered = [
        n for n in others if (row := before.candidates.ids.index(n)) >= 0 and in_after[row] and not in_before[row]
    ]
    left = [n for n in others if (row := before.candidates.ids.index(n)) >= 0 and in_before[row] and not in_after[row]]
    assert ids(before, change.kept) == entered
    assert ids(before, change.dropped) == left


def test_the_numbers_of_a_dropped_message(pipeline: Pipeline, scenario: Scenario) -> None:
    """Available 68, history limit 27; the newest exchange takes 13 and m7, m6 10 more: m5 needs 12."""
    changes = changes_of(pipeline, scenario, "m5")
    assert changes["min_exchanges"].value == 3
    assert changes[CONTEXT_WINDOW].value == 90  # floor(88 × 0.4) = 35 = 13 + 10 + 12
    assert "history_share" not in changes  # the shares may sum to 1.05 at most
    assert (changes["message_cap"].value, changes["message_cap"].action) == (1, Action.TRUNCATED)


def test_a_choice_is_answered_with_its_word(pipeline: Pipeline, scenario: Scenario) -> None:
    scenario = replace(scenario, parameters={"min_exchanges": 1, "memory_candidates": 1})
    assert changes_of(pipeline, scenario, "m5")["borrow"].value == "history"


def test_an_answer_counts_what_it_needs(pipeline: Pipeline, scenario: Scenario) -> None:
    """Summaries are counted before they are offered, so that giving the value really does what is said."""
    assert changes_of(pipeline, scenario, "m0")
    needed = set_value(scenario, "selective", True).scenario
    assert missing_texts(pipeline, pipeline.case(needed)) == []


@pytest.mark.parametrize("around", [{"excluded": ("m5",)}, {"at": 3}])
def test_what_no_policy_sees_cannot_be_changed_by_one(
    pipeline: Pipeline, scenario: Scenario, around: dict[str, object]
) -> None:
    assert changes_of(pipeline, replace(scenario, **around), "m5") == {}


def test_refused_parameters_have_no_answer(pipeline: Pipeline, scenario: Scenario) -> None:
    scenario = replace(scenario, parameters={"memory_share": "much"})
    assert changes_of(pipeline, scenario, "m5") == {}


def test_from_an_error_the_way_back_is_found(pipeline: Pipeline, scenario: Scenario) -> None:
    changes = changes_of(pipeline, replace(scenario, context_window=7), "nova")
    assert changes == {}
    changes = changes_of(pipeline, replace(scenario, context_window=7), "m9")
    assert changes[CONTEXT_WINDOW].value == 8
    assert changes["system_limit"].value == 0.286
    assert changes["system_overflow"].value == "warn"


def test_naive_has_nothing_to_change(pipeline: Pipeline, scenario: Scenario) -> None:
    assert changes_of(pipeline, replace(scenario, policy="naive", parameters={}), "m0") == {}


def test_a_search_that_nobody_wants_any_longer_ends(pipeline: Pipeline, scenario: Scenario) -> None:
    asked: list[bool] = []

    def is_wanted() -> bool:
        asked.append(len(asked) < 20)
        return asked[-1]

    with pytest.raises(AbandonedError), while_wanted(is_wanted):
        list(smallest_changes(Basis(pipeline, scenario), row_of(pipeline, scenario, "m5")))
    assert asked.count(False) == 1


def test_a_search_counts_what_it_needs_also_for_the_scenario_itself(pipeline: Pipeline, scenario: Scenario) -> None:
    fresh = Pipeline(pipeline.workspace, policies()[0], load_presets())
    row = row_of(pipeline, scenario, "m5")
    naive = replace(scenario, policy="naive", parameters={})
    list(smallest_changes(Basis(fresh, naive), row))
    assert missing_texts(fresh, fresh.case(naive)) == []
