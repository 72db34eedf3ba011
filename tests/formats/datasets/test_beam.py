"""BEAM: batches of turns, plans of them, questions by ability, and rows of the set."""

import json
from typing import Any

import pytest

from inspector.formats.datasets import beam
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError
from inspector.testing import check_format


def turns(first: int) -> list[dict[str, Any]]:
    asked = {"role": "user", "id": first, "time_anchor": "March-15-2024", "content": "Plan it. ->-> 1,1"}
    return [asked, {"role": "assistant", "id": first + 1, "content": "Done."}]


BATCHES = [{"batch_number": 1, "turns": [turns(0)], "time_anchor": None}, {"batch_number": 2, "turns": [turns(2)]}]
QUESTIONS = {
    "abstention": [{"question": "Who?", "ideal_response": "Nobody."}],
    "knowledge_update": [
        {"question": "When?", "answer": " In May ", "source_chat_ids": {"original_info": [2], "updated_info": [0, 2]}},
        {"answer": "no question"},
    ],
}


def load(value: Any) -> Workspace:
    source = FileSource("chat.json", json.dumps(value).encode())
    assert rank_formats(source, built_in_formats())[0][0] is beam.FORMAT
    return beam.load(source)


@pytest.mark.parametrize("value", [BATCHES, [{"plan-1": BATCHES[:1]}, {"plan-2": BATCHES[1:]}]])
def test_the_turns_of_all_batches_are_a_chat(value: Any) -> None:
    (chat,) = load(value).conversations
    assert [(one.id, one.role, one.content) for one in chat.messages] == [
        ("t0", "user", "Plan it."),
        ("t1", "assistant", "Done."),
        ("t2", "user", "Plan it."),
        ("t3", "assistant", "Done."),
    ]
    times = [one.time for one in chat.messages]
    assert str(times[0]) == "2024-03-15 00:00:00+00:00"
    assert times == sorted(times)  # type: ignore[type-var]


def test_questions_are_probes_with_the_turns_they_come_from() -> None:
    workspace = load(QUESTIONS)
    assert [(one.query, one.evidence, one.category, one.answer) for one in workspace.probes] == [
        ("Who?", (), "abstention", ""),
        ("When?", ("t2", "t0"), "knowledge_update", "In May"),
    ]
    assert [problem.place for problem in workspace.problems] == ["$.knowledge_update[1]"]


@pytest.mark.parametrize("told", [QUESTIONS, json.dumps(QUESTIONS), repr(QUESTIONS)])
def test_a_row_has_its_chat_and_its_questions(told: Any) -> None:
    row = {"conversation_id": "7", "chat": [[turns(0)], [turns(2)]], "probing_questions": told}
    workspace = load([row, {**row, "conversation_id": "8"}])
    assert [chat.id for chat in workspace.conversations] == ["7", "8"]
    assert [len(chat.messages) for chat in workspace.conversations] == [4, 4]
    assert [probe.conversation for probe in workspace.probes] == ["7", "7", "8", "8"]


def test_a_turn_without_text_is_said() -> None:
    workspace = load([{"batch_number": 1, "turns": [[*turns(0), {"role": "user", "content": 5}]]}])
    assert [problem.place for problem in workspace.problems] == ["$[0].turns[0][2]"]
    assert len(workspace.conversations[0].messages) == 2


@pytest.mark.parametrize("value", [{}, [], {"abstention": [{"question": "x"}]}, [{"turns": []}]])
def test_other_files_are_not_claimed(value: Any) -> None:
    source = FileSource("x.json", json.dumps(value).encode())
    assert beam.sniff(source) == 0
    with pytest.raises(UnreadableError):
        beam.load(source)


@pytest.mark.parametrize("value", [BATCHES, QUESTIONS])
def test_the_format_keeps_the_rules_of_formats(value: Any, tmp_path: Any) -> None:
    file = tmp_path / "chat.json"
    file.write_text(json.dumps(value))
    check_format(beam.FORMAT, file)
