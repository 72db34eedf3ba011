"""`prompt-inspector requests`: recorded requests, and what other settings would have saved."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from tests.analysis.requests.recorded_agents import written

Run = Callable[..., Result]


@pytest.fixture
def file(tmp_path: Path) -> str:
    return str(written(tmp_path / "recorded.jsonl"))


def test_each_request_is_a_row_and_all_are_a_sentence(run: Run, file: str) -> None:
    result = run("requests", file)
    assert result.exit_code == 0
    assert "8 requests of 1 agent and 1 subagent, 1 failed." in result.stdout
    assert "Subagent 1.1" in result.stdout
    assert "in place of" not in result.stdout


def test_the_files_of_it_have_everything(run: Run, file: str) -> None:
    rows = list(csv.DictReader(run("requests", file, "--format", "csv").stdout.splitlines()))
    value = json.loads(run("requests", file, "--format", "json").stdout)
    assert value["format"] == "prompt-inspector/requests@1"
    assert [row["agent"] for row in rows] == [row["agent"] for row in value["requests"]]
    assert value["requests"][1]["changed"] == "2 messages added"
    assert value["requests"][0]["prefix"] is None
    assert "what_if" not in value


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--window", "1500"), "Everything, window 1,500: ≈ 8,510 tokens in place of 8,510, as many"),
        (("--policy", "reserve", "--window", "2000"), "in place of 8,510"),
        (("--model", "gpt-4o-mini"), "model gpt-4o-mini: "),
    ],
)
def test_other_settings_say_what_they_save(options: tuple[str, ...], words: str, run: Run, file: str) -> None:
    result = run("requests", file, *options)
    assert result.exit_code == 0
    assert words in result.stdout
    value = json.loads(run("requests", file, *options, "--format", "json").stdout)
    assert words in value["what_if"]["words"]
    difference = sum(row["difference"] for row in value["requests"])
    assert difference == sum(row["other_tokens"] - row["tokens"] for row in value["requests"])


def test_what_was_not_recorded_says_so(run: Run, tmp_path: Path) -> None:
    chat = tmp_path / "chat.json"
    chat.write_text(json.dumps([{"role": "user", "content": "Hi"}]))
    result = run("requests", str(chat))
    assert result.exit_code == 2
    assert "Nothing open was recorded" in result.stderr


def test_a_file_that_ends_within_a_line_has_the_lines_before(run: Run, file: str) -> None:
    text = Path(file).read_text()
    Path(file).write_text(text[:-300])
    result = run("requests", file)
    assert result.exit_code == 0
    assert "7 requests of 1 agent and 1 subagent." in result.stdout
