"""Computed summaries on disk: found again by the method and everything it read, and by nothing else."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from inspector.retrieval.summaries.summarizer import (
    WHOLE,
    Original,
    Summaries,
    SummaryCache,
    SummaryChunk,
    SummaryError,
    summarize_texts,
)
from inspector.tokens.cache import CountCache, text_hashes


class Shouting:
    """Writes texts in capitals, and remembers which it was asked for; `silent` after so many."""

    name, reads_neighbours, chunk = "extractive", True, 2

    def __init__(self, fingerprint: str = "shouting 1", most: int = 100) -> None:
        self.fingerprint, self.most = fingerprint, most
        self.asked: list[Original] = []

    def summarize(self, originals: Sequence[Original]) -> list[str]:
        if len(self.asked) + len(originals) > self.most:
            raise SummaryError("hoarse")
        self.asked += originals
        return [WHOLE if len(text) < 3 else text.upper() for text, _ in originals]


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[SummaryCache]:
    file = CountCache(tmp_path / "cache" / "counts.sqlite3")
    yield SummaryCache(file)
    file.close()


def made(summarizer: Shouting, originals: Sequence[Original], cache: SummaryCache | None) -> list[str]:
    return [part for chunk in summarize_texts(originals, summarizer, cache) for part in chunk.summaries]  # type: ignore[arg-type]


ORIGINALS = [
    Original("one text"),
    Original("no"),
    Original("字典"),
    Original("one text", ("beside",)),
    Original("last"),
]
LOUD = ["ONE TEXT", WHOLE, WHOLE, "ONE TEXT", "LAST"]


def test_what_is_kept_is_not_made_again(cache: SummaryCache) -> None:
    first, second = Shouting(), Shouting()
    assert made(first, ORIGINALS, cache) == LOUD
    assert made(second, ORIGINALS, cache) == LOUD
    assert (first.asked, second.asked) == (ORIGINALS, [])


def test_other_methods_and_other_neighbours_are_not_the_same_summary(cache: SummaryCache) -> None:
    made(Shouting(), ORIGINALS[:1], cache)
    for summarizer, original in ((Shouting("shouting 2"), ORIGINALS[0]), (Shouting(), ORIGINALS[3])):
        made(summarizer, [original], cache)
        assert summarizer.asked == [original]


def test_some_known_and_some_not(cache: SummaryCache) -> None:
    made(Shouting(), [ORIGINALS[1], ORIGINALS[4]], cache)
    again = Shouting()
    assert made(again, ORIGINALS, cache) == LOUD
    assert again.asked == [ORIGINALS[0], ORIGINALS[2], ORIGINALS[3]]


def test_what_was_made_before_a_failure_is_kept(cache: SummaryCache) -> None:
    with pytest.raises(SummaryError, match="hoarse"):
        made(Shouting(most=2), ORIGINALS, cache)
    rest = Shouting()
    assert made(rest, ORIGINALS, cache) == LOUD
    assert rest.asked == ORIGINALS[2:]


def test_a_closed_request_keeps_what_it_made(cache: SummaryCache) -> None:
    request = summarize_texts(ORIGINALS, Shouting(), cache)  # type: ignore[arg-type]
    assert next(request) == SummaryChunk(0, tuple(LOUD[:2]))
    request.close()
    assert cache.read("shouting 1", text_hashes([ORIGINALS[0].text])) == ["ONE TEXT"]


def test_half_a_surrogate_pair_is_kept_like_any_text(cache: SummaryCache) -> None:
    odd = [Original("odd \ud800 text"), Original("good")]
    assert made(Shouting(), odd, cache) == ["ODD \ud800 TEXT", "GOOD"]
    again = Shouting()
    assert made(again, odd, cache) == ["ODD \ud800 TEXT", "GOOD"]
    assert again.asked == []
    assert cache.file.trouble == ""


def test_clearing_forgets_everything(cache: SummaryCache) -> None:
    made(Shouting(), ORIGINALS, cache)
    made(Shouting("other"), ORIGINALS, cache)
    assert cache.clear() == 2 * len(ORIGINALS)
    assert cache.clear() == 0
    again = Shouting()
    made(again, ORIGINALS, cache)
    assert again.asked == ORIGINALS


def test_a_file_of_no_use_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = SummaryCache(CountCache(tmp_path / "file" / "counts.sqlite3"))
    assert made(Shouting(), ORIGINALS, cache) == LOUD
    assert cache.file.trouble


def test_summaries_in_memory() -> None:
    known = Summaries()
    assert known.missing([*ORIGINALS, ORIGINALS[0]]) == ORIGINALS
    known.add(ORIGINALS[:2], LOUD[:2])
    assert known.missing(ORIGINALS) == ORIGINALS[2:]
    assert [known.of(original) for original in ORIGINALS[:3]] == ["ONE TEXT", WHOLE, None]
