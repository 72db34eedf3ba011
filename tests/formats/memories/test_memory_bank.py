"""MemoryBank: exchanges of days, what was concluded, and what is broken in either."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from inspector.formats.memories import memory_bank
from inspector.model import Memory, Message, PastSummary, Workspace
from inspector.reading.source import FileSource, UnreadableError

ANA: dict[str, Any] = {
    "name": "Ana",
    "summary": {"2023-04-27": "They talk of tea.", "2023-04-28": {"content": "Ana sails."}},
    "personality": {"2023-04-27": "Calm."},
    "overall_history": "A short acquaintance.",
    "overall_personality": "Curious.",
    "history": {
        "2023-04-27": [{"query": "Hello.", "response": "Hi, Ana."}],
        "2023-04-28": [{"query": "I sail.", "response": "Where?"}, {"query": "At sea.", "response": "Nice."}],
    },
    "meta_information": {"name": "Ana"},
}


def opened(value: Any) -> Workspace:
    source = FileSource("bank.json", json.dumps(value).encode())
    assert memory_bank.sniff(source) == 0.95
    return memory_bank.load(source)


def test_exchanges_are_two_messages_on_their_day() -> None:
    (talk,) = opened({" Ana ": ANA}).conversations
    assert talk.id == "Ana"
    assert [(message.role, message.content, message.name) for message in talk.messages] == [
        ("user", "Hello.", "Ana"),
        ("assistant", "Hi, Ana.", ""),
        ("user", "I sail.", "Ana"),
        ("assistant", "Where?", ""),
        ("user", "At sea.", "Ana"),
        ("assistant", "Nice.", ""),
    ]
    assert talk.messages[5] == Message("m5", "assistant", "Nice.", time=datetime(2023, 4, 28, 0, 0, 3, tzinfo=UTC))


def test_conclusions_are_memories_and_summaries() -> None:
    workspace = opened({"Ana": ANA, "Ben": {**ANA, "summary": {}, "personality": {}, "overall_personality": ""}})
    (found,) = workspace.memory_sets
    first, last = (datetime(2023, 4, day, 0, 0, seconds, tzinfo=UTC) for day, seconds in ((27, 1), (28, 3)))
    assert found.memories == (
        Memory("Ana:2023-04-27", "Calm.", "fact", category="personality", time=first),
        Memory("Ana:overall", "Curious.", "fact", category="personality", time=last),
    )
    assert workspace.summaries == (
        PastSummary("Ana:2023-04-27", "They talk of tea.", "Ana, 2023-04-27", time=first, conversations=("Ana",)),
        PastSummary("Ana:2023-04-28", "Ana sails.", "Ana, 2023-04-28", time=last, conversations=("Ana",)),
        PastSummary("Ana:overall", "A short acquaintance.", "Ana, all days", time=last, conversations=("Ana",)),
        PastSummary("Ben:overall", "A short acquaintance.", "Ben, all days", time=last, conversations=("Ben",)),
    )
    assert workspace.problems == ()


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"Ana": ANA, "Ben": {"history": []}}, "$.Ben"),
        ({"Ana": {**ANA, "history": {**ANA["history"], "2023-04-29": "x"}}}, "$.Ana.history.2023-04-29"),
        ({"Ana": {**ANA, "history": {"2023-04-27": [{"query": "x"}]}}}, "$.Ana.history.2023-04-27[0]"),
        ({"Ana": {**ANA, "summary": {"2023-04-27": 5}}}, "$.Ana.summary.2023-04-27"),
        ({"Ana": {**ANA, "personality": {"2023-04-27": ""}}}, "$.Ana.personality.2023-04-27"),
    ],
)
def test_what_is_broken_is_one_problem_and_the_rest_opens(value: Any, place: str) -> None:
    workspace = opened(value)
    assert [problem.place for problem in workspace.problems] == [place]
    assert workspace.problems[0].message.startswith("expected ")
    assert workspace.conversations


def test_somebody_without_a_name_has_an_id() -> None:
    workspace = opened({"": ANA, "Ana": ANA})
    assert [talk.id for talk in workspace.conversations] == ["person0", "Ana"]
    assert all(one.id for one in (*workspace.memory_sets, *workspace.summaries))


def test_a_day_that_is_called_overall_is_another_one() -> None:
    days = {"2023-04-27": "x", "overall": "y"}
    workspace = opened({"Ana": {**ANA, "summary": days, "personality": days, "overall_personality": "z"}})
    for ids in ([one.id for one in workspace.memory_sets[0].memories], [one.id for one in workspace.summaries]):
        assert len(set(ids)) == len(ids) == 3


def test_exchanges_at_the_end_of_time_have_none() -> None:
    history = {"9999-12-31T23:59:59": [{"query": "q", "response": "r"}]}
    (talk,) = opened({"Ana": {**ANA, "history": history}}).conversations
    assert [message.time is None for message in talk.messages] == [False, True]


def test_nobody_is_refused() -> None:
    with pytest.raises(UnreadableError, match="expected users with a `history`"):
        memory_bank.load(FileSource("x", b'{"Ana": {}}'))


@pytest.mark.parametrize("text", ["[]", "{}", '{"Ana": ["Which film was it?"]}', '{"chat": {"history": {}}}'])
def test_other_json_is_not_claimed(text: str) -> None:
    assert memory_bank.sniff(FileSource("x", text.encode())) == 0


def test_questions_are_probes_of_their_person() -> None:
    lines = [{"Ana": ["Do I sail?", "What did I say."]}, {"Bo": ["Who am I?"]}, {"Cy": 5}, 5]
    source = FileSource("questions.jsonl", b"\n".join(json.dumps(line).encode() for line in lines[:2]))
    assert memory_bank.sniff(source) == 0.6
    probes = memory_bank.load(source).probes
    assert [(one.id, one.conversation, one.query) for one in probes] == [
        ("Ana:q1", "Ana", "Do I sail?"),
        ("Ana:q2", "Ana", "What did I say."),
        ("Bo:q1", "Bo", "Who am I?"),
    ]
    odd = FileSource("questions.jsonl", b"\n".join(json.dumps(line).encode() for line in lines))
    workspace = memory_bank.load(odd)
    assert len(workspace.probes) == 3
    assert [problem.place for problem in workspace.problems] == ["line 3: $.Cy"]


@pytest.mark.parametrize("line", [{"a": ["b"], "c": ["d?"]}, {"tags": ["x", "y"]}, {"a": []}, 5])
def test_other_lines_are_no_questions(line: Any) -> None:
    assert memory_bank.sniff(FileSource("x.jsonl", json.dumps(line).encode() + b"\n{}")) == 0
