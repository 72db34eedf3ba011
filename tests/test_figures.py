"""Figures in words."""

import re
from pathlib import Path

import pytest

import inspector
from inspector.figures import counted, figures, in_number, percentage, signed_percentage


@pytest.mark.parametrize(
    ("number", "estimated", "text"),
    [(1240, False, "1,240"), (1240, True, "≈ 1,240"), (0, False, "0"), (-5, False, "−5"), (None, True, "–")],
)
def test_a_figure_says_whether_it_is_an_estimate(number: int | None, estimated: bool, text: str) -> None:
    assert figures(number, estimated) == text


def test_nouns_are_in_number() -> None:
    assert [counted(number, "token") for number in (0, 1, 2)] == ["0 tokens", "1 token", "2 tokens"]
    assert counted(1, "token", estimated=True) == "≈ 1 token"
    assert counted(3, "memory", plural="memories") == "3 memories"


def test_a_sentence_that_was_filled_in_is_put_in_number() -> None:
    assert in_number("It needs 1 tokens of 1,001 tokens, 2.1 tokens and 21 items; 1 memories.") == (
        "It needs 1 token of 1,001 tokens, 2.1 tokens and 21 items; 1 memory."
    )


def test_a_share_is_written_one_way_everywhere() -> None:
    assert [percentage(0.3), percentage(0.9741), percentage(0.42, 0)] == ["30.0 %", "97.4 %", "42 %"]
    package = Path(inspector.__file__).parent
    others = [file.name for file in package.rglob("*.py") if re.search(r":[^{}:]*%}", file.read_text("utf-8"))]
    assert others == [], "these write percentages by themselves"


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.2714, "+27.1 %"), (-0.054, "−5.4 %"), (0.0, "0.0 %"), (-0.0001, "0.0 %"), (0.0001, "0.0 %"), (None, "–")],
)
def test_a_difference_of_shares_has_a_sign_of_its_own(share: float | None, text: str) -> None:
    assert signed_percentage(share) == text
