"""prompt-inspector fidelity, and --summaries of the other commands."""

import csv
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import Result

from inspector.assembly.inspection_file import INSPECTION_FORMAT
from inspector.cli import window
from inspector.retrieval.summaries.endpoint import Endpoint
from inspector.retrieval.summaries.summarizer import Original
from inspector.settings import settings_file

Run = Callable[..., Result]
LONG = "Anna Berg paid $1,200 for the boat in Lisbon. It rained. The boat in Lisbon is old. We had some tea and left."


@pytest.fixture
def chat(tmp_path: Path) -> str:
    messages = [
        {"id": "m0", "role": "user", "content": LONG},
        {"id": "m1", "role": "assistant", "content": "See boat.pdf, page 12 of boat.pdf.", "summary": "See page 12."},
        {"id": "m2", "role": "user", "content": "What now?"},
    ]
    value = {"format": "prompt-inspector/workspace@1", "conversations": [{"id": "c1", "messages": messages}]}
    path = tmp_path / "chat.workspace.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return str(path)


WORDS = ("--tokenizer", "estimate:words", "--window", "1000")
COMPUTED = (*WORDS, "--summaries", "extractive", "--summary-tokens", "10")


def test_the_file_s_own_summaries(run: Run, chat: str) -> None:
    result = run("fidelity", chat, *WORDS, "--format", "json")
    assert result.exit_code == 0
    value = json.loads(result.stdout)
    assert value["format"] == "prompt-inspector/fidelity@1"
    (item,) = value["items"]
    assert (item["id"], item["source"], item["computed"], item["summarized"]) == ("m1", "file", False, False)
    assert (item["tokens"], item["summary_tokens"], item["saved"]) == (6, 4, 2)
    assert item["kinds"] == {"path": {"kept": 0, "facts": 1}, "number": {"kept": 1, "facts": 1}}
    assert item["lost"] == [{"kind": "path", "text": "boat.pdf"}]
    assert value["total"]["fidelity"] == item["fidelity"] == 0.5
    assert value["in_prompt"]["messages"] == 0


def test_computed_summaries_are_marked_as_computed(run: Run, chat: str) -> None:
    value = json.loads(run("fidelity", chat, *COMPUTED, "--format", "json").stdout)
    first = value["items"][0]
    assert (first["id"], first["source"], first["computed"]) == ("m0", "extractive", True)
    assert first["saved"] > 0
    assert len(first["summary"].split()) <= 10
    assert value["total"]["messages"] == 2
    again = json.loads(run("fidelity", chat, *COMPUTED, "--format", "json").stdout)
    assert again == value


def test_the_table(run: Run, chat: str) -> None:
    result = run("fidelity", chat, *COMPUTED)
    assert result.exit_code == 0
    assert "extractive" in result.stdout
    assert "boat.pdf" in result.stdout
    assert "2 summaries:" in result.stdout
    assert "Facts kept" in result.stdout


def test_csv_has_a_row_for_each_message(run: Run, chat: str) -> None:
    items = json.loads(run("fidelity", chat, *COMPUTED, "--format", "json").stdout)["items"]
    rows = list(csv.DictReader(run("fidelity", chat, *COMPUTED, "--format", "csv").stdout.splitlines()))
    assert [(row["id"], int(row["saved"]), row["summary"]) for row in rows] == [
        (item["id"], item["saved"], item["summary"]) for item in items
    ]
    assert [row["lost"] for row in rows] == [", ".join(each["text"] for each in item["lost"]) for item in items]


def test_no_summaries_at_all(run: Run, workspace_file: str) -> None:
    result = run("fidelity", workspace_file, *WORDS)
    assert result.exit_code == 0
    assert "--summaries extractive computes some" in result.stdout
    assert json.loads(run("fidelity", workspace_file, *WORDS, "--format", "json").stdout)["items"] == []


def test_assemble_with_computed_summaries(run: Run, chat: str) -> None:
    selective = ("--set", "selective=true", "--set", "recent_messages=0", "--set", "min_exchanges=1")
    value = json.loads(run("assemble", chat, *COMPUTED, *selective, "--format", "json").stdout)
    assert (value["scenario"]["summaries"], value["scenario"]["summary_tokens"]) == ("extractive", 10)
    content = value["messages"][0]["content"]
    assert content.startswith("[Earlier: ")
    assert all(part in LONG for part in content.removeprefix("[Earlier: ").removesuffix(".]").split(". "))
    item = value["items"][0]
    assert item["action"] == "summarized"
    assert item["spent"] == len(content.split()) < item["tokens"]


def test_an_unknown_method_is_one_line(run: Run, chat: str) -> None:
    result = run("assemble", chat, "--summaries", "magic")
    assert result.exit_code == 2
    assert result.stderr.strip().endswith("summaries: 'magic' is not one of extractive, endpoint")


def test_an_endpoint_that_nobody_configured(run: Run, chat: str) -> None:
    result = run("fidelity", chat, *WORDS, "--summaries", "endpoint", "--format", "json")
    assert result.exit_code == 0
    assert "No endpoint is named" in result.stderr
    assert [item["id"] for item in json.loads(result.stdout)["items"]] == ["m1"]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a server that the settings name is sent."""
    settings_file().parent.mkdir(parents=True)
    settings_file().write_text("summaries: {url: 'http://127.0.0.1:1/v1', model: tiny}\n")
    texts: list[str] = []

    def summarize(_: Endpoint, originals: Sequence[Original]) -> list[str]:
        texts.extend(original.text for original in originals)
        return ["told" for _ in originals]

    monkeypatch.setattr(Endpoint, "summarize", summarize)
    return texts


def test_a_file_has_nothing_sent_and_an_option_has(
    run: Run, chat: str, sent: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parameters = {"selective": True, "recent_messages": 0, "min_exchanges": 1, "discard_after": 100}
    wanted = {"tokenizer": "estimate:words", "context_window": 1000, "parameters": parameters}
    scenario, plain = tmp_path / "stranger.scenario.json", tmp_path / "plain.scenario.json"
    scenario.write_text(json.dumps({"format": "prompt-inspector/scenario@1", **wanted, "summaries": "endpoint"}))
    plain.write_text(json.dumps({"format": "prompt-inspector/scenario@1", **wanted}))
    line = {"workspace": json.loads(Path(chat).read_text()), "scenario": {**wanted, "summaries": "endpoint"}}
    lines, inspection = tmp_path / "lines", tmp_path / "stranger.inspection.json"
    lines.write_text(json.dumps(line))
    inspection.write_text(
        json.dumps({"format": INSPECTION_FORMAT, "open": [chat], "scenario": {**wanted, "summaries": "endpoint"}})
    )
    by_file = ("--scenario", str(scenario))
    monkeypatch.setattr(window, "has_display", lambda: False)
    monkeypatch.setattr(window, "_leave_picture", lambda *_: None)
    monkeypatch.setattr(window, "_screenshot", lambda *_: None)
    for command in (
        *(("assemble", chat, *by_file), ("count", chat, *by_file), ("fidelity", chat, *by_file)),
        *(("explain", chat, "--item", "m0", *by_file), ("timeline", chat, *by_file), ("replay", chat, *by_file)),
        *(("compare", chat, "--a", str(scenario), "--b", str(plain)), ("assemble", str(inspection))),
        *(("assemble", "--jsonl", str(lines)), (chat, *by_file)),
        *(("sweep", chat, *by_file, "--set", "at=2,3"), ("check", str(scenario), chat, "--max-overflow", "9000")),
    ):
        result = run(*command)
        assert result.exit_code == 0, (command, result.stderr)
        assert sent == [], command
    answer = run("assemble", chat, *by_file, "--format", "json").stdout
    assert any("--summaries endpoint" in finding["message"] for finding in json.loads(answer)["findings"])
    assert run("assemble", chat, *by_file, "--summaries", "endpoint").exit_code == 0
    assert sent == [LONG]
    run("assemble", chat, *by_file)
    assert sent == [LONG], "one run does not speak for the next"


def test_a_settings_file_that_cannot_be_read(run: Run, chat: str) -> None:
    settings_file().parent.mkdir(parents=True)
    settings_file().write_text("summaries: nowhere\n")
    result = run("fidelity", chat, *WORDS, "--summaries", "endpoint")
    assert result.exit_code == 2
    assert str(settings_file()) in result.stderr
    assert "$.summaries" in result.stderr
    assert run("fidelity", chat, *WORDS).exit_code == 0
