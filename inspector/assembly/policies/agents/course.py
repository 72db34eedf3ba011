"""The course of a session: the list that a program sends, and what became of every message since the first.

An entry of the list is the place of a message, or below 0 a summary or a note that the program wrote. A policy lives
the session through by these verbs; `closed` makes the assembly of what is left.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from inspector.assembly.columns import I32, Action, Bool, Rows, Section
from inspector.assembly.compaction import (
    COMPACTED,
    END,
    Compactions,
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


@dataclass(slots=True)
class _Summaries:
    """The summaries written so far, as columns; a text of None is known only by its size."""

    sizes: list[int] = field(default_factory=list)
    told: list[int] = field(default_factory=list)
    into: list[int] = field(default_factory=list)
    roles: list[str] = field(default_factory=list)
    texts: list[str | None] = field(default_factory=list)
    lost: dict[int, Reason] = field(default_factory=dict)

    def add(self, size: int, told: int, role: str, text: str | None) -> None:
        """Add a summary of `told` entries."""
        self.sizes.append(size)
        self.told.append(told)
        self.into.append(0)
        self.roles.append(role)
        self.texts.append(text)

    def text(self, place: int) -> str:
        """Return the text of a summary, or the words that stand for it."""
        text = self.texts[place]
        return stand_in(self.told[place], self.sizes[place]) if text is None else text

    def compactions(self) -> Compactions:
        """Return them as they are now."""
        roles, texts = tuple(self.roles), tuple(self.texts)
        return Compactions(
            np.array(self.sizes, np.int64),
            np.array(self.told, np.int64),
            np.array(self.into, np.int32),
            lambda place: (roles[place], texts[place]),
            dict(self.lost),
        )


class Course:
    """A session that is lived through: `state` is the list that the program would send now."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.state: list[int] = []
        self.forms: dict[int, Form] = {}
        self.events: list[Event] = []
        self.notes: list[Note] = []
        self._made = _Summaries()
        self._into = np.zeros(len(talk), np.int32)
        self._gone = np.zeros(len(talk), np.uint8)
        self._reasons: list[Reason] = []
        self._history: tuple[Compactions, Sequence[Event]] | None = None

    @property
    def summaries(self) -> int:
        """How many summaries the program has written."""
        return len(self._made.sizes)

    def cost(self, entry: int) -> int:
        """Return the tokens of an entry as the list has it."""
        if entry >= 0:
            form = self.forms.get(entry)
            return self.talk.costs[entry] if form is None else form.cost
        return self.notes[entry - _NOTES].cost if entry < _NOTES // 2 else self._made.sizes[-entry - 1]

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
        return self.notes[entry - _NOTES].text if entry < _NOTES // 2 else self._made.text(-entry - 1)

    def note(self, role: str, text: str, cost: int = 0) -> int:
        """Return the entry of a new note."""
        self.notes.append(Note(role, text, cost))
        return _NOTES + len(self.notes) - 1

    def summarize(self, folded: Iterable[int], size: int, role: str = "user", text: str | None = None) -> int:
        """Return the entry of a new summary that tells these entries; notes among them just go."""
        number, told = self.summaries + 1, [entry for entry in folded if entry > _NOTES // 2]
        self._into[[entry for entry in told if entry >= 0]] = number
        for entry in told:
            if entry < 0:
                self._made.into[-entry - 1] = number
        self._made.add(size, len(told), role, text)
        return -number

    def lose(self, entries: Iterable[int], reason: Reason = CUT_OUT) -> None:
        """Let these entries go without a trace."""
        places = [entry for entry in entries if entry > _NOTES // 2]
        if reason not in self._reasons:
            self._reasons.append(reason)
        self._gone[[entry for entry in places if entry >= 0]] = self._reasons.index(reason) + 1
        self._made.lost.update((-entry, reason) for entry in places if entry < 0)

    def adopt(self, state: Sequence[int], into: I32, gone: Bool, told: Compactions, events: Sequence[Event]) -> None:
        """Take a whole history that was worked out in columns: the list now, the number of the summary that tells each
        message, which were cut out, the summaries and the events.
        """
        self.state, self._into, self._gone, self._reasons = list(state), into, gone.astype(np.uint8), [CUT_OUT]
        self._history = told, events

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
        return ledger.close(lambda assembly: tuple(self._blocks(pinned, assembly.compactions)))

    def _decide(self, ledger: Ledger) -> None:
        rows, state = self.talk.rows, np.array(self.state, np.int64)
        standing = state[state >= 0]
        self._reshape(ledger, [place for place in standing.tolist() if place in self.forms] if self.forms else ())
        ledger.keep(rows[standing], IN_THE_LIST, Section.HISTORY)
        self._fold(ledger)
        for number, reason in enumerate(self._reasons, 1):
            ledger.drop(rows[self._gone == number], reason, Section.HISTORY)

    def _reshape(self, ledger: Ledger, places: Sequence[int]) -> None:
        rows = self.talk.rows
        texts = {int(rows[place]): self.forms[place].text for place in places}
        for reason in dict.fromkeys(self.forms[place].reason for place in places):
            own = [place for place in places if self.forms[place].reason == reason]
            costs = np.array([self.forms[place].cost for place in own], np.int32)
            ledger.reshape(rows[own], Action.TRUNCATED, reason, costs, texts.__getitem__)

    def _fold(self, ledger: Ledger) -> None:
        told = np.flatnonzero(self._into)
        told = told[np.argsort(self._into[told], kind="stable")]
        rows, into = self.talk.rows[told], np.zeros(len(ledger.candidates), np.int32)
        into[rows] = self._into[told]
        ledger.reshape(rows, Action.SUMMARIZED, COMPACTED, np.zeros(len(rows), np.int32), lambda _: "")
        ledger.keep(rows, COMPACTED, Section.HISTORY)
        compactions, events = self._history or (self._made.compactions(), tuple(self.events))
        ledger.tell(compactions, into, events)
        standing = compactions.sizes[compactions.stands]
        if len(standing) and len(rows):
            size = int(standing.sum())
            count = "message is" if len(rows) == 1 else "messages are"
            summaries = "a summary" if len(standing) == 1 else f"{len(standing):,} summaries"
            said = f"{len(rows):,} {count} told by {summaries} of {size:,} tokens."
            ledger.report(TOLD, f"{said}{self._moments(events)}", np.sort(rows))

    def _moments(self, events: Sequence[Event]) -> str:
        """Return how often the list was shortened and when last, as a sentence; "" where nothing is recorded."""
        if not events:
            return ""
        often, last = len(events), events[-1].row
        times = "once" if often == 1 else f"{often:,} times, last"
        place = "at the end" if last == END else f"at {called_in(self.talk.items, last)}"
        return f" The program shortened its list {times} {place}."

    def _blocks(self, pinned: Rows, compactions: Compactions) -> Iterator[Block]:
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
                yield self._written(int(entries[place]), compactions)
            start = place + 1

    def _written(self, entry: int, compactions: Compactions) -> Composed:
        if entry < _NOTES // 2:
            note = self.notes[entry - _NOTES]
            return Composed(note.role, (note.text,))
        compaction = compactions[-entry - 1]
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
