"""The moments of a replay at which a list of messages was shortened: by the policy here, and as the file records it.

Both stand beside each other at the turns of the replay, with the items lost by each that questions need.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from inspector.analysis.recall.probes import evidence_of
from inspector.analysis.replay.ask import Replay
from inspector.assembly.columns import Rows
from inspector.assembly.compaction import EventKind, EventUnit
from inspector.assembly.recorded_compactions import RecordedCompaction, recorded_compactions
from inspector.model import Probe

_NO_ROWS = np.empty(0, np.intp)
Whose = Literal["here", "recorded"]


@dataclass(frozen=True, eq=False)
class Moment:
    """A moment at which a list was shortened, by the policy `here` or as `recorded` by the program of the file.

    place: the place among the replayed turns of the first sent prompt after it; None if the file does not tell when.
    at: the row of the message before or after which it happened, END after the last; None if unknown.
    before, after: the size of the list in `unit`; None if the file does not tell it.
    folded: the messages that a summary tells since. lost: the items that left the prompt, or are no longer whole in it.
    """

    whose: Whose
    kind: EventKind
    place: int | None
    at: int | None
    before: int | None
    after: int | None
    unit: EventUnit
    folded: Rows
    lost: Rows

    @property
    def gone(self) -> Rows:
        """The rows of everything that it folded or lost, each once."""
        return np.union1d(self.folded, self.lost)


@dataclass(frozen=True, eq=False)
class Moments:
    """The moments of a replay by turn, those of unknown time last; `evidence` are the rows that questions need."""

    found: Replay
    all: tuple[Moment, ...]
    evidence: Rows

    def __len__(self) -> int:
        return len(self.all)

    def of(self, whose: Whose) -> "Moments":
        """Return the moments here, or those of the file."""
        return Moments(self.found, tuple(one for one in self.all if one.whose == whose), self.evidence)

    @property
    def has_recorded(self) -> bool:
        """Whether the file records any."""
        return any(one.whose == "recorded" for one in self.all)

    def turn(self, moment: Moment) -> int | None:
        """Return the turn of the sent prompt that is the first after a moment; None if the file does not tell when."""
        return None if moment.place is None else int(self.found.turns[moment.place])

    @property
    def places(self) -> Rows:
        """The places of their turns, each once."""
        return np.unique(np.array([one.place for one in self.all if one.place is not None], np.intp))

    def needed(self, moment: Moment) -> Rows:
        """Return the evidence among what a moment folded or lost."""
        return np.intersect1d(self.evidence, moment.gone)


def moments_of(found: Replay, asked: Iterable[Probe] = ()) -> Moments:
    """Return the moments of a replay, with what those of these askable questions need that are about its conversation.

    In the first part of a replay, recorded moments of later turns are left out.
    """
    items = found.candidates.items
    here = [
        Moment("here", event.kind, one.place, event.row, event.before, event.after, event.unit, one.folded, one.lost)
        for one in found.events
        for event in (one.event,)
    ]
    recorded = [moment for one in recorded_compactions(items) if (moment := _recorded(found, one)) is not None]
    last = len(found)
    ordered = sorted([*here, *recorded], key=lambda one: last if one.place is None else one.place)
    return Moments(found, tuple(ordered), _evidence(found, asked))


def _recorded(found: Replay, one: RecordedCompaction) -> Moment | None:
    """Return a recorded moment at its place, None if it is not reached yet."""
    folded = one.told if one.kind == "compacted" else _NO_ROWS
    if one.row is None:
        return Moment("recorded", one.kind, None, None, one.before, one.after, "token", folded, one.told)
    turn = one.row - found.candidates.items.first_message + 1
    places = np.flatnonzero(found.is_sent & (found.turns >= turn))
    if not len(places):
        return None
    return Moment("recorded", one.kind, int(places[0]), one.row, one.before, one.after, "token", folded, one.told)


def _evidence(found: Replay, asked: Iterable[Probe]) -> Rows:
    """Return the rows that the questions about the conversation need, each once."""
    items = found.candidates.items
    own = [probe for probe in asked if items.conversation is not None and probe.conversation == items.conversation.id]
    return np.unique(np.concatenate([_NO_ROWS, *(evidence_of(items, probe).rows for probe in own)]))
