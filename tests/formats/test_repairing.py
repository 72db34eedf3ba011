"""Broken JSON: its repair is offered, done where a person asks for it, and marked; the file stays as it is."""

import json
from pathlib import Path

import pytest

from inspector.formats import load_workspace
from inspector.formats.unknown import MOST_BYTES
from tests.reading.zips import zipped

_BROKEN = '[{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"},, ]'
_CUT = '{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hel'


@pytest.mark.parametrize("content", [_CUT, _CUT.replace('"role"', "role"), '{"messages": [' + _BROKEN[1:-1] + "}"])
def test_a_repair_is_offered_and_never_done_unasked(tmp_path: Path, content: str) -> None:
    path = tmp_path / "chat.json"
    path.write_text(content)
    workspace = load_workspace([path])
    assert not workspace.sources
    (problem,) = workspace.problems
    assert problem.repairable
    assert problem.severity == "error"
    assert "it can be repaired" in problem.message


def test_what_is_repaired_says_so_and_leaves_the_file(tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    path.write_text(_CUT)
    workspace = load_workspace([path], repairs=[str(path)])
    assert [(source.format, source.repaired) for source in workspace.sources] == [("openai", True)]
    assert [message.content for message in workspace.conversations[0].messages] == ["Hi", "Hel"]
    (problem,) = workspace.problems
    assert (problem.severity, problem.repairable) == ("warning", False)
    assert "was repaired" in problem.message
    assert problem.place.startswith("line 1, column")
    assert path.read_text() == _CUT


def test_only_the_files_that_were_named_are_repaired(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.json").write_text(_CUT)
    workspace = load_workspace([tmp_path], repairs=[str(tmp_path / "b.json")])
    assert [(Path(source.path).name, source.repaired) for source in workspace.sources] == [("b.json", True)]
    assert [problem.repairable for problem in workspace.problems] == [True, False]


@pytest.mark.parametrize(
    "content",
    [b"[" * 100_000, b'{"a": ' * 3_000, b"words", b"", b"\x89PNG\r\n\x1a\n", b"PK\x03\x04" + bytes(60), b"a: [1\nb"],
)
def test_what_is_no_json_or_is_nested_too_deep_is_not_repaired(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "chat.json"
    path.write_bytes(content)
    for repairs in ((), (str(path),)):
        workspace = load_workspace([path], repairs=repairs)
        assert not workspace.sources
        assert all(not source.repaired for source in workspace.sources)


def test_a_large_file_is_not_repaired(tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    path.write_text(_CUT[:-3] + "x" * MOST_BYTES)
    workspace = load_workspace([path], repairs=[str(path)])
    assert not workspace.sources
    assert not any(problem.repairable for problem in workspace.problems)


def test_what_is_whole_is_not_repaired_though_it_was_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    path.write_text(json.dumps([{"role": "user", "content": "Hi"}]))
    (source,) = load_workspace([path], repairs=[str(path)]).sources
    assert not source.repaired


def test_a_member_of_an_archive_is_repaired_too(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(zipped({"chat.json": _CUT.encode()}))
    member = f"{path}/chat.json"
    assert not load_workspace([path]).sources
    assert [source.path for source in load_workspace([path], repairs=[member]).sources] == [member]
