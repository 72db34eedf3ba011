"""The timeline: the messages of a prompt from the first to the last, their tokens and their fates.

Every figure is that of the table of items: the tokens of a message, and the tokens spent on it.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np

from inspector.assembly.columns import F64, ROLES, U8, Bool, Fate, Kind, Rows, State, outcome_tone, phrase, word
from inspector.assembly.decisions import Assembly
from inspector.derived import cached_property
from inspector.figures import counted
from inspector.tables import Column, Face, Table
from inspector.tables import Kind as Meaning

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


def _tokens(timeline: Timeline, number: int) -> int:
    return int(timeline.tokens[number])


def _is_estimated(timeline: Timeline, number: int) -> bool:
    return bool(timeline.estimated[number])


def _fate(timeline: Timeline, number: int) -> Fate:
    return Fate(int(timeline.fates[number]))


def _time(timeline: Timeline, number: int) -> datetime | None:
    seconds = float(timeline.assembly.candidates.time[timeline.row_of(number)])
    return None if np.isnan(seconds) else datetime.fromtimestamp(seconds, UTC)


MESSAGE_COLUMNS: tuple[Column[Timeline], ...] = (
    Column("number", "#", "Its place in the chat", lambda _, number: number + 1, kind=Meaning.COUNT),
    Column(
        "item",
        "Id",
        "Its id",
        lambda timeline, number: timeline.assembly.candidates.ids[timeline.row_of(number)],
        faces=Face.FILES,
    ),
    Column("time", "When", "When it was said (UTC)", _time, kind=Meaning.TIME, yields=2),
    Column("role", "Role", "Its role", Timeline.role, kind=Meaning.WORD, yields=1),
    Column("tokens", "Tokens", "Its tokens", _tokens, kind=Meaning.TOKENS, estimated=_is_estimated),
    Column("estimated", "Estimated", "Whether its tokens are estimated", _is_estimated, faces=Face.FILES),
    Column(
        "spent",
        "In the prompt",
        "Its tokens in the prompt",
        lambda timeline, number: int(timeline.spent[number]),
        kind=Meaning.TOKENS,
    ),
    Column(
        "action",
        "Outcome",
        "Its outcome",
        lambda timeline, number: phrase(_fate(timeline, number)),
        kind=Meaning.OUTCOME,
        tone=lambda timeline, number: outcome_tone(_fate(timeline, number)),
    ),
    Column(
        "sum",
        "Sum",
        "Tokens in the prompt of all messages up to it",
        lambda timeline, number: int(timeline.cumulated[number]),
        kind=Meaning.TOKENS,
    ),
)
MESSAGES: Table[Timeline] = Table(MESSAGE_COLUMNS, lambda timeline: range(len(timeline)))


def timeline_value(timeline: Timeline) -> dict[str, Any]:
    """Return a timeline as JSON: its messages, the number with each fate, and the message from which all are kept."""
    begins = timeline.history_begins
    return {
        "format": TIMELINE_FORMAT,
        "messages": list(MESSAGES.records(timeline)),
        "counts": {word(fate): count for fate, count in timeline.counts.items()},
        "spent": int(timeline.spent.sum()),
        "history_begins": None if begins is None else timeline.assembly.candidates.ids[timeline.row_of(begins)],
    }
