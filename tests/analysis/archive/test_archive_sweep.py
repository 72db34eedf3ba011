"""Sweeps over archives: the rows are those of each file by itself, and go on where they were."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inspector.analysis.archive.parts import AlreadyRunningError, OtherSettingsError, begun_parts, parts_folder
from inspector.analysis.archive.sweep import sweep_archive
from inspector.analysis.archive.workers import worker_processes
from inspector.analysis.sweep.ask import sweep_rows
from inspector.assembly.choices import ScenarioError
from inspector.formats import load_workspace
from inspector.model import Probe
from tests.archives import GRID, HERE, SETTINGS, files_in, opening, rows_in, steps, work, write_chat, write_chats
from tests.examples import rounds

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    return write_chats(tmp_path / "chats", 5)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "rows.parquet"


def swept(folder: Path, out: Path, **options: Any) -> list[dict[str, Any]]:
    for _ in steps(folder, out, **options):
        pass
    return rows_in(out)


def expected(folder: Path) -> list[dict[str, Any]]:
    """The rows of each file, opened and swept by itself."""
    scenario = work().scenario
    found = (load_workspace([file.path]) for file in files_in(folder))
    pipelines = (opening().pipeline(workspace) for workspace in found if workspace.conversations)
    return [row for pipeline in pipelines for row in sweep_rows(pipeline, scenario, GRID)]


def test_the_rows_are_those_of_each_file_by_itself(chats: Path, out: Path) -> None:
    assert swept(chats, out) == expected(chats)
    assert not parts_folder(out).exists()


def test_processes_make_the_same_rows(chats: Path, out: Path) -> None:
    assert swept(chats, out, begin=worker_processes(2)) == expected(chats)


def test_bad_files_are_listed_with_reasons_and_the_others_go_on(chats: Path, out: Path) -> None:
    (chats / "broken.json").write_text("{")
    (chats / "card.json").write_text('{"format": "prompt-inspector/workspace@1"}')
    good = expected(chats)
    *_, last = steps(chats, out)
    assert [(Path(one.path).name, bool(one.reason)) for one in last.bad] == [("broken.json", True), ("card.json", True)]
    assert last.bad[1].reason == "holds no conversation"
    assert rows_in(out) == good
    *_, again = steps(chats, out)
    assert again.bad == last.bad, "also where the rows are there already"


def test_a_fault_of_the_program_is_one_of_the_file(chats: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from inspector.analysis.archive import rows

    def faulty(pipeline: Any, *given: Any, **named: Any) -> Any:
        if pipeline.workspace.conversations and "0002" in pipeline.workspace.conversations[0].origin:
            raise ZeroDivisionError("by nothing")
        return sweep_rows(pipeline, *given, **named)

    monkeypatch.setattr(rows, "sweep_rows", faulty)
    *_, last = steps(chats, out)
    (bad,) = last.bad
    assert bad.reason == "a fault of this program: ZeroDivisionError: by nothing"
    assert len(rows_in(out)) == 4 * 6


def test_a_name_that_nothing_knows_ends_it_before_the_first_file(chats: Path, out: Path) -> None:
    with pytest.raises(ScenarioError, match="best is not a policy"):
        list(sweep_archive(work(policy=["naive", "best"]), files_in(chats), HERE, out, SETTINGS))
    assert not parts_folder(out).exists()


def test_probes_are_asked_of_their_chats(chats: Path, out: Path) -> None:
    probes = (Probe("q", ("m7",), "chat-0001"), Probe("other", ("m0",), "chat-0003"))
    list(sweep_archive(replace(work(), probes=probes), files_in(chats), HERE, out, SETTINGS))
    asked = {row["conversation"]: row["probes"] for row in rows_in(out)}
    assert asked == {f"chat-000{n}": int(n in (1, 3)) for n in range(5)}
    assert {row["recall"] for row in rows_in(out) if row["conversation"] == "chat-0000"} == {None}


@pytest.mark.parametrize("ending", [".jsonl", ".csv"])
def test_rows_are_written_as_text_too(chats: Path, tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"rows{ending}"
    assert len(list(steps(chats, out))) > 5
    assert len(out.read_text().splitlines()) == 5 * 6 + (ending == ".csv")
    assert set(tmp_path.iterdir()) == {chats, out}


# Going on


def test_whoever_stops_goes_on_where_they_were(chats: Path, out: Path) -> None:
    begun = steps(chats, out)
    assert [next(begun).done for _ in range(4)] == [0, 1, 2, 3]
    begun.close()
    assert not out.exists()
    again = [step.done for step in steps(chats, out)]
    assert again == [3, 4, 5, 5]
    assert rows_in(out) == expected(chats)


def test_what_is_whole_stays(chats: Path, out: Path) -> None:
    swept(chats, out)
    before = out.stat()
    assert [(step.done, step.total) for step in steps(chats, out)] == [(5, 5)]
    assert out.stat() == before


@pytest.mark.parametrize("stops", [True, False])
def test_a_changed_file_is_noticed(chats: Path, out: Path, stops: bool) -> None:
    begun = steps(chats, out)
    for _ in range(4 if stops else 99):
        next(begun, None)
    begun.close()
    write_chat(chats / "chat-0001.json", 12, messages=10)
    (chats / "chat-0002.json").unlink()
    write_chat(chats / "chat-0000b.json", 3)
    told = list(steps(chats, out))
    assert told[0].outdated == (2 if stops else 0)
    assert rows_in(out) == expected(chats)


def test_changed_settings_are_noticed_and_named(chats: Path, out: Path) -> None:
    begun = steps(chats, out)
    assert [next(begun).done for _ in range(2)] == [0, 1]
    begun.close()
    other = sweep_archive(work(context_window=[10]), files_in(chats), HERE, out, {"grid": "another"})
    with pytest.raises(OtherSettingsError, match="with other settings: grid"):
        list(other)
    anew = sweep_archive(work(context_window=[10]), files_in(chats), HERE, out, {"grid": "another"}, anew=True)
    assert [step.done for step in anew] == [0, 1, 2, 3, 4, 5, 5]
    assert {row["context_window"] for row in rows_in(out)} == {10}


def test_a_whole_file_of_other_settings_is_replaced(chats: Path, out: Path) -> None:
    swept(chats, out)
    list(sweep_archive(work(context_window=[10]), files_in(chats), HERE, out, {"grid": "another"}))
    assert {row["context_window"] for row in rows_in(out)} == {10}


def test_a_part_that_the_disk_has_lost_is_made_again(chats: Path, out: Path) -> None:
    begun = steps(chats, out)
    assert [next(begun).done for _ in range(3)] == [0, 1, 2]
    begun.close()
    next(parts_folder(out).glob("*.parquet")).write_bytes(b"PAR1")
    assert swept(chats, out) == expected(chats)


def test_two_do_not_write_the_same_rows(chats: Path, out: Path) -> None:
    with begun_parts(out, SETTINGS), pytest.raises(AlreadyRunningError):
        list(steps(chats, out))


def test_a_sweep_that_is_killed_again_and_again_ends_with_the_same_rows(tmp_path: Path) -> None:
    chats = write_chats(tmp_path / "chats", 400, messages=4)
    killed, undisturbed = tmp_path / "killed.parquet", tmp_path / "undisturbed.parquet"
    command = [sys.executable, "-m", "tests.killed_sweeps", str(chats), str(killed), str(rounds(17, 4))]
    subprocess.run(command, cwd=ROOT, check=True)
    rows = swept(chats, undisturbed)
    assert len(rows) == 400 * 6
    assert rows_in(killed) == rows
    assert {path.name for path in tmp_path.iterdir()} == {"chats", "killed.parquet", "undisturbed.parquet"}


def test_a_killed_sweep_with_processes_goes_on_with_others(chats: Path, out: Path) -> None:
    command = [sys.executable, "-m", "tests.archives", str(chats), str(out)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=os.environ.copy()) as killed:
        assert killed.stdout is not None
        while int(killed.stdout.readline()) < 1:
            pass
        os.kill(killed.pid, signal.SIGKILL)
    first = next(steps(chats, out))
    assert first.done >= 1
    assert swept(chats, out) == expected(chats)
