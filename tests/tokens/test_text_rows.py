"""Rows of a text: nothing is lost, nothing is too wide, nothing that is drawn as one is torn."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.tokens.shown.tokens import reach, reads_right_to_left, row_starts, text_breaks

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
TEXTS = st.text(st.sampled_from("ab c\t\n\r\u2028蓝色。\u0301\u200d\U0001f6a2\U0001f1e9\U0001f1ea"), max_size=80)


def rows(text: str, width: float) -> list[str]:
    """The rows of a text in which every code point is one pixel wide."""
    breaks = text_breaks(text)
    starts = row_starts(breaks, reach(breaks, lambda _: 1.0), width).tolist()
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", [""]),
        ("one", ["one"]),
        ("one\n", ["one\n", ""]),
        ("a\r\nb\rc\u2028d", ["a\r\n", "b\r", "c\u2028", "d"]),
        ("one two three", ["one two ", "three"]),
        ("well-known-bug", ["well-", "known-", "bug"]),
        ("abcdefghijkl", ["abcdefgh", "ijkl"]),
        ("12345678\n12345678", ["12345678\n", "12345678"]),
        ("蓝色的珊瑚和船在。水", ["蓝色的珊瑚和船", "在。水"]),
        (f"abcd{FAMILY}{FAMILY}", ["abcd", FAMILY, FAMILY]),
    ],
)
def test_rows_end_where_a_reader_expects_it(text: str, wanted: list[str]) -> None:
    assert rows(text, 8) == wanted


def test_letters_of_flags_stay_in_pairs() -> None:
    flags = "\U0001f1e9\U0001f1ea" * 5
    assert [len(row) for row in rows(flags, 5)] == [4, 4, 2]


@given(text=TEXTS, width=st.integers(1, 12))
def test_rows_are_the_text_and_fit(text: str, width: int) -> None:
    found = rows(text, width)
    assert "".join(found) == text
    assert all(found[:-1])
    for row in found:
        seen = [character for character in row if character not in "\u0301\n\r\u2028"]
        assert len(seen) <= width
    joins = text_breaks(text).joins
    ends = np.cumsum([len(row) for row in found])[:-1]
    for row, end in zip(found, ends.tolist(), strict=False):
        torn = end < len(text) and joins[end]
        assert not torn or text_breaks(row).joins[1:].all()  # a cluster that is wider than a row


@given(text=TEXTS)
def test_what_is_drawn_with_what_is_before_never_begins_a_text(text: str) -> None:
    joins = text_breaks(text).joins
    assert len(joins) == len(text)
    assert not joins[:1].any()
    for place, pair in enumerate(pairwise(text), start=1):
        if pair[1] == "\u0301":
            assert joins[place] == (pair[0] not in "\n\r\u2028")


def test_each_different_code_point_is_measured_once() -> None:
    asked: list[str] = []
    reached = reach(text_breaks("aab\u0301a"), lambda character: asked.append(character) or 2.0)
    assert sorted(asked) == ["a", "b"]
    assert reached.tolist() == [0, 2, 4, 6, 6, 8]


def test_the_first_letter_with_a_direction_decides() -> None:
    assert not reads_right_to_left("plain")
    assert not reads_right_to_left("12 — one مرحبا")
    assert reads_right_to_left("12 — مرحبا one")
