"""Marks: what must survive is told of when it is dropped; ids that repeat are named with their conversation."""

import pytest
from building import answer_to, chat, codes, memories, pipeline_for, workspace

from inspector.assembly.answer import Answer, with_ledger
from inspector.assembly.finding_kinds import MUST_SURVIVE_DROPPED
from inspector.assembly.inspection_file import MarksBeside, WrittenInspection, marks_value
from inspector.assembly.items import ItemTexts
from inspector.assembly.marks import ItemKey, Marks, grown, item_key, marked_rows, toggle_must_survive, write_note
from inspector.model import Conversation, Workspace, changed

ONE = workspace(chat(9, 4, 30, 6))
TWO = changed(ONE, conversations=(*ONE.conversations, Conversation("c2", chat(3, 3))))


def items_of(found: Workspace, conversation: str | None = None) -> ItemTexts:
    return answer_to(found, conversation=conversation).assembly.candidates.items


def marked(found: Workspace, marks: Marks, **scenario: object) -> Answer:
    pipeline = pipeline_for(found)
    pipeline.known.marks = marks
    answer = answer_to(found, **scenario)
    return with_ledger(pipeline, answer, answer.ledger)


def lost(answer: Answer) -> list[str]:
    return [
        answer.assembly.candidates.ids[row]
        for finding in answer.findings
        if finding.kind == MUST_SURVIVE_DROPPED
        for row in finding.rows
    ]


def test_what_must_survive_and_is_dropped_is_a_finding() -> None:
    marks = Marks((ItemKey("m0"), ItemKey("m3"), ItemKey("nobody")))
    answer = marked(ONE, marks, context_window=4_000, excluded=("m0",))
    assert lost(answer) == ["m0"]
    assert "must_survive_dropped" in codes(answer)
    assert not lost(marked(ONE, marks, context_window=4_000))


def test_what_is_not_there_yet_in_a_replay_is_not_lost() -> None:
    assert lost(marked(ONE, Marks((ItemKey("m3"),)), context_window=4_000, at=2)) == []


def test_marking_twice_takes_the_mark_away_and_says_so() -> None:
    items = items_of(ONE)
    first = toggle_must_survive(Marks(), items, [0, 1], ONE)
    assert first.marks.must_survive == (ItemKey("m0"), ItemKey("m1"))
    assert first.label == "2 items must stay"
    more = toggle_must_survive(first.marks, items, [1, 2], ONE)
    assert set(more.marks.must_survive) == {ItemKey("m0"), ItemKey("m1"), ItemKey("m2")}
    less = toggle_must_survive(more.marks, items, [1], ONE)
    assert set(less.marks.must_survive) == {ItemKey("m0"), ItemKey("m2")}
    assert less.label == "Message 2 need not stay"


def test_a_note_is_replaced_and_an_empty_one_is_taken_away() -> None:
    items = items_of(ONE)
    marks = write_note(Marks(), items, 1, ONE, " the promise ").marks
    assert marked_rows(marks, items).notes == {1: "the promise"}
    marks = write_note(marks, items, 1, ONE, "kept").marks
    assert marks.notes == {ItemKey("m1"): "kept"}
    assert not write_note(marks, items, 1, ONE, "  ").marks


def test_an_id_that_repeats_is_named_with_its_conversation() -> None:
    one, two = items_of(TWO, "c1"), items_of(TWO, "c2")
    assert item_key(one, 1, TWO) == ItemKey("m1", "c1")
    assert item_key(one, 3, TWO) == ItemKey("m3")
    marks = toggle_must_survive(Marks(), one, [1], TWO).marks
    assert marked_rows(marks, one).must_survive.tolist() == [False, True, False, False]
    assert not marked_rows(marks, two).must_survive.any()


def test_marks_stay_on_their_items_when_another_chat_with_their_ids_is_added() -> None:
    marks = Marks((ItemKey("m1"), ItemKey("m3")), {ItemKey("m0"): "first"})
    after = grown(marks, ONE, TWO)
    assert after == Marks((ItemKey("m1", "c1"), ItemKey("m3")), {ItemKey("m0", "c1"): "first"})
    assert toggle_must_survive(after, items_of(TWO, "c1"), [1], TWO).marks.must_survive == (ItemKey("m3"),)


@pytest.mark.parametrize("name", ["k0", "memories/k0"])
def test_memories_are_marked_by_any_form_of_their_id(name: str) -> None:
    found = workspace(chat(9, 4), memories(5, 3))
    items = items_of(found)
    rows = marked_rows(Marks((ItemKey(name),)), items).must_survive.nonzero()[0].tolist()
    assert [items.plain_ids[row] for row in rows] == ["k0"]


def test_marks_beside_a_conversation_without_a_name_keep_their_order_when_written_again() -> None:
    written = WrittenInspection(marks_beside={"1": MarksBeside(("m1",)), "": MarksBeside(("m2",))})
    once = written.marks
    again = marks_value(once)
    beside = {chat: MarksBeside(tuple(marks["must_survive"])) for chat, marks in again["marks_beside"].items()}
    assert once.must_survive == (ItemKey("m2"), ItemKey("m1", "1"))
    assert WrittenInspection(must_survive=tuple(again["must_survive"]), marks_beside=beside).marks == once
