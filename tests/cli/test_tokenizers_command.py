import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import Result

Run = Callable[..., Result]
GIVEN = ("--model", "gpt-4o", "--window", "300")
WITH = ("--with", "estimate:chorus, estimate:words")


def value_of(run: Run, file: str, *more: str) -> dict[str, Any]:
    return json.loads(run("tokenizers", file, *GIVEN, *more, "--format", "json").stdout)


def test_one_document_holds_everything(run: Run, workspace_file: str) -> None:
    value = value_of(run, workspace_file, *WITH)
    assert list(value) == ["reference", "compared_with", "tokenizers", "items"]
    assert value["reference"] == value["compared_with"] == "embedded:o200k_base"
    assert [found["name"] for found in value["tokenizers"]] == [
        "embedded:o200k_base",
        "estimate:chorus",
        "estimate:words",
    ]
    assert [found["exact"] for found in value["tokenizers"]] == [True, False, False]
    assert len(value["items"]) == 15
    for place, found in enumerate(value["tokenizers"]):
        counted = [item["tokens"][place] for item in value["items"]]
        assert found["total"] == sum(counted)
        assert sum(kind["total"] for kind in found["by_kind"].values()) == found["total"]
        assert sum(kind["items"] for kind in found["by_kind"].values()) == 15
    words = next(item for item in value["items"] if item["id"] == "m2")
    assert (words["kind"], words["tokens"][2]) == ("prose", 30)


def test_flips_are_what_two_assemblies_disagree_about(run: Run, workspace_file: str) -> None:
    value = value_of(run, workspace_file, *WITH, "--window", "110")
    actions: list[dict[str, str]] = []
    for tokenizer in ("auto", "estimate:chorus"):
        done = run("assemble", workspace_file, *GIVEN, "--window", "110", "--tokenizer", tokenizer, "--format", "json")
        actions.append({item["id"]: item["action"] for item in json.loads(done.stdout)["items"]})
    usual, other = actions
    expected = {name: (usual[name], other[name]) for name in usual if usual[name] != other[name]}
    flips = value["tokenizers"][1]["flips"]
    assert {flip["id"]: (flip["reference"], flip["action"]) for flip in flips} == expected
    assert expected
    assert value["tokenizers"][0]["flips"] == []


def test_without_an_exact_one_it_says_so(run: Run, workspace_file: str) -> None:
    more = ("--tokenizer", "estimate:words", "--with", "estimate:chorus")
    value = value_of(run, workspace_file, *more)
    assert (value["reference"], value["compared_with"]) == (None, "estimate:words")
    table = run("tokenizers", workspace_file, *GIVEN, *more).stdout
    assert table.startswith("None of these is exact: they are compared with estimate:words")


def test_a_policy_without_a_prompt_has_no_flips(run: Run, workspace_file: str) -> None:
    value = value_of(run, workspace_file, *WITH, "--set", "memory_share=0.9")
    assert [found["flips"] for found in value["tokenizers"]] == [None, None, None]
    assert value["tokenizers"][2]["total"] > 0


def test_the_table_has_all_texts_their_kinds_and_then_the_flips(run: Run, workspace_file: str) -> None:
    lines = run("tokenizers", workspace_file, *GIVEN, *WITH, "--window", "110").stdout.splitlines()
    assert lines[0] == "Compared with embedded:o200k_base, which is exact."
    titles = ["Content", "Tokenizer", "Items", "Tokens", "Bias", "Mean", "error", "Flips", "Worst", "item"]
    assert lines[1].split() == titles
    overall = [line.replace("≈ ", "").split() for line in lines if line.startswith("all ")]
    assert [row[1] for row in overall] == ["embedded:o200k_base", "estimate:chorus", "estimate:words"]
    assert overall[0][2:] == ["15", f"{value_of(run, workspace_file, *WITH)['tokenizers'][0]['total']}"]
    flips = [len(found["flips"]) for found in value_of(run, workspace_file, *WITH, "--window", "110")["tokenizers"]]
    assert [int(row[7]) for row in overall[1:]] == flips[1:]
    prose = [line.replace("≈ ", "").split() for line in lines if line.startswith("prose ")]
    assert [row[1:] for row in prose] == [row[1:] for row in overall], "all of it is prose"
    head = next(number for number, line in enumerate(lines) if line.startswith("Item "))
    assert "→" in lines[head + 2]
    assert head > lines.index(next(line for line in lines if line.startswith("prose ")))


def test_csv_has_a_row_for_each_kind_and_tokenizer(run: Run, workspace_file: str) -> None:
    value = value_of(run, workspace_file, *WITH)
    lines = run("tokenizers", workspace_file, *GIVEN, *WITH, "--format", "csv").stdout.splitlines()
    rows = list(csv.DictReader(lines))
    assert [(row["kind"], row["tokenizer"]) for row in rows] == [
        (kind, found["name"]) for kind in ("all", "prose") for found in value["tokenizers"]
    ]
    assert [int(row["total"]) for row in rows[:3]] == [found["total"] for found in value["tokenizers"]]


def test_agreement_is_said(run: Run, workspace_file: str) -> None:
    assert "No decision flips." in run("tokenizers", workspace_file, *WITH).stdout


def test_the_file_has_a_row_for_each_item(run: Run, workspace_file: str, tmp_path: Path) -> None:
    out = tmp_path / "tokens.csv"
    value = value_of(run, workspace_file, *WITH, "--window", "110", "--out", str(out))
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = [found["name"] for found in value["tokenizers"]]
    assert list(rows[0]) == ["id", "kind", "flips", *names]
    for row, item in zip(rows, value["items"], strict=True):
        assert (row["id"], row["kind"]) == (item["id"], item["kind"])
        assert [int(row[name]) for name in names] == item["tokens"]
    assert sum(int(row["flips"]) for row in rows) == sum(len(found["flips"]) for found in value["tokenizers"])


def test_what_cannot_be_had_ends_in_one_line(run: Run, workspace_file: str, tmp_path: Path) -> None:
    for more, said in (
        (("--with", "estimate:guess"), "unknown tokenizer 'estimate:guess'"),
        (("--with", ""), "unknown tokenizer ''"),
        (("--with", "hf:nobody/has-this"), "--with"),
        ((*WITH, "--out", str(tmp_path / "no" / "file.csv")), "No such file"),
    ):
        result = run("tokenizers", workspace_file, *more)
        assert result.exit_code == 2
        assert said in result.stderr
        assert len(result.stderr.splitlines()) == 1
    assert run("tokenizers").exit_code == 2
