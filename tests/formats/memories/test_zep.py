"""Zep's facts with their validity, and its threads."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from inspector.formats.memories import zep
from inspector.model import Memory, Message, Workspace
from inspector.reading.source import FileSource, UnreadableError

FACT: dict[str, Any] = {
    "uuid": "a",
    "fact": "Ana lives in Porto.",
    "name": "LIVES_IN",
    "created_at": "2024-05-06T00:00:00Z",
    "valid_at": "2024-05-01T00:00:00Z",
    "invalid_at": None,
    "expired_at": None,
    "episodes": ["e1", "e2"],
    "source_node_uuid": "n1",
    "target_node_uuid": "n2",
    "score": 0.5,
}
TURN = {"uuid": "t", "role": "Ana", "role_type": "user", "content": "Hi", "created_at": "2024-05-06T00:00:00Z"}


def opened(value: Any) -> Workspace:
    source = FileSource("x/graph.json", json.dumps(value).encode())
    assert zep.sniff(source) == 0.95
    return zep.load(source)


@pytest.mark.parametrize("value", [{"edges": [FACT]}, {"facts": [FACT]}, [FACT]])
def test_facts(value: Any) -> None:
    workspace = opened(value)
    (found,) = workspace.memory_sets
    assert (found.id, workspace.problems) == ("graph", ())
    assert found.memories == (
        Memory(
            id="a",
            content="Ana lives in Porto.",
            type="fact",
            similarity=0.5,
            category="LIVES_IN",
            time=datetime(2024, 5, 6, tzinfo=UTC),
            source_messages=("e1", "e2"),
        ),
    )


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"invalid_at": "2024-06-01T00:00:00Z"}, "invalid"),
        ({"expired_at": "2024-06-01T00:00:00Z"}, "expired"),
        ({"invalid_at": "2999-06-01T00:00:00Z"}, ""),
        ({"invalid_at": "never"}, ""),
    ],
)
def test_a_fact_that_is_no_longer_valid_is_excluded(changes: dict[str, str], status: str) -> None:
    (memory,) = opened({"edges": [{**FACT, **changes}]}).memory_sets[0].memories
    assert (memory.status, memory.excluded) == (status, bool(status))


def test_a_fact_without_a_time_of_creation_has_that_of_its_validity() -> None:
    (memory,) = opened([{**FACT, "created_at": None}]).memory_sets[0].memories
    assert memory.time == datetime(2024, 5, 1, tzinfo=UTC)


def test_threads() -> None:
    answer = {"content": "Hello", "role_type": "assistant", "role": "Nova"}
    (talk,) = opened({"messages": [TURN, answer]}).conversations
    assert talk.messages == (
        Message("t", "user", "Hi", "Ana", datetime(2024, 5, 6, tzinfo=UTC)),
        Message("m1", "assistant", "Hello", "Nova"),
    )
    assert opened([TURN, answer]).conversations[0].messages == talk.messages


@pytest.mark.parametrize(
    ("value", "place", "words"),
    [
        ({"edges": [FACT, {"uuid": "b"}]}, "$[1]", "expected an object with a text under `fact`"),
        ([FACT, 5], "$[1]", "expected an object with a text under `fact`"),
        ({"edges": [FACT, {**FACT, "uuid": "b", "score": "high"}]}, "$[1].score", "expected a number"),
        ({"messages": [TURN, {"role_type": "norole", "content": "x"}]}, "$[1]", "role_type: user, assistant"),
        ([TURN, {"role_type": "user"}], "$[1]", "expected a message with content"),
    ],
)
def test_what_is_broken_is_one_problem(value: Any, place: str, words: str) -> None:
    (problem,) = opened(value).problems
    assert problem.place == place
    assert words in problem.message


def test_nothing_usable_is_refused() -> None:
    with pytest.raises(UnreadableError, match="expected facts"):
        zep.load(FileSource("x", b'{"edges": [{"uuid": "a"}]}'))


@pytest.mark.parametrize("text", ["[]", '{"messages": [{"role": "user", "content": "x"}]}', '[{"fact": "x"}]'])
def test_other_json_is_not_claimed(text: str) -> None:
    assert zep.sniff(FileSource("x", text.encode())) == 0
