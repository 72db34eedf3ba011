"""`prompt-inspector survival`: the table, the JSON value, CSV, and what ends the command with one line."""

import json
from collections.abc import Callable

import pytest
from click.testing import Result

Run = Callable[..., Result]
OPTIONS = ("--conversation", "c1", "--tokenizer", "estimate:words", "--window", "60", "--similarity", "recorded")


def test_each_item_has_its_stretches(run: Run, workspace_file: str) -> None:
    value = json.loads(
        run("survival", workspace_file, "--parameter", "context_window", *OPTIONS, "--format", "json").stdout
    )
    assert (value["parameter"], value["today"], value["from"], value["complete"]) == ("context_window", 60, 1, True)
    newest = next(item for item in value["items"] if item["item"] == "m9")
    assert newest["stretches"][-1]["action"] == "kept"
    assert newest["stretches"][-1]["to"] == value["to"]
    lines = run("survival", workspace_file, "--parameter", "context_window", *OPTIONS, "--format", "csv").stdout
    assert lines.splitlines()[0] == "item,parameter,from,to,action,exact"
    assert len(lines.splitlines()) - 1 == sum(len(item["stretches"]) for item in value["items"])


def test_the_table_says_it_in_words(run: Run, workspace_file: str) -> None:
    shown = run("survival", workspace_file, "--parameter", "history-share", *OPTIONS).stdout
    assert "history_share, 0.4 now" in shown
    assert "kept from" in shown


def test_a_locked_share_does_not_move_with_another(run: Run, workspace_file: str) -> None:
    shown = [
        run("survival", workspace_file, "--parameter", "history_share", *locked, *OPTIONS).stdout
        for locked in ((), ("--locked", "memory-share"))
    ]
    moved, held = (next(line for line in text.splitlines() if "M 2" in line) for text in shown)
    assert "dropped from" in moved
    assert "kept throughout" in held


def test_the_sizes_of_models_are_an_axis(run: Run, workspace_file: str) -> None:
    value = json.loads(
        run("survival", workspace_file, "--parameter", "model-sizes", *OPTIONS, "--format", "json").stdout
    )
    assert (value["parameter"], value["today"], value["complete"]) == ("model_sizes", 60, True)
    oldest = next(item for item in value["items"] if item["item"] == "m0")
    assert oldest["stretches"][-1]["from"] == 2048


@pytest.mark.parametrize("name", ["borrow", "nonsense"])
def test_what_is_no_number_ends_the_command(run: Run, workspace_file: str, name: str) -> None:
    result = run("survival", workspace_file, "--parameter", name, *OPTIONS)
    assert result.exit_code == 2
    assert f"{name} is not a number of ratio" in result.stderr
