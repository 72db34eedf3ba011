"""Opening files, folders and archives: what is opened, what is said of the rest."""

import json
from pathlib import Path

import pytest

from inspector.formats import load_file, load_workspace
from inspector.model import Workspace
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
    assert [source.path for source in workspace.sources] == [f"{path}/one.json"]
    assert workspace.conversations[0].origin == f"{path}/one.json"
    assert sorted(severities(workspace)) == ["error", "info", "info"]


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
    monkeypatch.setattr("inspector.formats.opening.MAX_FILE_BYTES", 10)
    assert "at most 10" in load_workspace([path]).problems[0].message


def test_native_origin_that_is_written_stays(tmp_path: Path) -> None:
    value = {
        **_NATIVE,
        "conversations": [{"id": "a", "messages": [], "origin": "old.json"}, {"id": "b", "messages": []}],
    }
    path = tmp_path / "w.json"
    path.write_text(json.dumps(value))
    assert [one.origin for one in load_workspace([path]).conversations] == ["old.json", str(path)]
