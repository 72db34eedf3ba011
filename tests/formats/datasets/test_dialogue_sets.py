"""Sets of dialogues: KdConv, CrossWOZ, RealPersonaChat, Multi-Session Chat, MT-Bench and LongMemEval.

Of CrossWOZ, Multi-Session Chat and LongMemEval no file is among the real ones: these are in their published layouts.
"""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from inspector.formats.datasets import crosswoz, kdconv, longmemeval, msc, mt_bench, real_persona_chat
from inspector.formats.format import Format
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Conversation, Memory, Probe, Workspace
from inspector.reading.source import FileSource, UnreadableError

FACT = {"name": "城", "attrname": "导演", "attrvalue": "甲"}
KDCONV: dict[str, Any] = {"name": "城", "messages": [{"message": "知道吗？"}, {"message": "知道", "attrs": [FACT]}]}
CROSSWOZ: dict[str, Any] = {
    "sys-usr": [43, 18],
    "goal": [],
    "messages": [
        {"role": "usr", "content": "你好", "dialog_act": []},
        {"role": "sys", "content": "您好", "dialog_act": [], "sys_state": {}},
    ],
    "task description": ["x"],
    "type": "单领域",
}
WITH_MODEL: dict[str, Any] = {
    "dialogue_id": 1,
    "system_id": "GPT-4",
    "interlocutor_id": "EN",
    "utterances": [
        {"utterance_id": 0, "interlocutor": "user", "text": "こんばんは"},
        {"utterance_id": 1, "interlocutor": "system", "text": "こんばんは！"},
    ],
}
OF_PEOPLE: dict[str, Any] = {
    "dialogue_id": 2,
    "interlocutors": ["AA", "AB"],
    "utterances": [
        {"utterance_id": 0, "interlocutor_id": "AB", "text": "はい", "timestamp": "2022-08-10T15:23:01"},
        {"utterance_id": 1, "interlocutor_id": "AA", "text": "ええ"},
    ],
}
EPISODE: dict[str, Any] = {
    "personas": [["I sail."], ["I cook.", "I rest."]],
    "dialog": [{"text": "Hi again", "id": "Speaker 1"}, {"text": "Ho again", "id": "Speaker 2"}],
    "previous_dialogs": [
        {"personas": [[], []], "dialog": [{"text": "Hi"}, {"text": "Ho"}], "time_num": 7, "time_back": "7 days ago"}
    ],
    "metadata": {"initial_data_id": "valid_0", "session_id": 1},
}
QUESTION: dict[str, Any] = {"question_id": 81, "category": "math", "turns": ["1+1?", "And 2+2?"], "reference": ["2"]}
ANSWER: dict[str, Any] = {
    "question_id": 81,
    "model_id": "gpt-4",
    "choices": [{"index": 0, "turns": ["2", "4"]}, {"index": 1, "turns": ["3"]}],
    "tstamp": 1_687_000_000.5,
}
ASKED: dict[str, Any] = {
    "question_id": "q1",
    "question_type": "multi-session",
    "question": "Where do I sail?",
    "answer": "At sea",
    "question_date": "2023/05/30 (Tue) 23:40",
    "haystack_session_ids": ["late", "early"],
    "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/19 (Fri) 02:21"],
    "haystack_sessions": [
        [{"role": "user", "content": "I sail.", "has_answer": True}, {"role": "assistant", "content": "Nice."}],
        [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Ho"}],
    ],
    "answer_session_ids": ["late"],
}


def load(kind: Format, value: Any, lines: bool = False) -> Workspace:
    text = "\n".join(map(json.dumps, value)) if lines else json.dumps(value)
    source = FileSource("set.json", text.encode())
    assert rank_formats(source, built_in_formats())[0][0] is kind
    return kind.load(source)


def said(conversation: Conversation) -> list[tuple[str, str, str]]:
    return [(message.role, message.name, message.content) for message in conversation.messages]


def test_kdconv_keeps_the_knowledge_of_a_turn() -> None:
    (chat,) = load(kdconv.FORMAT, [KDCONV]).conversations
    assert said(chat) == [("user", "", "知道吗？"), ("assistant", "", "知道")]
    assert (chat.title, chat.messages[1].metadata) == ("城", {"knowledge": [FACT]})


def test_crosswoz_has_a_dialogue_under_each_key() -> None:
    first, second = load(crosswoz.FORMAT, {"7": CROSSWOZ, "8": CROSSWOZ}).conversations
    assert said(first) == [("user", "", "你好"), ("assistant", "", "您好")]
    assert (first.id, second.id) == ("7", "8")


def test_the_system_of_real_persona_chat_is_the_assistant() -> None:
    (chat,) = load(real_persona_chat.FORMAT, [WITH_MODEL]).conversations
    assert said(chat) == [("user", "EN", "こんばんは"), ("assistant", "GPT-4", "こんばんは！")]
    assert (chat.id, chat.model) == ("1", "GPT-4")


def test_of_two_people_the_one_named_second_is() -> None:
    (chat,) = load(real_persona_chat.FORMAT, [OF_PEOPLE]).conversations
    assert said(chat) == [("assistant", "AB", "はい"), ("user", "AA", "ええ")]
    assert chat.messages[0].time == datetime(2022, 8, 10, 15, 23, 1, tzinfo=UTC)


@pytest.mark.parametrize("lines", [False, True])
def test_sessions_of_an_episode_are_one_conversation(lines: bool) -> None:
    workspace = load(msc.FORMAT, [EPISODE, EPISODE], lines)
    first, second = workspace.conversations
    assert said(first) == [
        ("user", "Speaker 1", "Hi"),
        ("assistant", "Speaker 2", "Ho"),
        ("user", "Speaker 1", "Hi again"),
        ("assistant", "Speaker 2", "Ho again"),
    ]
    assert [dict(one.metadata) for one in first.messages[1:3]] == [
        {"session": 1, "time_back": "7 days ago"},
        {"session": 2},
    ]
    assert (first.id, second.id) == ("valid_0", "valid_0-2")


def test_personas_are_memories_of_their_chat() -> None:
    kept, other = load(msc.FORMAT, [EPISODE, EPISODE]).memory_sets
    assert kept.memories == (
        Memory("valid_0:1.1", "I sail.", type="explicit", tags=("Speaker 1",)),
        Memory("valid_0:2.1", "I cook.", type="explicit", tags=("Speaker 2",)),
        Memory("valid_0:2.2", "I rest.", type="explicit", tags=("Speaker 2",)),
    )
    assert (kept.conversations, other.conversations) == (("valid_0",), ("valid_0-2",))


def test_questions_of_mt_bench_are_turns_of_the_person() -> None:
    (chat,) = load(mt_bench.FORMAT, [QUESTION]).conversations
    assert said(chat) == [("user", "", "1+1?"), ("user", "", "And 2+2?")]
    assert [dict(one.metadata) for one in chat.messages] == [{"reference": "2"}, {}]
    assert (chat.id, chat.title) == ("81", "math 81")


def test_choices_of_answers_are_branches() -> None:
    (chat,) = load(mt_bench.FORMAT, [ANSWER], lines=True).conversations
    assert said(chat) == [("assistant", "", "2"), ("assistant", "", "4")]
    assert chat.tree is not None
    assert [one.content for one in chat.tree.messages] == ["2", "4", "3"]
    assert chat.model == "gpt-4"


def test_sessions_of_longmemeval_stand_in_the_order_of_their_days() -> None:
    workspace = load(longmemeval.FORMAT, [ASKED])
    (chat,) = workspace.conversations
    assert [(one.id, one.content) for one in chat.messages] == [
        ("early_1", "Hi"),
        ("early_2", "Ho"),
        ("late_1", "I sail."),
        ("late_2", "Nice."),
    ]
    assert chat.messages[3].time == datetime(2023, 5, 20, 2, 21, 1, tzinfo=UTC)
    asked = "Where do I sail?"
    (probe,) = workspace.probes
    assert probe == Probe("q1", ("late_1",), "q1", query=asked, category="multi-session", answer="At sea")


def test_without_marks_all_turns_of_the_session_are_the_evidence() -> None:
    unmarked = [[{"role": "user", "content": "I sail."}], [{"role": "user", "content": "Hi"}]]
    abstained = {**ASKED, "question_id": "q_abs", "answer_session_ids": []}
    value = [{**ASKED, "haystack_sessions": unmarked}, {**abstained, "haystack_sessions": unmarked}]
    first, second = load(longmemeval.FORMAT, value).probes
    assert first.evidence == ("late_1",)
    assert (second.evidence, second.category) == ((), "abstention")


def test_without_all_dates_sessions_stay_in_the_order_of_the_file() -> None:
    (chat,) = load(longmemeval.FORMAT, [{**ASKED, "haystack_dates": ["2023/05/20 (Sat) 02:21"]}]).conversations
    assert [one.id for one in chat.messages] == ["late_1", "late_2", "early_1", "early_2"]
    assert chat.messages[2].time is None


_BROKEN: list[tuple[Format, Any, list[str]]] = [
    (kdconv.FORMAT, [KDCONV, 5, {"messages": [*KDCONV["messages"] * 3, {"message": 1}]}],
     ["$[1]", "$[2].messages[6].message"]),
    (crosswoz.FORMAT, {"7": CROSSWOZ, "8": 5, "9": {"messages": [*CROSSWOZ["messages"], {"role": "x"}]}},
     ["$.8", "$.9.messages[2].role"]),
    (real_persona_chat.FORMAT, [WITH_MODEL, 5, {**OF_PEOPLE, "utterances": [*OF_PEOPLE["utterances"] * 3, 5]}],
     ["$[1]", "$[2].utterances[6]"]),
    (msc.FORMAT, [EPISODE, 5, {**EPISODE, "previous_dialogs": [5], "dialog": [*EPISODE["dialog"] * 2, 5]}],
     ["$[1]", "$[2].previous_dialogs[0]", "$[2].dialog[4]"]),
    (mt_bench.FORMAT, [QUESTION, 5, {**ANSWER, "choices": [*ANSWER["choices"], 5]}], ["$[1]", "$[2].choices[2]"]),
    (longmemeval.FORMAT, [ASKED, 5, {**ASKED, "haystack_sessions": [5, [{"role": "ghost"}]]}],
     ["$[1]", "$[2].haystack_sessions[1][0]", "$[2].haystack_sessions[0]"]),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "value", "places"), _BROKEN)
def test_what_is_broken_is_a_problem_and_the_rest_opens(kind: Format, value: Any, places: list[str]) -> None:
    workspace = load(kind, value)
    assert [one.place for one in workspace.problems if one.severity != "info"] == places
    assert len(workspace.conversations[0].messages) >= 2


_KINDS = [kdconv.FORMAT, crosswoz.FORMAT, real_persona_chat.FORMAT, msc.FORMAT, mt_bench.FORMAT, longmemeval.FORMAT]


@pytest.mark.parametrize("kind", _KINDS)
@pytest.mark.parametrize(
    "value",
    [[], {}, 5, [5], {"messages": []}, {"messages": [{"role": "user", "content": "x"}]},
     {"question_id": 1, "turns": [5]}, {"dialog": []}, {"utterances": []}, {"haystack_sessions": 5, "question": ""}],
)  # fmt: skip
def test_other_json_is_not_claimed(kind: Format, value: Any) -> None:
    source = FileSource("x.json", json.dumps(value).encode())
    assert kind.sniff(source) == 0
    with pytest.raises(UnreadableError):
        kind.load(source)
