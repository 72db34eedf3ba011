"""Exit codes, and one line on standard error that names what was wrong and where."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from inspector.tokens.choice import load_tokenizer
from inspector.tokens.tokenizer import TokenizerUnavailableError

Run = Callable[..., Result]


def failed(result: Result) -> str:
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    return line


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("assemble", "FILE", "--colour", "red"), "--colour"),
        (("assemble", "FILE", "--window", "wide"), "wide"),
        (("assemble", "FILE", "--set", "memory_share"), "expected KEY=VALUE"),
        (("assemble", "FILE", "--format", "xml"), "json"),
        (("assemble", "FILE", "--policy", "best"), "naive, ratio"),
        (("assemble", "FILE", "--preset", "best"), "long-chat"),
        (("assemble", "FILE", "--tokenizer", "best"), "embedded:NAME"),
        (("assemble", "FILE", "--conversation", "c9"), "c9"),
        (("assemble", "FILE", "--now", "soon"), "soon"),
        (("assemble", "nowhere.json"), "nowhere.json"),
        (("assemble",), "file or folder"),
        (("assemble", "FILE", "--scenario", "nowhere.yaml"), "nowhere.yaml"),
        (("assemble", "--jsonl", "nowhere.jsonl"), "nowhere.jsonl"),
        (("explain", "FILE"), "--item"),
        (("explain", "FILE", "--item", "m99"), "m99"),
        (("compare", "FILE"), "--a FILE and --b FILE"),
        (("compare", "FILE", "--a", "x.yaml"), "--b"),
        (("compare", "FILE", "--policies", "naive", "--a", "x.yaml"), "either"),
        (("compare", "FILE", "--policies", "naive,best"), "best"),
        (("count", "nowhere.json"), "nowhere.json"),
        (("sweep", "FILE"), "--set KEY=START:STOP:STEP"),
        (("sweep", "FILE", "--set", "context_window=1:2"), "three numbers"),
        (("sweep", "FILE", "--set", "colour=1,2"), "colour"),
        (("sweep", "FILE", "--set", "at=1", "--out", "rows.txt"), ".parquet"),
        (("sweep", "FILE", "--set", "at=1", "--out", "no-folder/rows.csv"), "no-folder/rows.csv"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_wrong_usage_ends_with_2_and_one_line(
    run: Run, workspace_file: str, arguments: tuple[str, ...], named: str
) -> None:
    assert named in failed(run(*(workspace_file if word == "FILE" else word for word in arguments)))


def test_an_unreadable_file_is_named_with_the_place(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "broken.workspace.json"
    path.write_text('{"format": "prompt-inspector/workspace@1", "conversations": 7}')
    result = run("assemble", str(path))
    assert f"{path}: $.conversations" in result.stderr
    path.write_text("\x00\x01\x02")
    assert str(path) in failed(run("assemble", str(path)))


def test_a_scenario_with_a_wrong_value_is_named_with_the_place(
    run: Run, workspace_file: str, scenario_file: Callable[..., str]
) -> None:
    file = scenario_file("bad", context_window="wide")
    assert f"{file}: $.context_window" in failed(run("assemble", workspace_file, "--scenario", file))


@pytest.mark.parametrize(
    ("values", "place"),
    [
        ({"parameters": {"context_window": [1]}}, "parameters.context_window"),
        ({"parameters": {"min_exchanges": "three"}}, "parameters.min_exchanges"),
        ({"policy": "slots", "parameters": {"scale": [[]]}}, "parameters.scale"),
        ({"overrides": {"m1": {"tokens": 2**31}}}, "overrides.m1.tokens"),
    ],
    ids=["window", "parameter", "choice", "override"],
)
def test_every_command_refuses_a_value_that_cannot_be_with_its_place(
    run: Run, workspace_file: str, scenario_file: Callable[..., str], tmp_path: Path, values: dict[str, Any], place: str
) -> None:
    file, page = scenario_file("bad", **values), tmp_path / "page.html"
    for command in (
        ("assemble",),
        ("count",),
        ("explain", "--item", "m1"),
        ("sweep", "--set", "at=1,2"),
        ("report", "--out", str(page)),
        ("timeline",),
        ("fidelity",),
    ):
        name, *options = command
        assert f"{file}: $.{place}: " in failed(run(name, workspace_file, "--scenario", file, *options))
    line = json.dumps({"name": "a", "workspace": {}, "scenario": values})
    answer = json.loads(run("assemble", "--jsonl", "-", stdin=line).stdout)
    assert answer["error"]["code"] in ("invalid_parameter", "unreadable_input")
    assert not page.exists()


def test_an_unknown_key_of_a_scenario_is_a_problem_and_no_failure(
    run: Run, workspace_file: str, scenario_file: Callable[..., str]
) -> None:
    result = run("assemble", workspace_file, "--scenario", scenario_file("odd", colour="red"), "--format", "json")
    assert result.exit_code == 0
    assert "$.colour" in result.stderr
    assert json.loads(result.stdout)["status"] == "ok"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--window", "5000"), 0),
        (("--window", "20", "--policy", "naive"), 1),
        (("--window", "7"), 1),
        (("--set", "memory_share=0.9"), 1),
    ],
    ids=["fits", "over the window", "error", "shares that do not sum"],
)
def test_strict(run: Run, workspace_file: str, arguments: tuple[str, ...], code: int) -> None:
    command = ("assemble", workspace_file, "--tokenizer", "estimate:words", *arguments)
    assert run(*command).exit_code == 0
    assert run(*command, "--strict").exit_code == code


def test_an_id_that_two_lists_share_is_asked_back(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "shared.json"
    value = {
        "conversations": [{"id": "c", "messages": [{"id": "a", "role": "user", "content": "w"}]}],
        "memory_sets": [{"id": "d", "memories": [{"id": "a", "content": "w"}]}],
    }
    path.write_text(json.dumps(value))
    assert "memories/a, messages/a" in failed(run("explain", str(path), "--item", "a"))
    assert run("explain", str(path), "--item", "messages/a").exit_code == 0


def test_lines_that_fail_do_not_stop_the_others(run: Run) -> None:
    good = {"name": "good", "workspace": {}, "scenario": {"policy": "naive"}}
    odd = {"name": "odd", "workspace": {}, "scenario": {"policy": "best"}}
    lines = [json.dumps(good), "not json", json.dumps(odd), "[]", "", json.dumps(good | {"name": "last"})]
    result = run("assemble", "--jsonl", "-", stdin="\n".join(lines))
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["name"] for answer in answers] == ["good", "", "odd", "", "last"]
    assert [answer["status"] for answer in answers] == ["ok", "error", "error", "error", "ok"]
    assert "standard input: line 2, column 1: " in answers[1]["error"]["message"]
    assert result.exit_code == 0
    assert run("assemble", "--jsonl", "-", "--strict", stdin="\n".join(lines)).exit_code == 1


def test_text_that_is_not_utf8_is_named(run: Run) -> None:
    assert "standard input: byte 1: expected UTF-8" in failed(run("count", "-", stdin=b"a\xff"))


def test_a_cache_that_cannot_be_used_is_said(run: Run, private_home: Path) -> None:
    (private_home / "cache").write_text("a file where a folder should be")
    assert str(private_home / "cache") in failed(run("cache", "--clear"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("option", ["--jsonl", "--scenario", ""])
def test_a_pipe_in_place_of_a_file(run: Run, workspace_file: str, tmp_path: Path, option: str) -> None:
    pipe = str(tmp_path / "pipe")
    os.mkfifo(pipe)
    arguments = {"--jsonl": ("--jsonl", pipe), "--scenario": (workspace_file, "--scenario", pipe)}.get(option, (pipe,))
    assert failed(run("assemble", *arguments)) == f"Error: {pipe}: is a pipe; expected a file"


def test_lines_of_a_file_are_answered_one_by_one(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text('{"name": "a", "workspace": {}}\nno JSON\n\n{} {}\n')
    answers = [json.loads(line) for line in run("assemble", "--jsonl", str(path)).stdout.splitlines()]
    assert [answer["name"] for answer in answers] == ["a", "", ""]
    told = [answer["error"]["message"] for answer in answers[1:]]
    assert told[0] == f"{path}: line 2, column 1: is not valid JSON: expecting value, found 'no JSON'"
    assert told[1] == f"{path}:4: expected an object"


def test_a_damaged_cache_stops_nothing_and_is_said_once(run: Run, workspace_file: str, private_home: Path) -> None:
    count = ("compare", workspace_file, "--policies", "naive,ratio,reserve", "--tokenizer", "estimate:words")
    whole = run(*count)
    file = next(private_home.rglob("counts.sqlite3"))
    content = file.read_bytes()
    file.write_bytes(content[:100] + bytes(len(content) - 100))
    damaged = run(*count)
    assert (damaged.exit_code, damaged.stdout) == (0, whole.stdout)
    assert damaged.stderr.splitlines() == [
        f"prompt-inspector: The cache of counts was corrupt: it is now {file}.corrupt, and a new one was begun."
    ]
    again = run(*count)
    assert (again.stdout, again.stderr) == (whole.stdout, "")


def test_a_damaged_cache_can_be_looked_at_and_cleared(run: Run, workspace_file: str, private_home: Path) -> None:
    run("count", workspace_file)
    file = next(private_home.rglob("counts.sqlite3"))
    file.write_bytes(file.read_bytes().replace(b"counts_", b"counts\xff"))
    for arguments in ((), ("--clear",), ()):
        looked = run("cache", *arguments)
        assert (looked.exit_code, looked.stderr) == (0, "")
    assert not file.with_name("counts.sqlite3.corrupt").exists()


def test_a_place_for_the_cache_that_cannot_be_used_is_said_once(
    run: Run, workspace_file: str, private_home: Path
) -> None:
    (private_home / "cache").write_text("a file where a folder should be")
    counted = run("compare", workspace_file, "--policies", "naive,ratio,reserve", "--tokenizer", "estimate:words")
    assert counted.exit_code == 0
    (line,) = counted.stderr.splitlines()
    assert line.startswith(f"prompt-inspector: Counts are not kept: {private_home / 'cache'}")


def test_a_tokenizer_that_fails_at_a_text_is_one_line(
    run: Run, workspace_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise TokenizerUnavailableError("it cannot count a text")

    monkeypatch.setattr(type(load_tokenizer("estimate:words")), "count", fail)
    for command in ("count", "assemble"):
        assert "it cannot count a text" in failed(run(command, workspace_file, "--tokenizer", "estimate:words"))
