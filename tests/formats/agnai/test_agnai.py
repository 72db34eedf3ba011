"""Agnai's memory books, chats and characters. Of the last two there is no real file here; those are written as the
application writes them."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_workspace
from inspector.formats.agnai import files as agnai
from inspector.formats.lore.foreign import KEPT
from inspector.model import Conversation, Workspace
from inspector.reading.source import FileSource, UnreadableError

ENTRY: dict[str, Any] = {
    "name": "Sword",
    "entry": "A blade",
    "keywords": ["sword", "blade"],
    "priority": 10,
    "weight": 5,
    "enabled": True,
}
BOOK: dict[str, Any] = {"kind": "memory", "_id": "b", "name": "Book", "userId": "u", "entries": [ENTRY]}


def message(id_: str, parent: str | None, msg: Any, **more: Any) -> dict[str, Any]:
    return {"_id": id_, "parent": parent, "msg": msg, "createdAt": "2026-01-02T03:04:05Z", **more}


ASKED = message("aaaaaaaa", None, "Hi", userId="u", handle="Ana")
ANSWERED = message("bbbbbbbb", "aaaaaaaa", "Ho", characterId="imported", name="Mara", retries=["Hey", "Ho"])
CHAT: dict[str, Any] = {
    "name": "Exported",
    "greeting": "Hello.",
    "sampleChat": "",
    "scenario": "A harbour.",
    "treeLeafId": "bbbbbbbb-1234",
    "messages": [ASKED, ANSWERED],
}
CHARACTER: dict[str, Any] = {
    "kind": "character",
    "name": "Mara",
    "greeting": "Hello.",
    "scenario": "A harbour.",
    "sampleChat": "{{char}}: Ho",
    "systemPrompt": "Be kind.",
    "persona": {"kind": "boostyle", "attributes": {"species": ["human"], "job": ["keeper", "guide"]}},
    "characterBook": BOOK,
}


def load(value: Any) -> Workspace:
    source = FileSource("x/agnai.json", json.dumps(value).encode())
    assert agnai.sniff(source) > 0.9
    return agnai.load(source)


def said(conversation: Conversation) -> list[tuple[str, str]]:
    return [(one.role, one.content) for one in conversation.messages]


def test_a_memory_book_keeps_what_our_model_cannot_say() -> None:
    workspace = load(BOOK)
    (book,) = workspace.lorebooks
    (entry,) = book.entries
    assert (book.id, entry.title, entry.content, entry.keys) == ("Book", "Sword", "A blade", ("sword", "blade"))
    assert (entry.order, entry.enabled, entry.activation[KEPT]) == (5, True, {"priority": 10})
    assert "priority: kept" in workspace.problems[0].message


def test_a_chat_with_its_branches() -> None:
    (talk,) = load(CHAT).conversations
    assert said(talk) == [("user", "Hi"), ("assistant", "Ho")]
    assert [one.name for one in talk.messages] == ["Ana", "Mara"]
    assert talk.tree is not None
    assert [(one.id, one.content) for one in talk.tree.messages] == [
        ("aaaaaaaa", "Hi"),
        ("bbbbbbbb", "Ho"),
        ("bbbbbbbb.retry1", "Hey"),
    ]
    assert talk.tree.leaf == "bbbbbbbb"


def test_a_chat_without_parents_is_a_line() -> None:
    flat = [{key: value for key, value in one.items() if key not in ("parent", "retries")} for one in (ASKED, ANSWERED)]
    (talk,) = load({**CHAT, "treeLeafId": None, "messages": flat}).conversations
    assert (said(talk), talk.tree) == ([("user", "Hi"), ("assistant", "Ho")], None)


def test_what_a_chat_overrides_is_a_character() -> None:
    (character,) = load(CHAT).characters
    assert character.greeting == "Hello."
    assert [one.content for one in character.components] == ["A harbour."]


def test_out_of_character_is_not_sent() -> None:
    aside = message("cccccccc", "bbbbbbbb", "brb", userId="u", ooc=True)
    (talk,) = load({**CHAT, "treeLeafId": "cccccccc", "messages": [ASKED, ANSWERED, aside]}).conversations
    assert talk.messages[-1].excluded
    assert talk.messages[-1].metadata["recorded"]["action"] == "dropped"


def test_a_character_with_its_book() -> None:
    workspace = load(CHARACTER)
    (character,) = workspace.characters
    assert (character.name, character.system_prompt, character.greeting) == ("Mara", "Be kind.", "Hello.")
    assert [(one.type, one.content) for one in character.components] == [
        ("description", "species: human\njob: keeper, guide"),
        ("scenario", "A harbour."),
        ("example", "{{char}}: Ho"),
    ]
    assert len(workspace.lorebooks) == 1


def test_one_bad_message_or_entry_keeps_the_others() -> None:
    workspace = load({**CHAT, "messages": [ASKED, message("x", None, None), 5, ANSWERED]})
    assert said(workspace.conversations[0]) == [("user", "Hi"), ("assistant", "Ho")]
    bad = [one.place for one in workspace.problems if one.severity == "error"]
    assert bad == ["$.messages[1].msg", "$.messages[2].msg"]
    book = load({**BOOK, "entries": [{**ENTRY, "entry": None}, ENTRY]})
    assert (len(book.lorebooks[0].entries), book.problems[0].place) == (1, "$.entries[0]")


@pytest.mark.parametrize("value", [{}, [], {"kind": "memory"}, {"kind": "character"}, {"messages": [{"msg": "x"}]}])
def test_other_json_is_not_claimed(value: Any) -> None:
    source = FileSource("x.json", json.dumps(value).encode())
    assert agnai.sniff(source) == 0
    with pytest.raises(UnreadableError):
        agnai.load(source)


def test_the_real_book(data_folder: Path) -> None:
    workspace = load_workspace([data_folder / "agnai/derived/memory_book.json"])
    assert [entry.title for entry in workspace.lorebooks[0].entries] == ["Sword"]
