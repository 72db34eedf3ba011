"""The messages of an answer as bars of a plot, and in words. No widgets here.

The height of a bar is the column "Tokens", its filled part the column "Spent", its look the column "Action".
"""

from collections.abc import Iterator

import numpy as np

from inspector.assembly.columns import F64, Fate, outcome_words, phrase
from inspector.assembly.timeline import Timeline
from inspector.figures import counted, figures
from inspector.gui.plots.pixels import BarArrays
from inspector.tables import first_line


def message_bars(timeline: Timeline, by_time: bool) -> BarArrays:
    """The bars of all messages: by their times, if they have any and that is asked for, else by their numbers.

    Places on the axis are numbers from 1 on, or seconds since 1970.
    """
    numbers = np.arange(len(timeline), dtype=np.float64) + 0.5
    left, right = (timeline.times,) * 2 if by_time and timeline.times is not None else (numbers, numbers + 1)
    heights, solids = (column.astype(np.float64) for column in (timeline.tokens, timeline.spent))
    return BarArrays(left, right, heights, solids, timeline.fates)


def sum_bars(timeline: Timeline, places: F64, end: float) -> BarArrays:
    """What the messages come to, from the place of each one to that of the next, and from the last to the end."""
    nothing, looks = np.zeros(len(timeline)), np.zeros(len(timeline), np.uint8)
    return BarArrays(places, np.append(places[1:], end), timeline.cumulated, nothing, looks, apart=False)


def sentence(timeline: Timeline, number: int) -> str:
    """One message in a line: its id, who said it, what became of it at which cost, and its first words."""
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
    """The picture in words."""
    return ". ".join(_sentences(timeline)) + "."


def _sentences(timeline: Timeline) -> Iterator[str]:
    yield timeline.total
    yield ", ".join(f"{count:,} {phrase(fate)}" for fate, count in timeline.counts.items() if count)
    if timeline.history_begins is not None:
        begins = timeline.row_of(timeline.history_begins)
        yield f"From {timeline.assembly.candidates.ids[begins]} on everything is kept"
    if len(timeline):
        yield f"The longest is {sentence(timeline, int(np.argmax(timeline.tokens)))}"
