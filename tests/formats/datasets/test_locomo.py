"""LoCoMo: turns, observations, summaries, and the errors that its data are known for."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.datasets import locomo
from inspector.model import Message, Probe, Workspace
from inspector.reading.source import FileSource, UnreadableError

SAMPLE: dict[str, Any] = {
    "sample_id": "conv-1",
    "qa": [
        {"question": "Where?", "answer": "The pier", "evidence": ["D1:1"], "category": 4},
        {
            "question": "Who?",
            "evidence": ["D1:1; D1:2", "D2:1 D:9"],
            "category": 9,
            "answer": 2022,
            "adversarial_answer": "Ben",
        },
    ],
    "conversation": {
        "speaker_a": "Ana",
        "speaker_b": "Ben",
        "session_2": [{"speaker": "Ana", "dia_id": "D2:1", "text": "Back again."}],
        "session_2_date_time": "9:05 am on 2 June, 2023",
        "session_1": [
            {"speaker": "Ben", "dia_id": "D1:1", "text": "I fish at the pier."},
            {
                "speaker": "Ana",
                "dia_id": "D1:2",
                "text": "Look!",
                "img_url": ["https://example.org/a.jpg"],
                "blip_caption": "a photo of a trout",
                "query": "trout",
            },
        ],
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_3_date_time": "1:56 pm on 9 July, 2023",
    },
    "observation": {
        "session_1_observation": {"Ben": [["Ben fishes.", "D1:1"]], "Ana": [["Ana has a trout.", ["D1:1", "D1:2"]]]},
        "session_2_observation": {"Ana": [["Ana returned.", "D1:2; D2:1"]]},
    },
    "session_summary": {"session_1_summary": "They talk of fish.", "session_2_summary": "A short call."},
    "event_summary": {"events_session_1": {"Ana": [], "date": "8 May, 2023"}},
}


def opened(value: Any) -> Workspace:
    source = FileSource("locomo.json", json.dumps(value).encode())
    assert locomo.sniff(source) == 1.0
    return locomo.load(source)


def changed(**changes: Any) -> dict[str, Any]:
    return {**SAMPLE, **changes}


def test_turns_are_messages_in_the_order_of_the_sessions() -> None:
    (talk,) = opened([SAMPLE]).conversations
    assert (talk.id, talk.title) == ("conv-1", "conv-1: Ana and Ben")
    assert talk.messages == (
        Message("D1:1", "assistant", "I fish at the pier.", "Ben", datetime(2023, 5, 8, 13, 56, 0, tzinfo=UTC)),
        Message(
            "D1:2",
            "user",
            "Look! [a photo of a trout]",
            "Ana",
            datetime(2023, 5, 8, 13, 56, 1, tzinfo=UTC),
            metadata={"image_links": ["https://example.org/a.jpg"]},
        ),
        Message("D2:1", "user", "Back again.", "Ana", datetime(2023, 6, 2, 9, 5, tzinfo=UTC)),
    )


def test_observations_are_facts_that_name_their_turns() -> None:
    (memory_set,) = opened([SAMPLE]).memory_sets
    assert (memory_set.id, memory_set.conversations) == ("conv-1", ("conv-1",))
    assert [(memory.id, memory.content, memory.source_messages) for memory in memory_set.memories] == [
        ("conv-1:o1", "Ben fishes.", ("D1:1",)),
        ("conv-1:o2", "Ana has a trout.", ("D1:1", "D1:2")),
        ("conv-1:o3", "Ana returned.", ("D1:2", "D2:1")),
    ]
    assert {memory.type for memory in memory_set.memories} == {"fact"}
    assert memory_set.memories[2].time == datetime(2023, 6, 2, 9, 5, tzinfo=UTC)
    assert memory_set.memories[0].tags == ("Ben",)


def test_summaries_name_their_conversation() -> None:
    summaries = opened([SAMPLE]).summaries
    assert [(summary.id, summary.summary) for summary in summaries] == [
        ("conv-1:session_1", "They talk of fish."),
        ("conv-1:session_2", "A short call."),
    ]
    assert summaries[0].title == "conv-1, session 1 (1:56 pm on 8 May, 2023)"
    assert {summary.conversations for summary in summaries} == {("conv-1",)}


def test_a_summary_was_made_when_its_session_was_over() -> None:
    workspace = opened([SAMPLE])
    times = {message.id: message.time for message in workspace.conversations[0].messages}
    assert [summary.time for summary in workspace.summaries] == [times["D1:2"], times["D2:1"]]


def test_a_good_file_has_no_problems_though_times_without_sessions_occur() -> None:
    assert not opened([SAMPLE]).problems


def test_ids_of_several_conversations_do_not_meet() -> None:
    workspace = opened([SAMPLE, changed(sample_id="conv-2"), changed(sample_id=None)])
    assert [talk.id for talk in workspace.conversations] == ["conv-1", "conv-2", "c2"]
    memories = [memory.id for memory_set in workspace.memory_sets for memory in memory_set.memories]
    summaries = [summary.id for summary in workspace.summaries]
    assert len(set(memories)) == len(memories) == 9
    assert len(set(summaries)) == len(summaries) == 6


def test_one_sample_and_one_sample_to_a_line_open_too() -> None:
    assert len(opened(SAMPLE).conversations) == 1
    lines = b"\n".join(json.dumps(changed(sample_id=name)).encode() for name in ("a", "b"))
    assert [talk.id for talk in locomo.load(FileSource("x.jsonl", lines)).conversations] == ["a", "b"]


def test_evidence_that_is_no_turn_is_named() -> None:
    workspace = opened([changed(observation={"session_1_observation": {"Ben": [["Ben fishes.", "D1:1, D9:9"]]}})])
    assert workspace.memory_sets[0].memories[0].source_messages == ("D1:1",)
    (problem,) = workspace.problems
    assert problem.place == "$[0].observation.session_1_observation"
    assert "D9:9" in problem.message


def test_what_is_broken_is_named_and_the_rest_opens() -> None:
    talk = {
        "speaker_a": "Ana",
        "speaker_b": "Ben",
        "session_1": [
            "no turn",
            {"speaker": "Ben", "text": "a"},
            {"dia_id": "D1:1", "text": 5},
            {"dia_id": "D1:1", "text": "b"},
        ],
        "session_1_date_time": "some day",
        "session_2": "nothing",
        "session_2_date_time": "9:05 am on 2 June, 2023",
    }
    observed = {
        "session_1_observation": {"Ana": [["Told.", "D1:1"], [], [7, "D1:1"], "Bare."]},
        "session_2_observation": [],
    }
    workspace = opened(
        [changed(conversation=talk, observation=observed, session_summary={"session_1_summary": 3}), {"qa": []}]
    )
    (conversation,) = workspace.conversations
    assert [(message.id, message.role, message.content) for message in conversation.messages] == [
        ("m0", "assistant", "a"),
        ("D1:1", "user", "5"),
        ("D1:1-2", "user", "b"),
    ]
    assert all(message.time is None for message in conversation.messages)
    assert [memory.content for memory in workspace.memory_sets[0].memories] == ["Told.", "Bare."]
    assert {problem.place for problem in workspace.problems} == {
        "$[1].conversation",
        "$[0].conversation.session_1_date_time",
        "$[0].conversation.session_1[0]",
        "$[0].conversation.session_1[2]",
        "$[0].conversation.session_2",
        "$[0].conversation",
        "$[0].observation.session_1_observation.Ana[1]",
        "$[0].observation.session_1_observation.Ana[2]",
        "$[0].observation.session_2_observation",
        "$[0].session_summary.session_1_summary",
    }


def test_samples_and_sessions_of_one_name_have_ids_of_their_own() -> None:
    summaries = {"session_1_summary": "They talk of fish.", "session_01_summary": "They talk again."}
    sample = changed(session_summary=summaries)
    workspace = opened([sample, sample])
    assert [talk.id for talk in workspace.conversations] == ["conv-1", "conv-1-2"]
    assert [one.id for one in workspace.memory_sets] == ["conv-1", "conv-1-2"]
    assert len({summary.id for summary in workspace.summaries}) == 4
    assert "$[1].sample_id" in {problem.place for problem in workspace.problems}


@pytest.mark.parametrize("name", ["session_" + "9" * 5_000, "session_01"])
def test_sessions_of_odd_numbers_are_left_out(name: str) -> None:
    talk = {**SAMPLE["conversation"], name: [{"speaker": "Ana", "dia_id": "D9:1", "text": "Hm"}]}
    (found,) = opened([changed(conversation=talk)]).conversations
    assert [message.id for message in found.messages] == ["D1:1", "D1:2", "D2:1"]


def test_a_session_at_the_end_of_time_has_no_later_turns() -> None:
    turns = [{"speaker": "Ana", "dia_id": f"D1:{number}", "text": "Hm"} for number in range(70)]
    talk = {**SAMPLE["conversation"], "session_1": turns, "session_1_date_time": "11:59 pm on 31 December, 9999"}
    (found,) = opened([changed(conversation=talk)]).conversations
    assert len([message for message in found.messages if message.time is None]) == 10


def test_without_any_conversation_it_is_unreadable() -> None:
    with pytest.raises(UnreadableError, match="found none"):
        locomo.load(FileSource("x.json", b'[{"conversation": []}]'))


@pytest.mark.parametrize(
    "value", [[], {"conversation": {"id": 1}}, [{"conversation": [{"from": "human"}]}], {"qa": []}]
)
def test_other_files_are_left_to_others(value: Any) -> None:
    assert locomo.sniff(FileSource("x.json", json.dumps(value).encode())) == 0


def test_the_real_file(data_folder: Path) -> None:
    workspace = opened(json.loads((data_folder / "locomo/locomo5.json").read_bytes()))
    counts = {talk.id: len(talk.messages) for talk in workspace.conversations}
    assert counts == {"conv-26": 419, "conv-30": 369, "conv-42": 629, "conv-43": 680, "conv-49": 509}
    observed = {memory_set.id: len(memory_set.memories) for memory_set in workspace.memory_sets}
    assert observed == {"conv-26": 184, "conv-30": 169, "conv-42": 266, "conv-43": 267, "conv-49": 240}
    sessions = [summary.id.split(":")[0] for summary in workspace.summaries]
    assert [sessions.count(name) for name in counts] == [19, 19, 29, 29, 25]
    assert not workspace.problems
    for talk in workspace.conversations:
        times = [message.time for message in talk.messages]
        assert None not in times
        assert len({message.id for message in talk.messages}) == len(talk.messages)
        assert {message.role for message in talk.messages} == {"user", "assistant"}


def test_questions_are_probes_with_all_the_turns_that_they_name() -> None:
    asked = [*SAMPLE["qa"], {"answer": "nothing is asked"}, "x"]
    workspace = opened(changed(qa=asked))
    assert workspace.probes == (
        Probe("conv-1:q1", ("D1:1",), "conv-1", None, "Where?", "single-hop", "The pier"),
        Probe("conv-1:q2", ("D1:1", "D1:2", "D2:1", "D:9"), "conv-1", None, "Who?", "9", "2022"),
    )
    problems = [(problem.place, problem.message) for problem in workspace.problems]
    assert problems == [(f"$.qa[{place}]", "expected an object with a question") for place in (2, 3)]
