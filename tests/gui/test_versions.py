"""Versions of saved files: what is kept of each, in which order, and how many."""

import time
from pathlib import Path

import pytest

from inspector.gui.files.versions import MOST_KEPT, keep_before
from inspector.settings import versions_folder


def kept(file: Path) -> list[str]:
    """What the versions of a file say, in the order of their names."""
    return [version.read_text() for version in sorted(versions_folder().glob(f"*/*{file.name}"))]


def save(file: Path, texts: range) -> None:
    for number in texts:
        keep_before(file)
        file.write_text(str(number))


def test_many_versions_of_one_file_remove_none_of_another(tmp_path: Path) -> None:
    rare, often = tmp_path / "b.inspection.yaml", tmp_path / "a.inspection.yaml"
    rare.write_text("the only copy")
    keep_before(rare)
    save(often, range(MOST_KEPT + 5))
    assert kept(rare) == ["the only copy"]
    assert kept(often) == [str(number) for number in range(4, MOST_KEPT + 4)], "the newest ones, and no more"


def test_files_of_one_name_in_two_folders_are_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector.gui.files.versions.MOST_KEPT", 1)
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.yaml").write_text(folder)
        keep_before(tmp_path / folder / "a.yaml")
    assert sorted(kept(tmp_path / "one" / "a.yaml")) == ["one", "two"]


def test_the_newest_are_kept_whatever_the_clock_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.inspection.yaml"
    save(file, range(MOST_KEPT))
    monkeypatch.setattr(time, "strftime", lambda _: "1999-12-31 23.59.59")
    save(file, range(MOST_KEPT, MOST_KEPT + 6))
    assert kept(file)[-5:] == [str(number) for number in range(MOST_KEPT, MOST_KEPT + 5)]
    assert len(kept(file)) == MOST_KEPT


def test_a_name_as_long_as_names_may_be_is_kept_too(tmp_path: Path) -> None:
    file = tmp_path / f"{'n' * 236}.inspection.yaml"
    file.write_text("long")
    keep_before(file)
    assert [version.read_text() for version in versions_folder().glob("*/*")] == ["long"]
