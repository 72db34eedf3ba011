"""Inspections on the command line: what they have open, their scenario or a snapshot, and the marks on their items."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import Result

Run = Callable[..., Result]


@pytest.fixture
def inspection(tmp_path: Path, workspace_file: str) -> str:
    """Ten messages, two snapshots, a mark on the longest message."""
    value: dict[str, Any] = {
        "format": "prompt-inspector/inspection@1",
        "sources": [{"path": Path(workspace_file).name}],
        "scenario": {"tokenizer": "estimate:words", "context_window": 4000},
        "snapshots": {
            "one": {"tokenizer": "estimate:words", "context_window": 4000, "policy": "naive"},
            "two": {"tokenizer": "estimate:words", "context_window": 60},
        },
        "must_survive": ["m2"],
        "notes": {"m2": "the promise"},
    }
    file = tmp_path / "a.inspection.yaml"
    file.write_text(yaml.safe_dump(value))
    return str(file)


def answer(run: Run, *arguments: str) -> dict[str, Any]:
    result = run("assemble", *arguments, "--format", "json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def lost(value: dict[str, Any]) -> list[str]:
    return [
        item for finding in value["findings"] if finding["code"] == "must_survive_dropped" for item in finding["items"]
    ]


def test_an_inspection_is_assembled_with_its_own_scenario_and_marks(run: Run, inspection: str) -> None:
    value = answer(run, inspection)
    assert value["scenario"]["context_window"] == 4000
    assert lost(value) == []


def test_a_snapshot_is_named_behind_the_file_and_a_dropped_mark_is_a_finding(run: Run, inspection: str) -> None:
    value = answer(run, f"{inspection}#two")
    assert value["scenario"]["context_window"] == 60
    assert lost(value) == ["m2"]
    assert lost(answer(run, f"{inspection}#two", "--window", "4000")) == []


def test_a_snapshot_that_is_not_there_is_named_with_those_that_are(run: Run, inspection: str) -> None:
    result = run("assemble", f"{inspection}#three")
    assert result.exit_code == 2
    assert "no “three”" in result.stderr
    assert "one, two" in result.stderr


def test_an_inspection_stands_alone(run: Run, inspection: str, workspace_file: str) -> None:
    result = run("assemble", inspection, workspace_file)
    assert result.exit_code == 2
    assert "an inspection names its own files" in result.stderr


def test_what_was_removed_from_the_inspection_stays_removed(run: Run, inspection: str) -> None:
    file = Path(inspection)
    file.write_text(file.read_text() + "removed: ['memory_set:default']\n")
    assert not any(item["section"] == "memory" for item in answer(run, inspection)["items"])


def test_snapshots_are_scenarios_wherever_one_is_asked_for(run: Run, inspection: str, workspace_file: str) -> None:
    value = answer(run, workspace_file, "--scenario", f"{inspection}#one")
    assert value["scenario"]["policy"] == "naive"


def test_two_snapshots_are_compared_with_their_settings(run: Run, inspection: str) -> None:
    result = run("compare", f"{inspection}#one", "#two", "--format", "json")
    assert result.exit_code == 0, result.stderr
    value = json.loads(result.stdout)
    settings = {setting["name"]: (setting["before"], setting["after"]) for setting in value["settings"]}
    assert settings["policy"] == ("naive", "ratio")
    assert settings["context_window"] == (4000, 60)
    assert "m2" in [change["id"] for change in value["transitions"]]
    whole = run("compare", f"{inspection}#one", f"{inspection}#two", "--format", "json")
    assert json.loads(whole.stdout) == value
    table = run("compare", f"{inspection}#one", "#two")
    assert "context window" in table.stdout
    assert ["memory", "share", "–", "30.0", "%"] in [line.split() for line in table.stdout.splitlines()]


def test_snapshots_of_two_inspections_are_compared(run: Run, inspection: str, tmp_path: Path) -> None:
    other = tmp_path / "b.inspection.yaml"
    other.write_text(Path(inspection).read_text().replace("60", "4000"))
    result = run("compare", f"{inspection}#two", f"{other}#two", "--format", "json")
    assert result.exit_code == 0, result.stderr
    (setting,) = (one for one in json.loads(result.stdout)["settings"] if one["name"] == "context_window")
    assert (setting["before"], setting["after"]) == (60, 4000)


def test_the_texts_of_two_prompts_are_compared(
    run: Run, inspection: str, scenario_file: Any, workspace_file: str
) -> None:
    result = run("compare", f"{inspection}#one", "#two", "--text")
    assert result.exit_code == 0, result.stderr
    assert any(line.startswith("- ") and "removed" in line for line in result.stdout.splitlines()), result.stdout
    sides = ("--a", scenario_file("a"), "--b", scenario_file("b", excluded=["m4"]))
    value = json.loads(run("compare", workspace_file, *sides, "--text", "--format", "json").stdout)
    assert [message["items"] for message in value["messages"] if message["kind"] == "removed"] == [["m4"]]
    same = run("compare", f"{inspection}#one", "#one", "--text")
    assert same.stdout == "The prompts are the same text.\n"


def test_one_snapshot_alone_is_nothing_to_compare(run: Run, inspection: str) -> None:
    result = run("compare", f"{inspection}#one")
    assert result.exit_code == 2
    assert "two snapshots" in result.stderr


def test_three_snapshots_stand_side_by_side(run: Run, inspection: str) -> None:
    names = (f"{inspection}", "#one", "#two")
    value = json.loads(run("compare", *names, "--format", "json").stdout)
    assert value["columns"] == ["the inspection", "one", "two"]
    answers = [answer(run, path) for path in (inspection, f"{inspection}#one", f"{inspection}#two")]
    items = [{item["id"]: item for item in each["items"]} for each in answers]
    differing = [name for name in items[0] if len({each[name]["action"] for each in items}) > 1]
    assert sorted(row["id"] for row in value["rows"]) == sorted(differing) != []
    for row in value["rows"]:
        assert row["actions"] == [each[row["id"]]["action"] for each in items]
        assert row["spent"] == [each[row["id"]]["spent"] for each in items]
    assert [total["total"] for total in value["totals"]] == [each["ledger"]["total"] for each in answers]
    windows = next(one["values"] for one in value["settings"] if one["name"] == "context_window")
    assert windows == [4000, 4000, 60]
    lines = run("compare", *names).stdout.splitlines()
    assert (
        lines[-1] == f"{len(value['settings'])} settings and {len(differing)} items differ: the inspection · one · two"
    )
    shares = next(line.split() for line in lines if line.startswith("memory share"))
    assert shares[2:] == ["30.0", "%", "–", "30.0", "%"]


def test_items_that_differ_are_rows_of_a_file(run: Run, inspection: str) -> None:
    rows = run("compare", f"{inspection}#one", "#two", "--format", "csv").stdout.splitlines()
    assert rows[0] == "item,snapshot,action,spent"
    assert {"m2,one,kept,30", "m2,two,dropped,0"} <= set(rows)
    assert run("compare", inspection, "#one", "#two", "--text").exit_code == 2
