"""Counting many texts: once per text, cache first, chunk by chunk; and the known counts of one tokenizer in memory."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from inspector.growing import Growing
from inspector.tokens.cache import UNKNOWN, CountCache, text_hashes
from inspector.tokens.tokenizer import Tokenizer

_TEXTS_PER_WRITE = 20_000
# A dictionary that is filled in one go keeps every other thread waiting: 30 ms for 100,000 texts.
_TEXTS_PER_STEP = 10_000
_NO_ROWS = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class CountedChunk:
    """The counts of texts[start : start + len(counts)]."""

    start: int
    counts: NDArray[np.int32]


def count_texts(
    texts: Sequence[str], tokenizer: Tokenizer, cache: CountCache | None = None, chunk: int = 4000
) -> Generator[CountedChunk, None, None]:
    """Count every text, in order, `chunk` at a time; equal texts and those in the cache are not tokenized again.

    What was counted is in the cache also when the iterator is closed before its end.
    """
    if cache is None:
        counts = np.full(len(texts), UNKNOWN, np.int32)
        for part, _rows in _count_unknown(texts, counts, tokenizer, chunk):
            yield part
        return
    hashes = text_hashes(texts)
    counts = cache.read(tokenizer.fingerprint, hashes)
    fresh = _NO_ROWS
    try:
        for part, rows in _count_unknown(texts, counts, tokenizer, chunk):
            fresh = np.concatenate([fresh, rows])
            if len(fresh) >= _TEXTS_PER_WRITE:
                cache.write(tokenizer.fingerprint, hashes[fresh], counts[fresh])
                fresh = _NO_ROWS
            yield part
    finally:
        cache.write(tokenizer.fingerprint, hashes[fresh], counts[fresh])


def _count_unknown(
    texts: Sequence[str], counts: NDArray[np.int32], tokenizer: Tokenizer, chunk: int
) -> Iterator[tuple[CountedChunk, NDArray[np.int64]]]:
    """Fill the unknown counts chunk by chunk, each text counted once; with each chunk the rows that were tokenized."""
    counts[np.fromiter(map(len, texts), np.int64, len(texts)) == 0] = 0
    sources = _first_rows(texts, np.flatnonzero(counts == UNKNOWN))
    for start in range(0, len(texts), chunk):
        part = counts[start : start + chunk]
        rows = start + np.flatnonzero(part == UNKNOWN)
        fresh = rows[sources[rows] == rows]
        if len(fresh):
            wanted: list[int] = fresh.tolist()
            counts[fresh] = tokenizer.count([texts[row] for row in wanted])
        counts[rows] = counts[sources[rows]]
        yield CountedChunk(start, part), fresh


def _first_rows(texts: Sequence[str], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each of the rows the first of them that has the same text; for every other row itself."""
    numbers: list[int] = rows.tolist()
    wanted = list(texts) if len(rows) == len(texts) else [texts[row] for row in numbers]
    first: dict[str, int] = {}
    for end in range(len(wanted), 0, -_TEXTS_PER_STEP):
        begin = max(end - _TEXTS_PER_STEP, 0)
        # The last to be set is the first of them.
        first.update(zip(reversed(wanted[begin:end]), range(end - 1, begin - 1, -1), strict=True))
    sources = np.arange(len(texts))
    if len(first) < len(wanted):
        sources[rows] = rows[np.fromiter(map(first.__getitem__, wanted), np.int64, len(wanted))]
    return sources


class TokenCounts(Growing):
    """The known counts of one tokenizer, in memory. It grows; a count once known does not change."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        super().__init__()
        self.tokenizer = tokenizer
        self._known: dict[str, int] = {"": 0}
        self._asked: dict[str, int] = {}

    def add(self, texts: Sequence[str], counts: Iterable[int]) -> None:
        """Remember the count of each text."""
        numbers = counts.tolist() if isinstance(counts, np.ndarray) else counts
        with self.growing():
            self._known.update(zip(texts, numbers, strict=True))
            self._known[""] = 0

    def missing(self, texts: Sequence[str]) -> list[str]:
        """Those of the texts whose count is not known: each once, in order."""
        return [text for text in dict.fromkeys(texts) if text not in self._known]

    def lookup(self, texts: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """The count of each text and whether it is known; one that is not is estimated as ceil(len / 4)."""
        counts = np.fromiter(map(self._known.get, texts, repeat(UNKNOWN)), np.int32, len(texts))
        known = counts != UNKNOWN
        unknown = np.flatnonzero(~known)
        counts[unknown] = [(len(texts[row]) + 3) // 4 for row in unknown.tolist()]
        return counts, known

    def count(self, text: str) -> int:
        """The count of one text: known, or counted now and remembered.

        It is remembered apart from what was added: columns that were made before would go on estimating the text,
        while nobody took it for missing any longer.
        """
        known = self._known.get(text, self._asked.get(text))
        if known is None:
            known = self._asked[text] = int(self.tokenizer.count([text])[0])
        return known
