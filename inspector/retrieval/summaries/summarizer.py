"""Computed summaries: the interface of methods, making many summaries in the background, and those known in memory.

The methods have their own modules. Summaries recorded in a file are not computed, and always take precedence.
"""

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

import numpy as np

from inspector.tokens.cache import text_hashes
from inspector.tokens.cache_file import CacheFile, CacheTable, Integers, clear_tables, read_values, value_rows

_ENCODING = "utf-8", "surrogatepass"  # a text may hold half a surrogate pair


class SummaryCache:
    """Summaries kept between runs. `trouble` has any problem with the file."""

    def __init__(self, file: CacheFile) -> None:
        self.file = file

    def read(self, fingerprint: str, hashes: Integers) -> list[str | None]:
        """Return the summary of each text by its hash (see `text_hashes`), None if it is not stored."""
        nothing: list[bytes | None] = [None] * len(hashes)
        table = CacheTable("summaries", fingerprint)
        stored = self.file.attempt(lambda connection: read_values(connection, table, hashes), otherwise=nothing)
        return [None if summary is None else summary.decode(*_ENCODING) for summary in stored]

    def write(self, fingerprint: str, hashes: Integers, summaries: Sequence[str]) -> None:
        """Store the summary of each text in a single transaction."""
        if len(hashes):
            table = CacheTable("summaries", fingerprint)
            rows = value_rows(table, hashes, [summary.encode(*_ENCODING) for summary in summaries])
            self.file.attempt(lambda connection: table.write(connection, rows), otherwise=None)

    def clear(self) -> int:
        """Forget every summary, and return their number."""
        return self.file.attempt(lambda connection: clear_tables(connection, "summaries"), otherwise=0)


SummaryMethod = Literal["extractive", "endpoint"]
METHODS: tuple[SummaryMethod, ...] = ("extractive", "endpoint")
WHOLE = ""
"""The summary of a text that stays whole, because a summary would save nothing."""

_BETWEEN = "\0"


class Original(NamedTuple):
    """A text to summarize, and the texts around it if the method uses them."""

    text: str
    around: tuple[str, ...] = ()


class SummaryError(Exception):
    """This method cannot make summaries now; the message tells the user why."""


class Summarizer(Protocol):
    """Makes summaries of texts."""

    @property
    def name(self) -> SummaryMethod:
        """The name of the method in scenarios."""
        ...

    @property
    def fingerprint(self) -> str:
        """The method and everything that affects its results: different when summaries may differ."""
        ...

    @property
    def reads_neighbours(self) -> bool:
        """Whether the messages around a text change its summary."""
        ...

    @property
    def chunk(self) -> int:
        """The number of texts to process between chances to stop, small enough for a short wait."""
        ...

    def summarize(self, originals: Sequence[Original]) -> list[str]:
        """Return the summary of each text, `WHOLE` if it stays whole. Raises SummaryError."""
        ...


@dataclass(frozen=True, slots=True)
class SummaryChunk:
    """The summaries of originals[start : start + len(summaries)]."""

    start: int
    summaries: tuple[str, ...]


def earlier(summary: str) -> str:
    """Return the text in a prompt for a summarized message."""
    return f"[Earlier: {summary}]"


def summarize_texts(
    originals: Sequence[Original], summarizer: Summarizer, cache: SummaryCache | None = None, chunk: int | None = None
) -> Generator[SummaryChunk, None, None]:
    """Summarize every text, in order, `chunk` at a time; cached summaries are not made again.

    New summaries reach the cache even if the iterator is closed early. Raises SummaryError.
    """
    size = chunk or summarizer.chunk
    for start in range(0, len(originals), size):
        yield SummaryChunk(start, tuple(_summarized(originals[start : start + size], summarizer, cache)))


def _summarized(originals: Sequence[Original], summarizer: Summarizer, cache: SummaryCache | None) -> list[str]:
    if cache is None:
        return summarizer.summarize(originals)
    hashes = text_hashes(_BETWEEN.join((original.text, *original.around)) for original in originals)
    known = cache.read(summarizer.fingerprint, hashes)
    missing = [place for place, summary in enumerate(known) if summary is None]
    fresh = summarizer.summarize([originals[place] for place in missing]) if missing else []
    cache.write(summarizer.fingerprint, hashes[np.array(missing, np.intp)], fresh)
    made = iter(fresh)
    return [next(made) if summary is None else summary for summary in known]


class Summaries:
    """The known summaries of a method, in memory. It grows; known summaries never change."""

    def __init__(self) -> None:
        self._known: dict[Original, str] = {}

    def add(self, originals: Iterable[Original], summaries: Iterable[str]) -> None:
        """Remember the summary of each text."""
        self._known.update(zip(originals, summaries, strict=True))

    def missing(self, originals: Iterable[Original]) -> list[Original]:
        """Return the distinct texts whose summaries are unknown, in order."""
        return [original for original in dict.fromkeys(originals) if original not in self._known]

    def of(self, original: Original) -> str | None:
        """Return the summary of a text, `WHOLE` if it stays whole, None if unknown."""
        return self._known.get(original)
