"""Glaze's backups, written here as the application writes them: no real file is here."""

import json
from typing import Any

import pytest

from inspector.formats.glaze.backup import FORMAT
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError

CARD = {"id": "k1", "name": "Mara", "description": "Keeps the lighthouse.", "first_mes": "Who is there?"}
GREETING = {"role": "char", "text": "Who is there?", "timestamp": 1_700_000_000_000, "swipes": [], "swipeId": 0}
ASKED = {"role": "user", "text": "Me.", "timestamp": 1_700_000_001_000, "persona": {"name": "Ann"}}
ANSWERED = {
    "role": "char",
    "text": "Come in.",
    "timestamp": 1_700_000_002_000,
    "reasoning": "Hm",
    "swipes": ["Go away.", "Come in."],
    "swipeId": 1,
}
HIDDEN = {"role": "system", "text": "Aside.", "isHidden": True}
BOOK = {"id": "memorybook_1", "entries": [{"id": "e", "content": "Ann came in the storm.", "keys": ["storm"]}]}
BACKUP: dict[str, Any] = {
    "_isGlazeBackup": True,
    "_glazeVersion": 1,
    "keyvalue": {
        "gz_chat_k1": {
            "currentId": 1,
            "sessions": {"1": [GREETING, ASKED, ANSWERED, HIDDEN], "2": []},
            "memoryBooks": {"1": {**BOOK, "settings": {"generationApiKey": "a secret"}}},
        },
        "gz_unread": {},
    },
    "characters": [CARD],
    "personas": [{"id": "p", "name": "Ann", "prompt": "A sailor."}],
    "localStorage": {"gz_api_key": "a secret"},
}


def load(value: Any) -> Workspace:
    source = FileSource("backup.glz", json.dumps(value).encode())
    assert rank_formats(source, built_in_formats())[0][0] is FORMAT
    return FORMAT.load(source)


def test_characters_personas_chats_and_memories() -> None:
    workspace = load(BACKUP)
    mara, ann = workspace.characters
    assert (mara.name, mara.greeting) == ("Mara", "Who is there?")
    assert ann.profile is not None
    assert (ann.profile.name, ann.profile.facts) == ("Ann", ("A sailor.",))
    (chat,) = workspace.conversations
    assert [(one.role, one.name, one.content) for one in chat.messages] == [
        ("assistant", "Mara", "Who is there?"),
        ("user", "Ann", "Me."),
        ("assistant", "Mara", "Come in."),
        ("system", "", "Aside."),
    ]
    assert chat.messages[2].reasoning == "Hm"
    assert chat.messages[3].excluded
    assert chat.tree is not None
    assert "Go away." in {one.content for one in chat.tree.messages}
    assert [memory.content for memory in workspace.memory_sets[0].memories] == ["Ann came in the storm."]
    assert "secret" not in repr(workspace)


def test_the_shown_version_stands_in_its_own_place() -> None:
    first = {**ANSWERED, "text": "Go away.", "swipeId": 0}
    (chat,) = load({**BACKUP, "keyvalue": {"gz_chat_k1": {"sessions": {"1": [ASKED, first]}}}}).conversations
    assert chat.tree is not None
    assert [one.content for one in chat.tree.messages] == ["Me.", "Go away.", "Come in."]
    assert chat.messages[-1].content == "Go away."


def test_older_backups_have_all_chats_under_one_key() -> None:
    old = {"gz_chats": {"k1": {"sessions": {"1": [ASKED]}}}}
    assert [one.content for one in load({**BACKUP, "keyvalue": old}).conversations[0].messages] == ["Me."]


def test_bad_messages_leave_the_others() -> None:
    odd = [5, {"role": "oracle", "text": "?"}, {"role": "user", "text": None}, ASKED]
    workspace = load({**BACKUP, "keyvalue": {"gz_chat_x": {"sessions": {"1": odd}}}})
    assert [one.content for one in workspace.conversations[0].messages] == ["Me."]
    places = [problem.place for problem in workspace.problems if problem.severity == "error"]
    assert places == [f"$.keyvalue.gz_chat_x.sessions.1[{number}]" for number in range(3)]


def test_an_empty_backup_is_refused() -> None:
    with pytest.raises(UnreadableError, match="expected characters, personas or chats of Glaze"):
        FORMAT.load(FileSource("x.glz", b'{"_isGlazeBackup": true}'))


def test_memories_are_of_their_session_and_lore_is_of_its_character() -> None:
    book = {"entries": [{"keys": ["sea"], "content": "It is deep.", "extensions": {}}]}
    cards = [{**CARD, "id": name, "name": name, "character_book": book} for name in ("k1", "k2", "silent")]
    keyvalue = {
        f"gz_chat_k{number}": {"sessions": {"1": [ASKED]}, "memoryBooks": {"1": BOOK} if number == 1 else {}}
        for number in (1, 2)
    }
    workspace = load({**BACKUP, "characters": cards, "keyvalue": keyvalue})
    first, second = ((talk.id,) for talk in workspace.conversations)
    assert [one.conversations for one in workspace.memory_sets] == [first]
    assert [one.conversations for one in workspace.lorebooks] == [first, second, ()]
