"""Chats of a large export of Claude.ai: listed by their headings as they are when all are read, and read one by one."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw

from inspector.formats.claude.chat import heading_in, heading_of
from tests.formats.claude.test_claude_export import CLAUDE, MEMORIES, PROJECT, ROOT, chat, message
from tests.formats.listed_files import check_listed_is_read, listed, written
from tests.reading.zips import zipped

SAID = message("u", "human", "Hi")
FILE = {"file_name": "notes.md", "extracted_content": "Pier 1"}
BRANCHES = chat(
    message("u", "human", "Hi", parent_message_uuid=ROOT),
    message("a", "assistant", "Ho", parent_message_uuid="u"),
    message("b", "assistant", "Again", parent_message_uuid="u"),
)
CHATS = {
    "plain": CLAUDE,
    "branches": BRANCHES,
    "without a name": chat(SAID, name="", summary="About piers\nand more"),
    "without anything": {"chat_messages": [SAID]},
    "empty": chat(),
    "of a project": chat(SAID, project_uuid="p", model="claude-opus-4"),
    "of a named project": {**chat(SAID, name=None), "project": {"uuid": "p", "name": "Harbour"}},
    "with a file": chat(message("u", "human", "Hi", attachments=[FILE])),
    "a bad message": chat(SAID, message("w", "wizard", "Ho"), 5),  # type: ignore[arg-type]
    "escapes": chat(SAID, name="a\0b"),
}
UNUSUAL = {
    "a name that is none": chat(SAID, name=5),
    "messages that are none": {"uuid": "c", "name": "T", "chat_messages": {"a": 1}},
    "a project of its own": {**PROJECT, **CLAUDE},
    "a design chat": {"uuid": "d", "project": {"uuid": "p"}, "messages": [{"uuid": "m", "content": {"role": "user"}}]},
    "a project": PROJECT,
    "memories": MEMORIES,
    "a number": 5,
    "text": '{"chat_messages": []}',
}


@pytest.mark.parametrize("name", CHATS)
def test_a_heading_is_that_of_the_chat_that_was_read(name: str) -> None:
    assert heading_in(Raw(json.dumps(CHATS[name]).encode())) == heading_of(CHATS[name])


@pytest.mark.parametrize("name", UNUSUAL)
def test_of_what_is_no_plain_chat_nothing_is_concluded(name: str) -> None:
    assert heading_in(Raw(json.dumps(UNUSUAL[name]).encode())) is None


def test_the_files_of_a_single_chat_are_there_at_once(tmp_path: Path) -> None:
    part = check_listed_is_read(written(tmp_path, CHATS["with a file"]))
    assert [one.content for one in part.workspace.attachments] == ["Pier 1"]


def test_problems_of_messages_are_told_with_their_places_when_all_is_read(tmp_path: Path) -> None:
    part = listed(written(tmp_path, CLAUDE, 5, CHATS["a bad message"], BRANCHES))
    assert [one.place for one in part.workspace.problems] == ["$[1]"]
    places = [one.place for one in part.completed().workspace.problems]
    assert places == ["$[1]", "$[2].chat_messages[1].sender", "$[2].chat_messages[2]", ""]


def test_a_key_that_stands_twice_is_told_as_before(tmp_path: Path) -> None:
    file = tmp_path / "conversations.json"
    file.write_text('[{"uuid": "a", "name": "T", "name": "U", "chat_messages": []}, {"chat_messages": []}]')
    part = check_listed_is_read(file)
    assert [one.message for one in part.workspace.problems] == [
        'the key "name" stands twice in one object; the last one counts'
    ]


def test_the_archive_is_listed_as_one_export(tmp_path: Path) -> None:
    file = tmp_path / "export.zip"
    chats = [CLAUDE, CHATS["of a project"], BRANCHES]
    members = {"conversations.json": chats, "projects.json": [PROJECT], "memories.json": [MEMORIES]}
    file.write_bytes(zipped({name: json.dumps(value).encode() for name, value in members.items()}))
    part = check_listed_is_read(file)
    assert len(part.workspace.conversations) == 3
    assert [one.conversations for one in part.workspace.memory_sets] == [None, (part.workspace.conversations[1].id,)]


def test_many_real_chats_in_one_file_are_listed_as_they_are_read(data_folder: Path, tmp_path: Path) -> None:
    values: list[Any] = []
    for file in sorted((data_folder / "claude_ai").rglob("*.json")):
        held = json.loads(file.read_bytes())
        values += held if isinstance(held, list) else [held]
    chats = [{**one, "uuid": f"c{number}"} for number, one in enumerate(values * 3)]
    part = check_listed_is_read(written(tmp_path, *chats))
    assert part.whole is not None
    assert len(part.workspace.conversations) > 20
