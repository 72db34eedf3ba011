"""adaptive: a system message of prioritised components, then the newest messages beside it (WhisperEngine's design)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import I32, ROLE_NUMBER, Action, Bool, Kind, Rows, Section
from inspector.assembly.decisions import Assembly, Block, Composed, Joined, Layout, Run
from inspector.assembly.defaults import (
    PARAGRAPH,
    active_lore,
    drop_unplaced,
    memories_by_similarity,
    note_small_window,
    split_pinned,
)
from inspector.assembly.ledger import Ledger
from inspector.assembly.packing import first_fit
from inspector.assembly.policy import Traits, param
from inspector.assembly.policy_finding_kinds import EMERGENCY_TRUNCATION
from inspector.assembly.reasons import (
    ALL_FITS,
    ALWAYS,
    CUT,
    DUPLICATE,
    EMERGENCY,
    EMERGENCY_CUT,
    GUARANTEED,
    OVER_BUDGET,
    PINNED,
    REQUIRED,
    SWITCHED_OFF,
    WITHIN_BUDGET,
)
from inspector.derived import cached_property

PRIORITY = {Kind.SYSTEM: 1, Kind.PROFILE: 3, Kind.MEMORY: 4, Kind.LORE: 4, Kind.SUMMARY: 5}
"""Priority of kinds that become components without a declaration by a character; a lower number comes first."""
SAME_BEGINNING = 200
"""Components that agree in this many leading code points count as repeats."""
CUT_MARK = "... [system prompt truncated due to size]"


@dataclass(frozen=True, eq=False)
class Choice:
    """Stage 1: components in the order of decision; masks of those taken, and of repeats among the taken ones."""

    rows: Rows
    taken: Bool
    repeated: Bool
    is_tight: bool

    @cached_property
    def stays(self) -> Rows:
        """The rows of the system message, in its order."""
        return self.rows[self.taken & ~self.repeated]


@dataclass(frozen=True, eq=False, slots=True)
class _Cut:
    """An emergency cut: the rows left in whole or in part, the rows gone, and the text after the last row left."""

    left: Rows
    gone: Rows
    ending: str


@dataclass(frozen=True)
class Adaptive:
    """Fills the system message with components by priority, then takes the newest messages up to one limit for both."""

    traits: ClassVar[Traits] = Traits(title="Adaptive", whose="WhisperEngine")

    system_budget: int = param(
        6000,
        0,
        32_000,
        step=100,
        scale="log",
        unit="tokens",
        label="System message at most",
        help="The limit of all components of the system message together.",
        sizes="memory",
    )
    max_tokens: int = param(
        8000,
        0,
        128_000,
        step=100,
        scale="log",
        unit="tokens",
        label="Prompt at most",
        help="The limit of system message and conversation together.",
        sizes="prompt",
    )
    min_recent: int = param(
        2,
        0,
        50,
        unit="messages",
        label="Newest always kept",
        help="This many of the newest messages stay whatever they cost.",
        sizes="newest",
        topic="conversation",
    )
    response_reserve: int = param(
        2000,
        0,
        32_000,
        step=100,
        scale="log",
        unit="tokens",
        label="Reply",
        help="Kept free for the reply, beside the limit of the prompt.",
        sizes="reply",
    )
    misfit: str = param(
        "skip",
        label="When one does not fit",
        choices={
            "skip": "pass over it and try older ones, which leaves a gap",
            "stop": "stop there",
        },
        help="What happens after a message that does not fit.",
        topic="conversation",
    )
    memory_chars: int = param(
        500,
        0,
        5000,
        step=10,
        scale="log",
        unit="characters",
        label="Memory length",
        help="Longer memories are cut to this length.",
        topic="memories",
    )

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate. There is always a prompt, over the window if necessary."""
        ledger = Ledger(candidates, window)
        budget = self.max_tokens + self.response_reserve
        note_small_window(ledger, budget, "The limit of the prompt and the tokens for the reply")
        drop_unplaced(ledger, Kind.PASSAGE, Kind.DOCUMENT, Kind.ATTACHMENT)
        choice, texts, assembled = self._system_message(ledger)
        messages = ledger.rows(Kind.MESSAGE)
        is_system = candidates.role[messages] == ROLE_NUMBER["system"]
        inside, told = messages[is_system], messages[~is_system]
        system = assembled + ledger.cost(inside)
        room = max(0, self.max_tokens - system)
        ledger.limit(Section.SYSTEM, self.system_budget)
        ledger.limit(Section.HISTORY, room)
        fits = system + ledger.cost(told) <= self.max_tokens
        is_emergency = not fits and system >= self.max_tokens
        cut = self._cut(ledger, choice.stays, texts) if is_emergency else None
        self._decide_components(ledger, choice, cut)
        keep_system_messages(ledger, inside)
        if fits:
            _keep_everything(ledger, told, room)
        else:
            self._fill_history(ledger, told, room, is_emergency)
        return ledger.close(_layout(choice.stays, cut, inside, told), reserve=self.response_reserve)

    def _system_message(self, ledger: Ledger) -> tuple[Choice, list[str], int]:
        """Return the chosen components, the texts of those kept, and their tokens as a single text."""
        rows, candidates = self._by_priority(ledger), ledger.candidates

        def chosen() -> tuple[Choice, list[str], int]:
            choice = self._choose(ledger, rows)
            texts = [ledger.text(row) for row in choice.stays.tolist()]
            return choice, texts, candidates.counts.count(PARAGRAPH.join(texts))

        terms = (self.memory_chars, self.system_budget)
        return candidates.before_messages.derived("adaptive: system message", terms, chosen)

    def _by_priority(self, ledger: Ledger) -> Rows:
        """Return the open components by priority; drop those blank or switched off."""
        memories, lore = self._cut_memories(ledger), active_lore(ledger)
        standing = ledger.rows(Kind.SYSTEM, Kind.COMPONENT, Kind.PROFILE)
        narrative = (standing, memories, lore, ledger.rows(Kind.SUMMARY))
        off, ordered = ledger.candidates.before_messages.derived(
            "adaptive: by priority", self.memory_chars, lambda: self._ordered(ledger.candidates, narrative)
        )
        ledger.drop(off, SWITCHED_OFF, Section.SYSTEM)
        return ordered

    def _ordered(self, candidates: Candidates, narrative: Sequence[Rows]) -> tuple[Rows, Rows]:
        """Return the components that take no part, and the others by priority, derived from candidates and lengths."""
        rows = np.concatenate(narrative)
        kind, lengths = candidates.kind[rows], candidates.items.lengths[rows]
        shown = np.where(kind == int(Kind.MEMORY), np.minimum(lengths, self.memory_chars), lengths)
        off = (candidates.items.margins[rows] >= shown) | ((kind == int(Kind.COMPONENT)) & ~candidates.active[rows])
        on, kind = rows[~off], kind[~off]
        priority = np.where(kind == int(Kind.COMPONENT), candidates.priority[on], _PRIORITY_OF_KIND[kind])
        return rows[off], on[np.argsort(priority, kind="stable")]

    def _cut_memories(self, ledger: Ledger) -> Rows:
        """Return the memories in the order of the narrative, pinned first, in the form in which they would be kept."""
        candidates, limit = ledger.candidates, self.memory_chars
        rows = np.concatenate(memories_by_similarity(ledger))

        def beginning(row: int) -> str:
            return candidates.texts[row][:limit]

        def cut() -> tuple[Rows, I32]:
            long = rows[candidates.items.lengths[rows] > limit]
            return long, candidates.form_tokens(long, ("first code points", limit), beginning)

        long, costs = candidates.before_messages.derived("adaptive: cut memories", limit, cut)
        ledger.reshape(long, Action.TRUNCATED, CUT, costs, beginning)
        return rows

    def _choose(self, ledger: Ledger, rows: Rows) -> Choice:
        """Choose all components if they fit together, else the required ones and then others as far as they fit."""
        is_tight = ledger.cost(rows) > self.system_budget
        taken = np.ones(len(rows), np.bool_)
        if is_tight:
            required = is_required(ledger, rows)
            first, others = rows[required], rows[~required]
            rows = np.concatenate([first, others])
            taken[len(first) :] = first_fit(ledger.costs[others], self.system_budget - ledger.cost(first))
        return Choice(rows, taken, repeats(ledger, rows, taken), is_tight)

    def _cut(self, ledger: Ledger, rows: Rows, texts: Sequence[str]) -> _Cut:
        """Cut the system message to its first `max_tokens` tokens: the component at this limit loses its end."""
        text = ledger.candidates.counts.tokenizer.first(PARAGRAPH.join(texts), self.max_tokens)
        lengths = np.array([len(part) for part in texts], np.int64)
        starts = np.cumsum(lengths + len(PARAGRAPH)) - lengths - len(PARAGRAPH)
        left = int(np.searchsorted(starts, len(text)))
        if left == 0:
            return _Cut(rows[:0], rows, text)
        last, part = rows[left - 1 : left], text[starts[left - 1] :][: lengths[left - 1]]
        if len(part) < lengths[left - 1]:
            costs = ledger.candidates.counts.tokenizer.count([part])
            ledger.reshape(last, Action.TRUNCATED, EMERGENCY_CUT, costs, lambda _: part)
        return _Cut(rows[:left], rows[left:], text[starts[left - 1] + len(part) :])

    def _decide_components(self, ledger: Ledger, choice: Choice, cut: _Cut | None) -> None:
        """Record stage 1, and the effect of an emergency on it."""
        stays = choice.stays if cut is None else cut.left
        ledger.drop(choice.rows[~choice.taken], OVER_BUDGET, Section.SYSTEM)
        ledger.drop(choice.rows[choice.repeated], DUPLICATE, Section.SYSTEM)
        if cut is not None:
            ledger.drop(cut.gone, EMERGENCY, Section.SYSTEM)
            limit = f"the limit of {self.max_tokens:,} tokens"
            message = f"The system message alone reaches {limit}; beside it only the newest messages stay."
            ledger.report(EMERGENCY_TRUNCATION, message, choice.stays)
        keep_components(ledger, choice, stays)
        ledger.put_in_order(choice.rows, ledger.costs[choice.rows], self.system_budget, taken=choice.taken)

    def _fill_history(self, ledger: Ledger, rows: Rows, room: int, is_emergency: bool) -> None:
        """Keep pinned messages, then the newest, then older ones as far as they fit; in an emergency none of these."""
        pinned, _ = split_pinned(ledger, rows)
        start = max(0, len(rows) - self.min_recent)
        guaranteed, older = (split_pinned(ledger, part)[1][::-1] for part in (rows[start:], rows[:start]))
        ledger.guarantee(pinned, PINNED, Section.HISTORY, room=room)
        room -= ledger.cost(pinned)
        ledger.guarantee(guaranteed, GUARANTEED, Section.HISTORY, room=room)
        room -= ledger.cost(guaranteed)
        if is_emergency:
            ledger.drop(older, EMERGENCY, Section.HISTORY)
        elif self.misfit == "skip":
            ledger.fit(older, room, Section.HISTORY)
        else:
            ledger.fill(older, room, Section.HISTORY)


_PRIORITY_OF_KIND = np.array([PRIORITY.get(kind, 0) for kind in Kind], np.float64)


def is_required(ledger: Ledger, rows: Rows) -> Bool:
    """Return a mask of the components kept at any cost: required or pinned ones and the system prompt."""
    candidates = ledger.candidates
    return candidates.required[rows] | candidates.pinned[rows] | (candidates.kind[rows] == int(Kind.SYSTEM))


def keep_components(ledger: Ledger, choice: Choice, stays: Rows, *, spares_required: bool = True) -> None:
    """Keep the components in `stays`: guarantee pinned ones and, with `spares_required`, required ones at any cost."""
    pinned, others = split_pinned(ledger, stays)
    ledger.guarantee(pinned, PINNED, Section.SYSTEM)
    if not spares_required:
        ledger.keep(others, WITHIN_BUDGET, Section.SYSTEM)
        return
    prompt = ledger.candidates.kind[others] == int(Kind.SYSTEM)
    required = is_required(ledger, others) & ~prompt
    ledger.guarantee(others[prompt], ALWAYS, Section.SYSTEM)
    ledger.guarantee(others[required], REQUIRED if choice.is_tight else ALL_FITS, Section.SYSTEM)
    ledger.keep(others[~required & ~prompt], WITHIN_BUDGET if choice.is_tight else ALL_FITS, Section.SYSTEM)


def repeats(ledger: Ledger, rows: Rows, taken: Bool) -> Bool:
    """Return a mask of the taken components that begin like an earlier one, never including pinned ones."""
    repeated = np.zeros(len(rows), np.bool_)
    places = np.flatnonzero(taken)
    is_pinned = ledger.candidates.pinned[rows[places]]
    places = places[np.argsort(~is_pinned, kind="stable")]
    _, firsts = np.unique(_beginnings(ledger, rows[places]), return_index=True)
    if len(firsts) < len(places):
        repeated[places] = True
        repeated[places[firsts]] = False
        repeated[places[: int(np.count_nonzero(is_pinned))]] = False
    return repeated


def _beginnings(ledger: Ledger, rows: Rows) -> Rows:
    """Return a number for the beginning of each component in its kept form; equal beginnings have equal numbers."""
    items = ledger.candidates.items
    numbers, column = items.derived("beginnings", None, lambda: _numbered(items.texts[: items.first_message]))
    found, others = column[rows], dict[str, int]()
    for place in np.flatnonzero(ledger.is_reshaped(rows)).tolist():
        beginning = _beginning(ledger.text(int(rows[place])))
        found[place] = numbers.get(beginning, len(numbers) + others.setdefault(beginning, len(others)))
    return found


def _numbered(texts: Sequence[str]) -> tuple[dict[str, int], Rows]:
    """Return the beginnings of texts by number, and the number of each text."""
    numbers: dict[str, int] = {}
    return numbers, np.array([numbers.setdefault(_beginning(text), len(numbers)) for text in texts], np.intp)


def _beginning(text: str) -> str:
    return text[:SAME_BEGINNING].strip().lower()


def keep_system_messages(ledger: Ledger, rows: Rows) -> None:
    """Keep messages of role system whatever the rest costs, charged to the system and listed with the history."""
    pinned, others = split_pinned(ledger, rows)
    ledger.keep(pinned, PINNED, Section.HISTORY)
    ledger.keep(others, ALWAYS, Section.HISTORY)


def _keep_everything(ledger: Ledger, rows: Rows, room: int) -> None:
    pinned, others = split_pinned(ledger, rows)
    ledger.guarantee(pinned, PINNED, Section.HISTORY, room=room)
    ledger.keep(others[::-1], ALL_FITS, Section.HISTORY, room=room - ledger.cost(pinned))


def _layout(components: Rows, cut: _Cut | None, inside: Rows, told: Rows) -> Layout:
    """Return the layout: system message, system messages of the conversation, then the conversation as it was said."""

    def layout(assembly: Assembly) -> tuple[Block, ...]:
        blocks: list[Block] = []
        if cut is not None and len(components):
            parts = [piece for row in cut.left.tolist() for piece in (PARAGRAPH, row)][1:]
            blocks.append(Composed("system", (*parts, cut.ending + CUT_MARK)))
        elif len(components):
            blocks.append(Joined("system", components, joint=PARAGRAPH))
        if len(inside):
            blocks.append(Run(inside, moved=True))
        return (*blocks, Run(told[assembly.in_prompt[told]]))

    return layout
