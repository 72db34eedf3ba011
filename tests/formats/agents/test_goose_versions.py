"""Newer versions of Goose: answers printed in pieces, usage of each answer, context of a turn, documents, errors."""

import base64
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.formats.agents.goose_parts import joined
from inspector.model import Call, DocumentPart, Message, Result, Text, Thought
from inspector.model.usage import Usage, recorded_usage
from tests.formats.agents.goose_and_crush_examples import ANSWERED, ASKED, FOR_AGENT, SEEN, goose_tables, text
from tests.formats.agents.goose_and_crush_examples import said as goose
from tests.formats.agents.test_agent_databases import database_of
from tests.formats.agents.test_goose_and_crush import chat_of, opened, said, warnings

_USAGE = {"inputTokens": 12000, "outputTokens": 400, "totalTokens": 12400, "cacheReadTokens": 9000}


def _piece(*blocks: dict[str, Any], id_: str = "a1", **metadata: Any) -> dict[str, Any]:
    answer = {**goose(1, "assistant", *blocks), "id": id_, "metadata": {**SEEN, **metadata}}
    return {"type": "message", "message": answer}


def _thought(written: str, signature: str = "") -> dict[str, Any]:
    return {"type": "thinking", "thinking": written, "signature": signature}


_CALL = {"type": "toolRequest", "id": "c1", "toolCall": {"status": "success", "value": {"name": "shell"}}}
_FOUND = {"content": [text("a")], "isError": False}
_RESULT = {"type": "toolResponse", "id": "c1", "toolResult": {"status": "success", "value": _FOUND}}
_STREAM = [
    _piece(_thought("We")),
    _piece(_thought(" look.", "s")),
    _piece(_thought("Then")),
    _piece(text("Let me")),
    _piece(text(" look.")),
    _piece(_CALL),
    _piece(inference={"provider": "openai", "requestedModel": "gpt-x"}),
    {"type": "message", "message": {**goose(2, "user", _RESULT), "id": "u2"}},
    _piece(text("Par"), id_="a2"),
    _piece(text("is."), id_="a2"),
    {"type": "complete", "total_tokens": 22},
]


def test_an_answer_that_goose_printed_in_pieces_is_one_message(tmp_path: Path) -> None:
    chat = chat_of(tmp_path, _STREAM, "goose")
    first, result, last = chat.messages
    assert [part.text for part in first.parts if isinstance(part, Thought)] == ["We look.", "Then"]
    assert first.content == "Let me look."
    assert [part.name for part in first.parts if isinstance(part, Call)] == ["shell"]
    assert first.metadata["model"] == "gpt-x"
    assert [part.content for part in result.parts if isinstance(part, Result)] == ["a"]
    assert last.content == ANSWERED


def test_a_piece_without_blocks_is_no_loss(tmp_path: Path) -> None:
    assert warnings(opened(tmp_path, _STREAM)) == []


@pytest.mark.parametrize("ids", [("a1", "a2"), ("", ""), (None, None)])
def test_messages_with_other_ids_or_none_stay_apart(tmp_path: Path, ids: tuple[str | None, str | None]) -> None:
    lines = [_piece(text("One")), _piece(text("Two"))]
    for line, id_ in zip(lines, ids, strict=True):
        line["message"]["id"] = id_
    assert [one.content for one in chat_of(tmp_path, lines, "goose").messages] == ["One", "Two"]


def test_texts_for_different_readers_are_not_joined(tmp_path: Path) -> None:
    for_user = {**text("Shown"), "annotations": {"audience": ["user"]}}
    chat = chat_of(tmp_path, [_piece(text("Sent")), _piece(for_user), _piece(text("."))], "goose")
    assert [part.text for part in chat.messages[0].parts if isinstance(part, Text)] == ["Sent", "."]


_BLOCKS = st.sampled_from([text("a"), text("b"), _thought("x"), _thought("y", "s"), _CALL])
_PIECES = st.lists(st.tuples(st.sampled_from(["a1", "a2", ""]), st.lists(_BLOCKS, max_size=3)), max_size=9)


def _texts(messages: list[dict[str, Any]], kind: str) -> str:
    return "".join(block.get(kind, "") for one in messages for block in one["content"])


@given(_PIECES)
def test_joining_pieces_loses_no_text_and_leaves_no_two_of_one_id_in_a_row(pieces: list[Any]) -> None:
    told = [(f"$[{at}]", _piece(*blocks, id_=id_)["message"]) for at, (id_, blocks) in enumerate(pieces)]
    found = [dict(held) for _, held in joined(told)]
    printed = [dict(held) for _, held in told]
    assert _texts(found, "text") == _texts(printed, "text")
    assert _texts(found, "thinking") == _texts(printed, "thinking")
    assert not any(one["id"] and one["id"] == other["id"] for one, other in pairwise(found))
    assert joined(joined(told)) == joined(told)


def _answer_with(tmp_path: Path, usage: dict[str, Any]) -> Message:
    answer = {**goose(2, "assistant", text(ANSWERED)), "metadata": {**SEEN, "usage": usage}}
    asked = {**goose(1, "user", text(ASKED)), "metadata": SEEN}
    return chat_of(tmp_path, {"id": "1", "conversation": [asked, answer]}, "goose").messages[-1]


def test_each_answer_has_the_usage_of_its_request(tmp_path: Path) -> None:
    told = recorded_usage(_answer_with(tmp_path, _USAGE).metadata)
    assert (told.fresh, told.cached, told.answer) == (3000, 9000, 400)


def test_the_usage_of_a_request_for_a_summary_is_not_that_of_the_answer(tmp_path: Path) -> None:
    told = recorded_usage(_answer_with(tmp_path, {**_USAGE, "isCompaction": True}).metadata)
    assert told == Usage()


def test_the_usage_of_an_answer_goes_before_that_of_its_session(tmp_path: Path) -> None:
    tables = goose_tables()
    last = tables["messages"][-1]
    last["metadata_json"] = json.dumps({**SEEN, "usage": _USAGE})
    told = recorded_usage(chat_of(tmp_path, database_of(tables), "goose").messages[-1].metadata)
    assert (told.prompt, told.output) == (12000, 400)


def test_a_thought_that_is_encrypted_is_a_thought(tmp_path: Path) -> None:
    hidden = {"type": "redactedThinking", "data": "EncryptedThought=="}
    workspace = opened(tmp_path, [_piece(hidden, text(ANSWERED))])
    assert not any("unknown type" in one.message for one in workspace.problems)


def test_the_context_of_a_turn_is_sent_and_is_no_summary(tmp_path: Path) -> None:
    now = text("<turn-context>now</turn-context>")
    context = {**goose(2, "user", now), "metadata": {**FOR_AGENT, "turnContext": True}}
    hidden = {**goose(3, "assistant", text("Go on")), "metadata": FOR_AGENT}
    asked = {**goose(1, "user", text(ASKED)), "metadata": SEEN}
    chat = chat_of(tmp_path, {"id": "1", "conversation": [asked, context, hidden]}, "goose")
    assert [one for one, _ in said(chat)] == ["user", "user", "assistant"]
    assert not any("recorded" in one.metadata or one.excluded for one in chat.messages)


def test_a_document_is_read_and_an_error_on_the_screen_is_not(tmp_path: Path) -> None:
    file = {
        "type": "document",
        "data": base64.b64encode(b"A note.").decode(),
        "mimeType": "application/pdf",
        "name": "note.pdf",
    }
    failed = {"type": "error", "kind": "other", "message": "Ran into this error"}
    asked = {**goose(1, "user", text(ASKED), file), "metadata": SEEN}
    lost = {**goose(2, "assistant", failed), "metadata": {"userVisible": True, "agentVisible": False}}
    workspace = opened(tmp_path, {"id": "1", "conversation": [asked, lost]})
    (chat,) = workspace.conversations
    (message,) = chat.messages
    assert [(part.name, part.bytes) for part in message.parts if isinstance(part, DocumentPart)] == [("note.pdf", 7)]
    assert warnings(workspace) == []


def test_cached_tokens_of_a_session_are_inside_of_its_input(tmp_path: Path) -> None:
    tables = goose_tables()
    tables["sessions"][0] |= {"input_tokens": 20, "cache_read_tokens": 15}
    told = recorded_usage(chat_of(tmp_path, database_of(tables), "goose").messages[-1].metadata)
    assert (told.fresh, told.cached, told.answer) == (5, 15, 2)


def _unread(tmp_path: Path, *events: dict[str, Any]) -> list[str]:
    return [one.message for one in opened(tmp_path, list(events)).problems if "did not read" in one.message]


def test_what_is_for_the_screen_alone_is_not_called_unread(tmp_path: Path) -> None:
    notice = {"type": "systemNotification", "notificationType": "inlineMessage", "msg": "Compacting the conversation."}
    shown = {**text("Only the user reads this."), "annotations": {"audience": ["user"]}}
    running = {"type": "notification", "extension_id": "developer", "message": "It is running now."}
    failed = {"type": "error", "error": "The request failed, alas."}
    assert _unread(tmp_path, _piece(text("Hi"), notice, shown), running, failed) == []
    block = {**text("Hi"), "footnote": "The model may not read this."}
    assert len(_unread(tmp_path, _piece(block))) == 1


def test_a_notification_of_goose_is_no_message(tmp_path: Path) -> None:
    running = {"type": "notification", "extension_id": "developer", "message": "It is running now."}
    workspace = opened(tmp_path, [_piece(text("Hi")), running])
    assert [one.content for chat in workspace.conversations for one in chat.messages] == ["Hi"]
    assert warnings(workspace) == []
