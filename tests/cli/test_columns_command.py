"""prompt-inspector columns: what columns of tables hold is said, listed, used by every command and taken back."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from inspector.settings import own_tables_file

Run = Callable[..., Result]
TEXT = "Nr;Absender;Nachricht\n1;Anna;Hallo du\n2;Berta;Na und\n3;Carl;hm\n"
SAID = ("text=Nachricht", "speaker=Absender", "id=Nr")


@pytest.fixture
def table(tmp_path: Path) -> str:
    file = tmp_path / "talk.csv"
    file.write_text(TEXT)
    return str(file)


def value_of(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def held(run: Run, table: str) -> list[str]:
    return [row["holds"] for row in value_of(run("columns", table, "--format", "json"))["columns"]]


def test_what_was_said_is_used_by_other_commands_and_taken_back(run: Run, table: str) -> None:
    options = ("--tokenizer", "estimate:words", "--format", "json")
    assert "is a table with unknown columns: Nr, Absender, Nachricht" in run("assemble", table, *options).stderr
    assert held(run, table) == ["", "", ""]
    assert run("columns", table, *SAID).stderr.endswith(f": wrote the explanations of tables to {own_tables_file()}\n")
    assert held(run, table) == ["id", "speaker", "text"]
    assert run("columns").stdout.splitlines()[-1].split() == ["nachricht", "absender", "nr"]
    items = value_of(run("assemble", table, *options))["items"]
    assert [item["id"] for item in items] == ["1", "2", "3"]
    assert Path(table).read_text() == TEXT
    assert run("columns", table, "--forget").exit_code == 0
    assert value_of(run("columns", "--format", "json")) == {"tables": []}
    assert "text: nachricht" in own_tables_file().with_name("tables.yaml.before").read_text("utf-8")


def test_the_last_word_counts_and_that_of_other_tables_stays(run: Run, table: str, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n3,4\n")
    run("columns", str(other), "text=a", "answer=b")
    run("columns", table, *SAID)
    run("columns", table, "text=Absender", "speaker=Nachricht", "id=Nr")
    assert held(run, table) == ["id", "text", "speaker"]
    assert len(run("columns", "--format", "csv").stdout.splitlines()) == 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("text=Nachricht",), "expected the column of who speaks"),
        (("text=Nachricht", "speaker=Wer"), "has no column wer; its columns are Nr, Absender, Nachricht"),
        (("Nachricht",), "expected WHAT=COLUMN, such as text=Message, found Nachricht"),
        (("text=Nachricht", "--forget"), "either WHAT=COLUMN or --forget"),
        (("--forget",), "nothing was said of tables with its columns"),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_is_written(
    run: Run, table: str, arguments: tuple[str, ...], said: str
) -> None:
    result = run("columns", table, *arguments)
    assert (result.exit_code, said in result.stderr) == (2, True), result.stderr
    assert not own_tables_file().exists()


def test_a_file_that_is_no_table_is_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("Once upon a time.\n")
    result = run("columns", str(file), *SAID)
    assert result.exit_code == 2
    assert "expected a table of text (CSV, TSV)" in result.stderr


def test_what_is_bad_in_the_file_is_named_and_stays(run: Run, table: str) -> None:
    own_tables_file().parent.mkdir(parents=True, exist_ok=True)
    own_tables_file().write_text("- {text: a, colour: b}\n")
    run("columns", table, *SAID)
    assert "colour" in own_tables_file().read_text("utf-8")
    result = run("assemble", table, "--tokenizer", "estimate:words")
    assert result.exit_code == 0
    assert "$[1]: expected one of text, speaker, role, answer, time, conversation, id, found colour" in result.stderr
    own_tables_file().write_text("text: a\n")
    result = run("columns", table, *SAID)
    assert (result.exit_code, "expected a list of layouts" in result.stderr) == (2, True)
    assert own_tables_file().read_text("utf-8") == "text: a\n"


def test_a_file_that_is_too_large_to_be_read_at_every_start_is_refused(run: Run, table: str) -> None:
    own_tables_file().parent.mkdir(parents=True, exist_ok=True)
    own_tables_file().write_text("- {text: a, speaker: b}\n" * 5_000)
    result = run("columns", table, *SAID)
    assert (result.exit_code, "at most 100,000 are read" in result.stderr) == (2, True)


@pytest.mark.parametrize("name", ["1e+38", "1.0e+38", "2024", "1.10"])
def test_what_looks_like_a_number_is_refused_before_and_after_the_file_is_written(
    run: Run, table: str, name: str
) -> None:
    own_tables_file().parent.mkdir(parents=True, exist_ok=True)
    own_tables_file().write_text(f"- {{text: {name}, speaker: b}}\n")
    assert "in quotes where it looks like a number" in run("columns").stderr
    run("columns", table, *SAID)
    assert run("columns").stdout.splitlines()[-1].split() == ["nachricht", "absender", "nr"]


def test_an_inspection_is_read_by_the_columns_that_it_holds(run: Run, table: str, tmp_path: Path) -> None:
    file = tmp_path / "a.inspection.json"
    content = {"format": "prompt-inspector/inspection@1", "sources": [{"path": table}], "snapshots": {"all": {}}}
    options = ("--tokenizer", "estimate:words", "--format", "json")
    file.write_text(json.dumps(content))
    assert "is a table with unknown columns" in run("assemble", str(file), *options).stderr
    layouts = [{"text": "a"}, 7, {"text": "Nachricht", "speaker": "Absender", "id": "Nr"}]
    file.write_text(json.dumps({**content, "columns": layouts}))
    result = run("assemble", str(file), *options)
    assert [item["id"] for item in value_of(result)["items"]] == ["1", "2", "3"]
    assert f"{file}: $.columns[0]: expected the column of who speaks" in result.stderr
    assert f"{file}: $.columns[1]: expected names of columns by their meaning, found a number" in result.stderr
    run("columns", table, "text=Absender", "speaker=Nachricht")
    assert value_of(run("assemble", f"{file}#all", *options))["items"] == value_of(result)["items"]
    assert "Hallo du" in run("search", "Hallo", str(file)).stdout
    assert run("compare", str(file), "#all").exit_code == 0
