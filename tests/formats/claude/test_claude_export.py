"""Exports of Claude.ai: branches, blocks, attached files, projects and memories, and what is broken in them."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_workspace
from inspector.formats.claude.export import FORMAT
from inspector.model import Image, Workspace
from inspector.reading.source import FileSource, UnreadableError
from tests.reading.zips import zipped

ROOT = "00000000-0000-4000-8000-000000000000"


def message(uuid: str, sender: str, content: Any, **more: Any) -> dict[str, Any]:
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return {"uuid": uuid, "sender": sender, "created_at": "2025-06-27T10:46:02Z", "content": blocks, **more}


def chat(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"uuid": "c", "name": "T", "chat_messages": list(messages), **more}


CLAUDE = chat(message("a", "human", "Hi"), message("b", "assistant", "Ho"))
PROJECT = {
    "uuid": "p",
    "name": "Harbour",
    "prompt_template": "Be brief.",
    "docs": [{"uuid": "x", "filename": "piers.md", "content": "Pier 1"}],
}
MEMORIES = {"conversations_memory": "Sails.", "project_memories": {"p": "Asks of piers."}}


def load(value: Any) -> Workspace:
    file = value if isinstance(value, FileSource) else FileSource("conversations.json", json.dumps(value).encode())
    assert FORMAT.sniff(file) > 0.9
    return FORMAT.load(file)


def said(workspace: Workspace) -> list[tuple[str, str]]:
    return [(one.role, one.content) for one in workspace.conversations[0].messages]


def test_the_shown_branch_is_the_conversation_and_the_others_stay_choosable() -> None:
    turns = (
        message("u", "human", "Hi", parent_message_uuid=ROOT),
        message("a", "assistant", "Ho", parent_message_uuid="u"),
        message("b", "assistant", "Again", parent_message_uuid="u", created_at="2025-06-28T00:00:00Z"),
    )
    workspace = load([chat(*turns, current_leaf_message_uuid="a", model="claude-opus-4")])
    (conversation,) = workspace.conversations
    assert [one.id for one in conversation.messages] == ["u", "a"]
    assert conversation.model == "claude-opus-4"
    assert conversation.tree is not None
    assert (conversation.tree.parents, conversation.tree.leaf) == (("", "u", "u"), "a")
    assert [problem.severity for problem in workspace.problems] == ["info"]
    assert [one.id for one in load([chat(*turns)]).conversations[0].messages] == ["u", "b"]  # else the newest


def test_blocks_become_text_reasoning_calls_and_results() -> None:
    blocks = [
        {"type": "thinking", "thinking": "Look it up."},
        {"type": "text", "text": "Wait."},
        {"type": "tool_use", "name": "search", "input": {"query": "ferry"}},
        {"type": "tool_result", "content": [{"type": "text", "text": "none"}], "is_error": True},
        {"type": "text", "text": "No ferry."},
    ]
    first, result, last = (
        load([chat(message("a", "assistant", blocks, text="Look it up. Wait."))]).conversations[0].messages
    )
    assert (first.content, first.reasoning, first.tool_calls[0].name) == ("Wait.", "Look it up.", "search")
    assert (result.role, result.content, result.tool_call_id) == ("tool", "none", first.tool_calls[0].id)
    assert result.metadata["is_error"] is True
    assert (last.id, last.content) == ("a.2", "No ferry.")


def test_an_unknown_block_is_named_and_not_counted() -> None:
    blocks = [
        {"type": "hologram", "text": "x" * 100},
        {"type": "text", "text": "Hi"},
        {"type": "token_budget"},
        5,
        {"type": []},
    ]
    workspace = load([chat(message("a", "human", blocks))])
    assert said(workspace) == [("user", "Hi")]
    assert [(problem.place, problem.severity) for problem in workspace.problems] == [
        ("$[0].chat_messages[0].content[0]", "warning"),
        ("$[0].chat_messages[0].content[3]", "warning"),
        ("$[0].chat_messages[0].content[4]", "warning"),
    ]
    assert "unknown type hologram" in workspace.problems[0].message


def test_one_message_of_an_unknown_sender_leaves_the_others() -> None:
    workspace = load([chat(message("a", "human", "Hi"), message("b", "oracle", "?"), message("c", "assistant", "Ho"))])
    assert said(workspace) == [("user", "Hi"), ("assistant", "Ho")]
    (problem,) = workspace.problems
    assert problem.place == "$[0].chat_messages[1].sender"
    assert "found oracle" in problem.message


def test_text_is_read_where_there_are_no_blocks() -> None:
    texts = (
        {"uuid": "a", "sender": "human", "text": "Hi"},
        {"uuid": "b", "sender": "assistant", "content": [], "text": "Ho"},
    )
    assert said(load(chat(*texts))) == [("user", "Hi"), ("assistant", "Ho")]


def test_pictures_are_counted_and_never_text() -> None:
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * 5_000}}
    files = [{"file_name": "map.PNG"}, {"file_name": "plan.pdf"}, {"file_name": "x", "file_kind": "image"}]
    (one,) = load([chat(message("a", "human", [picture], files=files))]).conversations[0].messages
    assert (one.content, one.images) == ("", 3)
    assert [(held.media_type, held.bytes, held.name) for held in one.parts if isinstance(held, Image)] == [
        ("image/png", 3_750, ""),
        ("", None, "map.PNG"),
        ("", None, "x"),
    ]
    assert one.metadata["files"] == ["map.PNG", "plan.pdf", "x"]


ATTACHED = message("a", "human", "Sum up.", attachments=[{"file_name": "n.txt", "extracted_content": "At seven."}])


def test_the_text_of_attached_files_goes_with_the_chat_that_had_them() -> None:
    alone = load([chat(ATTACHED)])
    assert [(file.path, file.content) for file in alone.attachments] == [("a/n.txt", "At seven.")]
    assert said(alone) == [("user", "Sum up.")]
    together = load([chat(ATTACHED), chat(message("z", "human", "Hi"), uuid="d")])
    assert together.attachments == ()
    assert said(together) == [("user", "[n.txt]\nAt seven.\n\nSum up.")]


def test_the_files_of_a_message_that_is_left_out_go_with_no_other_chat() -> None:
    lost = load([chat({**ATTACHED, "sender": "wizard"}), chat(message("z", "human", "Hi"), uuid="d")])
    assert lost.attachments == ()
    assert "the message was left out, and with it the text of 1 attached file" in [one.message for one in lost.problems]


def test_a_project_is_a_character_with_its_documents() -> None:
    workspace = load([PROJECT])
    assert [(one.id, one.name, one.system_prompt) for one in workspace.characters] == [("p", "Harbour", "Be brief.")]
    assert [(one.id, one.title, one.content) for one in workspace.documents] == [("x", "piers.md", "Pier 1")]
    several = load([PROJECT, {**PROJECT, "uuid": "q"}])
    assert several.documents == ()
    assert [[part.content for part in one.components] for one in several.characters] == [["Pier 1"], ["Pier 1"]]


def test_memories_are_of_all_chats_or_of_a_project() -> None:
    everything, project = load([MEMORIES]).memory_sets
    assert [(memory.content, memory.type) for memory in everything.memories] == [("Sails.", "explicit")]
    assert everything.conversations is None
    assert (project.id, project.memories[0].content, project.conversations) == ("p", "Asks of piers.", ())


def test_the_archive_is_one_export() -> None:
    data = zipped(
        {
            "conversations.json": json.dumps([chat(ATTACHED, project_uuid="p")]).encode(),
            "projects/p.json": json.dumps(PROJECT).encode(),
            "memories.json": json.dumps([MEMORIES]).encode(),
            "users.json": b'[{"uuid": "u", "full_name": "Ann"}]',
        }
    )
    workspace = load(FileSource("export.zip", data))
    assert [one.id for one in workspace.conversations] == ["c"]
    assert [one.id for one in workspace.characters] == ["claude", "p"]  # so that none is chosen for every chat
    assert [one.conversations for one in workspace.memory_sets] == [None, ("c",)]
    assert workspace.problems == ()


def test_an_archive_of_another_export_is_left_to_others() -> None:
    data = zipped({"conversations.json": b'[{"mapping": {}, "author": 1}]'})
    assert FORMAT.sniff(FileSource("export.zip", data)) == 0


def test_design_chats_hold_messages_in_messages() -> None:
    inner = {"role": "assistant", "timestamp": "2026-08-01T10:00:01Z", "content": []}
    inner["content"] = [
        {"type": "text", "text": "One"},
        {"type": "user_interjection", "text": "Stop"},
        {"type": "text", "text": "Two"},
    ]
    record = {"uuid": "m", "role": "assistant", "content": inner}
    workspace = load({"uuid": "d", "project": {"name": "P"}, "messages": [record]})
    assert said(workspace) == [("assistant", "One"), ("user", "Stop"), ("assistant", "Two")]
    assert [one.id for one in workspace.conversations[0].messages] == ["m", "m.1", "m.2"]
    assert workspace.conversations[0].title == "P"


def test_long_chats_and_cycles_are_walked() -> None:
    long = [
        message(f"m{index}", "human", "x", parent_message_uuid=f"m{index - 1}" if index else ROOT)
        for index in range(6_000)
    ]
    assert len(load([chat(*long)]).conversations[0].messages) == 6_000
    circle = [message("a", "human", "1", parent_message_uuid="b"), message("b", "human", "2", parent_message_uuid="a")]
    workspace = load([chat(*circle)])
    assert any("cycle" in problem.message for problem in workspace.problems)


def test_a_long_chat_that_names_no_parents_takes_a_time_that_grows_with_it_alone() -> None:
    (conversation,) = load([chat(*(message(f"m{number}", "human", "Hi") for number in range(10_000)))]).conversations
    assert len(conversation.messages) == 10_000
    assert conversation.tree is None


def test_what_is_no_chat_is_a_problem_beside_the_others() -> None:
    workspace = load([CLAUDE, 5])
    assert len(workspace.conversations) == 1
    assert [problem.place for problem in workspace.problems] == ["$[1]"]
    with pytest.raises(UnreadableError, match="expected chats"):
        FORMAT.load(FileSource("x.json", b"[]"))


# File, chats, messages of all chats as the export counts them, and messages that results of tools became.
_REAL = (
    ("conversations_artifacts.json", 3, 8, 0),
    ("derived/conversations.json", 1, 3, 1),
    ("owi_claude_example.json", 85, 557, 0),
    ("owi_claude_thinking_example.json", 1, 2, 0),
    ("polylogue_claude-ai-export.json", 1, 1, 0),
    ("polylogue_synthetic_representative_00.json", 1, 3, 0),
    ("../other/polylogue_claude-design-session.json", 1, 1, 0),
)


@pytest.mark.parametrize(("name", "chats", "messages", "results"), _REAL)
def test_real_chats(data_folder: Path, name: str, chats: int, messages: int, results: int) -> None:
    workspace = load_workspace([data_folder / "claude_ai" / name])
    assert [source.format for source in workspace.sources] == ["claude"]
    assert len(workspace.conversations) == chats
    every = [one for conversation in workspace.conversations for one in conversation.messages]
    assert sum(one.role == "tool" for one in every) == results
    assert len(every) - results == messages
    said = ("unknown type synthetic", "first of 547 messages in 82 chats without any content")
    assert all(any(text in problem.message for text in said) for problem in workspace.problems)


def test_real_attachments_projects_and_memories(data_folder: Path) -> None:
    folder = data_folder / "claude_ai" / "derived"
    talk = load_workspace([folder / "conversations.json"])
    assert [file.content for file in talk.attachments] == [
        "The ferry leaves at seven. Tickets are at the blue kiosk.\n"
    ]
    assert [one.images for one in talk.conversations[0].messages] == [1, 0, 0, 0]
    projects = load_workspace([folder / "projects.json"])
    assert (len(projects.characters), len(projects.documents)) == (1, 1)
    memories = load_workspace([folder / "memories.json"])
    assert [len(one.memories) for one in memories.memory_sets] == [1, 1]
    zipped_up = zipped({f"data/{file.name}": file.read_bytes() for file in folder.iterdir()})
    whole = FORMAT.load(FileSource("export.zip", zipped_up))
    assert (len(whole.conversations), len(whole.characters), len(whole.memory_sets)) == (1, 2, 2)


def test_text_stands_for_blocks_that_nothing_knows() -> None:
    workspace = load([chat({"uuid": "a", "sender": "human", "content": [{"type": "hologram"}], "text": "Hi"})])
    assert said(workspace) == [("user", "Hi")]
    assert [problem.place for problem in workspace.problems] == ["$[0].chat_messages[0].content[0]"]
