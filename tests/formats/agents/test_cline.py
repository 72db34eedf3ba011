"""Tasks of Cline and Roo: what was condensed or cut off is no turn."""

import json
from typing import Any

import pytest

from inspector.formats.agents import cline
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError

TASK: list[dict[str, Any]] = [
    {"role": "user", "content": [{"type": "text", "text": "<task>\nfix\n</task>"}], "ts": 1_700_000_000_000},
    {"role": "assistant", "content": "Old", "ts": 1_700_000_001_000, "condenseParent": "s1"},
    {"role": "user", "content": "[Summary]", "isSummary": True, "condenseId": "s1", "ts": 1_700_000_002_000},
    {"role": "user", "content": "Cut", "truncationParent": "t1", "ts": 4},
    {"role": "user", "content": "[Cut here]", "isTruncationMarker": True, "truncationId": "t1", "ts": 5},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "x", "name": "read", "input": {}}], "ts": 6},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x", "content": "Words"}], "ts": 7},
]


def load(*records: Any) -> Workspace:
    source = FileSource("api_conversation_history.json", json.dumps(records).encode())
    assert rank_formats(source, built_in_formats())[0][0] is cline.FORMAT
    return cline.load(source)


def test_what_was_condensed_or_cut_off_is_excluded_and_says_by_what() -> None:
    messages = load(*TASK).conversations[0].messages
    assert [message.id for message in messages if message.excluded] == ["m1", "m3"]
    assert messages[1].metadata["recorded"] == {"action": "summarized", "by": "m2", "reason": "condensed"}
    assert messages[3].metadata["recorded"] == {"action": "dropped", "by": "m4", "reason": "cut off"}
    assert messages[2].metadata == {"isSummary": True}
    assert messages[0].time is not None


def test_a_mark_without_its_marker_excludes_nothing() -> None:
    kept = load(*TASK[:2], {**TASK[3], "truncationParent": "gone"}).conversations[0].messages
    assert not [message for message in kept if message.excluded]


def test_tools_are_calls_and_results() -> None:
    *_, called, answered = load(*TASK).conversations[0].messages
    assert (called.tool_calls[0].name, answered.role, answered.content) == ("read", "tool", "Words")
    assert answered.tool_call_id == "x"


def test_what_is_broken_is_a_problem_and_the_rest_opens() -> None:
    ghost = {"role": "ghost", "content": "Boo", "ts": 5}
    pictured = {"role": "user", "content": [{"type": "hologram"}, {"type": "text", "text": "Hi"}], "ts": 5}
    workspace = load(TASK[0], ghost, pictured, 5)
    assert [message.content for message in workspace.conversations[0].messages] == ["<task>\nfix\n</task>", "Hi"]
    assert [problem.place for problem in workspace.problems] == ["$[1].role", "$[2].content[0]", "$[3]"]


@pytest.mark.parametrize("value", [[], {}, [{"role": "user", "content": "Hi", "ts": 1}], [{"ts": 1, "type": ["say"]}]])
def test_other_json_is_not_claimed(value: Any) -> None:
    source = FileSource("x.json", json.dumps(value).encode())
    assert cline.sniff(source) == 0
    with pytest.raises(UnreadableError):
        cline.load(source)
