"""Files of Marinara Engine, written here as the application writes them: no real file is here."""

import json
from typing import Any

import pytest

from inspector.assembly.alternatives import alternatives_of
from inspector.formats.marinara.files import FORMAT
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError
from tests.reading.zips import zipped

INSIDE = {"name": "Mara", "description": "Keeps the lighthouse.", "first_mes": "Who is there?"}
PERSON = {"id": "p", "name": "Ann", "description": "A sailor.", "appearance": "Tall.", "isActive": True}
ENTRIES = [
    {"id": "e", "name": "Lamp", "content": "The lamp is old.", "keys": ["lamp"], "selectiveLogic": "and_all",
     "position": 2, "depth": 4, "role": "system", "order": 7, "schedule": {"activeTimes": ["night"]}},
    {"id": "f", "name": "Sea", "content": "The sea is deep.", "keys": ["sea"], "folderId": "shut", "position": 0},
    {"id": "g", "keys": ["x"]},
]  # fmt: skip
BOOK = {"lorebook": {"id": "b", "name": "Coast", "enabled": True, "scanDepth": 2}, "entries": ENTRIES,
        "folders": [{"id": "shut", "name": "Old", "enabled": False}]}  # fmt: skip
CHUNK = {"content": "Ann came in the storm.", "embedding": [0.5], "firstMessageAt": "2026-01-02T03:04:05Z"}


def envelope(kind: str, data: Any) -> dict[str, Any]:
    return {"type": f"marinara_{kind}", "version": 1, "exportedAt": "2026-01-02T03:04:05Z", "data": data}


CHARACTER = envelope("character", {"spec": "chara_card_v2", "spec_version": "2.0", "data": INSIDE})
PERSONA = envelope("persona", PERSON)
LOREBOOK = envelope("lorebook", BOOK)
RECALL = envelope("memory_recall", {"sourceChat": {"id": "c", "name": "Storm"}, "chunks": [CHUNK]})
ROWS = [
    {"id": "m2", "chatId": "c", "role": "assistant", "characterId": "k", "content": "Come in.",
     "extra": json.dumps({"thinking": "Hm"}), "createdAt": "2026-01-02T03:04:06Z"},
    {"id": "m1", "chatId": "c", "role": "user", "content": "Me.", "extra": "{}", "createdAt": "2026-01-02T03:04:05Z"},
    {"id": "m3", "chatId": "c", "role": "system", "content": "Aside.", "extra": {"hiddenFromAI": True},
     "createdAt": "2026-01-02T03:04:07Z"},
]  # fmt: skip
TABLES = {
    "characters": [{"id": "k", "data": json.dumps(INSIDE)}],
    "personas": [PERSON],
    "lorebooks": [BOOK["lorebook"]],
    "lorebook_entries": [{**entry, "lorebookId": "b"} for entry in ENTRIES],
    "chats": [{"id": "c", "name": "Storm", "mode": "roleplay"}],
    "messages": ROWS,
    "api_connections": [{"apiKey": "a secret"}],
}
PROFILE = envelope("profile", {"fileStorage": {"version": 1, "tables": TABLES}})
OLD_PROFILE = envelope("profile", {"characters": [{"id": "k", **CHARACTER["data"]}], "lorebooks": [BOOK]})


def load(value: Any) -> Workspace:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    source = FileSource("mara.marinara.json", data)
    assert rank_formats(source, built_in_formats())[0][0] is FORMAT
    return FORMAT.load(source)


@pytest.mark.parametrize(
    "value", [CHARACTER, zipped({"data.json": json.dumps(CHARACTER).encode(), "avatar.png": b"x"})]
)
def test_a_character_alone_and_in_its_package(value: Any) -> None:
    (mara,) = load(value).characters
    assert (mara.name, mara.greeting) == ("Mara", "Who is there?")


def test_a_persona() -> None:
    (ann,) = load(PERSONA).characters
    assert ann.profile is not None
    assert (ann.profile.name, ann.profile.facts) == ("Ann", ("A sailor.", "Tall."))


def test_a_lorebook_with_a_folder_that_is_switched_off() -> None:
    workspace = load(LOREBOOK)
    (book,) = workspace.lorebooks
    lamp, sea = book.entries
    assert (book.title, lamp.title, lamp.position, lamp.order) == ("Coast", "Lamp", "at_depth", 7)
    assert (lamp.activation["selectiveLogic"], lamp.activation["depth"], lamp.activation["scanDepth"]) == (3, 4, 2)
    assert (lamp.enabled, sea.enabled, sea.position) == (True, False, "before_char")
    assert lamp.activation["kept"] == {"schedule": {"activeTimes": ["night"]}}
    assert [problem.place for problem in workspace.problems] == ["$.data.entries[2]", ""]


def test_recalled_pieces_of_a_chat_are_memories() -> None:
    (kept,) = load(RECALL).memory_sets
    assert (kept.title, [memory.content for memory in kept.memories]) == ("Storm", ["Ann came in the storm."])
    assert kept.memories[0].time is not None


def test_a_profile_has_chats_in_the_order_in_which_they_were_said() -> None:
    workspace = load(PROFILE)
    (chat,) = workspace.conversations
    assert [(one.id, one.role, one.name, one.content) for one in chat.messages] == [
        ("m1", "user", "", "Me."),
        ("m2", "assistant", "Mara", "Come in."),
        ("m3", "system", "", "Aside."),
    ]
    assert (chat.title, chat.messages[1].reasoning, chat.messages[2].excluded) == ("Storm", "Hm", True)
    assert [one.name for one in workspace.characters] == ["Mara", ""]
    assert [len(book.entries) for book in workspace.lorebooks] == [2]
    assert "secret" not in repr(workspace)


SWIPES = [
    {"id": "s2", "messageId": "m2", "index": 2, "content": "Who?", "extra": json.dumps({"thinking": "Hmm"}),
     "createdAt": "2026-01-02T03:04:09Z"},
    {"id": "s0", "messageId": "m2", "index": 0, "content": "Go away.", "extra": "{}"},
    {"id": "s1", "messageId": "m2", "index": 1, "content": "Come in (before it was edited).", "extra": "{}"},
    {"id": "s9", "messageId": "m1", "index": 0, "content": "Me.", "extra": "{}"},
    {"id": "odd", "messageId": "m3", "index": 4, "content": None},
]  # fmt: skip


def with_swipes(shown: Any) -> Workspace:
    rows = [{**row, "activeSwipeIndex": shown} if row["id"] == "m2" else row for row in ROWS]
    tables = {**TABLES, "messages": rows, "message_swipes": SWIPES}
    return load(envelope("profile", {"fileStorage": {"tables": tables}}))


def test_swipes_are_alternatives_in_the_order_of_their_numbers() -> None:
    (chat,) = with_swipes(1).conversations
    assert [one.content for one in chat.messages] == ["Me.", "Come in.", "Aside."]
    assert chat.tree is not None
    beside = [one.message for one in alternatives_of(chat.tree, "m2")]
    assert [one.content for one in beside] == ["Go away.", "Come in.", "Who?"]
    assert [one.reasoning for one in beside] == ["", "Hm", "Hmm"]
    assert beside[2].name == "Mara"
    assert (beside[2].time or beside[0].time) != beside[0].time
    assert not alternatives_of(chat.tree, "m1")
    assert not alternatives_of(chat.tree, "m3")


@pytest.mark.parametrize("shown", [7, "gone", None])
def test_a_swipe_number_that_names_no_swipe_is_survived(shown: Any) -> None:
    (chat,) = with_swipes(shown).conversations
    assert [one.content for one in chat.messages] == ["Me.", "Come in.", "Aside."]


def test_older_profiles_have_lists() -> None:
    workspace = load(OLD_PROFILE)
    assert [one.name for one in workspace.characters] == ["Mara"]
    assert [book.title for book in workspace.lorebooks] == ["Coast"]


def test_bad_rows_leave_the_others() -> None:
    odd = {"id": "x", "chatId": "c", "role": "oracle", "content": "?", "createdAt": "2026"}
    tables = {**TABLES, "messages": [*ROWS, odd, 5]}
    workspace = load(envelope("profile", {"fileStorage": {"tables": tables}}))
    assert len(workspace.conversations[0].messages) == 3
    (problem,) = [problem for problem in workspace.problems if problem.severity == "error"]
    assert problem.place == "$.data.fileStorage.tables.chats[0]: x"


@pytest.mark.parametrize("kind", ["preset", "chat_settings_profile", "story_bundle"])
def test_what_belongs_to_no_chat_is_named(kind: str) -> None:
    with pytest.raises(UnreadableError, match=f"is a {kind.replace('_', ' ')} of Marinara Engine"):
        load(envelope(kind, {}))


def test_the_lore_of_a_card_goes_with_the_chats_in_which_it_speaks() -> None:
    book = {"entries": [{"keys": ["sea"], "content": "It is deep.", "extensions": {}}]}
    people = [{"id": name, "data": json.dumps({**INSIDE, "character_book": book})} for name in ("k", "other")]
    chats = [*TABLES["chats"], {"id": "d", "name": "Calm", "mode": "roleplay"}]
    rows = [*ROWS, {"id": "n1", "chatId": "d", "role": "user", "content": "Me."}]
    tables = {**TABLES, "characters": people, "chats": chats, "messages": rows}
    workspace = load(envelope("profile", {"fileStorage": {"version": 1, "tables": tables}}))
    assert [one.conversations for one in workspace.lorebooks] == [("c",), (), None]
