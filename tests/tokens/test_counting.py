"""Counting many texts: order, chunks, what is not tokenized twice, and the counts in memory."""

import sys
import tracemalloc
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from inspector.tokens.cache import UNKNOWN, CountCache, text_hashes
from inspector.tokens.counting import TokenCounts, count_texts, each_once
from inspector.tokens.estimate import ESTIMATORS
from inspector.tokens.tokenizer import Tokenizer


class CountingTokenizer:
    """Counts words, and remembers every text that it was given."""

    name = "test:words"
    fingerprint = "test:words@1"
    exact = True

    def __init__(self) -> None:
        self.seen: list[str] = []

    def count(self, texts: Sequence[str]) -> NDArray[np.int32]:
        self.seen += texts
        return ESTIMATORS["estimate:words"].count(texts)

    def first(self, text: str, limit: int) -> str:
        return ESTIMATORS["estimate:words"].first(text, limit)

    def spans(self, text: str) -> None:
        return None


def all_counts(
    texts: Sequence[str], tokenizer: Tokenizer, cache: CountCache | None = None, chunk: int = 3
) -> list[int]:
    chunks = list(count_texts(texts, tokenizer, cache, chunk))
    assert [part.start for part in chunks] == list(range(0, len(texts), chunk))
    return [count for part in chunks for count in part.counts.tolist()]


@pytest.fixture
def tokenizer() -> CountingTokenizer:
    return CountingTokenizer()


@pytest.fixture
def cache(tmp_path: Path):
    opened = CountCache(tmp_path / "counts.sqlite")
    yield opened
    opened.close()


TEXTS = ["one", "one two", "", "one", "one two three", " ", "a b c d", "one two"]
COUNTS = [1, 2, 0, 1, 3, 0, 4, 2]


@pytest.mark.parametrize("chunk", [1, 3, 100])
def test_each_text_is_tokenized_once(tokenizer: CountingTokenizer, chunk: int) -> None:
    assert all_counts(TEXTS, tokenizer, chunk=chunk) == COUNTS
    assert tokenizer.seen == ["one", "one two", "one two three", " ", "a b c d"]


def test_no_texts(tokenizer: CountingTokenizer, cache: CountCache) -> None:
    assert all_counts([], tokenizer) == []
    assert all_counts([], tokenizer, cache) == []


@given(texts=st.lists(st.text("ab ", max_size=4), max_size=30), chunk=st.integers(1, 10))
def test_counts_are_in_order_whatever_the_chunk(texts: list[str], chunk: int) -> None:
    assert all_counts(texts, CountingTokenizer(), chunk=chunk) == [len(text.split()) for text in texts]


def test_the_second_run_tokenizes_nothing(tokenizer: CountingTokenizer, cache: CountCache) -> None:
    assert all_counts(TEXTS, tokenizer, cache) == COUNTS
    tokenizer.seen.clear()
    assert all_counts(TEXTS, tokenizer, cache) == COUNTS
    assert tokenizer.seen == []
    assert all_counts(["new text", *TEXTS], tokenizer, cache) == [2, *COUNTS]
    assert tokenizer.seen == ["new text"]


def test_another_tokenizer_does_not_get_these_counts(tokenizer: CountingTokenizer, cache: CountCache) -> None:
    all_counts(TEXTS, tokenizer, cache)
    other = ESTIMATORS["estimate:ibex"]
    assert all_counts(TEXTS, other, cache) == other.count(TEXTS).tolist()


def test_closed_before_the_end_it_keeps_what_it_counted(tokenizer: CountingTokenizer, cache: CountCache) -> None:
    chunks = count_texts(TEXTS, tokenizer, cache, chunk=2)
    next(chunks)
    next(chunks)
    chunks.close()
    stored = cache.read(tokenizer.fingerprint, text_hashes(TEXTS)).tolist()
    assert stored[:2] == COUNTS[:2]
    assert [count for count in stored if count != UNKNOWN] == [
        right for count, right in zip(stored, COUNTS, strict=True) if count != UNKNOWN
    ]
    assert stored[4] == UNKNOWN
    tokenizer.seen.clear()
    assert all_counts(TEXTS, tokenizer, cache) == COUNTS
    assert "one" not in tokenizer.seen


class FailingTokenizer(CountingTokenizer):
    def count(self, texts: Sequence[str]) -> NDArray[np.int32]:
        if "a b c d" in texts:
            raise RuntimeError("broken here")
        return super().count(texts)


def test_a_tokenizer_that_fails_leaves_right_counts(cache: CountCache) -> None:
    failing = FailingTokenizer()
    with pytest.raises(RuntimeError, match="broken here"):
        all_counts(TEXTS, failing, cache)
    stored = cache.read(failing.fingerprint, text_hashes(TEXTS)).tolist()
    assert stored == [1, 2, UNKNOWN, 1, 3, 0, UNKNOWN, 2]  # the empty one needs no keeping


def test_many_texts_are_written_in_few_transactions(
    tokenizer: CountingTokenizer, cache: CountCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    write = cache.write

    def counted_write(fingerprint: str, hashes: NDArray[np.int64], counts: NDArray[np.int32]) -> None:
        sizes.append(len(hashes))
        write(fingerprint, hashes, counts)

    monkeypatch.setattr(cache, "write", counted_write)
    texts = [f"text {number}" for number in range(50_000)]
    assert all_counts(texts, tokenizer, cache, chunk=1000) == [2] * 50_000
    assert sizes == [20_000, 20_000, 10_000]


def test_a_cache_that_cannot_be_used_changes_no_count(tokenizer: CountingTokenizer, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    blocked = CountCache(tmp_path / "file" / "counts.sqlite")
    assert all_counts(TEXTS, tokenizer, blocked) == COUNTS
    assert blocked.trouble


def test_known_counts_and_estimates(tokenizer: CountingTokenizer) -> None:
    known = TokenCounts(tokenizer)
    known.add(known.places(["one two", "one"]), np.array([2, 1], np.int32))
    counts, is_known = known.lookup(["one", "12345", "", "one two", "1234"])
    assert counts.tolist() == [1, 2, 0, 2, 1]
    assert is_known.tolist() == [True, False, True, True, False]
    assert (counts.dtype, is_known.dtype) == (np.int32, np.bool_)
    places = known.places(["b", "one", "a", "b", ""])
    assert list(known.texts_at(places)) == ["b", "one", "a", "b", ""]
    assert known.texts_at(known.missing(each_once(places)))[:] == ["b", "a"]
    assert [column.tolist() for column in known.at(places)] == [[1, 1, 1, 1, 0], [False, True, False, False, True]]
    assert known.tokenizer is tokenizer


def test_one_text_is_counted_now_and_remembered(tokenizer: CountingTokenizer) -> None:
    known = TokenCounts(tokenizer)
    assert [known.count("a b c"), known.count("a b c"), known.count("")] == [3, 3, 0]
    assert tokenizer.seen == ["a b c"]
    assert len(known.missing(known.places(["a b c"]))), "columns that were made before still estimate it"
    assert known.version == 0


def test_a_long_text_is_remembered_without_being_kept(tokenizer: CountingTokenizer) -> None:
    """A replay of adaptive joins 24 kB for each turn, which nobody asks for again."""
    known, text = TokenCounts(tokenizer), "w " * 12_000
    held = sys.getrefcount(text)
    assert [known.count(text), known.count(text + "w"), known.count("w " * 12_000)] == [12_000, 12_001, 12_000]
    assert tokenizer.seen == [text, text + "w"]
    tokenizer.seen.clear()
    assert sys.getrefcount(text) == held


def test_empty_text_stays_zero(tokenizer: CountingTokenizer) -> None:
    known = TokenCounts(tokenizer)
    known.add(known.places([""]), [7])
    assert known.count("") == 0


class SameHash(str):
    """A text with the hash of every other one."""

    def __hash__(self) -> int:
        return 1


def test_texts_of_equal_hashes_are_told_apart(tokenizer: CountingTokenizer) -> None:
    assert all_counts([SameHash("one"), SameHash("one two"), SameHash("one")], tokenizer) == [1, 2, 1]
    assert tokenizer.seen == ["one", "one two"]


def test_texts_that_several_threads_meet_at_once_get_one_place_each(tokenizer: CountingTokenizer) -> None:
    counts = TokenCounts(tokenizer)
    texts = [f"text {number % 50_000}" for number in range(60_000)]
    orders = [texts[start:] + texts[:start] for start in (0, 7_000, 20_000, 33_000)]
    with ThreadPoolExecutor(len(orders)) as threads:
        found = list(threads.map(counts.places, orders))
    by_text = [dict(zip(order, places.tolist(), strict=True)) for order, places in zip(orders, found, strict=True)]
    assert by_text.count(by_text[0]) == len(orders)
    assert sorted(by_text[0].values()) == list(range(1, 50_001))
    assert list(counts.texts_at(found[1])) == orders[1]


def test_no_dictionary_holds_all_places(tokenizer: CountingTokenizer) -> None:
    """One that grows at a million keys keeps the window waiting for 60 ms."""
    texts = [f"text {number}" for number in range(30_000)]
    counts = TokenCounts(tokenizer)
    tracemalloc.start()
    counts.places(texts)
    blocks = tracemalloc.take_snapshot().traces
    tracemalloc.stop()
    assert max(block.size for block in blocks) < 500_000, "a dictionary of all is one block of 1,300,000 bytes"
