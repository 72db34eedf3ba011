"""What agents wrote for people to read: the screen of Cline and Roo, and the transcripts of Cursor as text."""

import json
from typing import Any

import pytest

from inspector.formats.opening import load_unnamed
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Result, Workspace
from inspector.reading.source import FileSource
from tests.formats.agents.agent_examples import ANSWERED, ASKED, CLINE_SHOWN, CURSOR_TEXT

Said = list[tuple[str, str]]


def shown(*records: Any) -> Workspace:
    return load_unnamed(json.dumps(records).encode(), "ui_messages.json").workspace


def transcript(text: str) -> Workspace:
    return load_unnamed(text.encode(), "transcript.txt").workspace


def said(workspace: Workspace) -> Said:
    (chat,) = workspace.conversations
    return [(message.role, message.content) for message in chat.messages]


def loud(workspace: Workspace) -> list[str]:
    return [problem.message for problem in workspace.problems if problem.severity != "info"]


def test_the_screen_of_a_task_is_its_turns() -> None:
    workspace = shown(*CLINE_SHOWN)
    assert [source.format for source in workspace.sources] == ["cline_shown"]
    assert said(workspace) == [
        ("user", ASKED),
        ("assistant", "I look."),
        ("tool", "France:\nParis"),
        ("assistant", "Which France?\nHere\nThere"),
        ("user", "Here."),
        ("assistant", ANSWERED),
    ]
    asked, looked, told, *_ = workspace.conversations[0].messages
    assert asked.images == 1
    assert (looked.thinking, looked.tool_calls[0].name) == ("Look it up.", "execute_command")
    assert looked.tool_calls[0].id == told.tool_call_id
    assert (looked.metadata["recorded_prompt_tokens"], looked.metadata["recorded_tokens"]) == (20, 5)
    assert workspace.conversations[0].model == "model-x"
    assert ["what was sent is in api_conversation_history.json" in words for words in loud(workspace)] == [True]


def test_a_summary_of_roo_replaces_what_was_before_it() -> None:
    condensed = {"cost": 0, "prevContextTokens": 9, "newContextTokens": 3, "summary": "A capital was asked for."}
    compaction = {"ts": 9.5, "type": "say", "say": "condense_context", "contextCondense": condensed}
    messages = shown(*CLINE_SHOWN[:8], compaction, *CLINE_SHOWN[8:]).conversations[0].messages
    actions = [(one.metadata.get("recorded") or {}).get("action") for one in messages]
    assert messages[4].content == "A capital was asked for."
    assert actions[:4] == ["summarized"] * 4


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"ts": 3, "type": "say", "say": "dance", "text": "x"}, "1 record of the unknown type dance was left out"),
        ({"ts": 3, "type": "say", "say": "user_feedback"}, "expected the text of the user, found nothing"),
        ({"ts": 3, "type": "say", "say": "condense_context"}, "expected the summary of earlier messages, found none"),
        ({"ts": 3}, "expected what the screen showed"),
        (5, "expected a record (an object)"),
    ],
)
def test_a_record_that_is_not_read_is_named(record: Any, words: str) -> None:
    assert any(words in one for one in loud(shown(*CLINE_SHOWN, *[CLINE_SHOWN[8]] * 5, record)))


def test_calls_and_results_of_the_screen_have_the_names_of_their_tools() -> None:
    tool = {"ts": 2, "type": "ask", "ask": "tool", "text": '{"tool":"readFile","path":"a.txt"}'}
    server = {"ts": 3, "type": "ask", "ask": "use_mcp_server", "text": '{"serverName":"s","toolName":"look"}'}
    answer = {"ts": 4, "type": "say", "say": "mcp_server_response", "text": "Found."}
    messages = shown(CLINE_SHOWN[0], tool, server, answer).conversations[0].messages
    assert [call.name for call in messages[1].tool_calls] == ["readFile", "look"]
    assert messages[2].content == "Found."


def test_a_transcript_has_its_thoughts_calls_and_results() -> None:
    workspace = transcript(CURSOR_TEXT)
    assert [source.format for source in workspace.sources] == ["cursor_text"]
    assert workspace == transcript(CURSOR_TEXT.replace("assistant:", "A:"))
    assert workspace == transcript(CURSOR_TEXT.replace("\n", "\r\n"))
    (chat,) = workspace.conversations
    assert chat.title == ASKED
    assert [one.role for one in chat.messages] == [
        "user",
        "assistant",
        "tool",
        "tool",
        "assistant",
        "user",
        "assistant",
    ]
    first = chat.messages[1]
    assert first.thinking == "**Looking**\n\nI look it up:\n- in the list"
    assert first.content == "The list has it."
    assert [(call.name, call.arguments) for call in first.tool_calls] == [
        ("ReadFile", "path: capitals.txt\nlimit: 20"),
        ("Shell", "command: ls"),
    ]
    assert [one.tool_call_id for one in chat.messages[2:4]] == [call.id for call in first.tool_calls]
    assert chat.messages[-1].content == ANSWERED
    assert loud(workspace) == ["Cursor wrote no text of 2 results, so the prompts were longer than shown"]


def test_the_text_of_a_result_is_kept_where_it_is_written() -> None:
    workspace = transcript(CURSOR_TEXT.replace("[Tool result] Shell\n", "[Tool result] Shell\ncapitals.txt\n"))
    results = [part for one in workspace.conversations[0].messages for part in one.parts if isinstance(part, Result)]
    assert [one.content for one in results] == ["", "capitals.txt"]


def test_words_in_the_middle_of_a_turn_begin_no_turn() -> None:
    text = CURSOR_TEXT.replace(ASKED, "Is this a header?\nassistant:\nNo.")
    assert said(transcript(text))[0][1] == "<user_query>\nIs this a header?\nassistant:\nNo.\n</user_query>"


@pytest.mark.parametrize(
    "text", ["user:\nHi\n\nassistant:\nHo\n", "Ann:\nHi\n\nBen:\nHo\n", "user: Hi\nassistant: Ho\n"]
)
def test_plain_dialogues_are_not_taken_for_transcripts_of_cursor(text: str) -> None:
    found = rank_formats(FileSource("x.txt", text.encode()), built_in_formats())[0]
    assert "cursor_text" not in [one.name for one in found]
