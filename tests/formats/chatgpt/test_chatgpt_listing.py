"""Chats of a large export: listed by their outlines, as they are when all of them are read, and read one by one."""

import json
import pickle
from pathlib import Path

import pytest
from msgspec import Raw

from inspector.formats import joined, load_workspace
from inspector.formats.chatgpt.chat import read_chat
from inspector.formats.chatgpt.outline import outline_of
from inspector.formats.native.write import save_workspace
from inspector.formats.notes import Notes
from inspector.model import Conversation, changed
from tests.formats.chatgpt.test_chatgpt import HI, HO, chat, node
from tests.formats.listed_files import listed, written
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


@pytest.mark.parametrize("name", CHATS)
def test_an_outline_is_that_of_the_chat_that_was_read(name: str) -> None:
    text = json.dumps(CHATS[name]).encode()
    assert outline_of(Raw(text)) == read_chat(json.loads(text), Notes(""), "$").outline


@pytest.mark.parametrize("name", UNUSUAL)
def test_of_an_unusual_chat_nothing_is_concluded(name: str) -> None:
    assert outline_of(Raw(json.dumps(UNUSUAL[name]).encode())) is None


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


def test_shards_of_an_archive_are_listed_together(tmp_path: Path) -> None:
    file = tmp_path / "export.zip"
    shards = [json.dumps([chat(HI, HO, conversation_id=f"c{n}")]).encode() for n in range(2)]
    file.write_bytes(zipped({f"conversations-00{n}.json": shard for n, shard in enumerate(shards)}))
    part = listed(file)
    assert [chat.id for chat in part.workspace.conversations] == ["c0", "c1"]
    assert not any(chat.is_read for chat in part.workspace.conversations)
    assert joined([part.completed()]) == load_workspace([file])


def test_problems_of_shards_are_told_in_their_order_whenever_a_chat_is_read(tmp_path: Path) -> None:
    file = tmp_path / "export.zip"
    odd, lost = chat(HI, node("a", "u", "wizard", "Ho")), UNUSUAL["an unknown leaf"]
    shards = [json.dumps([odd, lost, 5, odd]).encode(), json.dumps([odd, 5]).encode()]
    file.write_bytes(zipped({f"conversations-00{n}.json": shard for n, shard in enumerate(shards)}))
    assert joined([listed(file).completed()]) == load_workspace([file])


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
