import json
from collections.abc import Callable
from typing import Any

from click.testing import Result

Run = Callable[..., Result]
GIVEN = ("--tokenizer", "estimate:words", "--window", "70")


def matrix(run: Run, file: str, names: str, *more: str) -> dict[str, Any]:
    return json.loads(run("compare", file, "--policies", names, *GIVEN, *more, "--format", "json").stdout)


def test_policies_and_presets_side_by_side(run: Run, workspace_file: str) -> None:
    value = matrix(run, workspace_file, "naive, ratio,ratio/long-chat")
    assert list(value) == ["columns", "rows", "totals"]
    assert value["columns"] == ["naive", "ratio", "ratio/long-chat"]
    assert [list(row) for row in value["rows"]] == [["id", "actions"]] * 15
    for place, totals in enumerate(value["totals"]):
        met = [row["actions"][place] for row in value["rows"]]
        assert [totals[word] for word in ("kept", "dropped")] == [met.count("kept"), met.count("dropped")]
    assert value["totals"][0]["over"] == value["totals"][0]["total"] - 70 > 0
    assert value["totals"][0]["findings"]["error"] == 1
    assert value["totals"][0]["exact"] is False


def test_parameters_of_the_policy_in_use_count_for_it_alone(run: Run, workspace_file: str) -> None:
    plain = matrix(run, workspace_file, "ratio,slots")
    changed = matrix(run, workspace_file, "ratio,slots", "--set", "min_exchanges=0")
    assert plain["totals"][0] != changed["totals"][0]
    assert plain["totals"][1] == changed["totals"][1]


def test_an_unknown_preset_is_named(run: Run, workspace_file: str) -> None:
    result = run("compare", workspace_file, "--policies", "naive,ratio/best", *GIVEN)
    assert result.exit_code == 2
    assert "best is not a preset of ratio" in result.stderr


def test_the_table_begins_with_the_items_that_are_most_disputed(run: Run, workspace_file: str) -> None:
    lines = run("compare", workspace_file, "--policies", "naive,ratio,slots", *GIVEN).stdout.splitlines()
    head = next(number for number, line in enumerate(lines) if line.startswith("item"))
    assert lines[head].split() == ["item", "naive", "ratio", "slots"]
    assert "over by" in lines[0]
    assert all("✕ dropped" in line and "kept" in line for line in lines[head + 2 :] if line.strip())
