"""Counting many texts: once per text, cache first, in chunks; and the known counts of a tokenizer in memory."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, compress, repeat
from threading import Lock
from typing import overload

import numpy as np
from numpy.typing import NDArray

from inspector.growing import Growing
from inspector.steps import ROWS_PER_STEP, column, rows_alike, steps
from inspector.tokens.cache import UNKNOWN, CountCache, text_hash, text_hashes
from inspector.tokens.spread import Bounds, bounds_of, spread_of
from inspector.tokens.tokenizer import Tokenizer

_TEXTS_PER_WRITE = 20_000
_NO_ROWS = np.empty(0, np.int64)
_NOWHERE = -1
_LONGEST_KEPT = 1_000
"""Longer texts are remembered by their hash: joined system messages of 24 kB, a different one each turn."""
_SHARES = 6  # a million texts fill as many dictionaries of 2^18 places


@dataclass(frozen=True, slots=True, eq=False)
class CountedChunk:
    """The counts of texts[start : start + len(counts)], and their bounds by the tokenizer's error."""

    start: int
    counts: NDArray[np.int32]
    bounds: Bounds


def count_texts(
    texts: Sequence[str], tokenizer: Tokenizer, cache: CountCache | None = None, chunk: int = 4000
) -> Generator[CountedChunk, None, None]:
    """Count every text, in order, `chunk` at a time; repeated and cached texts are not tokenized again.

    New counts reach the cache even if the iterator is closed early.
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
    """Fill the unknown counts by chunk, each text counted once; yield each chunk with the rows tokenized for it."""
    counts[column(texts, np.int64, lambda step: map(len, step)) == 0] = 0
    sources = _first_rows(texts, np.flatnonzero(counts == UNKNOWN))
    for start in range(0, len(texts), chunk):
        part = counts[start : start + chunk]
        rows = start + np.flatnonzero(part == UNKNOWN)
        fresh = rows[sources[rows] == rows]
        if len(fresh):
            wanted: list[int] = fresh.tolist()
            counts[fresh] = tokenizer.count([texts[row] for row in wanted])
        counts[rows] = counts[sources[rows]]
        yield CountedChunk(start, part, bounds_of(tokenizer, texts[start : start + chunk], part)), fresh


def _first_rows(texts: Sequence[str], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return, for each of the rows, the first of them with the same text; for every other row, itself."""
    sources = np.arange(len(texts))
    alike = rows[rows_alike(texts if len(rows) == len(texts) else _PlacedTexts(texts, rows))]
    first: dict[str, int] = {}
    for start in range(0, len(alike), ROWS_PER_STEP):
        part = alike[start : start + ROWS_PER_STEP]
        numbers: list[int] = part.tolist()
        sources[part] = [first.setdefault(texts[row], row) for row in numbers]
    return sources


class _PlacedTexts(Sequence[str]):
    """Some of many texts, looked up on access.

    The garbage collector scans each new list of texts and blocks every other thread meanwhile: 50 ms for a million.
    """

    def __init__(self, texts: Sequence[str], places: NDArray[np.int32] | NDArray[np.int64]) -> None:
        self._texts, self._places = texts, places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, rows: int) -> str: ...

    @overload
    def __getitem__(self, rows: slice) -> list[str]: ...

    def __getitem__(self, rows: int | slice) -> str | list[str]:
        if isinstance(rows, slice):
            places: list[int] = self._places[rows].tolist()
            return [self._texts[place] for place in places]
        return self._texts[int(self._places[rows])]

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(steps(self))


class _Places:
    """The place of each text, in several dictionaries chosen by the text's hash.

    A single dictionary of a million keys blocks every other thread for 60 ms when it grows, and takes half as much
    again.
    """

    def __init__(self) -> None:
        self._shares: list[dict[str, int]] = [{} for _ in range(_SHARES)]

    def get(self, text: str) -> int:
        """Return the place of the text, `_NOWHERE` if it has none."""
        return self._shares[hash(text) % _SHARES].get(text, _NOWHERE)

    def of(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """Return the place of each text, as in `get`."""
        found = np.empty(len(texts), np.int32)
        for share, rows, shared in self._shared(texts):
            found[rows] = np.fromiter(map(share.get, shared, repeat(_NOWHERE)), np.int32, len(shared))
        return found

    def add(self, texts: Sequence[str], first: int) -> None:
        """Give these texts, which have no places yet, the places from `first` on."""
        for share, rows, shared in self._shared(texts):
            share.update(zip(shared, (first + rows).tolist(), strict=True))

    def _shared(self, texts: Sequence[str]) -> Iterator[tuple[dict[str, int], NDArray[np.int64], list[str]]]:
        """Yield each dictionary with the rows of its texts, and these texts."""
        numbers = (np.fromiter(map(hash, texts), np.int64, len(texts)) % _SHARES).astype(np.int8)
        order = np.argsort(numbers, kind="stable")
        ends = np.cumsum(np.bincount(numbers, minlength=_SHARES)).tolist()
        for share, begin, end in zip(self._shares, [0, *ends], ends, strict=False):
            rows = order[begin:end]
            yield share, rows, list(map(texts.__getitem__, rows.tolist()))


class TokenCounts(Growing):
    """The known counts of a tokenizer, in memory. It grows; known counts never change.

    Every text has a fixed place, so callers that ask repeatedly use arrays of places.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        super().__init__()
        self.tokenizer = tokenizer
        self._places = _Places()
        self._places.add([""], 0)
        self._texts = [""]
        self._met = 1
        self._counts = np.zeros(1, np.int32)
        self._bounds = None if spread_of(tokenizer) is None else Bounds(np.zeros(1, np.int32), np.zeros(1, np.int32))
        self._estimates = np.zeros(1, np.int32)
        self._writing = Lock()  # arrays are replaced by longer ones, and no thread may write into the old ones
        self._asked: dict[str | bytes, int] = {}

    def places(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """Return the place of each text; a new text gets the next place."""
        return column(texts, np.int32, self._places_of)

    def _places_of(self, step: Sequence[str]) -> NDArray[np.int32]:
        met = self._met
        places = self._places.of(step)
        unknown = places == _NOWHERE
        if unknown.any():
            places[unknown] = self._take_in(list(compress(step, unknown.tolist())), met)
        return places

    def texts_at(self, places: NDArray[np.int32]) -> Sequence[str]:
        """Return the texts at these places."""
        return _PlacedTexts(self._texts, places)

    def at(self, places: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Return the counts at these places, and whether each is known; unknown ones are estimated as ceil(len / 4)."""
        counts = self._counts[places]
        known = counts != UNKNOWN
        return np.where(known, counts, self._estimates[places]), known

    def bounds_at(self, places: NDArray[np.int32]) -> Bounds:
        """Return the least and the most tokens of the texts at these places: their counts where no error is known, and
        where they are not counted yet.
        """
        counts, known = self.at(places)
        if self._bounds is None:
            return Bounds(counts, counts)
        low, high = (np.where(known, bound[places], counts) for bound in self._bounds)
        return Bounds(low, high)

    def missing(self, places: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the places among these whose counts are unknown."""
        return places[self._counts[places] == UNKNOWN]

    def add(
        self, places: NDArray[np.int32], counts: Sequence[int] | NDArray[np.int32], bounds: Bounds | None = None
    ) -> None:
        """Store the counts of the texts at these places, and their bounds, which are found now if not given.

        ValueError if the numbers of texts and counts differ.
        """
        if len(places) != len(counts):
            raise ValueError(f"{len(counts)} counts for {len(places)} texts")
        if self._bounds is not None and bounds is None:
            bounds = bounds_of(self.tokenizer, self.texts_at(places), np.asarray(counts, np.int32))
        with self.growing(), self._writing:
            if self._bounds is not None and bounds is not None:
                self._bounds.low[places], self._bounds.high[places] = bounds
                self._bounds.low[0] = self._bounds.high[0] = 0
            self._counts[places] = counts
            self._counts[0] = 0

    def lookup(self, texts: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Return the count of each text and whether it is known, as in `at`; new texts get no place."""
        places = self._places.of(texts)
        counts, known = self.at(np.maximum(places, 0))
        met = places != _NOWHERE
        counts[~met] = [_estimate(texts[row]) for row in np.flatnonzero(~met).tolist()]
        return counts, known & met

    def count(self, text: str) -> int:
        """Return the count of a text: known, or counted now and remembered.

        It is remembered separately from `add`: otherwise existing columns would keep their estimate for the text while
        it no longer counts as missing.
        """
        place = self._places.get(text)
        known = UNKNOWN if place == _NOWHERE else int(self._counts[place])
        if known == UNKNOWN:
            name = text if len(text) <= _LONGEST_KEPT else text_hash(text)
            known = self._asked.get(name, UNKNOWN)
            if known == UNKNOWN:
                known = self._asked[name] = int(self.tokenizer.count([text])[0])
        return known

    def _take_in(self, texts: Sequence[str], met: int) -> NDArray[np.int32]:
        """Return the place of each text; texts that had no place when `met` texts were known get the next ones."""
        with self._writing:
            fresh = list(dict.fromkeys(texts))
            first = self._met
            if first > met:  # another thread may have given a place to some of them
                fresh = list(compress(fresh, (self._places.of(fresh) == _NOWHERE).tolist()))
            size = first + len(fresh)
            if size > len(self._counts):
                self._counts = _longer(self._counts, size + size // 4)
                self._estimates = _longer(self._estimates, size + size // 4)
                if self._bounds is not None:
                    self._bounds = Bounds(*(_longer(bound, size + size // 4) for bound in self._bounds))
            self._estimates[first:size] = list(map(_estimate, fresh))
            self._texts += fresh
            self._places.add(fresh, first)  # from now on other threads find them
            self._met = size  # last: a thread that saw fewer looks up again any text it did not find
        return np.arange(first, size, dtype=np.int32) if len(fresh) == len(texts) else self._places.of(texts)


def each_once(places: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the distinct places in rising order, which is the order of the texts' first appearance."""
    held = np.zeros(places.max(initial=0) + 1, np.bool_)
    held[places] = True
    return np.flatnonzero(held).astype(np.int32)


def _estimate(text: str) -> int:
    """Return the assumed count of a text before it is counted."""
    return (len(text) + 3) // 4


def _longer(column: NDArray[np.int32], size: int) -> NDArray[np.int32]:
    grown = np.full(size, UNKNOWN, np.int32)
    grown[: len(column)] = column
    return grown
