"""Sessions of Claude Code: answers over several lines, results side by side, sub-agents, summaries, broken lines."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_workspace
from inspector.formats.claude.sessions import FORMAT
from inspector.model import Conversation, Workspace
from inspector.reading.source import FileSource


def record(uuid: str, parent: str | None, role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {
        "type": role,
        "uuid": uuid,
        "parentUuid": parent,
        "sessionId": "s",
        "timestamp": "2025-06-14T11:00:00Z",
        "message": {"role": role, "content": content},
        **more,
    }


def piece(uuid: str, parent: str, *blocks: dict[str, Any], answer: str = "x", **usage: int) -> dict[str, Any]:
    """A line of an answer of the model."""
    made = record(uuid, parent, "assistant", list(blocks))
    made["message"] |= {"id": answer, "model": "claude-opus-4", "usage": usage}
    return made


def call(id_: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": id_, "name": "Bash", "input": {"command": "ls"}}


def result(uuid: str, parent: str, id_: str) -> dict[str, Any]:
    return record(uuid, parent, "user", [{"type": "tool_result", "tool_use_id": id_, "content": f"of {id_}"}])


SESSION = [
    record("a", None, "user", "List the files."),
    piece("b", "a", {"type": "thinking", "thinking": "Easy."}, input_tokens=3, output_tokens=1),
    piece("c", "b", call("t"), input_tokens=3, cache_read_input_tokens=9, output_tokens=5),
    result("d", "c", "t"),
    piece("e", "d", {"type": "text", "text": "One file."}, answer="y"),
]


def load(*records: Any) -> Workspace:
    lines = (one if isinstance(one, bytes) else json.dumps(one).encode() for one in records)
    file = FileSource("session.jsonl", b"\n".join(lines))
    assert FORMAT.sniff(file) >= 0.9
    return FORMAT.load(file)


def only(*records: Any) -> Conversation:
    (conversation,) = load(*records).conversations
    return conversation


def said(conversation: Conversation) -> list[tuple[str, str]]:
    return [(one.role, one.content) for one in conversation.messages]


def test_the_lines_of_an_answer_are_one_message_with_what_its_maker_counted() -> None:
    conversation = only(*SESSION)
    assert [one.role for one in conversation.messages] == ["user", "assistant", "tool", "assistant"]
    answer = conversation.messages[1]
    assert (answer.reasoning, [one.id for one in answer.tool_calls]) == ("Easy.", ["t"])
    assert (answer.metadata["recorded_prompt_tokens"], answer.metadata["recorded_tokens"]) == (12, 5)
    assert (conversation.id, conversation.title, conversation.model) == ("s", "List the files.", "claude-opus-4")
    assert conversation.tree is None


def test_results_of_tools_that_ran_side_by_side_are_no_branches() -> None:
    records = [
        record("a", None, "user", "Hi"),
        piece("b", "a", call("t1")),
        piece("c", "b", call("t2")),
        result("d", "b", "t1"),
        result("e", "c", "t2"),
        piece("f", "d", {"type": "text", "text": "Done."}, answer="y"),
    ]
    conversation = only(*records)
    assert conversation.tree is None
    assert said(conversation)[2:] == [("tool", "of t1"), ("tool", "of t2"), ("assistant", "Done.")]


def test_going_back_makes_a_branch() -> None:
    later = {"timestamp": "2025-06-14T12:00:00Z"}
    conversation = only(*SESSION, record("f", "a", "user", "No, wait.", **later))
    assert said(conversation) == [("user", "List the files."), ("user", "No, wait.")]
    assert conversation.tree is not None
    assert len(conversation.tree.messages) == 5


def test_sub_agents_and_other_sessions_are_conversations_of_their_own() -> None:
    side = record("f", None, "user", "Look around.", isSidechain=True)
    answer = piece("g", "f", {"type": "text", "text": "Seen."}, answer="z") | {"isSidechain": True}
    other = record("h", None, "user", "Hello", sessionId="s2")
    conversations = load(*SESSION, side, answer, other).conversations
    assert [one.id for one in conversations] == ["s", "s/f", "s2"]
    assert said(conversations[1]) == [("user", "Look around."), ("assistant", "Seen.")]


def test_a_compaction_says_what_was_summarized_and_what_was_still_sent() -> None:
    boundary = {"type": "system", "subtype": "compact_boundary", "uuid": "k", "parentUuid": None, "sessionId": "s"}
    boundary |= {"logicalParentUuid": "e", "compactMetadata": {"trigger": "auto", "preTokens": 155_000}}
    summary = record("l", "k", "user", "So far: one file.", isCompactSummary=True)
    conversation = only(*SESSION, boundary, summary, record("m", "l", "user", "Go on."))
    actions = [one.metadata["recorded"] for one in conversation.messages]
    assert actions == [{"action": "summarized", "by": "l"}] * 4 + [{"action": "kept"}] * 2
    marked = conversation.messages[4].metadata
    assert (marked["compact_summary"], marked["compaction"]) == (True, {"trigger": "auto", "preTokens": 155_000})
    assert not any(one.excluded for one in conversation.messages)


def test_what_was_never_sent_is_excluded_and_what_the_program_wrote_is_marked() -> None:
    failed = piece("f", "e", {"type": "text", "text": "API Error"}, answer="z") | {"isApiErrorMessage": True}
    note = record("g", "f", "user", "Caveat: local", isMeta=True)
    queued: dict[str, Any] = {"type": "attachment", "uuid": "h", "parentUuid": "g", "sessionId": "s"}
    queued["attachment"] = {"type": "queued_command", "prompt": "And then?"}
    named: dict[str, Any] = {"type": "attachment", "uuid": "i", "parentUuid": "h", "sessionId": "s"}
    named["attachment"] = {
        "type": "file",
        "filename": "a.py",
        "content": {"type": "text", "file": {"content": "x = 1"}},
    }
    error, meta, asked, file = only(*SESSION, failed, note, queued, named).messages[-4:]
    assert (error.excluded, error.metadata["recorded"]["action"]) == (True, "dropped")
    assert (meta.metadata["meta"], meta.excluded) == (True, False)
    assert (asked.role, asked.content) == ("user", "And then?")
    assert file.content == "[a.py]\nx = 1"


def test_titles_are_those_of_the_same_session() -> None:
    other = {"type": "summary", "summary": "Of another file", "leafUuid": "zz"}
    own = {"type": "summary", "summary": "Files listed", "leafUuid": "e"}
    assert only(other, *SESSION).title == "List the files."
    assert only(other, *SESSION, own).title == "Files listed"
    assert only(own, *SESSION, {"type": "ai-title", "aiTitle": "Files", "sessionId": "s"}).title == "Files"


def test_a_broken_line_takes_no_other_with_it() -> None:
    workspace = load(SESSION[0], b'{"type": "assistant", "uuid"', *SESSION[3:], 5, {"type": "dream", "uuid": "z"})
    assert said(workspace.conversations[0]) == [
        ("user", "List the files."),
        ("tool", "of t"),
        ("assistant", "One file."),
    ]
    assert [problem.place for problem in workspace.problems] == [
        "line 2, column 29",
        "line 5: $",
        "line 3: $",
        "line 6: $.type",
    ]
    assert "unknown type dream" in workspace.problems[-1].message


def test_a_message_of_an_unknown_role_leaves_the_others() -> None:
    odd = record("f", "e", "user", "?")
    odd["message"]["role"] = "oracle"
    workspace = load(*SESSION, odd)
    assert len(workspace.conversations[0].messages) == 4
    assert workspace.problems[0].place == "line 6: $.message.role"


def test_an_id_is_taken_once_unless_nothing_was_in_it() -> None:
    again = record("a", None, "user", "Another text")
    workspace = load(*SESSION, again, SESSION[0])
    assert said(workspace.conversations[0])[0] == ("user", "List the files.")
    assert [problem.place for problem in workspace.problems] == ["line 6: $.uuid"]
    blank = record("a", None, "user", None)
    assert said(only(blank, SESSION[0])) == [("user", "List the files.")]


def test_what_is_no_message_is_counted() -> None:
    beside = [{"type": "file-history-snapshot", "messageId": "a", "snapshot": {}}] * 2
    progress = {"type": "progress", "uuid": "p", "parentUuid": "e", "sessionId": "s"}
    (problem,) = load(*SESSION, *beside, progress).problems
    assert (problem.severity, problem.message.partition(": ")[2]) == ("info", "2 file-history-snapshot, 1 progress")


# File, conversations, messages of all conversations, problems that are more than a remark.
_REAL = (
    # 10 user and 4 assistant records, of which one has no content and one is no message; 4 lines are no records.
    ("edge_cases.jsonl", 2, 12, 6),
    # 8 user and 4 assistant records, of which one has an id that is taken; one is beside the active path.
    ("polylogue_claude-normalization-main.jsonl", 3, 11, 1),
    ("polylogue_normalization-agent.jsonl", 1, 2, 0),
    ("polylogue_normalization-lineage-acompact.jsonl", 1, 3, 0),
    ("representative_messages.jsonl", 1, 11, 0),
    ("simonw_sample_session.jsonl", 1, 7, 0),
)


@pytest.mark.parametrize(("name", "conversations", "messages", "problems"), _REAL)
def test_real_sessions(data_folder: Path, name: str, conversations: int, messages: int, problems: int) -> None:
    workspace = load_workspace([data_folder / "claude_code" / name])
    assert [source.format for source in workspace.sources] == ["claude_code"]
    assert len(workspace.conversations) == conversations
    every = [len(one.tree.messages if one.tree else one.messages) for one in workspace.conversations]
    assert sum(every) == messages
    assert sum(problem.severity != "info" for problem in workspace.problems) == problems
