"""The timeline: the messages of a prompt from the first to the last, where the tokens are, and what became of them.

Every figure is that of the table of items: what a message comes to, and what of that is spent.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np

from inspector.assembly.columns import F64, ROLES, U8, Bool, Fate, Kind, Rows, State, phrase, word
from inspector.assembly.decisions import Assembly
from inspector.derived import cached_property
from inspector.figures import counted

TIMELINE_FORMAT = "prompt-inspector/timeline@1"


@dataclass(frozen=True, eq=False)
class Timeline:
    """The messages of an assembly, oldest first; all arrays are of their number."""

    assembly: Assembly

    def __len__(self) -> int:
        return self._rows.stop - self._rows.start

    @cached_property
    def _rows(self) -> slice:
        rows = self.assembly.candidates.rows(Kind.MESSAGE)
        return slice(int(rows[0]), int(rows[-1]) + 1) if len(rows) else slice(0, 0)

    @cached_property
    def tokens(self) -> Rows:
        """What each message comes to."""
        return self.assembly.candidates.tokens[self._rows].astype(np.intp)

    @cached_property
    def spent(self) -> Rows:
        """What is spent on each message in the prompt."""
        return self.assembly.spent[self._rows].astype(np.intp)

    @cached_property
    def fates(self) -> U8:
        """The `Fate` of each message."""
        return self.assembly.fate[self._rows]

    @cached_property
    def estimated(self) -> Bool:
        """Which messages have no real count."""
        return self.assembly.candidates.estimated[self._rows]

    @cached_property
    def cumulated(self) -> F64:
        """Tokens in the prompt for all messages up to each one."""
        return self.spent.cumsum(dtype=np.float64)

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

    def row_of(self, number: int) -> int:
        """The row of the candidates of the message at a place of the conversation, from 0 on."""
        return self._rows.start + number

    def number_of(self, row: int | None) -> int | None:
        """The place in the conversation of a row of the candidates, None where it is no message."""
        return row - self._rows.start if row is not None and self._rows.start <= row < self._rows.stop else None

    @property
    def spent_text(self) -> str:
        """How many tokens of the messages are in the prompt."""
        spent = int(self.cumulated[-1]) if len(self) else 0
        estimated = bool(self.estimated[self.fates < Fate.DROPPED].any())
        return f"{counted(spent, 'token', estimated=estimated)} in the prompt"

    @property
    def total(self) -> str:
        """The same, with how many messages there are."""
        return f"{len(self):,} message{'' if len(self) == 1 else 's'}, {self.spent_text}"

    def role(self, number: int) -> str:
        """Who said a message; "" where nobody knows."""
        role = int(self.assembly.candidates.role[self.row_of(number)])
        return ROLES[role] if role < len(ROLES) else ""


def timeline_rows(timeline: Timeline) -> Iterator[dict[str, Any]]:
    """A row for each message, as files have it; its time is UTC, null where it does not say.

    `sum` is what is spent on all messages up to this one.
    """
    times = timeline.assembly.candidates.time
    for number in range(len(timeline)):
        row = timeline.row_of(number)
        yield {
            "number": number + 1,
            "item": timeline.assembly.candidates.ids[row],
            "time": _time_text(float(times[row])),
            "role": timeline.role(number),
            "tokens": int(timeline.tokens[number]),
            "estimated": bool(timeline.estimated[number]),
            "spent": int(timeline.spent[number]),
            "action": phrase(Fate(int(timeline.fates[number]))),
            "sum": int(timeline.cumulated[number]),
        }


def timeline_value(timeline: Timeline) -> dict[str, Any]:
    """A timeline as JSON has it: its messages, how many met each fate, and from which one on all are kept."""
    begins = timeline.history_begins
    return {
        "format": TIMELINE_FORMAT,
        "messages": list(timeline_rows(timeline)),
        "counts": {word(fate): count for fate, count in timeline.counts.items()},
        "spent": int(timeline.spent.sum()),
        "history_begins": None if begins is None else timeline.assembly.candidates.ids[timeline.row_of(begins)],
    }


def _time_text(seconds: float) -> str | None:
    return None if np.isnan(seconds) else f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M}"
