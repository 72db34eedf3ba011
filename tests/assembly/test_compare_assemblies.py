"""Comparing assemblies: the same result over columns and by id, ordered by transition, with totals that add up."""

from typing import Any

import numpy as np
from building import answer_to, chat, memories, pipeline_for, workspace
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.assembly.columns import Action, Fate
from inspector.assembly.compare import ABSENT, NO_ROW, TRANSITIONS, Comparison, compare
from inspector.assembly.compare_tables import CHANGES
from inspector.assembly.decisions import Assembly
from inspector.assembly.lacking import make_all
from inspector.assembly.scenario import Scenario
from inspector.model import Workspace, changed

FOUND = workspace(chat(9, 8, 7, 6, 5, 4, 3, 2), memories(5, 4, 3))

scenarios = st.fixed_dictionaries(
    {
        "context_window": st.integers(0, 120),
        "parameters": st.fixed_dictionaries(
            {
                "min_exchanges": st.integers(0, 2),
                "selective": st.booleans(),
                "recent_messages": st.integers(0, 3),
                "message_cap": st.sampled_from([0, 3, 5]),
            }
        ),
    }
)


def assemblies(found: Workspace, *given_scenarios: dict[str, Any]) -> list[Assembly]:
    """Assemblies of one pipeline, which share their items."""
    pipeline, made = pipeline_for(found), []
    for given_scenario in given_scenarios:
        scenario = Scenario(**{"tokenizer": "estimate:words", **given_scenario})
        make_all(pipeline, scenario)
        made.append(pipeline.assemble(pipeline.case(scenario)))
    return made


def rows(comparison: Comparison) -> list[dict[str, Any]]:
    return list(CHANGES.records(comparison))


@settings(max_examples=80)
@given(scenarios, scenarios)
def test_columns_and_ids_give_the_same_comparison(one: dict[str, Any], other: dict[str, Any]) -> None:
    before, after = assemblies(FOUND, one, other)
    (elsewhere,) = assemblies(FOUND, other)
    assert before.candidates.items is after.candidates.items
    assert before.candidates.items is not elsewhere.candidates.items
    assert rows(compare(before, after)) == rows(compare(before, elsewhere))


@settings(max_examples=80)
@given(scenarios, scenarios)
def test_every_difference_is_there_and_nothing_else(one: dict[str, Any], other: dict[str, Any]) -> None:
    before, after = assemblies(FOUND, one, other)
    comparison = compare(before, after)
    expected = {
        name
        for row, name in enumerate(before.candidates.ids)
        if (before.fate[row], before.spent[row]) != (after.fate[row], after.spent[row])
    }
    assert {row["id"] for row in rows(comparison)} == expected
    fates = zip(comparison.fates_before.tolist(), comparison.fates_after.tolist(), strict=True)
    places = [TRANSITIONS.index(pair) for pair in fates]
    assert places == sorted(places)
    assert sum(map(len, comparison.groups)) == len(comparison) == len(expected)
    gained = sum(group.spent_after - group.spent_before for group in comparison.groups)
    assert gained == after.items_total - before.items_total


def test_transitions_begin_with_the_worst_loss_and_end_with_what_came_back() -> None:
    assert TRANSITIONS[:3] == (
        (Action.KEPT, Action.DROPPED),
        (Action.KEPT, Action.TRUNCATED),
        (Action.KEPT, Action.SUMMARIZED),
    )
    unequal = [pair for pair in TRANSITIONS if pair[0] != pair[1]]
    assert unequal[-1] == (Action.DROPPED, Action.KEPT)
    assert len(set(TRANSITIONS)) == len(TRANSITIONS) == (len(Fate) + 1) ** 2 - 1


def test_a_group_holds_its_own_changes() -> None:
    before, after = assemblies(
        FOUND, {"context_window": 400}, {"context_window": 40, "parameters": {"min_exchanges": 1}}
    )
    comparison = compare(before, after)
    (group,) = comparison.groups
    assert (group.before, group.after, group.spent_after) == (Action.KEPT, Action.DROPPED, 0)
    lost = comparison.rows_after[group.start : group.stop]
    assert group.spent_before == int(before.spent[lost].sum())
    reasons = [row["reason_after"] for row in rows(comparison)]
    assert set(reasons) <= {"over_budget", "after_stop"}
    assert len(reasons) == len(comparison)


def test_an_assembly_does_not_differ_from_itself() -> None:
    (assembly,) = assemblies(FOUND, {"context_window": 60})
    assert len(compare(assembly, assembly)) == 0
    assert compare(assembly, assembly).groups == ()


def test_an_item_that_only_one_side_has_is_absent_on_the_other() -> None:
    before, after = assemblies(FOUND, {"policy": "naive"}, {"policy": "naive", "draft": "w w"})
    comparison = compare(before, after)
    (row,) = rows(comparison)
    assert (row["id"], row["before"], row["after"], comparison.rows_before.tolist()) == (
        "draft",
        None,
        "kept",
        [NO_ROW],
    )
    assert (row["spent_before"], row["spent_after"], row["reason_before"]) == (0, 2, None)
    comparison = compare(after, before)
    (row,) = rows(comparison)
    assert (row["id"], row["before"], row["after"]) == ("draft", "kept", None)
    assert comparison.rows_after.tolist() == [NO_ROW]
    assert row["reason_before"] is not None


def test_same_action_with_other_spending_is_a_change() -> None:
    message = changed(FOUND.conversations[0].messages[0], tokens=50)
    longer = changed(FOUND, conversations=(changed(FOUND.conversations[0], messages=(message,)),))
    (group,) = compare(
        *assemblies(longer, {"policy": "naive"}, {"policy": "naive", "overrides": {"m0": {"tokens": 40}}})
    ).groups
    assert (group.before, group.after, group.spent_before, group.spent_after) == (Action.KEPT, Action.KEPT, 50, 40)


def test_other_spending_is_a_change_among_the_same_items_too() -> None:
    before, after = assemblies(FOUND, *({"parameters": {"message_cap": cap}} for cap in (7, 6)))
    assert before.candidates.items is after.candidates.items
    (cut, longer) = compare(before, after).groups
    assert (cut.before, cut.after, len(cut)) == (Action.KEPT, Action.TRUNCATED, 1)
    assert (longer.before, longer.after, longer.spent_before, longer.spent_after) == (2, 2, 14, 12)


def test_nothing_can_be_compared_with_something() -> None:
    nothing, something = answer_to(Workspace()).assembly, answer_to(workspace(chat(2, 2))).assembly
    assert np.all(compare(nothing, something).fates_before == ABSENT)
    assert len(compare(something, nothing)) == 2
