"""Sessions of Grok Build and Hermes as they are written to files, and the log of prompts of Gemini CLI."""

import json
from pathlib import Path

from tests.formats.agents.agent_examples import ANSWERED, ASKED, GROK_HISTORY, HERMES
from tests.formats.agents.test_agent_sessions import only_chat, opened, said


def test_grok_says_what_it_wrote_itself_and_which_model_answered(tmp_path: Path) -> None:
    workspace = opened(tmp_path, GROK_HISTORY)
    chat = only_chat(workspace)
    assert [one.system_prompt for one in workspace.characters] == ["You are Grok."]
    assert [bool(one.metadata.get("meta")) for one in chat.messages] == [True, False, False, False, False]
    assert (chat.model, chat.messages[-1].metadata["model"]) == ("grok-4.5", "grok-4.5")


def test_a_tool_of_the_server_is_a_call_and_an_unknown_item_is_named(tmp_path: Path) -> None:
    kind = {"tool_type": "web_search", "id": "w1", "action": {"query": "Paris"}}
    searched = {"type": "backend_tool_call", "kind": kind}
    other = {"type": "hologram", "content": "Lost it."}
    workspace = opened(tmp_path, [*GROK_HISTORY[:-1], searched, other, GROK_HISTORY[-1]])
    calls = [call for one in only_chat(workspace).messages for call in one.tool_calls]
    assert [(call.id, call.name) for call in calls] == [("c1", "read_file"), ("w1", "web_search")]
    assert "Paris" in calls[1].arguments
    assert any("hologram" in problem.message for problem in workspace.problems)


def test_hermes_leaves_out_its_own_records_and_keeps_the_prompt_and_the_tools(tmp_path: Path) -> None:
    workspace = opened(tmp_path, HERMES)
    chat = only_chat(workspace)
    assert (chat.id, chat.model) == ("h1", "gpt-5")
    assert said(chat) == [("user", ASKED), ("tool", "Paris"), ("assistant", ANSWERED)]
    assert [one.system_prompt for one in workspace.characters] == ["You are Hermes."]
    assert len(workspace.tools) == 1
    assert [problem.severity for problem in workspace.problems] == ["info"]


def test_the_prompts_in_the_log_of_gemini_are_a_conversation_for_each_session(tmp_path: Path) -> None:
    entry = {"type": "user", "timestamp": "2026-05-01T10:00:00.000Z"}
    rows = [("a", 0, ASKED), ("b", 0, "Hello"), ("a", 1, "Thank you")]
    entries = [{**entry, "sessionId": chat, "messageId": number, "message": text} for chat, number, text in rows]
    workspace = opened(tmp_path, json.dumps(entries).encode())
    assert [(one.id, said(one)) for one in workspace.conversations] == [
        ("a", [("user", ASKED), ("user", "Thank you")]),
        ("b", [("user", "Hello")]),
    ]
    assert any("only what users wrote" in problem.message for problem in workspace.problems)


def test_an_answer_of_gemini_under_another_type_and_key_is_read(tmp_path: Path) -> None:
    messages = [
        {"id": "m1", "type": "user", "content": ASKED},
        {"id": "m2", "type": "model", "parts": [{"text": ANSWERED}]},
    ]
    head = {"sessionId": "s", "projectHash": "p", "messages": messages}
    assert said(only_chat(opened(tmp_path, head))) == [("user", ASKED), ("assistant", ANSWERED)]
