"""Probes of marks: which question needs the selected items, what must survive, and their file."""

from pathlib import Path

from inspector.analysis.recall.probes import read_probes
from inspector.assembly.inspection_file import WrittenInspection
from inspector.assembly.items import ItemTexts
from inspector.assembly.marks import (
    MUST_SURVIVE,
    ItemKey,
    Marks,
    forget_questions,
    marked_probes,
    need,
    question_of,
    write_probes,
)
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.model import Conversation, Memory, MemorySet, Message, Probe, Workspace
from inspector.plugins import policies, tokenizers
from inspector.tokens.models.loading import load_models

CHAT = Conversation("a", tuple(Message(f"m{n}", "assistant" if n % 2 else "user", f"word {n}") for n in range(5)))


def items_of(workspace: Workspace, draft: str | None = None) -> ItemTexts:
    pipeline = Pipeline(workspace, policies()[0], {}, load_models(None), tokenizers()[0])
    return pipeline.plain_items(pipeline.case(Scenario(conversation="a", draft=draft, tokenizer="estimate:words")))


def test_the_last_message_of_the_user_asks_and_needs_what_is_before_it() -> None:
    items = items_of(Workspace((CHAT,)))
    made = need(Marks(), items, question_of(items, [2, 0, 1], None)).marks.questions  # type: ignore[arg-type]
    assert [(one.evidence, one.conversation, one.at, one.query) for one in made] == [(("m0", "m1"), "a", 3, None)]


def test_without_one_the_newest_message_asks_if_it_is_the_users() -> None:
    items = items_of(Workspace((CHAT,)))
    asked = question_of(items, [1], None)
    assert asked is not None
    assert (asked.name, asked.at, asked.rows) == ("Message 5", 5, (1,))
    assert question_of(items, [1], 4) is None, "the newest of that turn is the assistant's"
    assert question_of(items, [4], None) is None, "it needs nothing"
    assert question_of(items, [], None) is None


def test_a_draft_asks_for_all_that_is_selected() -> None:
    items = items_of(Workspace((CHAT,)), "When?")
    asked = question_of(items, [2, 0], None)
    assert asked is not None
    assert (asked.query, asked.rows) == ("When?", (0, 2))


def test_a_draft_asks_for_nothing_at_a_turn_at_which_it_does_not_exist() -> None:
    items = items_of(Workspace((CHAT,)), "When?")
    asked = question_of(items, [1, 5], 3, has_later=True)
    assert asked is not None
    assert (asked.name, asked.at, asked.query, asked.rows) == ("Message 3", 3, None, (1,))


def test_the_same_question_asked_again_needs_the_others_instead() -> None:
    items = items_of(Workspace((CHAT,)))
    first = need(Marks(), items, question_of(items, [0, 2], None)).marks  # type: ignore[arg-type]
    again = need(first, items, question_of(items, [1, 2], None)).marks  # type: ignore[arg-type]
    assert [one.evidence for one in again.questions] == [("m1",)]
    assert again.questions[0].id == first.questions[0].id
    assert not forget_questions(again, [again.questions[0].id]).marks.questions


def test_what_must_survive_is_a_probe_of_its_conversation() -> None:
    other = Conversation("b", (Message("n1", "user", "hi"),))
    marks = Marks((ItemKey("m1"), ItemKey("m1", "b"), ItemKey("k1")))
    found = marked_probes(marks, Workspace((CHAT, other)))
    assert [(one.conversation, one.evidence, one.category) for one in found] == [
        ("a", ("m1", "k1"), MUST_SURVIVE),
        ("b", ("m1", "k1"), MUST_SURVIVE),
    ], "nobody says whose k1 is"
    owned = Workspace((CHAT, other), (MemorySet("set", (Memory("k1", "fact"),), conversations=("b",)),))
    assert [one.evidence for one in marked_probes(Marks((ItemKey("k1"),)), owned)] == [("k1",)]
    alone = marked_probes(Marks((ItemKey("m1"), ItemKey("k1"))), Workspace((CHAT,)))
    assert alone[0].evidence == ("m1", "k1")


def test_questions_are_written_as_a_file_of_probes_and_read_again(tmp_path: Path) -> None:
    probes = (Probe("one", ("m1",), "a", 3), Probe("two", ("m2", "m3"), "a", None, "When: “now”?", "marked"))
    file = tmp_path / "mine.probes.yaml"
    write_probes(probes, file, ())
    found, problems = read_probes(file)
    assert not problems
    assert [(one.id, one.evidence, one.conversation, one.at, one.query, one.category) for one in found] == [
        (one.id, one.evidence, one.conversation, one.at, one.query, one.category) for one in probes
    ]


def test_an_inspection_holds_each_question_once() -> None:
    twice = WrittenInspection(questions=(Probe("one", ("m1",), "a", origin="x"), Probe("one", ("m2",), "a")))
    assert [(one.evidence, one.origin) for one in twice.marks.questions] == [(("m2",), "")]
