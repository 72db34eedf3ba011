"""`sweep --glob`: rows of an archive, bad files on standard error, going on, and SQL on the rows."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from inspector.analysis.archive import query, schema
from inspector.analysis.archive.parts import parts_folder
from inspector.analysis.archive.workers import NoWorkersError, Team
from inspector.extras import install_command
from inspector.steps import AbandonedError, while_wanted
from tests.archives import rows_in, write_chat, write_chats
from tests.examples import cases
from tests.slow_sweeps import LONG, SECONDS

Run = Callable[..., Result]
GRID = ("--glob", "**/*.json", "--tokenizer", "estimate:words", "--set", "context_window=40:80:40", "--workers", "1")
COUNT = "select context_window, count(*) as rows, sum(dropped) as dropped from rows group by all order by all"


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    folder = write_chats(tmp_path / "chats", 3)
    (folder / "inside").mkdir()
    write_chat(folder / "inside" / "more.json", 5)
    return folder


@pytest.fixture
def out(tmp_path: Path) -> str:
    return str(tmp_path / "rows.parquet")


def test_every_matching_file_is_swept_by_itself(run: Run, chats: Path, out: str) -> None:
    done = run("sweep", str(chats), *GRID, "--out", out)
    said = f"prompt-inspector: wrote the rows to {out}\n"
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", said)
    assert [(Path(row["source"]).name, row["context_window"]) for row in rows_in(Path(out))][:3] == [
        ("chat-0000.json", 40),
        ("chat-0000.json", 80),
        ("chat-0001.json", 40),
    ]
    assert len(rows_in(Path(out))) == 8


def test_prompts_leave_the_reply_that_is_asked_and_another_reply_is_another_sweep(
    run: Run, chats: Path, out: str
) -> None:
    over = []
    for reply in ("0", "30", "30"):
        assert run("sweep", str(chats), *GRID, "--out", out, "--reply", reply).exit_code == 0
        rows = rows_in(Path(out))
        assert len(rows) == 8
        assert [row["overflow"] for row in rows] == [
            max(0, row["total"] + int(reply) - row["context_window"]) for row in rows
        ]
        over.append(sum(row["status"] == "over_window" for row in rows))
    assert over[0] < over[1] == over[2]


def test_bad_files_are_told_on_standard_error_and_are_a_table_of_sql(run: Run, chats: Path, out: str) -> None:
    (chats / "broken\x1b.json").write_text("{")
    done = run("sweep", str(chats), *GRID, "--out", out)
    assert done.exit_code == 0
    assert "1 of 5 files could not be used" in done.stderr
    assert "broken⟦U+001B⟧.json" in done.stderr
    asked = run("sweep", out, "--sql", "select path, reason from bad_files", "--format", "json")
    ((path, reason),) = (tuple(row.values()) for row in json.loads(asked.stdout))
    assert path == str(chats / "broken\x1b.json")
    assert "is cut off" in reason


def test_without_a_file_the_rows_are_printed(run: Run, chats: Path) -> None:
    lines = run("sweep", str(chats), *GRID).stdout.splitlines()
    assert [json.loads(line)["context_window"] for line in lines] == [40, 80] * 4
    header, *rows = csv.reader(io.StringIO(run("sweep", str(chats), *GRID, "--format", "csv").stdout))
    assert header[:2] == ["source", "conversation"]
    assert len(rows) == 8


def test_sql_is_answered_after_the_sweep_and_later(run: Run, chats: Path, out: str) -> None:
    table = run("sweep", str(chats), *GRID, "--out", out, "--sql", COUNT).stdout
    assert [line.split()[:2] for line in table.splitlines()[2:]] == [["40", "4"], ["80", "4"]]
    assert run("sweep", str(chats), *GRID, "--sql", COUNT).stdout == table
    value = json.loads(run("sweep", out, "--sql", COUNT, "--format", "json").stdout)
    assert [(row["context_window"], row["rows"]) for row in value] == [(40, 4), (80, 4)]
    assert run("sweep", out, "--sql", COUNT, "--format", "csv").stdout.splitlines()[0] == "context_window,rows,dropped"


def test_other_settings_are_refused_until_it_is_begun_anew(run: Run, chats: Path, out: str) -> None:
    parts_folder(out).mkdir()
    (parts_folder(out) / "manifest.json").write_text('{"settings": {"version": "0"}}')
    refused = run("sweep", str(chats), *GRID, "--out", out)
    assert refused.exit_code == 2
    assert "was begun with other settings" in refused.stderr
    assert "--anew" in refused.stderr
    assert run("sweep", str(chats), *GRID, "--out", out, "--anew").exit_code == 0
    assert len(rows_in(Path(out))) == 8


def test_rows_are_a_table_or_a_document_too(run: Run, workspace_file: str) -> None:
    given = ("sweep", workspace_file, "--tokenizer", "estimate:words", "--set", "context_window=40,80")
    rows = [json.loads(line) for line in run(*given).stdout.splitlines()]
    assert json.loads(run(*given, "--format", "json").stdout) == rows
    titles, _, *lines = run(*given, "--format", "table").stdout.splitlines()
    assert titles.split()[:4] == ["Conversation", "Policy", "Context", "window"]
    assert [line.split()[:3] for line in lines[:2]] == [["c1", "ratio", "40"], ["c1", "ratio", "80"]]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--workers", "2"), "go with --glob"),
        (("--glob", "*.json", "--workers", "2", "--cluster", "local:2"), "name one of them"),
        (("--glob", "*.json", "--cluster", "here"), "--cluster here: expected tcp://HOST:PORT"),
        (("--glob", "*.txt"), "no file matches *.txt"),
        (("--glob", ""), "is not a pattern of paths"),
        (("--glob", "*.json", "--out", "rows.txt"), "expected a name ending in"),
        (("--glob", "*.json", "--out", "rows.csv", "--sql", COUNT), "would have to end in .parquet"),
        (("--glob", "*.json", "--sql", COUNT, "--format", "jsonl"), "expected table or csv or json here"),
        (("--glob", "*.json", "--sql", "selec"), "--sql: Parser Error"),
    ],
)
def test_wrong_usage_is_one_line(run: Run, chats: Path, options: tuple[str, ...], said: str) -> None:
    done = run("sweep", str(chats), "--set", "context_window=40,80", "--tokenizer", "estimate:words", *options)
    assert done.exit_code == 2
    assert said in done.stderr


def test_sql_on_what_is_no_file_of_rows(run: Run, chats: Path, tmp_path: Path) -> None:
    for path, said in (
        ((str(chats)), "is not a file of rows"),
        (str(tmp_path / "no.parquet"), "there is no such file"),
    ):
        done = run("sweep", path, "--sql", COUNT)
        assert (done.exit_code, said in done.stderr) == (2, True)


@pytest.mark.parametrize(
    "sql", ["copy rows to '{}'", "explain analyze copy rows to '{}'", "{}; select 1; select 2", ""]
)
def test_sql_writes_over_nothing(run: Run, chats: Path, out: str, sql: str) -> None:
    run("sweep", str(chats), *GRID, "--out", out)
    chat = chats / "chat-0000.json"
    before = chat.read_bytes()
    done = run("sweep", out, "--sql", sql.format(chat if "copy" in sql else "select 0"))
    assert done.exit_code == 2
    assert "expected one SELECT" in done.stderr
    assert chat.read_bytes() == before


def test_sql_reads_no_other_file(run: Run, chats: Path, out: str) -> None:
    run("sweep", str(chats), *GRID, "--out", out)
    own, other = Path(out), chats / "chat-0000.json"
    twin = own.with_name("twin.parquet")
    twin.write_bytes(own.read_bytes())
    assert run("sweep", out, "--sql", f"select count(*) as n from rows, '{own}'", "--format", "json").exit_code == 0
    for asked in (f"'{other}'", f"read_text('{other}')", f"'{twin}'", f"glob('{chats}/*')", "read_csv('/dev/stdin')"):
        done = run("sweep", out, "--sql", f"select * from {asked}")
        assert (done.exit_code, done.stdout) == (2, ""), asked
        assert "--sql: Permission Error" in done.stderr
    assert run("sweep", out, "--sql", "select 1 as one from query('set enable_external_access = true')").exit_code == 2


def test_sql_ends_at_once_when_it_is_interrupted(
    run: Run, chats: Path, out: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("sweep", str(chats), *GRID, "--out", out)
    waiting = query.wait

    def interrupted(*given: Any) -> Any:
        monkeypatch.setattr(query, "wait", waiting)
        signal.raise_signal(signal.SIGINT)
        return waiting(*given)

    endless = "select sum(a.range * b.range) as n from range(10000000) a, range(10000000) b"
    monkeypatch.setattr(query, "wait", interrupted)
    done = run("sweep", out, "--sql", endless)
    assert (done.exit_code, done.stdout) == (128 + signal.SIGINT, "")
    with while_wanted(lambda: False), pytest.raises(AbandonedError):
        query.query([out], endless)


def test_a_folder_that_somebody_else_filled_is_left_alone(run: Run, chats: Path, out: str) -> None:
    own = Path(f"{out}.parts")
    own.mkdir()
    for name in ("notes.txt", "other.parquet"):
        (own / name).write_text("mine")
        done = run("sweep", str(chats), *GRID, "--out", out, "--anew")
        assert (done.exit_code, name in done.stderr) == (2, True)
        assert (own / name).read_text() == "mine"
        (own / name).rename(chats.parent / name)
    assert run("sweep", str(chats), *GRID, "--out", out).exit_code == 0
    assert not own.exists()


def test_a_missing_package_is_named(run: Run, chats: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "find_spec", lambda name: None)
    done = run("sweep", str(chats), *GRID)
    assert done.exit_code == 2
    assert f"archives need pyarrow and duckdb: {install_command('archives')}" in done.stderr


def test_the_rows_lie_beside_the_chats_and_are_no_chats(run: Run, chats: Path) -> None:
    everything = ("--glob", "**/*", *GRID[2:])
    out = str(chats / "rows.parquet")
    run("sweep", str(chats), *everything, "--out", out)
    assert len(rows_in(Path(out))) == 8
    assert run("sweep", str(chats), *everything, "--out", out).stderr == f"prompt-inspector: wrote the rows to {out}\n"


def test_a_source_is_not_written_over(run: Run, chats: Path) -> None:
    source = chats / "chat.parquet"
    source.write_text((chats / "chat-0000.json").read_text())
    link = chats.parent / "link.parquet"
    link.hardlink_to(source)
    done = run("sweep", str(chats), "--glob", "**/*", *GRID[2:], "--out", str(link))
    assert done.exit_code == 2
    assert "is one of the opened files" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent")
def test_an_interrupted_sweep_keeps_what_is_done(chats: Path, out: str) -> None:
    write_chats(chats, 120, messages=100)
    script = [sys.executable, "-m", "inspector", "sweep", str(chats), *GRID[:-2], "--workers", "2", "--out", out]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(script, stderr=subprocess.PIPE, text=True, env=environment) as sweeping:
        while not (parts_folder(out).is_dir() and any(parts_folder(out).glob("*.parquet"))):
            assert sweeping.poll() is None
        sweeping.send_signal(signal.SIGINT)
        _, said = sweeping.communicate()
    assert sweeping.returncode == 128 + signal.SIGINT
    assert "the rows so far are in" in said
    assert not Path(out).exists()
    again = subprocess.run(script, check=True, capture_output=True, text=True)
    assert again.stderr == f"prompt-inspector: wrote the rows to {out}\n"
    assert len(rows_in(Path(out))) == 121 * 2


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent")
@pytest.mark.parametrize("workers", cases(["1", "2"], ["2"]))
def test_an_interrupted_sweep_waits_for_no_long_chat(chats: Path, out: str, workers: str) -> None:
    write_chat(chats / "zz-long.json", 1, messages=LONG)
    write_chat(chats / "zzz-long.json", 1, messages=LONG)
    options = ("--policy", "slow", *GRID[:-1], workers, "--out", out)
    script = [sys.executable, "-m", "tests.slow_sweeps", "sweep", str(chats), *options]
    with subprocess.Popen(script, stderr=subprocess.PIPE, text=True) as sweeping:
        while not (parts_folder(out).is_dir() and len([*parts_folder(out).glob("*.parquet")]) == 4):
            assert sweeping.poll() is None
        asked = time.monotonic()
        sweeping.send_signal(signal.SIGINT)
        _, said = sweeping.communicate()
    assert time.monotonic() - asked < SECONDS / 2
    assert sweeping.returncode == 128 + signal.SIGINT
    assert said.splitlines()[-1] == "Error: interrupted"
    assert "the rows so far are in" in said
    assert len([*parts_folder(out).glob("*.parquet")]) == 4


def test_a_sweep_that_made_nothing_leaves_no_folder(
    run: Run, chats: Path, out: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_begins() -> AbstractContextManager[Team]:
        raise NoWorkersError("nobody answers")

    monkeypatch.setattr("inspector.cli.archive.worker_processes", lambda number: none_begins)
    done = run("sweep", str(chats), *GRID, "--out", out)
    assert (done.exit_code, done.stderr) == (2, "Error: --cluster nobody answers\n")
    assert not parts_folder(out).exists()
