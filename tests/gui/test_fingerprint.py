"""Fingerprints: of files and folders, within bounds, and of nothing that one could wait for."""

import hashlib
import os
from pathlib import Path

import pytest

from inspector.gui.files.fingerprint import Fingerprints


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "chats"
    (made / "b").mkdir(parents=True)
    (made / "b" / "c.json").write_text("[1]")
    (made / "b.json").write_text("[]")
    (made / ".hidden").write_text("x")
    return made


def test_a_file_is_its_bytes_and_a_folder_its_names_and_bytes(folder: Path) -> None:
    assert Fingerprints().of(str(folder / "b.json")) == (2, hashlib.sha256(b"[]").hexdigest())
    whole = hashlib.sha256(b"b/c.json\0[1]b.json\0[]").hexdigest()
    assert Fingerprints().of(str(folder)) == (5, whole), "what is hidden is not opened"
    (folder / "b.json").rename(folder / "d.json")
    assert Fingerprints().of(str(folder)) != (5, whole)


def test_what_is_no_regular_file_has_none_and_is_no_part_of_a_folder(folder: Path, tmp_path: Path) -> None:
    before = Fingerprints().of(str(folder))
    os.mkfifo(folder / "pipe")
    (folder / "endless").symlink_to("/dev/zero")
    (folder / "loop").symlink_to("loop")
    (folder / "around").symlink_to(tmp_path)
    assert Fingerprints().of(str(folder)) == before
    for name in ("pipe", "endless", "loop", "nothing", "n" * 300, "\0"):
        assert Fingerprints().of(str(folder / name)) is None, name


def test_beyond_the_bounds_there_is_none(folder: Path) -> None:
    assert Fingerprints(most_bytes=5).of(str(folder)) is not None
    assert Fingerprints(most_bytes=4).of(str(folder)) is None
    assert Fingerprints(most_files=2).of(str(folder)) is not None
    assert Fingerprints(most_files=1).of(str(folder)) is None
    assert Fingerprints(most_bytes=0).of("/dev/zero") is None


@pytest.mark.parametrize("fingerprints", [Fingerprints(most_bytes=5), Fingerprints(most_files=2)])
def test_the_bounds_are_for_all_of_them_together(folder: Path, fingerprints: Fingerprints) -> None:
    file = str(folder / "b.json")
    assert [fingerprints.of(file) is not None for _ in range(4)] == [True, True, False, False]
    assert fingerprints.of(str(folder)) is None


def test_who_makes_them_may_end_it(folder: Path) -> None:
    def end() -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError):
        Fingerprints(end).of(str(folder))
