"""What decided about an item is named: the item that closed a budget, the message that a passage repeats."""

import pytest
from building import answer_to, chat, memories, workspace

from inspector.assembly.answer import Answer
from inspector.assembly.explain import decider_of, explain
from inspector.model import Character, Component, Memory, MemorySet, Passage

FOUND = workspace(chat(9, 8, 7, 6, 5), memories(5, 4, 30, 2, 2))


def decider(answer: Answer, item: str) -> str | None:
    ids = answer.assembly.candidates.ids
    found = decider_of(answer.assembly, ids.index(item))
    return None if found is None else ids[found.row]


def sentence(answer: Answer, item: str) -> str:
    return explain(answer.assembly, answer.assembly.candidates.ids.index(item))


@pytest.mark.parametrize(
    ("item", "expected"), [("m0", "m2"), ("m1", "m2"), ("m2", None), ("m4", None), ("k3", "k2"), ("k4", "k2")]
)
def test_the_misfit_that_closed_a_budget(item: str, expected: str | None) -> None:
    answer = answer_to(FOUND, context_window=40, parameters={"min_exchanges": 1})
    assert decider(answer, item) == expected
    named = {"m2": "message 3", "k2": "M 3"}.get(expected or "")
    assert sentence(answer, item).endswith(f"The first that did not fit is {named}.") == (expected is not None)


def test_the_message_that_a_passage_repeats() -> None:
    passages = (Passage("p0", "w w", "chat", message_id="m2", score=0.9), Passage("p1", "w", "document", score=0.9))
    found = workspace(chat(2, 2, 2), passages=passages)
    answer = answer_to(found, policy="window_rag", context_window=8000)
    assert (decider(answer, "p0"), decider(answer, "p1")) == ("m2", None)
    assert "It repeats message 3." in sentence(answer, "p0")


def test_the_component_that_begins_alike() -> None:
    pieces = tuple(Component(f"c{number}", "note", "Be  kind", priority=number) for number in range(2))
    found = workspace(chat(2), character=Character("nova", components=pieces))
    answer = answer_to(found, policy="adaptive", context_window=8000)
    assert (decider(answer, "c1"), decider(answer, "c0")) == ("c0", None)


def test_what_is_not_there_yet_follows_from_the_message_that_it_was_made_of() -> None:
    stored = MemorySet("s", (Memory("k0", "w", source_messages=("m0", "m2", "m3")), Memory("k1", "w")))
    answer = answer_to(workspace(chat(1, 1, 1, 1), stored), at=2, as_of=True)
    assert (decider(answer, "k0"), decider(answer, "k1"), decider(answer, "m3")) == ("m3", None, None)


def test_what_the_kept_part_begins_with() -> None:
    answer = answer_to(workspace(chat(9, 9, 9, 9, 9, 9)), policy="llamaindex_buffer", parameters={"token_limit": 30})
    assert [decider(answer, f"m{number}") for number in range(6)] == ["m4"] * 4 + [None] * 2
    assert sentence(answer, "m0").endswith("That part begins with message 5.")
