"""prompt-inspector conversations: every conversation with what a setting makes of it, found and sorted."""

import csv
import json
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import click
import pytest

from inspector.analysis.archive.overview import Looked
from inspector.resources import samples_folder
from tests.cli.conftest import Run

conversations = import_module("inspector.cli.conversations")
SAMPLES = str(samples_folder())


def listed(run: Run, *arguments: str) -> list[dict[str, Any]]:
    value = json.loads(run("conversations", SAMPLES, *arguments, "--format", "json").stdout)
    return value["conversations"]


def test_each_has_the_figures_of_its_assembly(run: Run) -> None:
    for place, found in enumerate(listed(run)):
        chosen = ("--conversation", found["id"]) if place else ()  # the first is shown where none is named
        answer = json.loads(run("assemble", SAMPLES, *chosen, "--format", "json").stdout)
        assert found["prompt"] == answer["ledger"]["total"]
        assert found["findings"] == len(answer["findings"])
        assert found["dropped"] == sum(item["action"] == "dropped" for item in answer["items"])


@pytest.mark.parametrize(("tokenizer", "exact"), [("estimate:words", False), ("embedded:o200k_base", True)])
def test_a_prompt_that_is_estimated_says_so(run: Run, tokenizer: str, exact: bool) -> None:
    found = listed(run, "--tokenizer", tokenizer)[0]
    answer = json.loads(run("assemble", SAMPLES, "--tokenizer", tokenizer, "--format", "json").stdout)
    assert found["prompt_exact"] == answer["ledger"]["exact"] == exact
    told = run("conversations", SAMPLES, "--tokenizer", tokenizer).stdout
    assert (f"≈ {found['prompt']:,}" in told) == (not exact)


@pytest.mark.parametrize("key", ["title", "messages", "first", "prompt", "dropped"])
def test_a_column_sorts_both_ways(run: Run, key: str) -> None:
    rising, falling = (
        [str(row[key]).casefold() if key == "title" else row[key] for row in listed(run, "--sort", key, *order)]
        for order in ((), ("--descending",))
    )
    assert rising == sorted(rising)
    assert falling == sorted(falling, reverse=True)


def test_words_find_by_title_and_file(run: Run) -> None:
    assert [row["title"] for row in listed(run, "--find", "THREAD companion")] == ["Old thread"]
    assert listed(run, "--find", "nothing of this kind") == []


def test_rows_of_csv_are_those_of_json(run: Run) -> None:
    rows = list(csv.DictReader(run("conversations", SAMPLES, "--format", "csv").stdout.splitlines()))
    assert [row["id"] for row in rows] == [row["id"] for row in listed(run)]
    assert [int(row["tokens"]) for row in rows] == [row["tokens"] for row in listed(run)]


def test_a_row_of_csv_is_written_before_the_next_chat_is_assembled(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = conversations.overview

    def stopping(*terms: Any, **more: Any) -> Iterator[Looked]:
        yield next(whole(*terms, **more))
        raise click.ClickException("enough")

    monkeypatch.setattr(conversations, "overview", stopping)
    result = run("conversations", SAMPLES, "--format", "csv")
    assert result.exit_code == 1
    assert len(result.stdout.splitlines()) == 2
    assert run("conversations", SAMPLES, "--format", "csv", "--sort", "title").stdout == ""


def test_a_scenario_that_is_refused_says_why(run: Run) -> None:
    result = run("conversations", SAMPLES, "--memories", "nowhere")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--memories: memory set 'nowhere' is not there" in result.stderr


def test_descending_needs_a_column(run: Run) -> None:
    assert run("conversations", SAMPLES, "--descending").exit_code == 2


def test_below_the_list_is_what_it_comes_to(run: Run) -> None:
    value = json.loads(run("conversations", SAMPLES, "--window", "4096", "--format", "json").stdout)
    found, rows = value["survey"], value["conversations"]
    assert found["looked"] == len(rows)
    assert found["prompts"]["total"] == sum(row["prompt"] for row in rows)
    told = run("conversations", SAMPLES, "--window", "4096").stdout
    assert f"{found['whole']:,} of {len(rows)} chats fit as a whole" in told
    assert "4,096 (now)" in told


def test_a_survey_is_of_those_listed(run: Run) -> None:
    value = json.loads(run("conversations", SAMPLES, "--find", "companion", "--format", "json").stdout)
    assert value["survey"]["looked"] == len(value["conversations"]) == 2
