"""Files of every format inside of another document: they open as they do alone, and it is said where they were."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_file, look
from inspector.formats.opening import load_unnamed
from inspector.formats.registry import SURE, built_in_formats, candidates
from inspector.model import Workspace
from inspector.reading.source import FileSource
from tests.fuzz.seeds import OTHER, files_by_format

_LARGEST = 100_000  # bytes
_OURS = ("native", "probes", OTHER)
WRAPS: dict[str, Callable[[Any], Any]] = {
    "a key": lambda value: {"data": value},
    "keys": lambda value: {"exported_at": "2026-01-02T03:04:05Z", "result": {"items": value}},
    "text": lambda value: {"ok": True, "stored": json.dumps(value)},
}


@cache
def examples() -> dict[str, tuple[Any, ...]]:
    """The values of the JSON files that a format is sure of and that hold messages; of lines, all of them."""
    found: dict[str, tuple[Any, ...]] = {}
    for kind, files in files_by_format().items():
        values = [_value(file.data) for file in files if len(file.data) <= _LARGEST] if kind not in _OURS else []
        spoken = tuple(
            value for value in values if isinstance(value, list | dict) and _is_sure(value) and said(opened(value))
        )
        if spoken:
            found[kind] = spoken
    return found


def _is_sure(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # halves of pairs, which no JSON within JSON has
        return False
    found, _ = candidates(FileSource("x", json.dumps(value).encode()), built_in_formats())
    return bool(found) and found[0].is_sure


def _value(data: bytes) -> Any:
    """The JSON of a file, or of all its lines; None for other files, and for JSON that only this program repairs."""
    try:
        return json.loads(data)
    except ValueError:
        pass
    try:
        return [json.loads(line) for line in data.splitlines() if line.strip()] or None
    except ValueError:
        return None


def opened(value: Any) -> Workspace:
    return load_unnamed(json.dumps(value).encode(), "x.json").workspace


def said(workspace: Workspace) -> list[tuple[str, str]]:
    return [(one.role, one.content) for chat in workspace.conversations for one in chat.messages if one.content]


@pytest.mark.parametrize("kind", sorted(files_by_format()))
@pytest.mark.parametrize("wrap", WRAPS)
def test_a_wrapped_file_is_what_it_is_alone(kind: str, wrap: str) -> None:
    for value in examples().get(kind, ()):
        alone, inside = opened(value), opened(WRAPS[wrap](value))
        assert said(inside) == said(alone), [one.message for one in inside.problems]
        assert [one.format for one in inside.sources] == [one.format for one in alone.sources]


def test_most_formats_are_wrapped_here() -> None:
    assert len(examples()) > 80


RECORDS = [
    {"type": "user", "uuid": "a", "sessionId": "s", "message": {"role": "user", "content": "Where are we?"}},
    {"type": "user", "uuid": "b", "parentUuid": "a", "sessionId": "s", "message": {"role": "user", "content": 3}},
]


@pytest.mark.parametrize(
    ("lines", "value"),
    [
        (True, [{"ts": 1, "entry": one} for one in RECORDS]),
        (False, {"log": {"version": 1, "entries": RECORDS}}),
        (False, {"log": {"version": 1, "entries": json.dumps(RECORDS)}}),
    ],
)
def test_places_are_those_of_the_whole_file(lines: bool, value: Any, tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text("\n".join(map(json.dumps, value)) if lines else json.dumps(value))
    workspace = load_file(file)
    assert [one.format for one in workspace.sources] == ["claude_code"]
    assert said(workspace)[0] == ("user", "Where are we?")
    path = "$.entry" if lines else "$.log.entries"
    assert any(
        f"inside of another document, at {path}; beside it, not read: " in one.message for one in workspace.problems
    )
    places = [one.place for one in workspace.problems if one.place and "content" in one.place]
    assert places
    wanted = "line 2: $.entry.message" if lines else "$.log.entries[1].message"
    assert all(place.startswith((wanted, "line 2: $.log.entries")) for place in places), places


def test_lines_without_the_document_are_counted() -> None:
    values = [*({"entry": one} for one in RECORDS * 10), {"note": "none"}, {"entry": RECORDS[1]}]
    data = "\n".join(map(json.dumps, values)).encode()
    found = load_unnamed(data, "x.jsonl").workspace
    assert any(one.place.startswith("line 22: $.entry.message") for one in found.problems)
    assert any("1 line without it left out" in one.message for one in found.problems)


def test_what_a_file_may_be_is_told_of_the_document_inside(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(json.dumps({"data": {"records": RECORDS}}))
    (found,) = look([tmp_path / "x.json"])
    assert [one.format.name for one in found.candidates][:1] == ["claude_code"]
    (tmp_path / "y.json").write_text(json.dumps({"data": {"rows": [{"a": 1}, {"a": 2}]}}))
    (found,) = look([tmp_path / "y.json"])
    assert found.candidates == ()


def test_a_small_part_of_a_document_is_not_taken_for_it() -> None:
    beside = {"settings": {"theme": "dark", "sizes": list(range(2_000))}, "chats": {"records": RECORDS}}
    assert [one.format for one in opened(beside).sources] != ["claude_code"]


def test_a_document_that_a_format_is_sure_of_is_not_looked_into() -> None:
    value = {"messages": [{"role": "user", "content": json.dumps({"records": RECORDS})}]}
    found, _ = candidates(FileSource("x", json.dumps(value).encode()), built_in_formats())
    assert found[0].sureness >= SURE
    assert len(said(opened(value))) == 1
