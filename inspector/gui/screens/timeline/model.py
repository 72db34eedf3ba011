"""The messages of an answer as columns of a plot. Every figure is that of the table of items; no widgets here.

The height of a bar is the column "Tokens", its filled part the column "Spent", its look the column "Action".
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from inspector.assembly.columns import F64, ROLES, U8, Bool, Fate, Kind, State
from inspector.assembly.decisions import Assembly
from inspector.figures import counted, figures
from inspector.gui.plots.pixels import BarArrays
from inspector.gui.table.cell_texts import action_text, first_line
from inspector.gui.theme import action_words


@dataclass(frozen=True, eq=False)
class Timeline:
    """The messages of an assembly, oldest first. Places on the axis are numbers from 1 on, or seconds since 1970."""

    assembly: Assembly

    def __len__(self) -> int:
        return self._rows.stop - self._rows.start

    @cached_property
    def _rows(self) -> slice:
        rows = self.assembly.candidates.rows(Kind.MESSAGE)
        return slice(int(rows[0]), int(rows[-1]) + 1) if len(rows) else slice(0, 0)

    @cached_property
    def fates(self) -> U8:
        """The `Fate` of each message."""
        return self.assembly.fate[self._rows]

    @property
    def _estimated(self) -> Bool:
        """Which messages have no real count."""
        return self.assembly.candidates.estimated[self._rows]

    @cached_property
    def cumulated(self) -> F64:
        """Tokens in the prompt for all messages up to each one."""
        return self.assembly.spent[self._rows].cumsum(dtype=np.float64)

    @cached_property
    def times(self) -> F64 | None:
        """When each message was said; None where one of them does not say it.

        The last one may be only being written: then it stands at the time that the policies take for now.
        """
        candidates = self.assembly.candidates
        times = candidates.time[self._rows].copy()
        if len(times) > 1 and np.isnan(times[-1]):
            times[-1] = max(candidates.now, times[-2])
        return times if len(times) and not np.isnan(times).any() else None

    @cached_property
    def counts(self) -> dict[Fate, int]:
        """How many messages met each fate."""
        return dict(zip(Fate, np.bincount(self.fates, minlength=len(Fate)).tolist(), strict=True))

    @cached_property
    def history_begins(self) -> int | None:
        """The first message from which on every one that takes part is kept; None where none or all are."""
        candidates = self.assembly.candidates
        open_places = np.flatnonzero(candidates.state[self._rows] == State.OPEN)
        kept: Bool = self.fates[open_places] == Fate.KEPT
        others = np.flatnonzero(~kept)
        if not len(others) or others[-1] == len(open_places) - 1:
            return None
        return int(open_places[others[-1] + 1])

    def arrays(self, by_time: bool) -> BarArrays:
        """The bars of all messages: by their times, if they have any and that is asked for, else by their numbers."""
        candidates, rows = self.assembly.candidates, self._rows
        numbers = np.arange(len(self), dtype=np.float64) + 0.5
        left, right = (self.times,) * 2 if by_time and self.times is not None else (numbers, numbers + 1)
        heights, solids = (column[rows].astype(np.float64) for column in (candidates.tokens, self.assembly.spent))
        return BarArrays(left, right, heights, solids, self.fates)

    def sums(self, places: F64, end: float) -> BarArrays:
        """What the messages come to, from the place of each one to that of the next, and from the last to the end."""
        nothing, looks = np.zeros(len(self)), np.zeros(len(self), np.uint8)
        return BarArrays(places, np.append(places[1:], end), self.cumulated, nothing, looks, apart=False)

    def row_of(self, number: int) -> int:
        """The row of the candidates of the message at a place of the conversation, from 0 on."""
        return self._rows.start + number

    def number_of(self, row: int | None) -> int | None:
        """The place in the conversation of a row of the candidates, None where it is no message."""
        return row - self._rows.start if row is not None and self._rows.start <= row < self._rows.stop else None

    def sentence(self, number: int) -> str:
        """One message in a line: its id, who said it, what became of it at which cost, and its first words."""
        assembly, row = self.assembly, self.row_of(number)
        role, fate = int(assembly.candidates.role[row]), Fate(int(self.fates[number]))
        estimated = bool(self._estimated[number])
        tokens = counted(int(assembly.candidates.tokens[row]), "token", estimated=estimated)
        words = action_text(fate)
        if fate in (Fate.SUMMARIZED, Fate.TRUNCATED):
            words += f" to {figures(int(assembly.spent[row]), estimated)}"
        parts = [assembly.candidates.ids[row], ROLES[role] if role < len(ROLES) else "", tokens, words]
        said = first_line(assembly.candidates.texts[row])
        return "  ·  ".join([*filter(None, parts), f"“{said}”" if said else "no text"])

    @property
    def spent_text(self) -> str:
        """How many tokens of the messages are in the prompt."""
        spent = int(self.cumulated[-1]) if len(self) else 0
        estimated = bool(self._estimated[self.fates < Fate.DROPPED].any())
        return f"{counted(spent, 'token', estimated=estimated)} in the prompt"

    @property
    def total(self) -> str:
        """The same, with how many messages there are."""
        return f"{len(self):,} message{'' if len(self) == 1 else 's'}, {self.spent_text}"

    @property
    def description(self) -> str:
        """The picture in words."""
        return ". ".join(self._sentences()) + "."

    def _sentences(self) -> Iterator[str]:
        yield self.total
        yield ", ".join(f"{count:,} {action_words(fate)}" for fate, count in self.counts.items() if count)
        if self.history_begins is not None:
            yield f"From {self.assembly.candidates.ids[self.row_of(self.history_begins)]} on everything is kept"
        if len(self):
            largest = int(np.argmax(self.assembly.candidates.tokens[self._rows]))
            yield f"The longest is {self.sentence(largest)}"
