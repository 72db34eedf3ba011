"""Which files are sources: those that were opened, by whatever name, and what is around or beside them."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from inspector.formats import load_workspace
from inspector.model import Problem, Source, Workspace, changed
from inspector.sources import SourceProtectedError, files_of, is_opened
from inspector.writing import write_file

Name = Callable[[Path], Path | str]


def hard_link(file: Path) -> Path:
    os.link(file, file.with_name("hard"))
    return file.with_name("hard")


def symbolic_link(file: Path) -> Path:
    file.with_name("soft").symlink_to(file.name)
    return file.with_name("soft")


def through_a_linked_folder(file: Path) -> Path:
    (file.parent.parent / "elsewhere").symlink_to(file.parent)
    return file.parent.parent / "elsewhere" / file.name


def in_other_words(file: Path) -> str:
    return f"{file.parent}/../{file.parent.name}/./{file.name}"


def by_text(file: Path) -> str:
    return str(file)


NAMES = [Path, by_text, in_other_words, hard_link, symbolic_link, through_a_linked_folder]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "chats" / "a.json"
    file.parent.mkdir()
    file.write_text("precious")
    return file


@pytest.mark.parametrize("name", NAMES)
def test_an_opened_file_is_refused_by_every_name(source: Path, name: Name) -> None:
    target = name(source)
    assert is_opened([source], target)
    assert is_opened([target], source)
    with pytest.raises(SourceProtectedError, match="is one of the opened files"):
        write_file(target, "new", [source])
    assert source.read_text() == "precious"


@pytest.mark.parametrize("name", NAMES)
def test_an_archive_around_an_opened_file_is_refused_by_every_name(source: Path, name: Name) -> None:
    assert is_opened([f"{source}/folder/conversations.json"], name(source))


@pytest.mark.parametrize("name", NAMES)
def test_a_folder_above_an_opened_file_is_refused(source: Path, name: Name) -> None:
    with pytest.raises(OSError, match=r"opened|directory"):
        write_file(Path(name(source)).parent, "new", [source])


@pytest.mark.parametrize("ending", ["-wal", "-shm", "-journal"])
def test_the_log_beside_a_database_is_a_source_too(source: Path, ending: str) -> None:
    log = source.with_name(source.name + ending)
    assert is_opened([source], log), "before it is there, too: the database would read it"
    log.write_bytes(b"log")
    assert is_opened([source], log)
    assert not is_opened([source], source.with_name(f"b.json{ending}"))


def test_other_files_are_free(source: Path) -> None:
    other = source.with_name("b.json")
    assert not is_opened([source, source.parent, "", "nowhere", "http://127.0.0.1:6333"], other)
    other.write_text("precious")
    assert not is_opened([source, source.parent, "", "nowhere", "http://127.0.0.1:6333"], other)


def test_a_source_that_is_gone_is_not_made_anew(source: Path) -> None:
    source.unlink()
    assert is_opened([source], in_other_words(source))


def test_the_same_spelt_in_other_case_is_the_same_where_the_system_says_so(source: Path) -> None:
    other = source.with_name("A.JSON")
    assert is_opened([source], other) == other.exists()


def test_files_that_could_not_be_read_are_sources(tmp_path: Path) -> None:
    broken = Problem("b.json", "", "is broken")
    held = Workspace(sources=(Source("a.json", "openai"),), problems=(broken, changed(broken, place="$")))
    assert files_of(held) == ["a.json", "b.json"]
    (tmp_path / "chat.json").write_text('[{"role": "user", "content": "hello"}]')
    (tmp_path / "broken.json").write_text('[{"role": ')
    (tmp_path / "note.txt").write_text("a note")
    files = {Path(file).name for file in files_of(load_workspace([tmp_path]))}
    assert files == {"chat.json", "broken.json", "note.txt"}
