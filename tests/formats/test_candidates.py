"""Which formats a file may have: one is sure of each real file, and none of what only looks like one."""

import json
from pathlib import Path

import pytest

from inspector.formats import FileSource, Format, built_in_formats, load_workspace, look
from inspector.formats.registry import candidates
from inspector.model import Workspace
from inspector.testing.look_alikes import LOOK_ALIKES
from tests.reading.zips import zipped

_CHAT = json.dumps([{"role": "user", "content": "Hi"}]).encode()
_SURELY = 0.9  # of two general layouts one may be possible beside the other
# A card without text, a message whose role nobody knows, and an export with 10 texts in 557 messages.
_ONLY_POSSIBLE = {
    *("puro.png", "wrong_types.json", "redacted_2023_invalid_json.json", "probing_questions_en.jsonl"),
    "owi_claude_example.json",
}

# The marks of a format, with values that no file of it has.
_NEAR_MISSES = {
    "a map of places": {"mapping": {"home": "12 Elm Street"}, "current_node": "home"},
    "mapping that is text": {"mapping": "a map", "current_node": 1},
    "chats of nobody": {"chat_messages": 5},
    "messages of another kind": {"messages": ["Hi", "Ho"], "title": "x"},
    "letters": [{"from": "ann@example.org", "to": "bob@example.org", "subject": "Tea"}],
    "contents of a box": {"contents": ["plates", "cups"], "candidates": []},
    "entries of a diary": {"entries": [{"date": "2024-01-01", "mood": "fine"}]},
    "a history of prices": {"history": {"messages": "none", "currentId": 5}},
    "a parcel": {"trace": "1Z999", "observations": "left at the door"},
    "a chemical session": {"sessionId": 5, "messages": {"a": 1}},
    "people and nothing": {"Ann": {"name": "Ann"}, "Bob": {"name": "Bob"}},
    "a recipe": {"instruction": ["boil"], "input": "water"},
    "results of a race": {"results": [{"runner": "Ann", "place": 1}]},
    "a package": {"name": "left-pad", "version": "1.0.0", "description": "Pads.", "data": {}, "dependencies": {}},
    "points of a game": {"points": [{"x": 1, "y": 2}]},
    "estate agents": {"agents": [{"name": "Ann", "phone": "555"}]},
    "facts alone": {"facts": ["Tea is hot."]},
    "a spec of something": {"spec": "openapi_v3", "data": {"paths": {}}},
}


def seen(content: bytes) -> list[tuple[str, bool]]:
    return [(one.format.name, one.is_sure) for one in candidates(FileSource("x", content), built_in_formats())[0]]


def test_one_format_is_sure_of_each_real_file(data_folder: Path) -> None:
    for path in sorted(path for path in data_folder.rglob("*") if path.is_file()):
        found, problems = candidates(FileSource(str(path), path.read_bytes()), built_in_formats())
        names = [(one.format.name, one.sureness) for one in found]
        assert not problems, path.name
        assert sum(one.sureness >= _SURELY for one in found) <= 1, (path.name, names)
        assert not found or found[0].is_sure != (path.name in _ONLY_POSSIBLE), (path.name, names)
        assert not any(one.is_sure for one in found[1:]), (path.name, names)


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_of_what_looks_like_a_chat_at_most_one_format_is_sure(name: str) -> None:
    found = seen(LOOK_ALIKES[name])
    sure = [one for one in found if one[1]]
    assert len(sure) <= 1
    if name.startswith(("JSON of another", "an empty", "noise", "a text", "YAML", "objects nested", "NUL", "JSON nes")):
        assert not found


@pytest.mark.parametrize("name", _NEAR_MISSES)
def test_nobody_is_sure_of_what_only_has_the_keys_of_a_format(name: str) -> None:
    for value in (_NEAR_MISSES[name], [_NEAR_MISSES[name]] * 2):
        assert not any(is_sure for _, is_sure in seen(json.dumps(value).encode()))
    lines = b"".join(json.dumps(_NEAR_MISSES[name]).encode() + b"\n" for _ in range(3))
    assert not any(is_sure for _, is_sure in seen(lines))


def test_of_two_that_are_as_sure_neither_is_and_one_that_is_hardly_sure_is_possible() -> None:
    def of(name: str, sureness: float) -> Format:
        return Format(name, name.title(), lambda _: sureness, lambda _: Workspace(), sign=f"the sign of {name}")

    found, _ = candidates(FileSource("x", b"x"), [of("a", 0.9), of("b", 0.9), of("c", 0.5), of("d", 0)])
    assert [(one.format.name, one.is_sure) for one in found] == [("a", False), ("b", False), ("c", False)]
    found, _ = candidates(FileSource("x", b"x"), [of("c", 0.5), of("a", 0.9)])
    assert [(one.format.name, one.is_sure, one.reason) for one in found] == [
        ("a", True, "the sign of a"),
        ("c", False, "the sign of c"),
    ]
    assert not candidates(FileSource("x", b"x"), [of("c", 0.5)])[0][0].is_sure


def test_every_built_in_format_says_by_what_its_files_are_known() -> None:
    assert [kind.name for kind in built_in_formats() if not kind.sign] == []
    signs = [kind.sign for kind in built_in_formats()]
    assert len({*signs}) == len(signs)


def test_a_look_at_a_folder_lists_every_file_and_every_member(tmp_path: Path) -> None:
    (tmp_path / "chat.json").write_bytes(_CHAT)
    (tmp_path / "note.txt").write_text("Words.")
    (tmp_path / "a.zip").write_bytes(zipped({"in.zip": zipped({"chat.json": _CHAT}), "b.bin": b"\xff\0" * 99}))
    (tmp_path / "scenario.json").write_text('{"format": "prompt-inspector/scenario@1"}')
    found = {Path(one.file).relative_to(tmp_path).as_posix(): one for one in look([tmp_path])}
    assert list(found) == ["a.zip/b.bin", "a.zip/in.zip/chat.json", "chat.json", "note.txt", "scenario.json"]
    assert {name for name, one in found.items() if one.candidates} == {"a.zip/in.zip/chat.json", "chat.json"}
    assert found["chat.json"].candidates[0].is_sure
    assert all(bool(one.words) != bool(one.candidates) for one in found.values())
    assert "file of kind scenario" in found["scenario.json"].words


def test_a_look_names_paths_that_lead_nowhere_and_archives_that_are_damaged(tmp_path: Path) -> None:
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04" + bytes(60))
    nowhere, broken = sorted(look([tmp_path / "nowhere.json", tmp_path / "broken.zip"]), key=lambda one: -len(one.file))
    assert "there is no such file" in nowhere.words
    assert "damaged zip archive" in broken.words


def test_archives_in_archives_are_opened_and_one_that_holds_itself_comes_to_an_end(tmp_path: Path) -> None:
    content = _CHAT
    for _ in range(4):
        content = zipped({"in.zip" if content.startswith(b"PK") else "chat.json": content})
    (tmp_path / "a.zip").write_bytes(content)
    workspace = load_workspace([tmp_path / "a.zip"])
    assert [source.path for source in workspace.sources] == [f"{tmp_path}/a.zip/in.zip/in.zip/in.zip/chat.json"]
    for _ in range(20):
        content = zipped({"in.zip": content})
    (tmp_path / "a.zip").write_bytes(content)
    workspace = load_workspace([tmp_path / "a.zip"])
    (problem,) = workspace.problems
    assert (problem.severity, "an archive inside of 8 others" in problem.message) == ("error", True)
    (found,) = look([tmp_path / "a.zip"])
    assert found.words == problem.message


def test_every_file_that_was_not_opened_is_counted(tmp_path: Path) -> None:
    (tmp_path / "chat.json").write_bytes(_CHAT)
    (tmp_path / "note.txt").write_text("Words.")
    (tmp_path / "broken.json").write_text('{"messages": [')
    (tmp_path / "empty.json").write_text("")
    export = {"conversations.json": json.dumps([{"uuid": "c", "chat_messages": []}]).encode(), "users.json": b"[]"}
    (tmp_path / "export.zip").write_bytes(zipped({**export, "picture.png": b"\x89PNG", "../up.json": b"[]"}))
    workspace = load_workspace([tmp_path])
    unopened = [Path(problem.file).relative_to(tmp_path).as_posix() for problem in workspace.unopened]
    assert sorted(unopened)[:3] == ["broken.json", "empty.json", "export.zip/../up.json"]
    assert "export.zip/picture.png" in unopened
    assert "note.txt" in unopened
    assert not {"chat.json", "export.zip", "export.zip/conversations.json"} & {*unopened}
