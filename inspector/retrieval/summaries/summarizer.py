"""Computed summaries: what a method of making them answers, making many in the background, and those known in memory.

The methods are in modules of their own. What a file recorded is none of these, and always goes before them.
"""

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

import numpy as np

from inspector.retrieval.summaries.cache import SummaryCache
from inspector.tokens.cache import text_hashes

SummaryMethod = Literal["extractive", "endpoint"]
METHODS: tuple[SummaryMethod, ...] = ("extractive", "endpoint")
WHOLE = ""
"""The summary of a text that stays whole, because a summary would save nothing."""

_BETWEEN = "\0"


class Original(NamedTuple):
    """A text to be summarized, and the texts around it, where the method looks at them."""

    text: str
    around: tuple[str, ...] = ()


class SummaryError(Exception):
    """No summaries can be had from this method now; the message says why, for a person."""


class Summarizer(Protocol):
    """Makes summaries of texts."""

    @property
    def name(self) -> SummaryMethod:
        """The method, as a scenario names it."""
        ...

    @property
    def fingerprint(self) -> str:
        """The method and everything that decides what it answers: another one when summaries may differ."""
        ...

    @property
    def reads_neighbours(self) -> bool:
        """Whether the messages around a text change its summary."""
        ...

    @property
    def chunk(self) -> int:
        """How many texts take so short that nobody minds to wait for them before the work is stopped."""
        ...

    def summarize(self, originals: Sequence[Original]) -> list[str]:
        """The summary of each text, `WHOLE` for one that stays as it is. Raises SummaryError."""
        ...


@dataclass(frozen=True, slots=True)
class SummaryChunk:
    """The summaries of originals[start : start + len(summaries)]."""

    start: int
    summaries: tuple[str, ...]


def earlier(summary: str) -> str:
    """What stands in a prompt in the place of a summarized message."""
    return f"[Earlier: {summary}]"


def summarize_texts(
    originals: Sequence[Original], summarizer: Summarizer, cache: SummaryCache | None = None, chunk: int | None = None
) -> Generator[SummaryChunk, None, None]:
    """Summarize every text, in order, `chunk` at a time; what the cache has is not made again.

    What was made is in the cache also when the iterator is closed before its end. Raises SummaryError.
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
    """The known summaries of one method, in memory. It grows; a summary once known does not change."""

    def __init__(self) -> None:
        self._known: dict[Original, str] = {}

    def add(self, originals: Iterable[Original], summaries: Iterable[str]) -> None:
        """Remember the summary of each text."""
        self._known.update(zip(originals, summaries, strict=True))

    def missing(self, originals: Iterable[Original]) -> list[Original]:
        """Those of the texts whose summary is not known: each once, in order."""
        return [original for original in dict.fromkeys(originals) if original not in self._known]

    def of(self, original: Original) -> str | None:
        """The summary of a text, `WHOLE` for one that stays as it is, None where it is not known."""
        return self._known.get(original)
