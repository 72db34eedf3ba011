"""The course of a session: the list that a program sends, and what became of every message since the first.

An entry of the list is the place of a message, or below 0 a summary or a note that the program wrote. A policy lives
the session through by these verbs; `closed` makes the assembly of what is left.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from inspector.assembly.columns import Action, Rows, Section
from inspector.assembly.compaction import (
    COMPACTED,
    END,
    Compaction,
    Event,
    EventKind,
    EventUnit,
    stand_in,
)
from inspector.assembly.decisions import Assembly, Block, Composed, Run
from inspector.assembly.finding_kinds import COMPACTED as TOLD
from inspector.assembly.ledger import Ledger
from inspector.assembly.numbers import called_in
from inspector.assembly.policies.agents.talk import Talk
from inspector.assembly.policy import param
from inspector.assembly.reasons import PINNED, Reason

IN_THE_LIST = Reason(
    "within_budget", "still in the list", "{thing} is in the list that the program sends now ({spent} tokens)."
)
CLEARED = Reason(
    "cleared", "result cleared", "A placeholder stands for this result of a tool: {spent} tokens instead of {tokens}."
)
CUT_OUT = Reason("cut_out", "cut out", "The program took {thing} ({tokens} tokens) out of its list, without a trace.")
ORPHAN = Reason(
    "orphan", "lost its call", "The call of a tool that {thing} answers is gone from the list, so it goes as well."
)
_NOTES = -1_000_000_000


@dataclass(frozen=True, slots=True)
class Form:
    """Another text of a message in the list, its cost in tokens, and why."""

    text: str
    cost: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class Note:
    """A text of the program's own in the list: an overhead, which counts `cost` tokens by its measure."""

    role: str
    text: str
    cost: int


class Course:
    """A session that is lived through: `state` is the list that the program would send now."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.state: list[int] = []
        self.forms: dict[int, Form] = {}
        self.events: list[Event] = []
        self.compactions: list[Compaction] = []
        self.notes: list[Note] = []
        self._into: dict[int, int] = {}
        self._gone: dict[int, Reason] = {}

    def cost(self, entry: int) -> int:
        """Return the tokens of an entry as the list has it."""
        if entry >= 0:
            form = self.forms.get(entry)
            return self.talk.costs[entry] if form is None else form.cost
        return self.notes[entry - _NOTES].cost if entry < _NOTES // 2 else self.compactions[-entry - 1].size

    def total(self, entries: Iterable[int] | None = None) -> int:
        """Return the tokens of some entries, of the whole list by default."""
        costs, forms = self.talk.costs, self.forms
        return sum(
            costs[entry] if entry >= 0 and entry not in forms else self.cost(entry)
            for entry in (self.state if entries is None else entries)
        )

    def is_summary(self, entry: int) -> bool:
        """Return whether an entry is a summary."""
        return _NOTES // 2 < entry < 0

    def is_message(self, entry: int) -> bool:
        """Return whether an entry is a message of the conversation."""
        return entry >= 0

    def role(self, entry: int) -> int:
        """Return the number of the role of a message."""
        return self.talk.role_numbers[entry]

    def text(self, entry: int) -> str:
        """Return the text of an entry as the list has it."""
        if entry >= 0:
            form = self.forms.get(entry)
            return self.talk.content(entry) if form is None else form.text
        return self.notes[entry - _NOTES].text if entry < _NOTES // 2 else self.compactions[-entry - 1].text

    def note(self, role: str, text: str, cost: int = 0) -> int:
        """Return the entry of a new note."""
        self.notes.append(Note(role, text, cost))
        return _NOTES + len(self.notes) - 1

    def summarize(self, folded: Iterable[int], size: int, role: str = "user", text: str | None = None) -> int:
        """Return the entry of a new summary that tells these entries; notes among them just go."""
        number, told = len(self.compactions) + 1, [entry for entry in folded if entry > _NOTES // 2]
        for entry in told:
            if entry >= 0:
                self._into[entry] = number
            else:
                self.compactions[-entry - 1] = replace(self.compactions[-entry - 1], into=number)
        words = stand_in(len(told), size) if text is None else text
        self.compactions.append(Compaction(number, size, role, words, len(told)))
        return -number

    def lose(self, entries: Iterable[int], reason: Reason = CUT_OUT) -> None:
        """Let these entries go without a trace."""
        for entry in entries:
            if entry >= 0:
                self._gone[entry] = reason
            elif entry > _NOTES // 2:
                self.compactions[-entry - 1] = replace(self.compactions[-entry - 1], lost=reason)

    def change(self, place: int, text: str, reason: Reason, cost: int | None = None) -> None:
        """Put another text in the place of a message's own."""
        self.forms[place] = Form(text, self.talk.count(text) if cost is None else cost, reason)

    def happened(
        self,
        place: int,
        kind: EventKind,
        before: int,
        after: int,
        *,
        range: tuple[int, int] | None = None,
        cleared: Sequence[int] = (),
        tokens: int = 0,
        unit: EventUnit = "token",
    ) -> None:
        """Record an event at the message of a place, at the end if there is none; the cleared are places, too."""
        rows = self.talk.rows
        at = int(rows[place]) if place < len(rows) else END
        self.events.append(Event(at, kind, before, after, range, tuple(rows[list(cleared)].tolist()), tokens, unit))

    def closed(self, ledger: Ledger, pinned: Rows) -> Assembly:
        """Return the assembly of the list as it is; pinned messages stand where they were said."""
        ledger.limit(Section.HISTORY, None)
        ledger.guarantee(pinned, PINNED, Section.HISTORY)
        self._decide(ledger)
        return ledger.close(lambda _: tuple(self._blocks(pinned)))

    def _decide(self, ledger: Ledger) -> None:
        rows, standing = self.talk.rows, [entry for entry in self.state if entry >= 0]
        self._reshape(ledger, [place for place in standing if place in self.forms] if self.forms else ())
        ledger.keep(rows[standing], IN_THE_LIST, Section.HISTORY)
        self._fold(ledger)
        for reason in dict.fromkeys(self._gone.values()):
            ledger.drop(rows[[place for place, why in self._gone.items() if why == reason]], reason, Section.HISTORY)

    def _reshape(self, ledger: Ledger, places: Sequence[int]) -> None:
        rows = self.talk.rows
        texts = {int(rows[place]): self.forms[place].text for place in places}
        for reason in dict.fromkeys(self.forms[place].reason for place in places):
            own = [place for place in places if self.forms[place].reason == reason]
            costs = np.array([self.forms[place].cost for place in own], np.int32)
            ledger.reshape(rows[own], Action.TRUNCATED, reason, costs, texts.__getitem__)

    def _fold(self, ledger: Ledger) -> None:
        told = np.fromiter(self._into, np.intp, len(self._into))
        rows, into = self.talk.rows[told], np.zeros(len(ledger.candidates), np.int32)
        into[rows] = np.fromiter(self._into.values(), np.int32, len(self._into))
        ledger.reshape(rows, Action.SUMMARIZED, COMPACTED, np.zeros(len(rows), np.int32), lambda _: "")
        ledger.keep(rows, COMPACTED, Section.HISTORY)
        ledger.tell(tuple(self.compactions), into, tuple(self.events))
        standing = [compaction for compaction in self.compactions if compaction.stands]
        if standing and len(rows):
            size = sum(compaction.size for compaction in standing)
            count = "message is" if len(rows) == 1 else "messages are"
            summaries = "a summary" if len(standing) == 1 else f"{len(standing):,} summaries"
            said = f"{len(rows):,} {count} told by {summaries} of {size:,} tokens."
            ledger.report(TOLD, f"{said}{self._moments()}", np.sort(rows))

    def _moments(self) -> str:
        """Return how often the list was shortened and when last, as a sentence; "" where nothing is recorded."""
        if not self.events:
            return ""
        often, last = len(self.events), self.events[-1].row
        times = "once" if often == 1 else f"{often:,} times, last"
        place = "at the end" if last == END else f"at {called_in(self.talk.items, last)}"
        return f" The program shortened its list {times} {place}."

    def _blocks(self, pinned: Rows) -> Iterator[Block]:
        """Yield runs of messages, and summaries and notes; a pinned message stands before the first that is newer."""
        entries = np.array(self.state, np.int64)
        rows, is_message = np.full(len(entries), -1, np.intp), entries >= 0
        rows[is_message] = self.talk.rows[entries[is_message]]
        places = np.searchsorted(np.maximum.accumulate(rows), pinned, side="right")
        rows, entries = np.insert(rows, places, pinned), np.insert(entries, places, 0)
        start = 0
        for place in [*np.flatnonzero(rows < 0).tolist(), len(rows)]:
            if start < place:
                yield Run(rows[start:place])
            if place < len(rows):
                yield self._written(int(entries[place]))
            start = place + 1

    def _written(self, entry: int) -> Composed:
        if entry < _NOTES // 2:
            note = self.notes[entry - _NOTES]
            return Composed(note.role, (note.text,))
        compaction = self.compactions[-entry - 1]
        return Composed(compaction.role, (compaction.text,), summary=compaction.number)


def lived(talk: Talk, terms: Hashable, live: Callable[[Course], None]) -> Course:
    """Return the course of a session, lived through once for these terms, on which alone it depends beside the talk.

    It must not be changed afterwards: assemblies for other queries are made of it, too.
    """

    def make() -> Course:
        course = Course(talk)
        live(course)
        return course

    keeper = talk.keeper()
    assert keeper is not None, "the candidates of a talk keep its keeper"
    return keeper.derived("agents: course", terms, make)


def replay_param() -> Any:
    """Declare whether a session is lived through from its first message."""
    return param(
        True,
        help="The session is lived through from its first message, with each compaction changing what later checks "
        "see. Otherwise one check is made, of the whole conversation as it stands.",
        topic="rare",
    )


def base_tokens_param() -> Any:
    """Declare the tokens that the provider counts beside the messages."""
    return param(
        0,
        0,
        100_000,
        scale="log",
        unit="tokens",
        label="Beside the messages",
        help="The system prompt, the definitions of tools and the like, which the provider counts.",
    )


def summary_size_param() -> Any:
    """Declare the size of a summary."""
    return param(
        1500,
        0,
        32_000,
        step=50,
        scale="log",
        unit="tokens",
        label="Size of a summary",
        help="The tokens of a summary, heading included: the program's model writes it.",
        topic="summaries",
    )
