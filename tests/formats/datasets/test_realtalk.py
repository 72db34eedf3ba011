"""REALTALK: two speakers, sessions in the order of their numbers, and questions as probes."""

import json
from typing import Any

import pytest

from inspector.formats.datasets import realtalk
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError
from inspector.testing import check_format


def turn(id_: str, speaker: str, text: str | None, **more: Any) -> dict[str, Any]:
    made = {"speaker": speaker, "date_time": "29.12.2023, 22:42:04", "img_file": [], "img_url": [], "dia_id": id_}
    return {**made, **({"clean_text": text} if text is not None else {}), **more}


CHAT: dict[str, Any] = {
    "name": {"speaker_1": "Ann", "speaker_2": "Bob"},
    "session_10": [turn("D10:1", "Ann", "Bye.")],
    "session_2": [turn("D2:1", "Bob", "Hi.", date_time="odd")],
    "session_2_date_time": "30.12.2023, 00:32:20",
    "events_session_2": {"agent_a": [], "agent_b": []},
    "qa": [
        {"question": "Who said hi?", "answer": "Bob", "evidence": ["D2:1", "D10:1;D2:1"], "category": 2},
        {"answer": "Bob"},
    ],
}


def load(value: Any) -> Workspace:
    source = FileSource("Chat_1.json", json.dumps(value).encode())
    assert rank_formats(source, built_in_formats())[0][0] is realtalk.FORMAT
    return realtalk.load(source)


def test_a_chat_has_its_turns_by_session_and_its_questions() -> None:
    workspace = load(CHAT)
    (chat,) = workspace.conversations
    assert [(one.id, one.role, one.name, one.content) for one in chat.messages] == [
        ("D2:1", "assistant", "Bob", "Hi."),
        ("D10:1", "user", "Ann", "Bye."),
    ]
    assert [str(one.time) for one in chat.messages] == ["2023-12-30 00:32:20+00:00", "2023-12-29 22:42:04+00:00"]
    (probe,) = workspace.probes
    assert (probe.conversation, probe.query, probe.evidence) == (chat.id, "Who said hi?", ("D2:1", "D10:1"))
    assert (probe.category, probe.answer) == ("temporal", "Bob")
    assert [problem.place for problem in workspace.problems] == ["$.qa[1]"]


def test_a_turn_of_a_picture_alone_stays_and_one_of_nothing_is_said() -> None:
    turns = [turn("D1:1", "Ann", None, img_url=["https://example.org/a"]), turn("D1:2", "Bob", None), 5]
    workspace = load({**CHAT, "session_1": turns, "qa": []})
    first = workspace.conversations[0].messages[0]
    assert (first.id, first.metadata) == ("D1:1", {"image_links": ["https://example.org/a"]})
    assert [problem.place for problem in workspace.problems] == ["$.session_1[1]", "$.session_1[2]"]


def test_a_double_id_is_said() -> None:
    workspace = load({**CHAT, "session_3": [turn("D2:1", "Ann", "Again.")], "qa": []})
    assert len({one.id for one in workspace.conversations[0].messages}) == 3
    assert "is there twice" in workspace.problems[0].message


@pytest.mark.parametrize("value", [{}, [], {"session_1": [{"speaker": "Ann", "text": "Hi"}]}, {"session_1": 5}])
def test_other_files_are_not_claimed(value: Any) -> None:
    source = FileSource("x.json", json.dumps(value).encode())
    assert realtalk.sniff(source) == 0
    with pytest.raises(UnreadableError):
        realtalk.load(source)


def test_the_format_keeps_the_rules_of_formats(tmp_path: Any) -> None:
    file = tmp_path / "Chat_1.json"
    file.write_text(json.dumps([CHAT, CHAT]))
    check_format(realtalk.FORMAT, file)
