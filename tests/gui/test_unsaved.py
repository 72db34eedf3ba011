"""Unsaved work in its folder: written whole, held by its window, read again, and only removed where nothing is lost."""

import os
from pathlib import Path

import pytest

from inspector.assembly.scenario import Scenario
from inspector.gui.files.inspection import Inspection, Unsaved
from inspector.gui.saving import autosaving
from inspector.gui.saving.autosaving import UnsavedFile, UnsavedWork, remove_unsaved, tidy_up, unsaved_work
from inspector.model import Problem
from inspector.settings import unsaved_folder

DOCKS = ("findings",)


def work(policy: str = "naive", modified: bool = True) -> Inspection:
    return Inspection(("/chats/a.json",), Scenario(policy=policy), unsaved=Unsaved(modified))


def left(inspection: Inspection) -> Path:
    """A file of unsaved work that was written and let go."""
    file = UnsavedFile()
    file.write(inspection)
    file.let_go()
    return file.path


def found() -> list[Inspection]:
    return [one.inspection for one in unsaved_work(DOCKS)[0]]


def problems() -> tuple[Problem, ...]:
    return unsaved_work(DOCKS)[1]


def test_what_was_left_is_found_as_it_was() -> None:
    left(work())
    assert found() == [work()]
    assert os.stat(unsaved_folder()).st_mode & 0o077 == 0, "for nobody else to read"


def test_what_a_window_has_open_is_not_found_until_it_lets_go() -> None:
    file = UnsavedFile()
    file.write(work())
    assert found() == []
    remove_unsaved(file.path)
    tidy_up(DOCKS)
    assert file.path.exists()
    file.let_go()
    assert found() == [work()]


def test_two_windows_that_go_on_with_the_same_write_two_files() -> None:
    path = str(left(work()))
    one, two = UnsavedFile(path), UnsavedFile(path)
    one.write(work("reserve"))
    two.write(work("slots"))
    assert str(one.path) == path
    assert one.path != two.path
    one.let_go()
    two.let_go()
    assert {inspection.scenario.policy for inspection in found()} == {"reserve", "slots"}


def test_a_damaged_file_is_told_and_kept() -> None:
    path = left(work())
    path.write_text("format: [")
    left(work("slots"))
    assert found() == [work("slots")]
    assert [Path(problem.file) for problem in problems()] == [path]
    tidy_up(DOCKS)
    assert path.read_text() == "format: ["


def test_of_a_damaged_file_the_version_before_is_read_and_the_file_set_aside() -> None:
    file = UnsavedFile()
    file.write(work("reserve"))
    file.write(work("slots"))
    file.let_go()
    file.path.write_bytes(b"\0\1")
    (one,), _ = unsaved_work(DOCKS)
    assert one.inspection == work("reserve")
    again = UnsavedFile(str(one.file))
    again.write(work("ratio"))
    again.write(work("naive"))
    again.let_go()
    assert found() == [work("naive")]
    assert [kept.read_bytes() for kept in unsaved_folder().glob("*.damaged.yaml")] == [b"\0\1"]


def test_a_writer_that_fails_between_the_two_leaves_the_version_before(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    file = UnsavedFile()
    file.write(work("reserve"))
    with monkeypatch.context() as patched:
        patched.setattr(autosaving, "write_file", fail)
        for _ in range(2):
            with pytest.raises(OSError, match="full"):
                file.write(work("slots"))
    file.let_go()
    assert found() == [work("reserve")]


def test_what_is_in_other_files_is_tidied_up_and_what_is_not_stays() -> None:
    left(work("slots", modified=False))
    left(work())
    tidy_up(DOCKS)
    assert found() == [work()]


def test_of_old_work_the_newest_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autosaving, "MOST_KEPT", 2)
    for number, days in enumerate((1, 40, 50, 60)):
        path = left(work(f"policy{number}"))
        moment = path.stat().st_mtime - days * 86_400
        os.utime(path, (moment, moment))
    tidy_up(DOCKS)
    assert [inspection.scenario.policy for inspection in found()] == ["policy0", "policy1"]


def test_young_work_stays_however_much_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autosaving, "MOST_KEPT", 2)
    for _ in range(4):
        left(work())
    tidy_up(DOCKS)
    assert len(found()) == 4


def test_removed_work_is_gone_with_the_version_before() -> None:
    file = UnsavedFile()
    file.write(work("reserve"))
    file.write(work("slots"))
    file.let_go()
    remove_unsaved(file.path)
    assert list(unsaved_folder().iterdir()) == []


@pytest.mark.parametrize(("named", "title"), [("", "a.json"), ("/work/x.inspection.yaml", "x.inspection.yaml")])
def test_it_is_called_by_its_file_or_by_what_was_opened(named: str, title: str) -> None:
    inspection = Inspection(("/chats/a.json",), unsaved=Unsaved(file=named))
    one = UnsavedWork(Path("/x"), inspection, 0)
    assert (one.title, one.folder) == (title, "/chats")
