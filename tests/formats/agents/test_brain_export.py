"""brainos' export: facts as memories, episodes as conversations."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from inspector.formats.agents import brain as brain_export
from inspector.model import Memory, Message, Workspace
from inspector.reading.source import FileSource, UnreadableError

FACT: dict[str, Any] = {
    "id": "f1",
    "namespace": "personal",
    "category": "preference",
    "subject": "Ana",
    "predicate": "likes",
    "object": "tea",
    "confidence": 0.75,
    "source_episode_id": "e2",
}
EPISODES: list[dict[str, Any]] = [
    {
        "id": f"e{number}",
        "session_id": session,
        "session_channel": "cli",
        "namespace": "personal",
        "role": role,
        "content": f"text {number}",
        "timestamp": f"2023-01-01T10:0{number}:00Z",
        "importance": 0.5,
        "reinforcement_count": 2,
    }
    for number, (session, role) in enumerate((("s1", "user"), ("s2", "user"), ("s1", "assistant")))
]
EXPORT: dict[str, Any] = {"version": 1, "exported_at": "x", "facts": [FACT], "episodes": EPISODES}


def opened(**changes: Any) -> Workspace:
    source = FileSource("x/brain.json", json.dumps({**EXPORT, **changes}).encode())
    assert brain_export.sniff(source) == 0.95
    return brain_export.load(source)


def test_facts_read_as_sentences_and_name_their_episode() -> None:
    workspace = opened()
    (found,) = workspace.memory_sets
    assert (found.id, workspace.problems) == ("brain", ())
    assert found.memories == (
        Memory(
            id="f1",
            content="Ana likes tea",
            type="fact",
            confidence=0.75,
            category="preference",
            time=datetime(2023, 1, 1, 10, 2, tzinfo=UTC),
            source_messages=("e2",),
            tags=("personal",),
        ),
    )


def test_each_session_is_a_conversation() -> None:
    first, second = opened().conversations
    assert [(talk.id, talk.source, [one.id for one in talk.messages]) for talk in (first, second)] == [
        ("s1", "cli", ["e0", "e2"]),
        ("s2", "cli", ["e1"]),
    ]
    assert first.messages[1] == Message(
        "e2",
        "assistant",
        "text 2",
        time=datetime(2023, 1, 1, 10, 2, tzinfo=UTC),
        metadata={"namespace": "personal", "importance": 0.5, "reinforcement_count": 2},
    )


def test_importance_is_no_feeling() -> None:
    assert all(one.emotional_weight is None for talk in opened().conversations for one in talk.messages)


@pytest.mark.parametrize(
    ("changes", "place", "words"),
    [
        ({"facts": [FACT, {**FACT, "id": "f2", "object": None}]}, "$.facts[1]", "subject, predicate and object"),
        ({"facts": [FACT, "x"]}, "$.facts[1]", "subject, predicate and object"),
        ({"facts": [{**FACT, "confidence": "sure"}]}, "$.facts[0].confidence", "expected a number"),
        ({"facts": [FACT, FACT]}, "$.facts.id", "there twice"),
        ({"episodes": [*EPISODES, {"role": "ghost", "content": "x"}]}, "$.episodes[3]", "expected an episode"),
        ({"episodes": [*EPISODES, EPISODES[0]]}, "$.episodes", "is taken"),
    ],
)
def test_what_is_broken_is_one_problem_and_the_rest_opens(changes: Any, place: str, words: str) -> None:
    workspace = opened(**changes)
    (problem,) = workspace.problems
    assert problem.place == place
    assert words in problem.message
    assert workspace.memory_sets[0].memories
    assert len(workspace.conversations) == 2


def test_an_empty_export_is_refused() -> None:
    with pytest.raises(UnreadableError, match="expected facts and episodes"):
        opened(facts=[], episodes=[])


@pytest.mark.parametrize("text", ["[]", '{"facts": []}', '{"facts": {}, "episodes": {}}'])
def test_other_json_is_not_claimed(text: str) -> None:
    assert brain_export.sniff(FileSource("x", text.encode())) == 0
