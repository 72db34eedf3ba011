"""Bounds of counts: by the error of a tokenizer, kept with the counts in memory, and those of the items."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from inspector.tokens.choice import load_tokenizer
from inspector.tokens.counting import TokenCounts, count_texts
from inspector.tokens.spread import Bounds, RelativeSpread, bounds_of, error_words
from inspector.tokens.tokenizer import Tokenizer

TEXTS = ["The harbour is quiet tonight.", "港口很安静，船在午夜到来。", "", "ok", "The harbour is quiet tonight."]


def lists(bounds: Bounds) -> tuple[list[int], list[int]]:
    return bounds.low.tolist(), bounds.high.tolist()


def test_a_relative_error_is_rounded_outwards() -> None:
    spread = RelativeSpread("± 1 %", 0.99, 1.01)
    assert lists(spread.bounds(["", "", ""], np.array([0, 1, 661], np.int32))) == ([0, 0, 654], [0, 2, 668])


def test_a_vocabulary_has_no_error() -> None:
    one = load_tokenizer("embedded:o200k_base")
    counts = one.count(TEXTS)
    assert lists(bounds_of(one, TEXTS, counts)) == (counts.tolist(), counts.tolist())
    assert error_words(one) == ""


@pytest.mark.parametrize("name", ["standin:grok", "reconstructed:claude-v3", "embedded:o200k_base", "estimate:ibex"])
def test_bounds_are_kept_with_the_counts(name: str) -> None:
    one = load_tokenizer(name)
    counts = TokenCounts(one)
    places = counts.places(TEXTS)
    assert lists(counts.bounds_at(places))[0] == [(len(text) + 3) // 4 for text in TEXTS]  # the estimate until counted
    missing = counts.missing(counts.places([*dict.fromkeys(TEXTS)]))
    for chunk in count_texts(counts.texts_at(missing), one, chunk=2):
        counts.add(missing[chunk.start : chunk.start + len(chunk.counts)], chunk.counts, chunk.bounds)
    expected = bounds_of(one, TEXTS, one.count(TEXTS))
    assert lists(counts.bounds_at(places)) == lists(expected)
    counts.places([f"more {number}" for number in range(5000)])  # the arrays grow
    assert lists(counts.bounds_at(places)) == lists(expected)


def test_bounds_are_found_when_none_are_given() -> None:
    one = load_tokenizer("standin:unknown")
    counts = TokenCounts(one)
    places = counts.places(TEXTS)
    counts.add(places, one.count(TEXTS))
    assert lists(counts.bounds_at(places)) == lists(bounds_of(one, TEXTS, one.count(TEXTS)))


class Counting:
    """A tokenizer of a plug-in that knows its error."""

    name, fingerprint, exact = "mine:length", "mine:length@1", False
    spread = RelativeSpread("± half", 0.5, 1.5)

    def count(self, texts: Sequence[str]) -> NDArray[np.int32]:
        return np.fromiter(map(len, texts), np.int32, len(texts))

    def first(self, text: str, limit: int) -> str:
        return text[: max(limit, 0)]

    def spans(self, text: str) -> None:
        return None


def test_a_plug_in_may_have_an_error() -> None:
    from inspector.tokens.guarded import GuardedTokenizer

    one: Tokenizer = GuardedTokenizer("mine", Counting())
    assert error_words(one) == "± half"
    assert lists(bounds_of(one, ["abcd"], one.count(["abcd"]))) == ([2], [6])
