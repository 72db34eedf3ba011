"""Replacements: the texts in place of summarized messages, and their sources."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from inspector.assembly.columns import U8, Rows, frozen
from inspector.assembly.reasons import PREVIEW, SUMMARY, Reason
from inspector.model import Message
from inspector.retrieval.summaries.summarizer import WHOLE, earlier

PREVIEW_END = "..."


class SummarySource(IntEnum):
    """The source of a replacement: the file's own summary, the beginning of the text, or a computed summary.

    A `WHOLE` message keeps its own text, since its computed summary would not be cheaper.
    """

    FILE = 0
    PREVIEW = 1
    EXTRACTIVE = 2
    ENDPOINT = 3
    WHOLE = 4


COMPUTED = (SummarySource.EXTRACTIVE, SummarySource.ENDPOINT)
CHOSEN_SENTENCES = Reason(
    "extractive",
    "computed (extractive)",
    "The file has no summary of it, so some of its sentences stand in its place: {spent} tokens instead of {tokens}.",
)
WRITTEN_BY_ENDPOINT = Reason(
    "endpoint",
    "computed (endpoint)",
    "The file has no summary of it, so one by an endpoint stands in its place: {spent} tokens instead of {tokens}.",
)
REASONS = {
    SummarySource.FILE: SUMMARY,
    SummarySource.PREVIEW: PREVIEW,
    SummarySource.EXTRACTIVE: CHOSEN_SENTENCES,
    SummarySource.ENDPOINT: WRITTEN_BY_ENDPOINT,
}
"""The reason for replacing a message, by the source of the replacement; a `WHOLE` message is not replaced."""


@dataclass(frozen=True, eq=False)
class ComputedSummaries:
    """Summaries computed by one method: one for each message, None if unknown (so far)."""

    source: SummarySource
    summaries: tuple[str | None, ...]


@dataclass(frozen=True, eq=False)
class Replacements:
    """For each message the text in its place, the bare summary without the words around it, and its source.

    The first of them is for the candidate at `first_row`.
    """

    first_row: int
    texts: tuple[str, ...]
    summaries: tuple[str, ...]
    sources: U8

    def sources_of(self, rows: Rows) -> U8:
        """Return the `SummarySource` of each of these rows of messages."""
        return self.sources[rows - self.first_row]

    def summary_of(self, row: int) -> str:
        """Return the replacement of a message, without the words around it."""
        return self.summaries[row - self.first_row]


def replacements_of(
    things: Sequence[object], texts: Sequence[str], first_row: int, computed: ComputedSummaries | None, preview: int
) -> Replacements:
    """Return the replacements from `first_row` on: summaries of the file, else computed ones, else previews.

    A preview is the first `preview` code points of the text.
    """
    things, texts = things[first_row:], texts[first_row:]
    unknown: tuple[str | None, ...] = (None,) * len(texts)
    found = [
        _replacement(thing, text, made, computed.source if computed else SummarySource.PREVIEW, preview)
        for thing, text, made in zip(things, texts, computed.summaries if computed else unknown, strict=True)
    ]
    standing, summaries, sources = zip(*found, strict=True) if found else ((), (), ())
    return Replacements(first_row, standing, summaries, frozen(np.array(sources, np.uint8)))


def _replacement(
    thing: object, text: str, made: str | None, method: SummarySource, preview: int
) -> tuple[str, str, SummarySource]:
    own = thing.summary if isinstance(thing, Message) else None
    if own:
        return earlier(own), own, SummarySource.FILE
    if made is None:
        return earlier(text[:preview] + PREVIEW_END), text[:preview], SummarySource.PREVIEW
    if made == WHOLE:
        return text, text, SummarySource.WHOLE
    return earlier(made), made, method
