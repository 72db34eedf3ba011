"""The timeline: the messages of a prompt from the first to the last, their tokens and their fates.

Every figure is that of the table of items: the tokens of a message, and the tokens spent on it.
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
    """The messages of an assembly, oldest first; all arrays have one entry per message."""

    assembly: Assembly

    def __len__(self) -> int:
        return self._rows.stop - self._rows.start

    @cached_property
    def _rows(self) -> slice:
        rows = self.assembly.candidates.rows(Kind.MESSAGE)
        return slice(int(rows[0]), int(rows[-1]) + 1) if len(rows) else slice(0, 0)

    @cached_property
    def tokens(self) -> Rows:
        """The tokens of each message."""
        return self.assembly.candidates.tokens[self._rows].astype(np.intp)

    @cached_property
    def spent(self) -> Rows:
        """The tokens spent on each message in the prompt."""
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
        """Tokens in the prompt for all messages up to and including each."""
        return self.spent.cumsum(dtype=np.float64)

    @cached_property
    def times(self) -> F64 | None:
        """The time of each message; None if any of them has no time.

        The last may be a draft without a time: it gets the time that the policies use as now.
        """
        candidates = self.assembly.candidates
        times = candidates.time[self._rows].copy()
        if len(times) > 1 and np.isnan(times[-1]):
            times[-1] = max(candidates.now, times[-2])
        return times if len(times) and not np.isnan(times).any() else None

    @cached_property
    def counts(self) -> dict[Fate, int]:
        """The number of messages with each fate."""
        return dict(zip(Fate, np.bincount(self.fates, minlength=len(Fate)).tolist(), strict=True))

    @cached_property
    def history_begins(self) -> int | None:
        """The first message from which all open ones are kept; None if none or all are."""
        candidates = self.assembly.candidates
        open_places = np.flatnonzero(candidates.state[self._rows] == State.OPEN)
        kept: Bool = self.fates[open_places] == Fate.KEPT
        others = np.flatnonzero(~kept)
        if not len(others) or others[-1] == len(open_places) - 1:
            return None
        return int(open_places[others[-1] + 1])

    def row_of(self, number: int) -> int:
        """Return the row of the candidates for a place in the conversation, from 0."""
        return self._rows.start + number

    def number_of(self, row: int | None) -> int | None:
        """Return the place in the conversation of a row of the candidates, None if it is no message."""
        return row - self._rows.start if row is not None and self._rows.start <= row < self._rows.stop else None

    @property
    def spent_text(self) -> str:
        """The tokens of the messages in the prompt, as text."""
        spent = int(self.cumulated[-1]) if len(self) else 0
        estimated = bool(self.estimated[self.fates < Fate.DROPPED].any())
        return f"{counted(spent, 'token', estimated=estimated)} in the prompt"

    @property
    def total(self) -> str:
        """The same, with the number of messages."""
        return f"{len(self):,} message{'' if len(self) == 1 else 's'}, {self.spent_text}"

    def role(self, number: int) -> str:
        """Return the role of a message; "" if unknown."""
        role = int(self.assembly.candidates.role[self.row_of(number)])
        return ROLES[role] if role < len(ROLES) else ""


def timeline_rows(timeline: Timeline) -> Iterator[dict[str, Any]]:
    """Yield a row for each message, as stored in files; its time is UTC, null if it has none.

    `sum` is the tokens spent on all messages up to this one.
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
    """Return a timeline as JSON: its messages, the number with each fate, and the message from which all are kept."""
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
