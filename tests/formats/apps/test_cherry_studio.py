"""Backups of Cherry Studio: prompts, tools, pictures, several answers, cleared contexts, and older versions."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_workspace
from inspector.model import Call, Conversation, Image, Result, Workspace
from tests.formats.apps.cherry_examples import (
    ANSWER,
    ANSWERED,
    ASKED,
    BLOCKS,
    BRIEF,
    CHERRY,
    CHERRY_OLD,
    QUESTION,
    backup,
    block,
    message,
    older,
)
from tests.reading.zips import zipped


def opened(tmp_path: Path, value: Any) -> Workspace:
    (tmp_path / "data.json").write_text(json.dumps(value))
    workspace = load_workspace([tmp_path / "data.json"])
    assert [one.format for one in workspace.sources] == ["cherry_studio"]
    return workspace


def chat_of(workspace: Workspace) -> Conversation:
    (chat,) = workspace.conversations
    return chat


def said(chat: Conversation) -> list[tuple[str, str]]:
    return [(one.role, one.content) for one in chat.messages]


def warnings(workspace: Workspace) -> list[str]:
    return [one.message for one in workspace.problems if one.severity != "info"]


def test_a_topic_has_its_name_prompts_model_times_and_usage(tmp_path: Path) -> None:
    workspace = opened(tmp_path, backup([QUESTION, ANSWER], BLOCKS, "About France.", prompt=BRIEF))
    chat = chat_of(workspace)
    assert (chat.title, chat.id, chat.model) == ("Capital", "t1", "gpt-4o")
    assert [one.system_prompt for one in workspace.characters] == [f"{BRIEF}\nAbout France."]
    asked, answer = chat.messages
    assert answer.thinking == "Easy."
    assert asked.time is not None
    assert (answer.metadata["recorded_prompt_tokens"], answer.metadata["recorded_tokens"]) == (20, 2)
    later = {**ANSWER, "usage": {"inputTokens": 20, "outputTokens": 2, "totalTokens": 22}}
    told = chat_of(opened(tmp_path, backup([QUESTION, later], BLOCKS))).messages[-1].metadata
    assert (told["recorded_prompt_tokens"], told["recorded_tokens"]) == (20, 2)


def test_the_zip_of_a_backup_opens(tmp_path: Path) -> None:
    file = tmp_path / "cherry-studio.202601021000.zip"
    file.write_bytes(zipped({"data.json": json.dumps(CHERRY).encode(), "Data/Files/x.txt": b"A note."}))
    workspace = load_workspace([file])
    assert said(chat_of(workspace)) == [("user", ASKED), ("assistant", ANSWERED)]


def test_only_the_useful_answer_or_the_first_is_on_the_path(tmp_path: Path) -> None:
    others = [message("m3", "assistant", "b4", askId="m1"), message("m4", "user", "b5")]
    blocks = [*BLOCKS, block("b4", "m3", "main_text", content="Lyon."), block("b5", "m4", "main_text", content="Why?")]
    chat = chat_of(opened(tmp_path, backup([QUESTION, ANSWER, *others], blocks)))
    assert said(chat) == [("user", ASKED), ("assistant", ANSWERED), ("user", "Why?")]
    assert chat.tree is not None
    assert "Lyon." in [one.content for one in chat.tree.messages]
    useful = [QUESTION, ANSWER, {**others[0], "useful": True}, others[1]]
    assert said(chat_of(opened(tmp_path, backup(useful, blocks))))[1] == ("assistant", "Lyon.")


def test_what_was_cleared_is_recorded_as_cut_off(tmp_path: Path) -> None:
    again = [message("c", "user", type="clear"), message("m5", "user", "b5")]
    blocks = [*BLOCKS, block("b5", "m5", "main_text", content="Hello")]
    workspace = opened(tmp_path, backup([QUESTION, ANSWER, *again], blocks))
    fates = {one.content: one.metadata["recorded"] for one in chat_of(workspace).messages}
    gone = {"action": "dropped", "reason": "cut off"}
    assert fates == {ASKED: gone, ANSWERED: gone, "Hello": {"action": "kept"}}
    assert warnings(workspace) == []


def test_tools_pictures_files_and_code_are_parts(tmp_path: Path) -> None:
    raw = {"id": "r", "toolCallId": "c1", "tool": {"name": "capital"}, "arguments": {"of": "France"}, "status": "done"}
    answer = {"isError": False, "content": [{"type": "text", "text": "Paris"}]}
    blocks = [
        block("b1", "m1", "main_text", content=ASKED),
        block("p1", "m1", "image", file={"origin_name": "a.png", "size": 9, "type": "image"}),
        block("f1", "m1", "file", file={"origin_name": "a.pdf", "size": 9, "type": "document"}),
        block(
            "t", "m2", "tool", toolId="x", content=answer, metadata={"rawMcpToolResponse": {**raw, "response": answer}}
        ),
        block("c", "m2", "code", content="print()", language="python"),
        block(
            "w",
            "m2",
            "citation",
            response={"results": [{"title": "France", "url": "https://x"}], "source": "websearch"},
        ),
        block("l", "m2", "translation", content="Paris (fr)", targetLanguage="fr"),
        block("g", "m2", "image", metadata={"generateImageResponse": {"type": "url", "images": ["https://x/a.png"]}}),
    ]
    names = ["t", "c", "w", "l", "g"]
    workspace = opened(
        tmp_path, backup([message("m1", "user", "b1", "p1", "f1"), message("m2", "assistant", *names)], blocks)
    )
    asked, called, result = chat_of(workspace).messages
    assert [type(one).__name__ for one in asked.whole] == ["Text", "Image", "DocumentPart"]
    assert [(one.id, one.name, one.arguments) for one in called.tool_calls] == [("c1", "capital", '{"of":"France"}')]
    assert "print()" in called.content
    assert any(isinstance(one, Image) for one in called.parts)
    assert (result.tool_call_id, result.content) == ("c1", "Paris")


def test_older_messages_have_their_tools_pictures_and_errors(tmp_path: Path) -> None:
    tool = {
        "id": "r",
        "tool": {"name": "capital", "inputSchema": {}},
        "arguments": {},
        "response": {"content": "Paris"},
    }
    fields = {"metadata": {"mcpTools": [tool]}, "images": ["https://x/a.png"], "error": {"message": "Cut short"}}
    workspace = opened(tmp_path, backup([older("m1", "user", ASKED), older("m2", "assistant", ANSWERED, **fields)], []))
    parts = [part for one in chat_of(workspace).messages for part in one.whole]
    assert [type(one) for one in parts if isinstance(one, Call | Result | Image)] == [Call, Image, Result]
    assert [one.metadata.get("error") for one in chat_of(workspace).messages if one.role == "assistant"] == [
        "Cut short"
    ]


@pytest.mark.parametrize("lost", [{**CHERRY, "localStorage": {}}, {**CHERRY_OLD, "localStorage": None}])
def test_topics_without_their_assistants_open_and_say_so(tmp_path: Path, lost: Any) -> None:
    workspace = opened(tmp_path, lost)
    assert said(chat_of(workspace)) == [("user", ASKED), ("assistant", ANSWERED)]
    assert warnings(workspace) == ["expected the assistants; titles and system prompts of topics are missing"]


def test_a_block_that_is_not_there_and_an_unknown_one_are_named(tmp_path: Path) -> None:
    blocks = [*BLOCKS[1:], block("h", "m1", "hologram", content="Lost")]
    workspace = opened(tmp_path, backup([message("m1", "user", "b1", "h"), ANSWER, {"blocks": "x"}], blocks))
    found = warnings(workspace)
    assert any('names the block "b1"' in one for one in found)
    assert any("hologram" in one for one in found)
    assert any("expected user or assistant" in one for one in found)
