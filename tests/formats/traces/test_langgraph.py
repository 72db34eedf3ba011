"""Databases of LangGraph's checkpointer: threads, forks, removed and summarized messages, and what cannot be read."""

import json
import os
import pickle
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as some

from inspector.formats.opening import load_unnamed
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.formats.traces import langgraph
from inspector.formats.traces.langgraph_values import NotReadError, value_of
from inspector.model import Call, Workspace
from inspector.reading.source import FileSource, UnreadableError
from tests.formats.agents.test_agent_databases import database_of
from tests.formats.traces.checkpoint_examples import (
    ai,
    checkpoint,
    checkpoints,
    constructed,
    human,
    object_of,
    old,
    packed,
    snapshot,
    state,
    system,
    write,
)

Row = dict[str, Any]
HI, HO, WHY, SO = human("Hi"), ai("Ho"), human("Why?"), ai("So.")


def load(rows: list[Row], writes: list[Row] | None = None) -> Workspace:
    tables = {"checkpoints": rows, **({"writes": writes} if writes else {})}
    source = FileSource("checkpoints.sqlite", database_of(tables))
    assert rank_formats(source, built_in_formats())[0][0] is langgraph.FORMAT
    return langgraph.load(source)


def said(workspace: Workspace, number: int = 0) -> list[str]:
    return [message.content for message in workspace.conversations[number].messages]


def actions(workspace: Workspace) -> list[str]:
    return [one.metadata.get("recorded", {}).get("action", "") for one in workspace.conversations[0].messages]


def test_a_thread_is_a_conversation_whose_newest_state_is_shown() -> None:
    tables = checkpoints()
    workspace = load(tables["checkpoints"], tables["writes"])
    (chat,) = workspace.conversations
    assert [(one.role, one.content) for one in chat.messages] == [
        ("user", "Hi"),
        ("assistant", "Ho"),
        ("user", "When?"),
        ("assistant", "Now."),
    ]
    assert chat.tree is not None
    assert [one.content for one in chat.tree.messages] == ["Hi", "Ho", "Where?", "When?", "Now."]
    assert (chat.id, chat.messages[0].id) == ("one", "Hi")
    assert str(chat.messages[0].time) == "2026-01-02 03:04:01+00:00"
    assert [problem.message for problem in workspace.problems if "unfinished" in problem.message] == []
    assert "1 message of a step that was not finished" in workspace.problems[0].message


def test_calls_results_usage_and_model_are_kept() -> None:
    call = {"name": "look", "args": {"at": "sea"}, "id": "t1", "type": "tool_call"}
    usage = {"input_tokens": 9, "output_tokens": 2, "total_tokens": 11}
    asked = ai("", "a", tool_calls=[call], usage_metadata=usage, response_metadata={"model_name": "gpt-4o"})
    result = {**human("waves", "r"), "type": "tool", "tool_call_id": "t1", "status": "success", "artifact": None}
    (chat,) = load([state(0, HI, asked, result)]).conversations
    (found,) = chat.messages[1].tool_calls
    assert isinstance(found, Call)
    assert (found.name, found.id) == ("look", "t1")
    assert (chat.messages[2].role, chat.messages[2].tool_call_id, chat.model) == ("tool", "t1", "gpt-4o")
    assert chat.messages[1].metadata["recorded_tokens"] == 2


def test_removed_messages_stay_and_are_marked_as_dropped() -> None:
    workspace = load([state(0, HI, HO, WHY), state(1, WHY, SO)])
    assert said(workspace) == ["Hi", "Ho", "Why?", "So."]
    assert actions(workspace) == ["dropped", "dropped", "", ""]


@pytest.mark.parametrize("head", [[], [system("Be kind.")]])
def test_a_message_ahead_of_kept_ones_is_the_summary_of_the_missing_ones(head: list[Row]) -> None:
    summary = human("They greet.")
    workspace = load([state(0, *head, HI, HO, WHY), state(1, *head, summary, WHY, SO)])
    shown = [one for one in workspace.conversations[0].messages if one.role != "system"]
    assert [one.content for one in shown] == ["Hi", "Ho", "Why?", "They greet.", "So."]
    assert [one.metadata["recorded"]["action"] for one in shown] == ["summarized", "summarized", *["kept"] * 3]
    assert shown[0].metadata["recorded"]["by"] == "They greet."


def test_a_replaced_message_begins_a_branch() -> None:
    workspace = load([state(0, HI, HO), state(1, HI, {**HO, "content": "Hello."})])
    assert said(workspace) == ["Hi", "Hello."]
    (chat,) = workspace.conversations
    assert chat.tree is not None
    assert [one.content for one in chat.tree.messages] == ["Hi", "Ho", "Hello."]


@pytest.mark.parametrize("channel", ["summary", "context"])
def test_a_summary_beside_the_messages_is_kept(channel: str) -> None:
    fields = {"summary": "They greet.", "summarized_message_ids": [], "last_summarized_message_id": None}
    running = msgspec.msgpack.Ext(2, packed(["langmem.short_term.summarization", "RunningSummary", fields]))
    held = "They greet." if channel == "summary" else {"running_summary": running}
    workspace = load([state(0, HI, HO, **{channel: held})])
    assert [one.summary for one in workspace.summaries] == ["They greet."]
    assert not workspace.problems


def test_other_values_of_a_state_are_named() -> None:
    workspace = load([state(0, HI, question="What is new?", count=3)])
    (problem,) = workspace.problems
    assert problem.message.endswith(": question")


def test_graphs_inside_and_other_lists_are_conversations_unless_they_repeat() -> None:
    inner = {**state(1, human("Look inside")), "checkpoint_ns": "agent:1", "parent_checkpoint_id": None}
    notes = [object_of(human("A note"))]
    workspace = load([state(0, HI, HO, notes=notes, sent=[object_of(HI)]), inner])
    assert [(chat.id, said(workspace, n)) for n, chat in enumerate(workspace.conversations)] == [
        ("one", ["Hi", "Ho"]),
        ("one:notes", ["A note"]),
        ("one:agent:1", ["Look inside"]),
    ]


def test_a_list_under_any_name_is_read() -> None:
    assert said(load([checkpoint(0, {"__root__": [object_of(HI), object_of(HO)]})])) == ["Hi", "Ho"]
    assert said(load([checkpoint(0, {"dialog": [{"role": "user", "content": "Hi"}]})])) == ["Hi"]


def test_states_of_which_only_the_writes_are_saved_are_joined() -> None:
    grown = {"channel_versions": {"messages": "2"}, "channel_values": {}, "ts": "2026-01-02T03:04:05"}
    rows = [
        checkpoint(0, {}),
        {**checkpoint(1, {}), "checkpoint": packed(grown)},
        {**checkpoint(2, {}), "checkpoint": packed(grown)},
        checkpoint(3, {"messages": snapshot([object_of(one) for one in (HI, HO, WHY)])}),
    ]
    remove = {**human("", "Ho"), "type": "remove"}
    writes = [write(0, HI), write(1, HO), write(1, WHY, at=1), write(3, SO, remove)]
    assert said(load(rows[:3], writes)) == ["Hi", "Ho", "Why?"]
    workspace = load(rows, writes)
    assert said(workspace) == ["Hi", "Ho", "Why?", "So."]
    assert actions(workspace) == ["", "dropped", "", ""]


def test_files_of_the_first_versions_and_of_javascript_are_read() -> None:
    assert said(load([old(0, HI), old(1, HI, HO)])) == ["Hi", "Ho"]
    kept = {"lc": 2, "type": "constructor", "id": ["builtins", "set"], "args": [["a b"]]}
    saved = {"channel_values": {"messages": [constructed(HI), constructed(HO)], "seen": kept}}
    row = {**state(0), "type": "json", "checkpoint": json.dumps(saved)}
    assert said(load([row])) == ["Hi", "Ho"]


class _Opened:
    """An object whose pickle makes a folder when it is read."""

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return os.mkdir, (self.path,)

    path = ""


@pytest.mark.parametrize("kind", ["pickle", None])
def test_a_pickled_state_is_a_problem_and_never_run(kind: str | None, tmp_path: Path) -> None:
    _Opened.path = str(tmp_path / "made")
    row = {**state(1), "type": kind, "checkpoint": pickle.dumps(_Opened())}
    workspace = load([state(0, HI), row])
    assert said(workspace) == ["Hi"]
    (problem,) = workspace.problems
    assert (problem.place, problem.severity) == ("checkpoints: c1", "error")
    assert "is pickled; that is not read" in problem.message
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("code", [0, 1, 2, 3, 4, 5])
def test_no_object_is_made_from_an_extension(code: int, tmp_path: Path) -> None:
    path = str(tmp_path / "made")
    argument = {"name": path} if code in (2, 4, 5) else path
    held = msgspec.msgpack.Ext(code, packed(["os", "mkdir", argument, "mkdir"]))
    assert value_of("msgpack", packed({"messages": held})) == {"messages": argument}
    assert not Path(path).exists()


@pytest.mark.parametrize(
    ("kind", "data", "reason"),
    [
        ("msgpack", b"\x81\xa1", "is damaged msgpack"),
        ("msgpack", packed(msgspec.msgpack.Ext(77, packed(1))), "unknown type 77"),
        ("json", b"{", "is damaged json"),
        ("msgpack+aes", b"x", "is encrypted (msgpack+aes)"),
        ("yaml", b"x", "found the type yaml"),
        ("msgpack", b"\x91" * 9000 + b"\x01", "is damaged msgpack"),
    ],
)
def test_what_cannot_be_read_is_said(kind: str, data: bytes, reason: str) -> None:
    with pytest.raises(NotReadError) as error:
        value_of(kind, data)
    assert reason in str(error.value)


def test_a_file_without_messages_names_what_its_states_have() -> None:
    with pytest.raises(UnreadableError) as error:
        langgraph.load(FileSource("a.db", database_of({"checkpoints": [checkpoint(0, {"question": "Why is it so?"})]})))
    assert error.value.problem.message == "expected states with messages, found none; its states have question"


def test_neither_the_file_nor_its_folder_is_changed(tmp_path: Path) -> None:
    path = tmp_path / "checkpoints.sqlite"
    path.write_bytes(database_of(checkpoints()))
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    for _ in range(2):
        assert load_unnamed(path.read_bytes(), str(path)).workspace.conversations
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert os.listdir(tmp_path) == ["checkpoints.sqlite"]


STEPS = some.lists(some.sampled_from(["add", "add", "remove", "summarize", "back"]), max_size=12)


@given(STEPS, some.randoms(use_true_random=False))
def test_the_newest_state_is_what_is_shown_and_not_marked(steps: list[str], chance: Any) -> None:
    states: list[tuple[list[Row], int | None]] = [([human("m0")], None)]
    for number, step in enumerate(steps, 1):
        parent = chance.randrange(len(states)) if step == "back" else len(states) - 1
        messages = [*states[parent][0]]
        if step in ("add", "back"):
            messages.append(human(f"m{number}"))
        elif len(messages) > 1:
            cut = chance.randrange(1, len(messages))
            messages = [*([human(f"m{number}")] if step == "summarize" else []), *messages[cut:]]
        states.append((messages, parent))
    rows = [
        {
            **state(number, *messages),
            "checkpoint_id": f"c{number:03}",
            "parent_checkpoint_id": None if parent is None else f"c{parent:03}",
        }
        for number, (messages, parent) in enumerate(states)
    ]
    workspace = load(rows)
    (chat,) = workspace.conversations
    gone = ("dropped", "summarized")
    shown = [one.content for one in chat.messages if one.metadata.get("recorded", {}).get("action") not in gone]
    assert sorted(shown) == sorted(one["content"] for one in states[-1][0])
    every = chat.tree.messages if chat.tree else chat.messages
    assert {one.content for one in every} == {one["content"] for messages, _ in states for one in messages}
