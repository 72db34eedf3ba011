"""One number names one item: in tables and sentences, and in commands."""

import pytest
from building import answer_to, chat, memories, workspace

from inspector.assembly.candidates import Candidates
from inspector.assembly.numbers import called, number_of, numbered, numbers_of, parsed, rows_between, title_in
from inspector.assembly.references import row_of
from inspector.model import Character, Component, Document, Lorebook, LoreEntry, MemorySet, Passage, PastSummary


@pytest.fixture
def candidates() -> Candidates:
    """Some of each kind; the lore of the file in another order than that of its insertion."""
    lore = (LoreEntry("late", "w", order=200), LoreEntry("early", "w", order=1))
    found = workspace(
        chat(1, 2, 3),
        memories(1, 1),
        lorebooks=(Lorebook("book", lore),),
        passages=(Passage("p", "w", "document"),),
        summaries=(PastSummary("s", "w"),),
        documents=(Document("d", "", "w"),),
        character=Character("nova", system_prompt="w", components=(Component("c", "note", "w", priority=1),)),
    )
    return answer_to(found, context_window=8000).assembly.candidates


def numbers(candidates: Candidates) -> dict[str, str]:
    return {candidates.ids[row]: number_of(candidates, row) for row in range(len(candidates))}


def test_messages_are_numbered_by_their_place_and_others_by_their_kind(candidates: Candidates) -> None:
    told = numbers(candidates)
    assert [told[name] for name in ("m0", "m1", "m2")] == ["1", "2", "3"]
    assert [told[name] for name in ("k0", "k1", "p", "s", "d")] == ["M 1", "M 2", "P 1", "C 1", "D 1"]
    assert {told["nova"], told["c"]} == {"S 1", "S 2"}


def test_lore_is_numbered_as_it_is_filed(candidates: Candidates) -> None:
    assert candidates.ids.index("early") < candidates.ids.index("late")
    assert (numbers(candidates)["late"], numbers(candidates)["early"]) == ("L 1", "L 2")


def test_each_number_names_its_item_and_no_other(candidates: Candidates) -> None:
    for row, number in enumerate(numbers_of(candidates, range(len(candidates)))):
        assert list(numbered(candidates.items, number)) == [row]
        assert list(numbered(candidates.items, number.replace(" ", "").lower())) == [row]
        assert row_of(candidates.items, number) == row


@pytest.mark.parametrize("name", ["0", "4", "M 3", "L3", "X 1", "-1", "1.5", "", "M", "#"])
def test_other_texts_name_nothing(candidates: Candidates, name: str) -> None:
    assert list(numbered(candidates.items, name)) == []


def test_ranges(candidates: Candidates) -> None:
    names = [candidates.ids[row] for row in rows_between(candidates.items, "", 2, 99)]
    assert names == ["m1", "m2"]
    assert [candidates.ids[row] for row in rows_between(candidates.items, "M", 1, 2_000_000_000)] == ["k0", "k1"]
    assert parsed("#m12") == ("M", 12)


def test_titles_and_sentences(candidates: Candidates) -> None:
    row = candidates.ids.index("m2")
    assert (title_in(candidates.items, row), called(candidates, row)) == ("Message 3", "message 3")
    row = candidates.ids.index("k1")
    assert (title_in(candidates.items, row), called(candidates, row)) == ("M 2", "M 2")


def test_thousands_are_separated() -> None:
    found = workspace(chat(*[1] * 1200), MemorySet("empty", ()))
    candidates = answer_to(found, context_window=8000).assembly.candidates
    assert number_of(candidates, len(candidates) - 1) == "1,200"
    assert list(numbered(candidates.items, "1,200")) == list(numbered(candidates.items, "1200"))
