"""Opening files, folders and archives: what is opened, what is said of the rest."""

import json
import logging
import os
import zipfile
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_file, load_workspace
from inspector.model import Workspace
from inspector.reading.source import FileSource
from tests.reading.zips import zipped

_CHAT = json.dumps([{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"}])
_NATIVE = {"format": "prompt-inspector/workspace@1"}


def severities(workspace: Workspace) -> list[str]:
    return [problem.severity for problem in workspace.problems]


def test_everything_names_the_file_it_came_from(tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    path.write_text(_CHAT)
    workspace = load_workspace([path])
    assert workspace.problems == ()
    assert [(source.path, source.format) for source in workspace.sources] == [(str(path), "openai")]
    assert {thing.origin for thing in (*workspace.conversations, *workspace.characters)} == {str(path)}


def test_ids_are_unique_across_files(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / "chat.json").write_text(_CHAT)
    workspace = load_workspace([tmp_path / "b", tmp_path / "a"])
    assert [one.id for one in workspace.conversations] == ["chat", "chat-2"]
    assert [one.id for one in workspace.characters] == ["system", "system-2"]
    assert severities(workspace) == ["info", "info"]
    assert workspace.problems[0].file == str(tmp_path / "a" / "chat.json")


def test_memory_sets_and_summaries_keep_their_conversations_when_these_get_other_ids(tmp_path: Path) -> None:
    talk = {"id": "c", "messages": [{"id": "m", "role": "user", "content": "Hi"}]}
    named = {"id": "s", "conversations": ["c", "elsewhere"], "memories": [{"id": "k", "content": "Tea"}]}
    told = {"id": "s", "conversations": ["c", "elsewhere"], "summary": "They met"}
    value = {**_NATIVE, "conversations": [talk], "memory_sets": [named], "summaries": [told]}
    for name in "ab":
        (tmp_path / f"{name}.json").write_text(json.dumps(value))
    found = load_workspace([tmp_path / "a.json", tmp_path / "b.json"])
    for things in (found.memory_sets, found.summaries):
        belongs = [(one.id, one.conversations) for one in things]
        assert belongs == [("s", ("c", "elsewhere")), ("s-2", ("c-2", "elsewhere"))]


def test_folder_opens_what_it_knows_and_names_the_rest(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "chat.json").write_text(_CHAT)
    (tmp_path / "deep" / "er" / "chat.json").write_text(_CHAT)
    (tmp_path / "unknown.json").write_text('{"alpha": 1, "beta": 2}')
    (tmp_path / "broken.json").write_text('{"messages": [')
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 20)
    for kind in ("scenario", "inspection", "probes", "assembly"):
        (tmp_path / f"{kind}.json").write_text(json.dumps({"format": f"prompt-inspector/{kind}@1", "x": 1}))
    workspace = load_workspace([tmp_path])
    assert len(workspace.conversations) == 1
    said = {Path(problem.file).name: (problem.severity, problem.message) for problem in workspace.problems}
    assert set(said) == {"unknown.json", "broken.json", "picture.png"}
    assert said["unknown.json"][0] == "info"
    assert "alpha, beta" in said["unknown.json"][1]
    assert said["broken.json"][0] == "warning"


def test_a_named_file_that_gives_nothing_is_an_error(tmp_path: Path) -> None:
    for name, content in (("unknown.json", '{"a": 1}'), ("broken.json", "[1,"), ("empty", ""), ("words.txt", "Words.")):
        (tmp_path / name).write_text(content)
        workspace = load_file(tmp_path / name)
        assert workspace.sources == ()
        assert severities(workspace) == ["error"], name
    (tmp_path / "s.yaml").write_text("format: prompt-inspector/scenario@1\nmodel: gpt-4o")
    assert "scenario" in load_file(tmp_path / "s.yaml").problems[0].message


def test_missing_paths_and_empty_folders_are_errors(tmp_path: Path) -> None:
    workspace = load_workspace([tmp_path / "nowhere", tmp_path])
    assert [(problem.file, problem.severity) for problem in workspace.problems] == [
        (str(tmp_path / "nowhere"), "error"),
        (str(tmp_path), "error"),
    ]


def test_a_file_named_twice_is_opened_once(tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    path.write_text(_CHAT)
    assert len(load_workspace([path, path, tmp_path]).conversations) == 1


def test_archive_is_read_member_by_member(tmp_path: Path) -> None:
    inner = zipped({"x.json": _CHAT.encode()})
    path = tmp_path / "a.zip"
    path.write_bytes(zipped({"one.json": _CHAT.encode(), "note.txt": b"Words.", "in.zip": inner, "../up.json": b"[]"}))
    workspace = load_workspace([path])
    assert [source.path for source in workspace.sources] == [f"{path}/in.zip/x.json", f"{path}/one.json"]
    assert [chat.origin for chat in workspace.conversations] == [f"{path}/in.zip/x.json", f"{path}/one.json"]
    assert {Path(problem.file).name: problem.severity for problem in workspace.problems} == {
        "note.txt": "info",
        "one.json": "info",  # another chat has its id
        "up.json": "error",
    }


def test_progress_rises_to_one(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.json").write_text(_CHAT)
    seen: list[tuple[str, float]] = []
    load_workspace([tmp_path], lambda path, share: seen.append((Path(path).name, share)))
    assert [name for name, _ in seen] == ["a.json", "b.json", "c.json", ""]
    assert [share for _, share in seen] == [0, pytest.approx(1 / 3), pytest.approx(2 / 3), 1]


def test_too_large_a_file_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "chat.json"
    path.write_text(_CHAT)
    monkeypatch.setattr("inspector.formats.one_file.MAX_FILE_BYTES", 10)
    assert "at most 10" in load_workspace([path]).problems[0].message


def test_native_origin_that_is_written_stays(tmp_path: Path) -> None:
    value = {
        **_NATIVE,
        "conversations": [{"id": "a", "messages": [], "origin": "old.json"}, {"id": "b", "messages": []}],
    }
    path = tmp_path / "w.json"
    path.write_text(json.dumps(value))
    assert [one.origin for one in load_workspace([path]).conversations] == ["old.json", str(path)]


def special_paths(folder: Path) -> dict[str, Path]:
    """Paths that stand for no file, by what each of them is said to be."""
    (folder / "loop").symlink_to("loop")
    (folder / "endless.json").symlink_to("/dev/zero")
    (folder / "gone").symlink_to("nowhere")
    os.mkfifo(folder / "pipe")
    return {
        "it is a link that leads back to itself": folder / "loop",
        "is a device; expected a file": folder / "endless.json",
        "there is no such file or folder": folder / "gone",
        "is a pipe; expected a file": folder / "pipe",
    }


needs_special_files = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such files")


@needs_special_files
def test_special_files_that_are_named_are_one_error_each(tmp_path: Path) -> None:
    paths = {
        **special_paths(tmp_path),
        "its name is too long": tmp_path / ("x" * 300),
        "a character that no name can have": tmp_path / "a\0b",
    }
    (tmp_path / "chat.json").write_text(_CHAT)
    workspace = load_workspace([*paths.values(), tmp_path / "chat.json"])
    assert len(workspace.conversations) == 1
    said = {problem.file: problem for problem in workspace.problems}
    assert len(workspace.problems) == len(paths)
    assert severities(workspace) == ["error"] * len(paths)
    for words, path in paths.items():
        assert words in said[str(path)].message


@needs_special_files
def test_special_files_in_a_folder_are_one_warning_each(tmp_path: Path) -> None:
    paths = special_paths(tmp_path)
    (tmp_path / "chat.json").write_text(_CHAT)
    workspace = load_workspace([tmp_path])
    assert len(workspace.conversations) == 1
    assert severities(workspace) == ["warning"] * len(paths)
    said = {problem.file: problem.message for problem in workspace.problems}
    for words, path in paths.items():
        assert words in said[str(path)]


def test_files_that_seem_empty_are_not_opened_in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty").touch()

    def refuse(*_: object) -> bytes:
        raise AssertionError("a file of the system may have no end")

    monkeypatch.setattr("inspector.formats.one_file.read_file", refuse)
    assert "is empty" in load_workspace([tmp_path]).problems[0].message


def test_a_folder_is_listed_up_to_a_number_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector.reading.folders.MAX_FILES", 3)
    for name in "abcde":
        (tmp_path / name).mkdir()
        (tmp_path / name / "chat.json").write_text(_CHAT)
    listed: list[str] = []
    scandir = os.scandir
    monkeypatch.setattr("inspector.reading.folders.os.scandir", lambda path: listed.append(path) or scandir(path))
    workspace = load_workspace([tmp_path])
    assert [Path(source.path).parent.name for source in workspace.sources] == ["a", "b", "c"]
    assert "e" not in {Path(path).name for path in listed}
    assert any("holds more than 3 files" in problem.message for problem in workspace.problems)


def test_a_folder_is_listed_up_to_a_number_of_entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector.reading.folders.MAX_ENTRIES", 10)
    for number in range(20):
        (tmp_path / f".hidden{number}").touch()
    (problem,) = load_workspace([tmp_path]).problems
    assert "0 files of it are opened" in problem.message
    assert problem.severity == "error"


def test_a_folder_that_cannot_be_read_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "chat.json").write_text(_CHAT)
    (tmp_path / "private").mkdir()
    scandir = os.scandir

    def refuse(path: str) -> object:
        if path == str(tmp_path / "private"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr("inspector.reading.folders.os.scandir", refuse)
    workspace = load_workspace([tmp_path])
    assert len(workspace.conversations) == 1
    (problem,) = workspace.problems
    assert (problem.file, problem.severity) == (str(tmp_path / "private"), "warning")
    assert problem.message == "cannot be read: permission denied"
    (problem,) = load_workspace([tmp_path / "private"]).problems
    assert problem.severity == "error"


@pytest.mark.parametrize("damage", ["lzma", "offset", "name"])
def test_one_damaged_archive_leaves_the_rest_of_the_folder(tmp_path: Path, damage: str) -> None:
    (tmp_path / "chat.json").write_text(_CHAT)
    data = bytearray(zipped({"ä.json": _CHAT.encode() * 50}, zipfile.ZIP_LZMA))
    place = {"lzma": data.index("ä.json".encode()) + 16, "offset": data.rindex(b"PK\x05\x06") + 16}.get(damage, 0)
    if damage == "name":
        data = data.replace("ä".encode(), b"\xff\xff")
    else:
        data[place : place + 4] = b"\xff" * 4
    (tmp_path / "damaged.zip").write_bytes(data)
    workspace = load_workspace([tmp_path])
    assert len(workspace.conversations) == 1
    (problem,) = workspace.problems
    assert problem.file.startswith(str(tmp_path / "damaged.zip"))
    assert problem.severity == "warning"
    (problem,) = load_workspace([tmp_path / "damaged.zip"]).problems
    assert problem.severity == "error"


@pytest.mark.parametrize("inside", [False, True], ids=["in a folder", "in an archive"])
def test_a_fault_of_ours_at_one_file_is_its_problem_and_stands_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, inside: bool
) -> None:
    whole = FileSource.shape.func

    def shape(self: FileSource) -> str:
        if b"poison" in self.data:
            raise MemoryError("too much")
        return whole(self)

    property_ = cached_property(shape)
    property_.__set_name__(FileSource, "shape")
    monkeypatch.setattr(FileSource, "shape", property_)
    monkeypatch.setattr(logging.getLogger("inspector"), "propagate", True)
    if inside:
        (tmp_path / "a.zip").write_bytes(
            zipped({"a.json": b"[1]", "b.json": b'["poison"]', "chat.json": _CHAT.encode()})
        )
    else:
        (tmp_path / "b.json").write_text('["poison"]')
        (tmp_path / "chat.json").write_text(_CHAT)
    workspace = load_workspace([tmp_path])
    assert len(workspace.conversations) == 1
    (problem,) = (problem for problem in workspace.problems if problem.severity != "info")
    assert problem.file.endswith("b.json")
    assert "by a fault of this program: MemoryError: too much" in problem.message
    assert any(record.exc_info for record in caplog.records)


def test_what_needs_more_memory_than_is_left_is_said_with_figures_and_the_rest_is_opened(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps([{"role": "user", "content": "x" * 300_000}] * 2))
    for name in "bc":
        (tmp_path / f"{name}.json").write_text(_CHAT)
    workspace = load_workspace([tmp_path], opening_bytes=1_000_000)
    assert [Path(source.path).name for source in workspace.sources] == ["b.json", "c.json"]
    (problem,) = (problem for problem in workspace.problems if problem.severity != "info")
    assert (Path(problem.file).name, problem.severity) == ("a.json", "warning")
    assert problem.message.startswith("its values would take about 1.2 MB of memory; an opening may take 1.0 MB in all")
    assert len(load_workspace([tmp_path], opening_bytes=10_000_000).sources) == 3


def test_a_file_that_is_larger_than_the_memory_is_not_even_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "chat.json"
    path.write_text(_CHAT)
    monkeypatch.delattr("inspector.formats.one_file.read_file")
    (problem,) = load_workspace([path], opening_bytes=20).problems
    assert problem.message.startswith(f"it would take {len(_CHAT)} bytes of memory; an opening may take 20 bytes")


def test_of_many_files_beyond_the_memory_the_first_are_listed(tmp_path: Path) -> None:
    for number in range(50):
        (tmp_path / f"{number:02}.json").write_text(_CHAT)
    workspace = load_workspace([tmp_path], opening_bytes=10)
    found = severities(workspace)
    assert [found.count(severity) for severity in ("warning", "info", "error")] == [20, 31, 1]
    assert "31 more files need more memory" in next(one.message for one in workspace.problems if not one.unopened)
    assert len(workspace.unopened) == 50


def test_memory_is_free_again_after_a_file_of_which_nothing_came(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / f"{number:02}.json").write_text(json.dumps({"a": [[] for _ in range(1_000)]}))
    (tmp_path / "chat.json").write_text(_CHAT)
    workspace = load_workspace([tmp_path], opening_bytes=600_000)
    assert len(workspace.sources) == 1
    assert set(severities(workspace)) == {"info"}


def test_members_of_an_archive_are_freed_one_after_another(tmp_path: Path) -> None:
    chat = json.dumps([{"role": "user", "content": "x" * 100_000}]).encode()
    (tmp_path / "a.zip").write_bytes(zipped({f"{number}.bin": b"\xff\0" * 40_000 for number in range(9)} | {"z": chat}))
    workspace = load_workspace([tmp_path / "a.zip"], opening_bytes=1_000_000)
    assert len(workspace.conversations) == 1
    assert set(severities(workspace)) == {"info"}


def test_an_archive_that_unpacks_to_too_much_is_opened_as_far_as_that_goes(tmp_path: Path) -> None:
    chat = json.dumps([{"role": "user", "content": "x" * 100_000}]).encode()
    (tmp_path / "a.zip").write_bytes(zipped({f"{number}.json": chat for number in range(9)}))
    workspace = load_workspace([tmp_path / "a.zip"], opening_bytes=1_000_000)
    assert 0 < len(workspace.conversations) < 9
    assert len(workspace.conversations) + len(workspace.problems) == 9
    assert all("of memory; an opening may" in problem.message for problem in workspace.problems)
    assert load_workspace([tmp_path / "a.zip"]).problems == ()


def test_what_an_unknown_file_holds_is_outlined_in_few_words(tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_text("[" * 900 + "]" * 900)
    (tmp_path / "wide.json").write_text(json.dumps({"k" * 100_000: 1}))
    for name in ("deep", "wide"):
        (problem,) = load_file(tmp_path / f"{name}.json").problems
        assert "is not a format that this program knows" in problem.message
        assert len(problem.message) < 300


def test_an_archive_of_many_files_is_listed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.zip").write_bytes(zipped({f"{number}.json": _CHAT.encode() for number in range(20)}))
    listed: list[object] = []

    class Counted(zipfile.ZipFile):
        def __init__(self, file: Any) -> None:
            listed.append(file)
            super().__init__(file)

    monkeypatch.setattr(zipfile, "ZipFile", Counted)
    assert len(load_workspace([tmp_path / "a.zip"]).conversations) == 20
    assert len(listed) == 1


@pytest.mark.skipif(os.name == "nt", reason="names of this system are text")
def test_names_that_are_no_text_can_be_shown_and_saved(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff\xfe.json"
    with open(path, "wb") as file:
        file.write(_CHAT.encode())
    workspace = load_workspace([tmp_path])
    assert os.fsencode(workspace.sources[0].path) == path
    (conversation,) = workspace.conversations
    assert f"{conversation.id} {conversation.origin}".encode()


def test_a_tool_that_is_nested_too_deep_to_be_written_is_left_out(tmp_path: Path) -> None:
    deep = '{"a":' * 400 + "1" + "}" * 400
    tools = '[{"name": "first"}, ' + deep + ', {"name": "last"}]'
    file = tmp_path / "a.json"
    file.write_text(f'{{"format": "prompt-inspector/workspace@1", "tools": {tools}}}')
    workspace = load_workspace([str(file)])
    assert [tool.schema for tool in workspace.tools] == [{"name": "first"}, {"name": "last"}]
    assert [(problem.place, "150 levels" in problem.message) for problem in workspace.problems] == [("tool 2", True)]
