"""The messages of an answer in words. No widgets here."""

from collections.abc import Iterator

import numpy as np

from inspector.assembly.columns import Fate, outcome_words, phrase
from inspector.assembly.timeline import Timeline
from inspector.figures import counted, figures
from inspector.tables import first_line


def sentence(timeline: Timeline, number: int) -> str:
    """Describe a message in a line: its id, its speaker, its outcome and cost, and its first words."""
    candidates, row = timeline.assembly.candidates, timeline.row_of(number)
    fate, estimated = Fate(int(timeline.fates[number])), bool(timeline.estimated[number])
    words = outcome_words(fate)
    if fate in (Fate.SUMMARIZED, Fate.TRUNCATED):
        words += f" to {figures(int(timeline.spent[number]), estimated)}"
    tokens = counted(int(timeline.tokens[number]), "token", estimated=estimated)
    said = first_line(candidates.texts[row])
    parts = filter(None, [candidates.ids[row], timeline.role(number), tokens, words])
    return "  ·  ".join([*parts, f"“{said}”" if said else "no text"])


def description(timeline: Timeline) -> str:
    """Return the picture in words."""
    return ". ".join(_sentences(timeline)) + "."


def _sentences(timeline: Timeline) -> Iterator[str]:
    yield timeline.total
    yield ", ".join(f"{count:,} {phrase(fate)}" for fate, count in timeline.counts.items() if count)
    if timeline.history_begins is not None:
        begins = timeline.row_of(timeline.history_begins)
        yield f"From {timeline.assembly.candidates.ids[begins]} on everything is kept"
    if len(timeline):
        yield f"The longest is {sentence(timeline, int(np.argmax(timeline.tokens)))}"
