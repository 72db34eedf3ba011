"""prompt-inspector compare FILE --recorded."""

import csv
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

_NAIVE = ("--recorded", "--policy", "naive", "--tokenizer", "estimate:words", "--window", "2000")


@pytest.fixture
def chat(tmp_path: Path) -> str:
    """A chat of SillyTavern of which one message is hidden."""
    lines = [{"user_name": "Ann", "character_name": "Bob", "chat_metadata": {}}]
    lines += [
        {"name": "Ann", "is_user": True, "is_system": number == 1, "mes": f"Message {number}", "send_date": number}
        for number in range(3)
    ]
    path = tmp_path / "chat.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    return str(path)


def test_rows_say_what_was_recorded_and_what_is_done(run: Run, chat: str) -> None:
    result = run("compare", chat, *_NAIVE, "--format", "json")
    assert result.exit_code == 0
    value = json.loads(result.stdout)
    (row,) = value["rows"]
    assert (row["recorded"], row["reason"], row["action"], row["spent"]) == ("dropped", "hidden", "dropped", None)
    assert value["totals"]["messages"] == 1
    assert value["totals"]["differing"] == 0
    assert value["totals"]["shares"] == [{"share": "neither", "messages": 1, "recorded_tokens": 0, "tokens": 0}]
    assert value["usage"] == []
    table = run("compare", chat, *_NAIVE)
    assert "In neither" in table.stdout
    assert "hidden" in table.stdout
    assert "1 of 1 recorded messages fare the same here" in table.stdout


def test_rows_are_a_file_as_well(run: Run, chat: str) -> None:
    (row,) = csv.DictReader(run("compare", chat, *_NAIVE, "--format", "csv").stdout.splitlines())
    (value,) = json.loads(run("compare", chat, *_NAIVE, "--format", "json").stdout)["rows"]
    assert list(row) == list(value)
    assert (row["id"], row["recorded"], row["differs"], row["spent"]) == ("m1", "dropped", "false", "")


def test_it_is_one_of_three_ways_to_compare(run: Run, chat: str) -> None:
    result = run("compare", chat, "--recorded", "--policies", "naive,ratio")
    assert result.exit_code == 2
    assert "--recorded" in result.stderr


def test_an_unknown_leaf_names_the_ends_of_the_branches(run: Run, chat: str) -> None:
    lines = Path(chat).read_text().splitlines()
    lines[3] = json.dumps({**json.loads(lines[3]), "swipes": ["Message 2", "Another"], "swipe_id": 0})
    Path(chat).write_text("\n".join(lines))
    result = run("assemble", chat, "--leaf", "nowhere", "--tokenizer", "estimate:words")
    assert result.exit_code == 2
    assert result.stderr.rstrip().endswith("its branches end with: m2, m2.swipe1")
    chosen = run("assemble", chat, "--leaf", "m2.swipe1", "--tokenizer", "estimate:words", "--format", "json")
    assert "m2.swipe1" in chosen.stdout


@pytest.mark.parametrize("command", ["assemble", "count", "sweep", "replay", "compare"])
def test_a_leaf_of_a_chat_without_branches_is_not_passed_over(run: Run, chat: str, command: str) -> None:
    more = {"sweep": ("--set", "context_window=900"), "compare": ("--recorded",)}.get(command, ())
    result = run(command, chat, "--leaf", "nowhere", "--tokenizer", "estimate:words", *more)
    assert result.exit_code == 2, result.output
    assert "leaf 'nowhere' is not a message of this conversation; its branches end with: m2" in result.stderr
