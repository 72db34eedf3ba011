"""Rows of a sweep say what single assemblies say."""

from dataclasses import replace

import pytest

from inspector.analysis.sweep.ask import sweep_rows
from inspector.assembly.answer import answer_value, measured, planned_answer
from inspector.assembly.choices import ScenarioError
from inspector.assembly.edits import set_value
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario


def test_each_row_agrees_with_its_own_assembly(pipeline: Pipeline, scenario: Scenario) -> None:
    grid = {"context_window": [20, 70, 200], "selective": [False, True]}
    rows = list(sweep_rows(pipeline, scenario, grid, measured=True))
    assert len(rows) == 6
    for row in rows:
        one = set_value(scenario, "context_window", row["context_window"]).scenario
        one = set_value(one, "selective", row["selective"]).scenario
        value = answer_value(measured(pipeline, planned_answer(pipeline, pipeline.case(one))))
        actions = [item["action"] for item in value["items"]]
        assert {word: row[word] for word in ("kept", "summarized", "truncated", "dropped")} == {
            word: actions.count(word) for word in ("kept", "summarized", "truncated", "dropped")
        }
        used = {name: section["used"] for name, section in value["budget"]["sections"].items()}
        assert {name: row[f"tokens_{name}"] for name in used} == used
        assert (row["status"], row["total"]) == (value["status"], value["ledger"]["total"])
        assert row["overhead"] == value["ledger"]["overhead"]
        reserve = value["budget"]["response_reserve"]
        assert row["overflow"] == max(0, row["total"] + reserve - row["context_window"])
        oldest = [n for n in range(10) if f"m{n}" in {i["id"] for i in value["items"] if i["action"] == "kept"}]
        assert row["oldest_kept"] == min(oldest)
        assert row["cost"] == pytest.approx(2.5 * row["total"] / 1e6)


def test_without_a_conversation_every_one_is_swept(pipeline: Pipeline, scenario: Scenario) -> None:
    rows = list(sweep_rows(pipeline, replace(scenario, conversation=None), {"context_window": [50, 60]}))
    assert [(row["conversation"], row["context_window"]) for row in rows] == [
        *(("c1", 50), ("c1", 60), ("c2", 50), ("c2", 60)),
    ]
    assert {row["source"] for row in rows} == {"chat.json"}


def test_the_varied_keys_are_columns_after_the_names(pipeline: Pipeline, scenario: Scenario) -> None:
    (row,) = sweep_rows(pipeline, scenario, {"at": [3]})
    assert list(row)[:6] == ["source", "conversation", "policy", "preset", "at", "status"]
    assert row["kept"] + row["dropped"] == 15


def test_a_cell_that_cannot_be_is_a_row_with_an_error(pipeline: Pipeline, scenario: Scenario) -> None:
    rows = list(sweep_rows(pipeline, scenario, {"memory_share": [0.9, 0.3]}))
    assert [row["error"] for row in rows] == ["shares_do_not_sum", None]
    assert rows[0]["status"] == "error"
    assert rows[0]["cost"] is rows[0]["oldest_kept"] is None


def test_policies_keep_only_their_own_parameters(pipeline: Pipeline, scenario: Scenario) -> None:
    rows = list(sweep_rows(pipeline, scenario, {"memory_share": [0.3, 0.31], "policy": ["ratio", "naive"]}))
    assert [(row["policy"], row["memory_share"]) for row in rows] == [("ratio", 0.3), ("naive", None), ("ratio", 0.31)]
    assert {row["status"] for row in rows} <= {"ok", "over_window"}


def test_the_policys_own_name_leaves_its_parameters(pipeline: Pipeline, scenario: Scenario) -> None:
    alone, named = (
        next(sweep_rows(pipeline, scenario, grid)) for grid in ({"at": [9]}, {"at": [9], "policy": ["ratio"]})
    )
    assert named == alone


def test_a_price_that_is_not_known_is_null(pipeline: Pipeline, scenario: Scenario) -> None:
    (row,) = sweep_rows(pipeline, replace(scenario, model="nobody-knows-1"), {"at": [3]})
    assert row["cost"] is None


@pytest.mark.parametrize(
    ("grid", "named"), [({"colour": [1]}, "colour"), ({"policy": ["best"]}, "best"), ({"preset": ["best"]}, "best")]
)
def test_unknown_keys_and_names_are_refused(
    pipeline: Pipeline, scenario: Scenario, grid: dict[str, list[object]], named: str
) -> None:
    with pytest.raises(ScenarioError, match=named):
        list(sweep_rows(pipeline, scenario, grid))
