"""The sentence behind a decision says the numbers that are in the columns."""

import pytest
from building import answer_to, chat, memories, workspace

from inspector.assembly.explain import explain
from inspector.model import Lorebook, LoreEntry

FOUND = workspace(
    chat(9, 8, 7, 6, 5),
    memories(5, 4, 30),
    lorebooks=(Lorebook("book", (LoreEntry("l0", "w", keys=("never",)),)),),
)


def sentence(item: str, **scenario: object) -> str:
    answer = answer_to(FOUND, **{"context_window": 40, "parameters": {"min_exchanges": 1}, **scenario})
    return explain(answer.assembly, answer.assembly.candidates.ids.index(item))


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ("m4", "Kept. This message is among the newest messages, which are always kept"),
        ("m3", "Kept. This message needs ≈ 6 tokens, and the conversation budget of 16 tokens had ≈ 11 left"),
        (
            "m2",
            "Dropped. This message needs ≈ 7 tokens, and the conversation budget of 16 tokens had ≈ 5 left at its turn",
        ),
        ("m1", "Dropped. The conversation budget of 16 tokens was full before the turn of this message"),
        ("k1", "Kept. This memory needs ≈ 4 tokens, and the memory budget of 12 tokens had ≈ 7 left"),
        ("l0", "Dropped. No key of this lorebook entry occurs in the newest four messages"),
    ],
)
def test_sentence(item: str, expected: str) -> None:
    assert sentence(item).startswith(expected)


def test_what_is_missing_is_said() -> None:
    assert sentence("m2").endswith("(3 of 5, newest first): ≈ 2 too few.")
    assert "(2 of 5, newest first)" in sentence("m3")


def test_a_loan_is_said() -> None:
    assert "of 16 tokens and 3 borrowed" in sentence("m3", parameters={"min_exchanges": 1, "borrow": "history"})


@pytest.mark.parametrize(
    ("around", "word"),
    [
        ({"excluded": ("m3",)}, "Dropped. This message is left out"),
        ({"at": 2}, "Not yet. This message does not exist yet"),
    ],
)
def test_what_never_reached_the_policy_is_said(around: dict[str, object], word: str) -> None:
    assert word in sentence("m3", **around)


def test_numbers_have_thousands_separators() -> None:
    found = workspace(chat(5000, 1))
    answer = answer_to(found, context_window=2000, parameters={"min_exchanges": 0})
    assert "needs ≈ 5,000" in explain(answer.assembly, 0)
