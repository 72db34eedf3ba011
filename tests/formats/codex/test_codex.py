"""Sessions of Codex: the generations of its files, what was summarized, taken back and counted, and broken lines."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_workspace
from inspector.formats.codex.sessions import FORMAT
from inspector.model import Conversation, Message, Thought, Workspace, changed
from inspector.reading.source import FileSource


def line(kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-01-02T03:04:05Z", "type": kind, "payload": payload}


def item(**fields: Any) -> dict[str, Any]:
    return line("response_item", **fields)


def event(kind: str, **fields: Any) -> dict[str, Any]:
    return line("event_msg", type=kind, **fields)


def spoken(role: str, text: str) -> dict[str, Any]:
    part = "output_text" if role == "assistant" else "input_text"
    return item(type="message", role=role, content=[{"type": part, "text": text}])


META = line("session_meta", id="s", base_instructions={"text": "Be kind."})
ROLLOUT = [META, line("turn_context", model="gpt-5-codex"), spoken("user", "Fix it"), spoken("assistant", "Done")]
ITEMS = [
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Fix it"}]},
    {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c"},
    {"type": "function_call_output", "call_id": "c", "output": {"content": "ok", "success": True}},
]
OLD = {"session": {"id": "s", "timestamp": "2025-05-01", "instructions": "Be kind."}, "items": ITEMS}


def load(*records: Any) -> Workspace:
    lines = (one if isinstance(one, bytes) else json.dumps(one).encode() for one in records)
    file = FileSource("rollout.jsonl", b"\n".join(lines))
    assert FORMAT.sniff(file) >= 0.9
    return FORMAT.load(file)


def only(*records: Any) -> Conversation:
    (conversation,) = load(*records).conversations
    return conversation


def said(conversation: Conversation) -> list[tuple[str, str]]:
    return [(one.role, one.content) for one in conversation.messages]


def test_items_are_messages_and_their_events_are_not_counted_again() -> None:
    workspace = load(*ROLLOUT, event("user_message", message="Fix it"), event("agent_message", message="Done"))
    (conversation,) = workspace.conversations
    assert said(conversation) == [("user", "Fix it"), ("assistant", "Done")]
    assert (conversation.id, conversation.title, conversation.model) == ("s", "Fix it", "gpt-5-codex")
    assert [one.system_prompt for one in workspace.characters] == ["Be kind."]
    assert workspace.problems == ()


def test_events_are_read_where_nothing_else_is_there() -> None:
    conversation = only(META, event("user_message", message="Hi"), event("agent_message", message="Ho"))
    assert said(conversation) == [("user", "Hi"), ("assistant", "Ho")]


def test_calls_results_and_reasoning_belong_together() -> None:
    thought = item(type="reasoning", summary=[{"type": "summary_text", "text": "Look."}], encrypted_content="g")
    conversation = only(META, *(line("response_item", **one) for one in (ITEMS[0],)), thought, *map(as_item, ITEMS[1:]))
    _, call, result = conversation.messages
    assert (call.reasoning, call.tool_calls[0].name) == ("Look.", "shell")
    assert (result.content, result.tool_call_id) == ("ok", "c")
    assert call.time == result.time is not None


def as_item(value: dict[str, Any]) -> dict[str, Any]:
    return line("response_item", **value)


def test_a_compaction_says_what_was_summarized_and_what_was_sent_again() -> None:
    again = line("compacted", message="So far: fixed.", replacement_history=[spoken("user", "Fix it")["payload"]])
    conversation = only(*ROLLOUT, again, spoken("user", "Thanks"))
    assert [one.content for one in conversation.messages] == ["Fix it", "Done", "So far: fixed.", "Thanks"]
    assert [one.metadata["recorded"] for one in conversation.messages] == [
        {"action": "kept"},
        {"action": "summarized", "by": "m2"},
        {"action": "kept"},
        {"action": "kept"},
    ]


def test_an_encrypted_compaction_is_named() -> None:
    workspace = load(*ROLLOUT, line("compacted", message="", replacement_history=[]))
    assert [problem.place for problem in workspace.problems] == ["line 5: $.payload"]
    assert "condensed and encrypted" in workspace.problems[0].message


def test_turns_that_were_taken_back_are_a_branch() -> None:
    context = spoken("user", "<environment_context>x</environment_context>")
    back = event("thread_rolled_back", num_turns=1)
    conversation = only(
        *ROLLOUT, context, spoken("user", "Worse"), spoken("assistant", "Oh"), back, spoken("user", "So")
    )
    assert [one.content for one in conversation.messages] == ["Fix it", "Done", context_text(context), "So"]
    assert conversation.tree is not None
    assert [one.content for one in conversation.tree.messages][3:5] == ["Worse", "Oh"]
    assert only(*ROLLOUT, back, spoken("user", "Again")).messages[0].content == "Again"
    (problem,) = load(*ROLLOUT, event("thread_rolled_back", num_turns=3)).problems
    assert "2 more turns" in problem.message


def context_text(record: dict[str, Any]) -> str:
    return record["payload"]["content"][0]["text"]


def test_counts_of_the_maker_and_the_window_are_kept() -> None:
    info = {"last_token_usage": {"input_tokens": 90, "output_tokens": 4}, "model_context_window": 272_000}
    conversation = only(*ROLLOUT, event("token_count", info=info), event("token_count", info=None))
    metadata = conversation.messages[-1].metadata
    assert (metadata["recorded_prompt_tokens"], metadata["recorded_tokens"]) == (90, 4)
    assert conversation.context_window == 272_000


def test_older_files_have_the_items_themselves() -> None:
    head = {"id": "s", "timestamp": "2025-05-01T00:00:00Z", "instructions": "Be kind.", "git": {}}
    lines = load(head, {"record_type": "state"}, *ITEMS)
    file = FileSource("rollout.json", json.dumps(OLD).encode())
    assert FORMAT.sniff(file) >= 0.9
    for workspace in (lines, FORMAT.load(file)):
        assert [one.role for one in workspace.conversations[0].messages] == ["user", "assistant", "tool"]
        assert workspace.characters[0].system_prompt == "Be kind."


def test_instructions_that_were_sent_as_a_message_are_there_once() -> None:
    sent = spoken("user", "<user_instructions>\nBe kind.\n</user_instructions>")
    assert load(META, sent, *ROLLOUT[1:]).characters == ()


def test_unknown_and_broken_lines_leave_the_others() -> None:
    odd = (line("dream", x=1), item(type="vision", text="x" * 50), b'{"type": "resp', 5, spoken("oracle", "?"))
    workspace = load(*ROLLOUT, *odd, spoken("user", "Thanks"))
    assert [text for _, text in said(workspace.conversations[0])] == ["Fix it", "Done", "Thanks"]
    places = {problem.place for problem in workspace.problems}
    assert places == {
        "line 7, column 10",
        "line 8: $",
        "line 9: $.payload.role",
        "line 5: $.type",
        "line 6: $.payload.type",
    }


def test_the_real_session(data_folder: Path) -> None:
    workspace = load_workspace([data_folder / "codex" / "derived" / "rollout-2026-01-02T03-04-05.jsonl"])
    assert [source.format for source in workspace.sources] == ["codex"]
    (conversation,) = workspace.conversations
    # 11 records: three that say what the session is, an event and a thought that belong to messages, six messages.
    assert [one.role for one in conversation.messages] == ["user", "user", "assistant", "tool", "user", "assistant"]
    assert (conversation.model, conversation.context_window) == ("gpt-5-codex", 272_000)
    actions = [one.metadata["recorded"]["action"] for one in conversation.messages]
    assert actions == ["summarized"] * 4 + ["kept"] * 2
    assert workspace.problems == ()


@pytest.mark.parametrize("kind", ["gzip", "zstd"])
def test_a_session_that_was_packed_is_the_same_session(data_folder: Path, tmp_path: Path, kind: str) -> None:
    arrow = pytest.importorskip("pyarrow")
    real = data_folder / "codex" / "derived" / "rollout-2026-01-02T03-04-05.jsonl"
    packed = tmp_path / f"{real.name}.zst"
    data = real.read_bytes()
    packed.write_bytes(gzip.compress(data) if kind == "gzip" else arrow.compress(data, kind, asbytes=True))
    (same,) = load_workspace([packed]).conversations
    (conversation,) = load_workspace([real]).conversations
    assert [_without_places(one) for one in same.messages] == [_without_places(one) for one in conversation.messages]


def _without_places(message: Message) -> Message:
    """Return a message whose thoughts do not say in which file they are."""
    parts = [changed(one, place=None) if isinstance(one, Thought) else one for one in message.parts]
    return changed(message, parts=tuple(parts))


@pytest.mark.parametrize("begun", [0, 1, 2])
def test_a_session_opens_from_any_line_and_states_of_surroundings_are_no_loss(tmp_path: Path, begun: int) -> None:
    state = line("world_state", full=True, state={"environment": {"notes": "The folder is here, and it is open."}})
    rows = [line("session_meta", id="s"), state, spoken("user", "Which capital?"), state, spoken("assistant", "Paris.")]
    file = tmp_path / "rollout.jsonl"
    file.write_text("\n".join(map(json.dumps, rows[begun:])))
    workspace = load_workspace([file])
    assert [message.content for message in workspace.conversations[0].messages] == ["Which capital?", "Paris."]
    assert [source.format for source in workspace.sources] == ["codex"]
    assert workspace.problems == ()


def test_lines_of_other_unknown_types_are_named(tmp_path: Path) -> None:
    file = tmp_path / "rollout.jsonl"
    odd = line("world_states", text="The folder is here, and it is open.")
    file.write_text("\n".join(map(json.dumps, [spoken("user", "Which capital?"), odd])))
    assert any("world_states" in problem.message for problem in load_workspace([file]).problems)


def test_what_another_agent_wrote_is_a_message_with_its_author() -> None:
    told = {"author": "/root/backend", "recipient": "/root", "other_recipients": [], "trigger_turn": False}
    mail = line("inter_agent_communication", **told, content="The tests pass.")
    workspace = load(*ROLLOUT, mail, line("inter_agent_communication_metadata", trigger_turn=True))
    message = workspace.conversations[0].messages[-1]
    assert (message.role, message.name, message.content) == ("assistant", "/root/backend", "The tests pass.")
    assert message.metadata["recipient"] == "/root"
    assert workspace.problems == load(*ROLLOUT).problems
    hidden = line("inter_agent_communication", **told, content="", encrypted_content="x")
    assert [one.message for one in load(*ROLLOUT, hidden).problems if one.severity == "warning"] == [
        "the message of another agent is encrypted; it was left out"
    ]
