"""Chats of a large export: listed by their outlines, as they are when all of them are read, and read one by one."""

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw

from inspector.formats import Part, joined, load_parts, load_workspace
from inspector.formats.chatgpt import export
from inspector.formats.chatgpt.chat import read_chat
from inspector.formats.chatgpt.outline import outline_of
from inspector.formats.native.write import save_workspace
from inspector.formats.openai.message import Notes
from inspector.model import Conversation, Workspace, changed
from tests.formats.chatgpt.test_chatgpt import HI, HO, chat, node
from tests.reading.zips import zipped

TOLD = {"content_type": "user_editable_context", "user_profile": "I am Ann", "user_instructions": "Be terse"}
SAVED = {"content_type": "model_editable_context", "model_set_context": "1. Likes tea."}
BESIDE = {"user_context_message_data": {"about_user_message": "I am Bob"}}
RULES = node("s", "root", "system", "Be kind.")
BLANK = node("b", "root", "system", "")
CHATS = {
    "plain": chat(HI, HO, default_model_slug="gpt-4o"),
    "without a model": chat(HI, node("a", "u", "assistant", "Ho", metadata={"model_slug": "gpt-4"})),
    "blank first": chat(BLANK, node("u", "b", "user", "Hi")),
    "system text": chat(RULES, node("u", "s", "user", "Hi")),
    "system text after a blank": chat(BLANK, node("s", "b", "system", "Be kind."), node("u", "s", "user", "Hi")),
    "system text later": chat(HI, node("s", "u", "developer", "Be kind.")),
    "instructions": chat(BLANK, node("p", "b", "user", TOLD), node("u", "p", "user", "Hi")),
    "instructions beside": chat(node("p", "root", "system", "", metadata=BESIDE), node("u", "p", "user", "Hi")),
    "instructions off the path": chat(HI, node("p", "u", "user", TOLD), HO, leaf="a"),
    "memories": chat(node("k", "root", "assistant", SAVED), node("u", "k", "user", "Hi")),
    "thoughts": chat(node("t", "root", "assistant", {"content_type": "thoughts", "thoughts": []}), RULES, leaf="s"),
    "branches": chat(HI, HO, node("b", "u", "assistant", "Regenerated"), leaf="a"),
    "a role that is none before a system text": chat(
        node("w", "root", "wizard", "Ho"), node("s", "w", "system", "Be kind."), node("u", "s", "user", "Hi")
    ),
    "thoughts of a role that is none": chat(
        HI, node("t", "u", "wizard", {"content_type": "thoughts", "thoughts": [{"content": "Hm"}]}), leaf="t"
    ),
    "a cycle": chat(node("x", "y", "user", "1"), node("y", "x", "assistant", "2"), leaf="y"),
}
UNUSUAL = {
    "half a character": chat(node("s", "root", "system", "Be \ud83d kind."), node("u", "s", "user", "Hi")),
    "no leaf": {**chat(HI, HO), "current_node": None},
    "an unknown leaf": {**chat(HI, HO), "current_node": "nowhere"},
    "a title that is none": chat(HI, title=5),
    "a bare content": chat({**HI, "message": {"author": {"role": "user"}, "content": "Hi"}}),
    "a role that is none": chat(node("u", "root", 7, "Hi")),  # type: ignore[arg-type]
    "a node without a parent": chat(node("p", "root", "user", TOLD), {"id": "u", "message": HI["message"]}),
    "nothing": {"title": "T", "mapping": {}},
}


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The places of the chats that were read so far."""
    from inspector.formats.chatgpt import listing

    places: list[str] = []

    def noted(value: Any, notes: Notes, place: str) -> Any:
        places.append(place)
        return read_chat(value, notes, place)

    monkeypatch.setattr(listing, "read_chat", noted)
    return places


def written(folder: Path, *chats: Any) -> Path:
    file = folder / "conversations.json"
    file.write_text(json.dumps(chats))
    return file


def listed(file: Path) -> Part:
    return load_parts([file], listed_from=0)[0]


def heads(workspace: Workspace) -> list[tuple[str, str, str, str]]:
    return [(chat.id, chat.title, chat.model, chat.origin) for chat in workspace.conversations]


@pytest.mark.parametrize("name", CHATS)
def test_an_outline_is_that_of_the_chat_that_was_read(name: str) -> None:
    text = json.dumps(CHATS[name]).encode()
    assert outline_of(Raw(text)) == read_chat(json.loads(text), Notes(""), "$").outline


@pytest.mark.parametrize("name", UNUSUAL)
def test_of_an_unusual_chat_nothing_is_concluded(name: str) -> None:
    assert outline_of(Raw(json.dumps(UNUSUAL[name]).encode())) is None


@pytest.mark.parametrize("name", [*CHATS, *UNUSUAL])
def test_what_is_listed_is_what_is_read(name: str, tmp_path: Path) -> None:
    file = written(tmp_path, CHATS["plain"], {**CHATS, **UNUSUAL}[name], CHATS["instructions"])
    part, whole = listed(file), load_workspace([file])
    workspace = joined([part])
    assert heads(workspace) == heads(whole)
    assert (workspace.characters, workspace.memory_sets) == (whole.characters, whole.memory_sets)
    assert workspace.conversations == whole.conversations
    assert joined([part.completed()]) == whole


def test_only_the_chat_that_is_asked_for_is_read_and_only_once(tmp_path: Path, read: list[str]) -> None:
    workspace = listed(written(tmp_path, *[CHATS["plain"]] * 3)).workspace
    assert not any(chat.is_read for chat in workspace.conversations)
    renamed = changed(workspace.conversations[1], title="Another")
    assert [message.content for message in renamed.messages] == ["Hi", "Ho"]
    assert workspace.conversations[1].messages is renamed.messages
    assert renamed.tree is None
    assert read == ["$[1]"]
    assert [chat.is_read for chat in workspace.conversations] == [False, True, False]


def test_a_bad_message_in_the_middle_is_one_problem_with_its_place(tmp_path: Path) -> None:
    odd = chat(HI, node("a", "u", "wizard", "Ho"))
    part = listed(written(tmp_path, CHATS["plain"], odd, CHATS["memories"]))
    assert part.workspace.problems == ()
    assert [message.content for message in part.workspace.conversations[1].messages] == ["Hi"]
    problems = part.completed().workspace.problems
    assert [problem.place for problem in problems] == ["$[1].mapping.a.message.author.role"]


def test_what_is_no_chat_is_told_before_anything_is_read(tmp_path: Path) -> None:
    part = listed(written(tmp_path, CHATS["plain"], 5, CHATS["memories"]))
    assert [(problem.place, problem.severity) for problem in part.workspace.problems] == [("$[1]", "error")]
    assert part.completed().workspace.problems == part.workspace.problems


def test_shards_of_an_archive_are_listed_together(tmp_path: Path, read: list[str]) -> None:
    file = tmp_path / "export.zip"
    shards = [json.dumps([chat(HI, HO, conversation_id=f"c{n}")]).encode() for n in range(2)]
    file.write_bytes(zipped({f"conversations-00{n}.json": shard for n, shard in enumerate(shards)}))
    part = listed(file)
    assert [chat.id for chat in part.workspace.conversations] == ["c0", "c1"]
    assert not read
    assert joined([part.completed()]) == load_workspace([file])


def test_problems_of_shards_are_told_in_their_order_whenever_a_chat_is_read(tmp_path: Path) -> None:
    file = tmp_path / "export.zip"
    odd, lost = chat(HI, node("a", "u", "wizard", "Ho")), UNUSUAL["an unknown leaf"]
    shards = [json.dumps([odd, lost, 5, odd]).encode(), json.dumps([odd, 5]).encode()]
    file.write_bytes(zipped({f"conversations-00{n}.json": shard for n, shard in enumerate(shards)}))
    assert joined([listed(file).completed()]) == load_workspace([file])


def test_of_a_very_large_export_all_problems_are_told_and_no_messages_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "KEPT_UP_TO", 0)
    odd = chat(HI, node("a", "u", "wizard", "Ho"))
    file = written(tmp_path, CHATS["branches"], odd)
    part = listed(file).completed()
    assert not any(chat.is_read for chat in part.workspace.conversations)
    *same, note = part.workspace.problems
    assert tuple(same) == load_workspace([file]).problems
    assert "each chat is read when it is chosen" in note.message
    assert joined([part]).conversations == load_workspace([file]).conversations


def test_chats_that_were_listed_stay_where_there_is_no_memory_to_keep_all(tmp_path: Path) -> None:
    chats = [chat(*(node(f"n{n}", "root", "user", "word " * 50) for n in range(40))) for _ in range(60)]
    file = written(tmp_path, *chats)
    allowed = 4 * file.stat().st_size
    part = load_parts([file], listed_from=0, opening_bytes=allowed)[0].completed()
    assert len(part.workspace.conversations) == len(chats)
    assert 0 < sum(one.is_read for one in part.workspace.conversations) < len(chats)
    assert "from which on none was read" in part.workspace.problems[0].message
    assert len(load_workspace([file], opening_bytes=allowed).conversations) < len(chats)


def test_secrets_of_what_stays_unread_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "KEPT_UP_TO", 0)
    file = written(tmp_path, chat(node("u", "root", "user", "My key is sk-" + "aB3dE6gH9jK2mN5pQ8sT" * 2)))
    assert any("secrets" in problem.message for problem in listed(file).completed().workspace.problems)


def test_an_unread_workspace_is_saved_as_a_whole(tmp_path: Path) -> None:
    file = written(tmp_path, CHATS["plain"], CHATS["branches"])
    saved = tmp_path / "saved.json"
    save_workspace(listed(file).workspace, saved)
    again = load_workspace([saved])
    assert [chat.messages for chat in again.conversations] == [
        chat.messages for chat in load_workspace([file]).conversations
    ]
    assert again.conversations[1].tree is not None


def test_an_unread_conversation_is_equal_to_itself_read_and_can_be_sent_to_a_process(tmp_path: Path) -> None:
    file = written(tmp_path, CHATS["branches"])
    unread, whole = listed(file).workspace.conversations[0], load_workspace([file]).conversations[0]
    sent: Conversation = pickle.loads(pickle.dumps(unread))
    assert sent == unread == whole
    assert sent.is_read
    assert unread != changed(whole, title="Another")


def test_real_exports_are_listed_as_they_are_read(data_folder: Path) -> None:
    files = sorted(file for file in (data_folder / "chatgpt").rglob("*") if file.suffix in (".json", ".zip"))
    parts = {file: load_parts([file], listed_from=0)[0] for file in files}
    assert sum(part.whole is not None for part in parts.values()) >= len(files) - 1  # one is broken
    for file, part in parts.items():
        whole = load_workspace([file])
        assert (heads(part.workspace), part.workspace.characters) == (heads(whole), whole.characters), file.name
        assert part.workspace.conversations == whole.conversations, file.name
        assert part.completed().workspace == whole, file.name
