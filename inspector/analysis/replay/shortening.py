"""The moments at which a program shortened its list of messages, read from the sent prompts of a replay.

The answer to each turn has the events of the whole session so far. An event belongs to the first sent prompt with it:
prompts never sent made nothing happen.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from inspector.analysis.replay.falling import fell
from inspector.assembly.columns import Bool, Rows
from inspector.assembly.compaction import Event
from inspector.assembly.decisions import Assembly


@dataclass(frozen=True, eq=False)
class Shortening:
    """An event and the first sent prompt with it: `place` is its place among the replayed turns.

    folded: the messages newly told by summaries since the prompt before. lost: the items whole in the prompt before
    and cut or missing since. Events of the same prompt share both.
    """

    place: int
    event: Event
    folded: Rows
    lost: Rows


class EventLog:
    """The shortenings of the sent prompts, a prompt after the other."""

    def __init__(self) -> None:
        self.found: list[Shortening] = []
        self._before: Assembly | None = None

    def take(self, place: int, assembly: Assembly) -> None:
        """Record the events missing from the prompt sent before; the assembly must not be refused."""
        before, self._before = self._before, assembly
        new = tuple(new_events(() if before is None else before.events, assembly.events))
        if not new:
            return
        folded = _newly_told(before, assembly)
        lost = np.empty(0, np.intp) if before is None else fell(before, assembly)
        self.found += [Shortening(place, event, folded, lost) for event in new]


def new_events(before: Sequence[Event], after: Sequence[Event]) -> Iterator[Event]:
    """Yield the events of a later answer missing from an earlier answer, each as often as it is new.

    Cleared results are the same event as long as they are the same results: some programs clear them anew for each
    request, from a list that has grown.
    """
    if after[: len(before)] == before:
        yield from after[len(before) :]
        return
    known = Counter(map(_key, before))
    for event in after:
        if known[_key(event)]:
            known[_key(event)] -= 1
        else:
            yield event


def _key(event: Event) -> Hashable:
    return (event.kind, event.rows) if event.rows else (event.kind, event.before, event.after, event.range)


def _newly_told(before: Assembly | None, after: Assembly) -> Rows:
    """Return the messages told by a summary now and by none in the prompt before, as rows of the later."""
    told = _told(after)
    if before is not None:
        earlier = _told(before)[: len(told)]
        told[: len(earlier)] &= ~earlier
    return np.flatnonzero(told) + after.candidates.items.first_message


def _told(assembly: Assembly) -> Bool:
    """Return for each message whether a summary tells it."""
    first = assembly.candidates.items.first_message
    if assembly.into is None:
        return np.zeros(len(assembly.candidates) - first, np.bool_)
    return assembly.into[first:] > 0
