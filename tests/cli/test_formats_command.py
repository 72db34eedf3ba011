"""prompt-inspector formats FILE…, and what commands say of files that were not opened."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.reading.zips import zipped

_CHAT = json.dumps([{"role": "user", "content": "Hi"}])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "chat.json").write_text(_CHAT)
    (tmp_path / "note.txt").write_text("Words.")
    (tmp_path / "more.zip").write_bytes(zipped({"in.zip": zipped({"n.bin": b"\xff\0" * 99})}))
    return tmp_path


def test_the_candidates_of_a_file_are_said_with_their_reason(run: Run, folder: Path) -> None:
    result = run("formats", str(folder / "chat.json"))
    assert result.exit_code == 0
    assert "openai" in result.stdout
    assert "sure" in result.stdout
    assert "`role` and `content`" in result.stdout
    (file,) = json.loads(run("formats", str(folder / "chat.json"), "--format", "json").stdout)["files"]
    assert file["unknown"] is None
    assert [(one["format"], one["sure"]) for one in file["candidates"]] == [("openai", True)]


def test_a_folder_is_listed_file_by_file(run: Run, folder: Path) -> None:
    files = json.loads(run("formats", str(folder), "--format", "json").stdout)["files"]
    assert {Path(one["file"]).name: bool(one["candidates"]) for one in files} == {
        "chat.json": True,
        "n.bin": False,
        "note.txt": False,
    }
    assert all(one["unknown"] for one in files if not one["candidates"])


@pytest.mark.parametrize("name", ["note.txt", "more.zip", "nowhere"])
def test_where_nothing_could_be_opened_the_exit_code_is_2(run: Run, folder: Path, name: str) -> None:
    assert run("formats", str(folder / name)).exit_code == 2
    result = run("assemble", str(folder / name))
    assert result.exit_code == 2
    assert result.stdout == ""


def test_an_archive_whose_members_are_all_refused_ends_with_2(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped({"x.json": b"[1,", "../y.json": b"[]"}))
    result = run("assemble", str(tmp_path / "a.zip"))
    assert result.exit_code == 2
    assert "x.json" in result.stderr
    assert "y.json" in result.stderr


def test_files_that_were_not_opened_are_counted_and_listed_when_asked_for(run: Run, folder: Path) -> None:
    result = run("count", str(folder))
    assert result.exit_code == 0
    assert "2 files were not opened (--verbose lists them)" in result.stderr
    assert "note.txt" not in result.stderr
    listed = run("count", str(folder), "--verbose")
    assert "note.txt" in listed.stderr
    assert "n.bin" in listed.stderr
    assert "2 files were not opened" in listed.stderr
