"""Streams as other systems have them: encodings without our signs, a full disk, a closed output, Ctrl+C."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

_EVERY_CALL = """
import json, sys
from inspector.cli import group
from inspector.cli.streams import prepare_streams

prepare_streams()
for arguments in json.load(sys.stdin):
    group.main(arguments, prog_name="prompt-inspector", standalone_mode=False)
"""
_SHOWING = """
from inspector.gui import app

make = app.open_window

def open_window(*given, **named):
    window = make(*given, **named)
    print("begun", flush=True)
    return window

app.open_window = open_window
from inspector.cli import main
main()
"""


def every_table(chat: str, probes: str, scenario: str, other: str) -> Iterator[list[str]]:
    """A call of each command that prints for people."""
    yield from (["assemble", chat, "--scenario", scenario, "--exclude", "m2"], ["explain", chat, "--item", "m2"])
    yield from (["survival", chat, "--parameter", "history_share"], ["timeline", chat], ["count", chat])
    yield from (["compare", chat, "--a", scenario, "--b", other], ["compare", chat, "--policies", "naive,ratio"])
    yield from (["tokens", chat, "--item", "m2"], ["tokenizers", chat, "--with", "estimate:words"])
    yield from (["fidelity", chat, "--summaries", "extractive"], ["memories", chat])
    yield from (["recall", chat, "--probes", probes], ["recommend", chat, "--probes", probes])
    yield from (["conversations", chat], ["search", "w", chat], ["check", scenario, chat, "--max-overflow", "1000"])
    yield from (["snippet", chat, "--for", "langchain"], ["replay", chat], ["models"], ["policies"], ["formats"])
    yield from (["policies", "ratio"], ["presets"], ["columns"], ["findings"], ["cache"])


def written(calls: list[list[str]], encoding: str) -> str:
    """What one process that writes in this encoding says to all calls."""
    done = subprocess.run(
        [sys.executable, "-c", _EVERY_CALL],
        input=json.dumps(calls).encode(),
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
    assert (done.returncode, done.stderr) == (0, b""), encoding
    return done.stdout.decode(encoding)


def test_where_signs_are_missing_others_are_written_and_nothing_else_changes(
    workspace_file: str, scenario_file: Callable[..., str], tmp_path: Path
) -> None:
    probes = tmp_path / "some.probes.json"
    asked = [{"id": f"q{n}", "evidence": [f"m{n}"], "query": "w"} for n in range(3)]
    probes.write_text(json.dumps({"format": "prompt-inspector/probes@1", "probes": asked}))
    scenarios = [scenario_file(name, policy="naive", context_window=window) for name, window in (("a", 60), ("b", 900))]
    calls = [*every_table(workspace_file, str(probes), *scenarios), ["--help"]]
    whole = written(calls, "utf-8")
    assert {"✕", "≈", "–", "…", "─"} <= set(whole)
    ascii_only = written(calls, "ascii")
    assert ascii_only.count("?") == whole.count("?"), "each sign of the program has another"
    for encoding in ("cp1252", "latin-1"):
        assert words(written(calls, encoding)) == words(ascii_only)
    assert words(whole) == words(ascii_only)


def words(text: str) -> list[str]:
    """The words and figures of a text in their order, without its signs."""
    return re.findall(r"[A-Za-z_]{3,}|[\d,]{2,}", text)


def test_what_is_longer_in_other_signs_moves_no_column(tmp_path: Path) -> None:
    chat = tmp_path / "signs.json"
    chat.write_text(json.dumps([{"role": "user", "content": text} for text in ("so … so … so …", "so plain")]))
    head, _, first, second, *_ = written([["search", "so", str(chat)]], "ascii").splitlines()
    assert "so ... so" in first
    assert [at for at, sign in enumerate(first) if sign == "|"] == [at for at, sign in enumerate(second) if sign == "|"]
    assert head.count("|") == first.count("|") > 0


def said(arguments: str, workspace: str) -> tuple[int, str, str]:
    """The exit code, output and errors of a command as a shell runs it; $1 is the workspace."""
    shell = f'exec "$0" -m inspector {arguments}'
    done = subprocess.run(["sh", "-c", shell, sys.executable, workspace], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_an_output_that_takes_nothing_is_one_line(workspace_file: str) -> None:
    full, closed = (f"Error: standard output: {why}\n" for why in ("No space left on device", "Bad file descriptor"))
    for arguments in ("--help", "count --help", 'count "$1" --format json'):
        assert said(f"{arguments} >/dev/full", workspace_file) == (2, "", full), arguments
    assert said('count "$1" >&-', workspace_file) == (2, "", closed)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_errors_that_cannot_be_said_stop_nothing(workspace_file: str) -> None:
    for lost in ("2>/dev/full", "2>&- <&-"):
        assert said(f"count nothing-here {lost}", workspace_file) == (2, "", "")


@pytest.mark.skipif(sys.platform == "win32", reason="closed as POSIX does")
def test_what_is_said_on_a_closed_output_is_not_in_a_file_that_is_written(workspace_file: str, tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    said(f'sweep "$1" --set at=1,2 --tokenizer estimate:words --out "{out}" >&- 2>&-', workspace_file)
    assert [json.loads(line)["at"] for line in out.read_text().splitlines()] == [1, 2]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent")
def test_ctrl_c_ends_a_picture_of_the_window_with_one_line(tmp_path: Path) -> None:
    chat, picture = tmp_path / "long.json", tmp_path / "picture.png"
    chat.write_text(json.dumps([{"role": "user", "content": f"{n} some words" * 20} for n in range(40_000)]))
    command = [sys.executable, "-c", _SHOWING, str(chat), "--screenshot", str(picture)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (128 + signal.SIGINT, "Error: interrupted\n")
    assert not picture.exists()
