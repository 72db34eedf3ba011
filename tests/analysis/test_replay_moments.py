"""Recorded compactions beside those of a replay: their turns, what each lost, and the evidence among it."""

from dataclasses import replace
from typing import Any

import pytest

from inspector.analysis.replay.ask import Replay, replay
from inspector.analysis.replay.drawing import replay_drawings
from inspector.analysis.replay.events import EVENTS, event_sentences
from inspector.analysis.replay.moments import moments_of
from inspector.analysis.replay.tables import replay_value
from inspector.assembly.scenario import Scenario
from inspector.cli.loading import pipeline_of
from inspector.drawings.drawing import MarkLook
from inspector.formats.compaction import SUMMARY_MARK, recorded_actions
from inspector.model import Conversation, Message, Probe, Workspace, changed
from inspector.tables import Face, columns_on

SUMMARIES = {"m9": {"preTokens": 700, "postTokens": 60}, "m20": {"preTokens": 800}}
CODEX: dict[str, Any] = {"user_message_tokens": 8, "summary_size": 12}
PROBES = (
    Probe("q1", ("m1", "m12"), "c"),
    Probe("q2", ("m1", "m29"), "c"),
    Probe("other chat", ("m2",), "d"),
)


def message(number: int) -> Message:
    name, words = f"m{number}", " ".join(f"w{number}x{word}" for word in range(9))
    if name in SUMMARIES:
        return Message(name, "user", words, metadata={SUMMARY_MARK: True, "compaction": SUMMARIES[name]})
    return Message(name, "assistant" if number % 2 else "user", words)


def replayed(policy: str, parameters: dict[str, Any], every: int = 1) -> Replay:
    messages = tuple(map(message, range(30)))
    actions = recorded_actions(messages)
    told = tuple(changed(one, metadata={**one.metadata, **actions[one.id]}) for one in messages)
    pipeline = pipeline_of(Workspace(conversations=(Conversation("c", told), Conversation("d", ()))))
    scenario = Scenario(
        policy=policy, parameters=parameters, tokenizer="estimate:words", context_window=120, conversation="c"
    )
    return replay(pipeline, scenario, every=every)


@pytest.mark.parametrize("every", [1, 4])
def test_recorded_compactions_stand_at_the_first_sent_prompt_with_their_summary(every: int) -> None:
    found = replayed("codex_compact", CODEX, every)
    rows = replay_value(moments_of(found))["recorded_events"]
    sent = found.turns[found.is_sent].tolist()
    assert [row["turn"] for row in rows] == [min(turn for turn in sent if turn >= said) for said in (10, 21)]
    assert [row["at"] for row in rows] == ["m9", "m20"]
    assert [(row["before"], row["after"]) for row in rows] == [(700, 60), (800, None)]
    assert rows[0]["lost"] == rows[0]["folded"] == [f"m{number}" for number in range(9)]
    assert rows[1]["lost"] == [f"m{number}" for number in range(9, 20)]
    assert {row["unshared"] for row in rows} == {row["cost"] for row in rows} == {None}


def test_both_sides_are_in_one_table_by_turn_and_told_apart() -> None:
    for _ in range(2):
        moments = moments_of(replayed("codex_compact", CODEX))
        rows = list(EVENTS.records(moments))
        turns = [moments.turn(one) or 0 for one in moments.all]
        assert [row["turn"] for row in rows] == turns == sorted(turns)
        whose = [row["whose"] for row in rows]
        assert (whose.count("here"), whose.count("recorded")) == (len(moments.found.events), 2)
        assert len(moments.found.events) > 1
        value = replay_value(moments)
        assert [row for row in rows if row["whose"] == "here"] == value["events"]
        assert [row for row in rows if row["whose"] == "recorded"] == value["recorded_events"]


def test_evidence_is_what_questions_about_the_chat_need_of_what_a_compaction_lost() -> None:
    moments = moments_of(replayed("codex_compact", CODEX), PROBES)
    ids = moments.found.candidates.ids
    assert [ids[row] for row in moments.evidence.tolist()] == ["m1", "m12", "m29"]
    value = replay_value(moments)
    for row in (*value["events"], *value["recorded_events"]):
        assert set(row["evidence"]) == {"m1", "m12", "m29"} & {*row["lost"], *row["folded"]}
    recorded = [row["evidence"] for row in replay_value(moments)["recorded_events"]]
    assert recorded == [["m1"], ["m12"]]
    said = event_sentences(moments)[-1]
    assert "20 messages told by summaries" in said
    assert said.endswith("2 of 3 items that questions need among them.")


def test_columns_are_there_only_where_they_say_something() -> None:
    found = replayed("codex_compact", CODEX)
    for asked, is_there in ((PROBES, True), ((), False)):
        moments = moments_of(found, asked)
        shown = {column.key for column in columns_on(Face.WINDOW, EVENTS.columns_of(moments), moments)}
        assert ("evidence" in shown) is is_there
        assert "whose" in shown


def test_a_policy_that_never_compacts_says_so_beside_the_file() -> None:
    moments = moments_of(replayed("naive", {}))
    assert event_sentences(moments)[0] == "Here the list is never shortened."
    assert event_sentences(moments)[1].startswith("The file records 2 compactions, at turns 11 and 21: ")
    assert "700 tokens became 60" in event_sentences(moments)[1], "the other has no size after it"


def test_each_side_has_its_marks_and_the_first_of_each_has_words() -> None:
    (drawing,) = replay_drawings([replayed("codex_compact", CODEX)])
    recorded = [mark for mark in drawing.marks if mark.look is MarkLook.RECORDED]
    assert [mark.place for mark in recorded] == [11, 21]
    assert [mark.words for mark in recorded] == ["Recorded compaction, turn 11", ""]
    assert any(mark.look is MarkLook.EVENT and mark.words.startswith("Compaction") for mark in drawing.marks)


def test_the_first_part_of_a_replay_leaves_out_what_is_not_reached() -> None:
    found = replayed("naive", {})
    part = found.turns <= 12
    cut = {name: getattr(found, name)[part] for name in ("turns", "is_sent", "tokens", "unshared")}
    moments = moments_of(replace(found, **cut))
    assert [moments.turn(one) for one in moments.all] == [11]
