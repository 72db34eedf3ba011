"""Calls and results that lost their name, their id or each other are a problem, whatever the format."""

import json
from typing import Any

import pytest

from inspector.formats.opening import load_unnamed
from inspector.model import Call, Result, Workspace
from tests.examples import rounds
from tests.formats.test_changed_keys import _opened as opened
from tests.formats.test_changed_keys import _said as said
from tests.fuzz.keys import document_in, key_changes
from tests.fuzz.made import made_files

FRAMEWORKS = ("haystack", "autogen", "semantic_kernel", "llama_index", "realtime", "smolagents", "dspy")
CALL = {"id": "t1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
RESULT = {"role": "tool", "tool_call_id": "t1", "content": "waves"}
ASKED = {"role": "user", "content": "Where?"}


def linked(workspace: Workspace) -> tuple[int, int]:
    """The numbers of calls with a name, and of results with their call."""
    messages = [one for chat in workspace.conversations for one in (chat.tree.messages if chat.tree else chat.messages)]
    parts = [part for one in messages for part in one.parts]
    ids = {part.id for part in parts if isinstance(part, Call)}
    named = sum(isinstance(part, Call) and bool(part.name) for part in parts)
    return named, sum(isinstance(part, Result) and part.id in ids for part in parts)


@pytest.mark.parametrize("kind", FRAMEWORKS)
def test_no_change_of_a_key_loses_a_call_or_a_result_in_silence(kind: str) -> None:
    faults: list[str] = []
    for file in made_files()[kind]:
        document, is_lines = document_in(file.data) or (None, False)
        before = opened(file.name, document, is_lines)
        for change in list(key_changes(document))[:: rounds(1, 3)]:
            is_whole = change.kind in ("drop", "null") and len(linked_in(change.value)) > 0
            after = opened(file.name, change.document, is_lines)
            is_less = any(now < then for now, then in zip(linked(after), linked(before), strict=True))
            if is_less and not is_whole and not set(said(after)) - set(said(before)):
                faults.append(f"{file.name}: {change.name}")
    assert not faults


def linked_in(value: Any) -> list[Any]:
    """The objects in a value: a part of the file that is left out takes its calls with it."""
    if isinstance(value, dict):
        return [value, *(one for inner in value.values() for one in linked_in(inner))]
    return [one for inner in value for one in linked_in(inner)] if isinstance(value, list) else []


def problems(*messages: dict[str, Any]) -> list[tuple[str, str, str]]:
    found = load_unnamed(json.dumps({"messages": messages}).encode(), "body.json").workspace.problems
    return [(one.place, one.message.partition(":")[0], one.severity) for one in found]


def calling(*calls: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": "I look.", "tool_calls": list(calls)}


def test_sound_calls_and_formats_without_ids_give_no_problem() -> None:
    bare = {"function": {"name": "look", "arguments": "{}"}}
    assert problems(ASKED, calling(CALL), RESULT) == []
    assert problems(ASKED, calling(CALL)) == []
    assert problems(ASKED, calling(bare), {"role": "tool", "content": "waves"}) == []


def test_each_kind_of_loose_part_is_said_once_with_its_first_message() -> None:
    nameless = {"id": "t1", "function": {"arguments": "{}"}}
    assert problems(ASKED, calling(nameless), RESULT) == [("message m1", "calls a tool without naming it", "warning")]
    idless = {"role": "tool", "content": "waves"}
    assert problems(ASKED, calling(CALL), idless) == [("message m2", "has the result of a tool", "info")]
    other = {**RESULT, "tool_call_id": "t9"}
    words = "has the result of a call which is not in the conversation"
    assert problems(ASKED, calling(CALL), other) == [("message m2", words, "warning")]
    assert problems(ASKED, calling(CALL), RESULT, other, other) == [
        ("message m3", f"{words} (the first of 2 messages)", "warning")
    ]
