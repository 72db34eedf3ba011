"""Native workspaces: one problem per bad item with its path, and the rest opens."""

import json
from typing import Any

import pytest

from inspector.formats.native.workspace import FORMAT, workspace_from
from inspector.model import Component, Profile, ToolCall, Workspace
from inspector.reading.source import FileSource, UnreadableError


def read(**lists: Any) -> Workspace:
    return workspace_from({"format": "prompt-inspector/workspace@1", **lists}, "w.json")


def one_chat(*messages: Any) -> Workspace:
    return read(conversations=[{"id": "c", "messages": list(messages)}])


def problems(workspace: Workspace) -> list[tuple[str, str]]:
    return [(problem.place, problem.severity) for problem in workspace.problems]


def test_every_list_is_read() -> None:
    workspace = read(
        conversations=[{"id": "c", "title": "T", "source": "web", "thread_id": "t", "messages": [
            {"id": "a", "role": "user", "content": "Hi", "time": "2024-05-01T10:00:00Z", "emotional_weight": 0.5},
        ]}],
        memory_sets=[{"id": "s", "memories": [{"id": "x", "content": "Tea", "priority": 60, "tags": ["a"]}]}],
        characters=[{"id": "n", "profile": {"name": "Ann"}, "components": [
            {"id": "k", "type": "persona", "content": "C", "priority": 1, "condition": "error"}]}],
        lorebooks=[{"id": "l", "entries": [{"id": "e", "content": "E", "keys": ["k"], "order": 3}]}],
        passages=[{"id": "p", "content": "P", "kind": "chat"}],
        summaries=[{"id": "z", "summary": "S", "topics": ["a"]}],
        documents=[{"id": "d", "content": "D", "pages": "1-2"}],
        attachments=[{"path": "a.txt", "content": "A"}],
        skipped=[{"path": "b.bin", "reason": "binary"}],
        tools=[{"type": "function", "function": {"name": "f"}}],
    )  # fmt: skip
    assert workspace.problems == ()
    message = workspace.conversations[0].messages[0]
    assert message.time is not None
    assert message.time.isoformat() == "2024-05-01T10:00:00+00:00"
    assert workspace.memory_sets[0].memories[0].tags == ("a",)
    assert workspace.characters[0].profile == Profile("Ann")
    assert workspace.characters[0].components == (Component("k", "persona", "C", 1, condition="error"),)
    assert workspace.lorebooks[0].entries[0].order == 3
    assert (workspace.passages[0].kind, workspace.summaries[0].topics, workspace.documents[0].pages) == (
        "chat",
        ("a",),
        "1-2",
    )
    assert (workspace.attachments[0].path, workspace.skipped[0].reason) == ("a.txt", "binary")
    assert workspace.tools[0].schema["function"] == {"name": "f"}


def test_bad_items_are_left_out_with_their_path() -> None:
    workspace = one_chat(
        {"id": "a", "role": "user", "content": "Hi"},
        {"id": "b", "role": "developer", "content": "x"},
        {"id": "c", "content": "x"},
        {"id": "d", "role": "user", "content": 5},
        "words",
        {"id": "e", "role": "assistant", "content": "Hello"},
    )
    assert [message.id for message in workspace.conversations[0].messages] == ["a", "e"]
    place = "$.conversations[0].messages"
    assert problems(workspace) == [
        (f"{place}[1].role", "error"),
        (f"{place}[2].role", "error"),
        (f"{place}[3].content", "error"),
        (f"{place}[4]", "error"),
    ]
    assert "expected one of system, user, assistant, tool" in workspace.problems[0].message


def test_a_bad_optional_field_costs_only_the_field() -> None:
    workspace = one_chat({"id": "a", "role": "user", "content": "Hi", "tokens": "many", "images": [], "pinned": True})
    message = workspace.conversations[0].messages[0]
    assert (message.tokens, message.images, message.pinned) == (None, 0, True)
    assert {place for place, _ in problems(workspace)} == {
        "$.conversations[0].messages[0].tokens",
        "$.conversations[0].messages[0].images",
    }


def test_unknown_keys_are_warnings_with_their_path() -> None:
    workspace = read(
        colour="red",
        conversations=[{"id": "c", "mood": 1, "messages": [{"id": "a", "role": "user", "content": "", "loud": 1}]}],
        characters=[{"id": "n", "profile": {"age": 3}, "components": [
            {"id": "k", "type": "t", "content": "", "priority": 1, "size": 2}]}],
    )  # fmt: skip
    assert sorted(problems(workspace)) == [
        ("$.characters[0].components[0].size", "warning"),
        ("$.characters[0].profile.age", "warning"),
        ("$.colour", "warning"),
        ("$.conversations[0].messages[0].loud", "warning"),
        ("$.conversations[0].mood", "warning"),
    ]


def test_missing_ids_are_made_in_order_and_doubled_ones_renamed() -> None:
    plain = {"role": "user", "content": ""}
    workspace = one_chat(plain, {**plain, "id": "x"}, plain, {"id": "bad"}, {**plain, "id": "x"}, {**plain, "id": 7})
    assert [message.id for message in workspace.conversations[0].messages] == ["m0", "x", "m2", "x-2", "7"]
    assert problems(workspace)[-1] == ("$.conversations[0].messages[4]", "warning")


def test_tool_calls_of_both_spellings() -> None:
    workspace = one_chat(
        {"role": "assistant", "content": None, "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{bad"}},
            {"id": "2", "name": "g", "arguments": {"a": 1}},
            {"name": "h"},
        ]},
    )  # fmt: skip
    message = workspace.conversations[0].messages[0]
    assert workspace.problems == ()
    assert message.content == ""
    assert message.tool_calls == (ToolCall("1", "f", "{bad"), ToolCall("2", "g", '{"a":1}'), ToolCall("", "h"))


def test_figures_out_of_range_are_moved_to_the_nearest() -> None:
    workspace = read(
        conversations=[{"id": "c", "messages": [{"role": "user", "content": "", "emotional_weight": 3, "tokens": -5}]}],
        memory_sets=[{"id": "s", "memories": [{"id": "m", "content": "", "priority": 101, "similarity": -0.5}]}],
    )
    message, memory = workspace.conversations[0].messages[0], workspace.memory_sets[0].memories[0]
    assert (message.emotional_weight, message.tokens, memory.priority, memory.similarity) == (1, 0, 100, -0.5)
    assert {severity for _, severity in problems(workspace)} == {"warning"}
    assert len(workspace.problems) == 3  # a score is on the scale of its set, and as it is


def test_times_without_a_zone_are_utc_and_loose_ones_are_read() -> None:
    times = ["2024-05-01T10:00:00", "2024-05-01", 1_714_557_600, "2024-05-01T12:00:00+02:00", "soon"]
    workspace = one_chat(*({"role": "user", "content": "", "time": time} for time in times))
    found = [message.time and message.time.isoformat() for message in workspace.conversations[0].messages]
    assert found == [
        "2024-05-01T10:00:00+00:00",
        "2024-05-01T00:00:00+00:00",
        "2024-05-01T10:00:00+00:00",
        "2024-05-01T12:00:00+02:00",
        None,
    ]
    assert problems(workspace) == [("$.conversations[0].messages[4].time", "error")]


@pytest.mark.parametrize("value", [[], "x", None, {"format": "prompt-inspector/workspace@2"}, {"format": 5}])
def test_what_is_no_workspace_is_refused(value: Any) -> None:
    with pytest.raises(UnreadableError) as caught:
        workspace_from(value, "w.json")
    assert caught.value.problem.place.startswith("$")


def test_lists_of_a_wrong_type_are_problems() -> None:
    workspace = read(conversations={}, memory_sets="x", tools=[5], passages=None, characters=[{"id": "a"}])
    assert [place for place, _ in problems(workspace)] == ["$.conversations", "$.memory_sets", "$.tools[0]"]
    assert workspace.characters[0].id == "a"


def test_tree_keeps_messages_by_reference() -> None:
    messages = [{"id": "a", "role": "user", "content": "Hi"}, {"id": "b", "role": "assistant", "content": "Ho"}]
    tree = {
        "messages": ["a", "b", {"id": "x", "role": "assistant", "content": "Hm"}],
        "parents": ["", "a", "a"],
        "leaf": "b",
    }
    workspace = read(conversations=[{"id": "c", "messages": messages, "tree": tree}])
    found = workspace.conversations[0].tree
    assert found is not None
    assert [message.id for message in found.messages] == ["a", "b", "x"]
    bad = read(conversations=[{"id": "c", "messages": messages, "tree": {**tree, "parents": [""]}}])
    assert bad.conversations[0].tree is None
    assert problems(bad) == [("$.conversations[0].tree", "warning")]
    elsewhere = read(memory_sets=[{"id": "k", "memories": [], "tree": {**tree, "messages": [{"": ""}]}}])
    assert [one.id for one in elsewhere.memory_sets] == ["k"]
    assert problems(elsewhere) == [("$.memory_sets[0].tree", "warning")]


def test_yaml_scalars_become_what_the_field_wants() -> None:
    text = """
format: prompt-inspector/workspace@1
conversations:
- id: 12
  title: 1.10
  messages:
  - {id: no, role: user, content: 1e3, time: 2024-01-02, emotional_weight: 0.50, metadata: {a: 1e3, b: "1e3"}}
  - {id: 2, role: user, content: yes}
  - {id: 3, role: user, content: true}
"""
    source = FileSource("w.yaml", text.encode())
    assert FORMAT.sniff(source) == 1
    workspace = FORMAT.load(source)
    chat = workspace.conversations[0]
    assert workspace.problems == ()
    assert (chat.id, chat.title) == ("12", "1.10")
    assert [(message.id, message.content) for message in chat.messages] == [("no", "1e3"), ("2", "yes"), ("3", "true")]
    assert chat.messages[0].emotional_weight == 0.5
    assert chat.messages[0].metadata == {"a": 1000.0, "b": "1e3"}


def test_sniff_knows_its_own_files_only() -> None:
    def sniff(value: Any) -> float:
        return FORMAT.sniff(FileSource("x", json.dumps(value).encode()))

    assert sniff({"format": "prompt-inspector/workspace@1"}) == 1
    assert sniff({"memory_sets": [], "conversations": []}) > 0
    assert sniff({"format": "prompt-inspector/scenario@1"}) == 0
    assert sniff({"conversations": []}) == sniff([{"memory_sets": []}]) == sniff({"entries": {}}) == 0


def test_messages_of_a_tree_have_ids_of_their_own() -> None:
    messages = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Ho"}]
    branch = {"role": "assistant", "content": "Hm"}
    tree = {"messages": ["m0", "m1", branch], "parents": ["", "m0", "m0"], "leaf": "m1"}
    workspace = read(conversations=[{"id": "c", "messages": messages, "tree": tree}])
    found = workspace.conversations[0].tree
    assert found is not None
    assert [(message.id, message.content) for message in found.messages] == [
        ("m0", "Hi"),
        ("m1", "Ho"),
        ("m0-2", "Hm"),
    ]
    edited = {**tree, "messages": [{**branch, "id": "m0"}, "m1", {**branch, "id": "x"}]}
    workspace = read(conversations=[{"id": "c", "messages": messages, "tree": edited}])
    found = workspace.conversations[0].tree
    assert found is not None
    assert [message.id for message in found.messages] == ["m0", "m1", "x"], "what was edited keeps its id"
    twice = {**tree, "messages": ["m0", "m1", "m1"]}
    assert read(conversations=[{"id": "c", "messages": messages, "tree": twice}]).conversations[0].tree is None


def test_costs_that_no_array_of_counts_holds_are_moved_to_the_most_there_is() -> None:
    huge = 4_294_967_296
    workspace = read(
        conversations=[{"id": "c", "messages": [{"role": "user", "content": "", "tokens": huge, "images": huge}]}],
        memory_sets=[{"id": "k", "memories": [{"content": "", "tokens": huge}]}],
        characters=[{"id": "a", "system_tokens": huge}, {"id": "b", "system_tokens": -1}],
        documents=[{"id": "d", "content": "", "tokens": huge}],
    )
    message, memory = workspace.conversations[0].messages[0], workspace.memory_sets[0].memories[0]
    assert (message.tokens, message.images, memory.tokens) == (10**9, 10**9, 10**9)
    assert [character.system_tokens for character in workspace.characters] == [10**9, 0]
    assert workspace.documents[0].tokens == 10**9
    assert len(problems(workspace)) == 6
