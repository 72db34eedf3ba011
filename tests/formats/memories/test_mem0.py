"""mem0's answers: of the library and of the platform, with what expired and what is broken."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from inspector.formats.memories import mem0
from inspector.model import Memory, Workspace
from inspector.reading.source import FileSource, UnreadableError

ITEM: dict[str, Any] = {
    "id": "a",
    "memory": "Likes tea.",
    "hash": "9f",
    "metadata": {"category": "taste", "priority": 70},
    "score": 0.75,
    "created_at": "2024-05-06T07:08:09Z",
    "updated_at": None,
    "user_id": "Ana",
    "agent_id": "nova",
    "run_id": "r1",
    "categories": ["drinks"],
}


def opened(value: Any) -> Workspace:
    source = FileSource("x/ana.json", json.dumps(value).encode())
    assert mem0.sniff(source) == 0.9
    return mem0.load(source)


@pytest.mark.parametrize(
    "value", [{"results": [ITEM]}, [ITEM], {"count": 1, "next": None, "previous": None, "results": [ITEM]}]
)
def test_the_layouts_of_library_and_platform(value: Any) -> None:
    workspace = opened(value)
    (found,) = workspace.memory_sets
    assert (found.id, workspace.problems) == ("ana", ())
    assert found.memories == (
        Memory(
            id="a",
            content="Likes tea.",
            priority=70,
            similarity=0.75,
            category="taste",
            time=datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC),
            thread_id="r1",
            agent="nova",
            tags=("drinks", "Ana"),
        ),
    )


def test_a_search_over_lines() -> None:
    lines = "\n".join(json.dumps({**ITEM, "id": name}) for name in "ab")
    source = FileSource("x.jsonl", lines.encode())
    assert mem0.sniff(source) == 0.9
    assert [memory.id for memory in mem0.load(source).memory_sets[0].memories] == ["a", "b"]


def test_what_expired_is_excluded() -> None:
    dates = ("2001-01-01", "2999-01-01", None)
    (found,) = opened([{**ITEM, "id": str(i), "expiration_date": date} for i, date in enumerate(dates)]).memory_sets
    assert [(memory.status, memory.excluded) for memory in found.memories] == [
        ("expired", True),
        ("", False),
        ("", False),
    ]


def test_relations_of_the_graph_are_counted() -> None:
    (problem,) = opened({"results": [ITEM], "relations": [{"source": "a"}, {"source": "b"}]}).problems
    assert (problem.place, problem.severity) == ("$.relations", "info")
    assert problem.message.startswith("2 relations")


@pytest.mark.parametrize(
    ("item", "place", "words"),
    [
        ("text", "$.results[1]", "expected an object with a text under `memory`"),
        ({**ITEM, "id": "b", "memory": None}, "$.results[1]", "expected an object with a text under `memory`"),
        ({**ITEM, "id": "b", "memory": " "}, "$.results[1]", "expected text"),
        ({**ITEM, "id": "b", "score": "high"}, "$.results[1].score", "expected a number"),
        ({**ITEM, "id": "b", "created_at": "soon"}, "$.results[1].created_at", "expected a time"),
        ({**ITEM}, "$.id", "there twice"),
    ],
)
def test_a_bad_memory_is_one_problem(item: Any, place: str, words: str) -> None:
    (problem,) = opened({"results": [ITEM, item]}).problems
    assert problem.place == place
    assert words in problem.message


def test_nothing_usable_is_refused() -> None:
    with pytest.raises(UnreadableError, match="expected memories with a text under `memory`"):
        mem0.load(FileSource("x", b'{"results": [5]}'))


@pytest.mark.parametrize("text", ["[]", "{}", '[{"memory": "x"}]', '{"results": [{"id": 1}]}', '{"memory": {}}'])
def test_other_json_is_not_claimed(text: str) -> None:
    assert mem0.sniff(FileSource("x", text.encode())) == 0
