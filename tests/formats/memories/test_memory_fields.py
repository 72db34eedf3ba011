"""One memory of any store: names of fields, ranges, times, and what is told of those that cannot be used."""

from datetime import UTC, datetime
from typing import Any

import pytest

from inspector.formats.memories.fields import MemoryReader
from inspector.model import Memory


def read(fields: dict[str, Any], **options: Any) -> tuple[Memory, list[str]]:
    reader = MemoryReader("f")
    memory = reader.read(fields, "$[3]", **options)
    assert memory is not None
    return memory, [f"{problem.place}: {problem.message}" for problem in reader.problems()]


def test_every_field_of_a_memory_is_found() -> None:
    memory, problems = read(
        {
            "id": "a",
            "text": "Likes tea.",
            "memory_type": "FACT",
            "priority": "80",
            "score": 0.5,
            "confidence": 0.25,
            "category": "taste",
            "created_at": "2024-05-06T07:08:09Z",
            "tokens": 7,
            "status": "approved",
            "durability": "long_term",
            "source": "discord",
            "thread_id": "t1",
            "source_messages": ["m1", "m2"],
            "agent_id": "nova",
            "pinned": "true",
            "excluded": False,
            "tags": "tea, drinks",
        },
        tokens=True,
    )
    assert problems == []
    assert memory == Memory(
        id="a",
        content="Likes tea.",
        type="fact",
        priority=80.0,
        similarity=0.5,
        confidence=0.25,
        category="taste",
        time=datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC),
        tokens=7,
        status="approved",
        durability="long_term",
        source="discord",
        thread_id="t1",
        source_messages=("m1", "m2"),
        agent="nova",
        pinned=True,
        tags=("tea", "drinks"),
    )


@pytest.mark.parametrize("name", ["content", "text", "memory", "document", "page_content", "fact", "data"])
def test_the_text_has_many_names(name: str) -> None:
    assert read({name: "x"})[0].content == "x"


def test_nested_metadata_counts_and_the_record_wins() -> None:
    memory, problems = read({"page_content": "x", "type": "story", "metadata": {"type": "fact", "priority": 3}})
    assert (memory.type, memory.priority, problems) == ("story", 3, [])


def test_metadata_may_be_json_text() -> None:
    assert read({"content": "x", "metadata": '{"confidence": 0.5, "tags": ["a"]}'})[0].tags == ("a",)


def test_a_recorded_count_of_tokens_is_not_ours() -> None:
    assert read({"content": "x", "tokens": 7})[0].tokens is None


def test_a_document_is_no_platform() -> None:
    assert read({"content": "x", "source": "notes/tea.pdf"})[0].source == ""


def test_people_and_turns_of_other_stores() -> None:
    memory, _ = read({"content": "x", "speaker": "Ana", "user_id": "Ana", "dia_id": "D1:3", "run_id": "r"})
    assert (memory.tags, memory.source_messages, memory.thread_id) == (("Ana",), ("D1:3",), "r")


def test_a_value_that_cannot_be_used_is_told_with_its_place() -> None:
    memory, problems = read(
        {
            "content": "x",
            "priority": 700,
            "score": "high",
            "confidence": -1,
            "time": "some day",
            "tokens": "few",
            "pinned": "perhaps",
        },
        tokens=True,
    )
    assert (memory.priority, memory.similarity, memory.confidence, memory.time) == (100, None, 0, None)
    assert sorted(problems) == [
        "$[3].confidence: expected 0 to 1; the nearest was taken",
        "$[3].pinned: expected true or false",
        "$[3].priority: expected 0 to 100; the nearest was taken",
        "$[3].score: expected a number",
        "$[3].time: expected a time such as 2024-05-06T07:08:09Z",
        "$[3].tokens: expected a whole number of tokens, at most 1,000,000,000",
    ]


def test_the_same_defect_is_told_once() -> None:
    reader = MemoryReader("f")
    for number in range(5):
        reader.read({"content": "x", "priority": "high"}, f"$[{number}]")
    (problem,) = reader.problems()
    assert problem.place == "$[0].priority"
    assert problem.message == "expected a number from 0 to 100 (and 4 more of the kind)"


def test_a_record_without_text_is_no_memory() -> None:
    reader = MemoryReader("f")
    assert reader.read({"content": "  ", "id": "a"}, "$[0]") is None
    assert "expected text under content" in reader.problems()[0].message


def test_unknown_fields_are_named_once() -> None:
    reader = MemoryReader("f", unknown="warning")
    for _ in range(3):
        reader.read({"content": "x", "mood": 1, "colour": 2, "vector": [1.0]}, "$")
    (problem,) = reader.problems()
    assert problem.message.startswith("mood, colour: not known as a field")
    assert problem.severity == "warning"


def test_a_second_text_is_named_unless_it_is_the_same() -> None:
    assert read({"content": "x", "memory": "x", "text": ""})[1] == []
    memory, problems = read({"content": "", "text": "x", "document": "y"})
    assert (memory.content, len(problems)) == ("x", 1)
    assert problems[0].startswith(": document: not known")


def test_ids_are_made_and_made_unique() -> None:
    reader = MemoryReader("f")
    memories = reader.unique([Memory("a", "x"), Memory("", "y"), Memory("a", "z")], "$")
    assert [memory.id for memory in memories] == ["a", "memory1", "a-2"]
    assert len(reader.problems()) == 1


def test_a_score_has_the_digits_that_a_saved_workspace_has() -> None:
    memory, problems = read({"id": "a", "text": "Likes tea.", "score": 23372036854775807})
    assert isinstance(memory.similarity, float)
    assert not problems
