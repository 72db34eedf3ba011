import csv
import json
from collections.abc import Callable
from typing import Any

from click.testing import Result

from inspector.plugins import policies

Run = Callable[..., Result]
GIVEN = ("--tokenizer", "estimate:words", "--window", "70")


def matrix(run: Run, file: str, names: str, *more: str) -> dict[str, Any]:
    return json.loads(run("compare", file, "--policies", names, *GIVEN, *more, "--format", "json").stdout)


def test_policies_and_presets_side_by_side(run: Run, workspace_file: str) -> None:
    value = matrix(run, workspace_file, "naive, ratio,ratio/long-chat")
    assert list(value) == ["columns", "rows", "disputed", "totals"]
    assert value["columns"] == ["naive", "ratio", "ratio/long-chat"]
    assert [list(row) for row in value["rows"]] == [["id", "actions", "differ"]] * 15
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
    head = next(number for number, line in enumerate(lines) if "naive" in line and "#" in line)
    assert lines[head].split() == ["#", "naive", "ratio", "slots"]
    assert "Over by" in lines[1]
    assert all("✕ dropped" in line and "kept" in line for line in lines[head + 2 :] if line.strip())


def test_all_policies_are_named_by_one_word(run: Run, workspace_file: str) -> None:
    assert matrix(run, workspace_file, "all")["columns"] == list(policies()[0])


def test_the_matrix_as_rows_of_a_file(run: Run, workspace_file: str) -> None:
    given = ("compare", workspace_file, "--policies", "naive,ratio,slots", *GIVEN)
    value = matrix(run, workspace_file, "naive,ratio,slots")
    rows = list(csv.DictReader(run(*given, "--format", "csv").stdout.splitlines()))
    assert list(rows[0]) == ["item", "kind", "differ", "naive", "ratio", "slots"]
    assert [row["item"] for row in rows] == [row["id"] for row in value["rows"]]
    assert [[row[name] for name in value["columns"]] for row in rows] == [row["actions"] for row in value["rows"]]
    disputed = [row for row in rows if len({row[name] for name in value["columns"]}) > 1]
    assert [row for row in rows if row["differ"] != "0"] == disputed
    fewer = list(csv.DictReader(run(*given, "--differing", "--format", "csv").stdout.splitlines()))
    assert fewer == disputed
    assert value["disputed"] == len(disputed) > 0


def test_a_policy_without_a_prompt_says_so_and_has_no_cells(run: Run, workspace_file: str) -> None:
    given = ("--policies", "naive,ratio", *GIVEN, "--policy", "ratio", "--set", "memory_share=0.9")
    rows = list(csv.DictReader(run("compare", workspace_file, *given, "--format", "csv").stdout.splitlines()))
    assert {row["ratio"] for row in rows} == {""}
    assert {row["differ"] for row in rows} == {"0"}
    value = json.loads(run("compare", workspace_file, *given, "--format", "json").stdout)
    assert "sum to" in value["totals"][1]["messages"][0]
    line = run("compare", workspace_file, *given).stdout.splitlines()[4]
    assert line.split("  ")[-1].strip() == "shares do not sum"


def test_what_is_asked_of_policies_needs_policies(run: Run, workspace_file: str) -> None:
    result = run("compare", workspace_file, "--recorded", "--differing")
    assert result.exit_code == 2
    assert "--differing goes with --policies" in result.stderr


def test_models_and_tokenizers_stand_beside_policies(run: Run, workspace_file: str) -> None:
    more = ("--models", "gpt-4o, llama-3.3-70b", "--tokenizers", "estimate:words,estimate:brain")
    given = ("compare", workspace_file, *more, "--window", "70", "--format", "json")
    value = json.loads(run(*given).stdout)
    assert value["columns"] == ["gpt-4o", "llama-3.3-70b", "estimate:words", "estimate:brain"]
    counts = [totals["total"] for totals in value["totals"]]
    assert len(set(counts)) > 1
    beside = json.loads(run(*given, "--policies", "naive").stdout)
    assert beside["columns"] == ["naive", *value["columns"]]
    assert [row["actions"][1:] for row in beside["rows"]] == [row["actions"] for row in value["rows"]]
    assert run("compare", workspace_file, "--models", "no such model").exit_code == 2
    assert run("compare", workspace_file, "--differing").exit_code == 2
