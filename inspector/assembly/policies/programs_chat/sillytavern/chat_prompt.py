"""The steps of SillyTavern's chat completion: fixed prompts, conversation with injections, examples."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from inspector.assembly.columns import I32, I64, ROLE_NUMBER, ROLES, Bool, Kind, Rows, Section
from inspector.assembly.decisions import Assembly, Block, Composed, Each, Layout, Run
from inspector.assembly.ledger import Ledger
from inspector.assembly.packing import charges_from, until_full
from inspector.assembly.policies.programs_chat.names import Names
from inspector.assembly.policies.programs_chat.reasons import (
    AFTER_FIXED_MISFIT,
    EMPTY_MESSAGE,
    FIXED_MISFIT,
    NO_EXAMPLES,
)
from inspector.assembly.policies.programs_chat.sillytavern.examples import blocks_of, keep_blocks
from inspector.assembly.policies.programs_chat.sillytavern.lore import ChosenLore, keep_lore
from inspector.assembly.policies.programs_chat.sillytavern.places import (
    Places,
    history_blocks,
    one_each,
    one_of_all,
    pinned_rows,
    with_injections,
)
from inspector.assembly.policies.programs_chat.sillytavern.speakers import name_charges
from inspector.assembly.policy_finding_kinds import MANDATORY_OVER_BUDGET
from inspector.assembly.reasons import AFTER_STOP, OVER_BUDGET, PINNED, WITHIN_BUDGET

MAIN_PROMPT = "Write {{char}}'s next reply in a fictional chat between {{charIfNotGroup}} and {{user}}."
"""The main prompt of SillyTavern where the card has none."""
_FIXED = ("description", "personality", "scenario", "persona", "post_history_instructions")
_ASSISTANT = ROLE_NUMBER["assistant"]


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of the program in the prompt, "" for those that are absent."""

    new_chat: str
    nudge: str
    new_example: str
    send_if_empty: str
    names: Names


@dataclass(frozen=True, slots=True)
class Overheads:
    """Tokens charged for a message besides its content, and for the name of an example's speaker."""

    message: int
    example_name: int


@dataclass(frozen=True, eq=False, slots=True)
class _Fixed:
    """A fixed prompt and its charge in tokens; a text of the program has no rows."""

    rows: Rows
    charge: int


class ChatPrompt:
    """A prompt in the making, mutable during one call of a policy only.

    `left` is the tokens left, and `said` the texts of the program in the prompt so far.
    """

    def __init__(
        self, ledger: Ledger, places: Places, lore: ChosenLore, texts: Texts, overheads: Overheads, left: int
    ) -> None:
        self.ledger, self.places, self.lore = ledger, places, lore
        self.texts, self.overheads, self.left = texts, overheads, left
        self.stopped = False
        self.said = set[str]()
        self.pinned_history = 0
        self.newest_first = ledger.rows(Kind.MESSAGE)[::-1]
        self._pins = ledger.candidates.pinned

    def place(self, *, pin_examples: bool, strip_examples: bool, names_behavior: str, is_group: bool) -> None:
        """Decide every item, in the order of the program."""
        self.ledger.limit(Section.SYSTEM, max(0, self.left))
        self._place_pinned(names_behavior, is_group=is_group)
        self._place_fixed()
        examples = self.places.examples[~self._pins[self.places.examples]]
        if strip_examples:
            self.ledger.drop(examples, NO_EXAMPLES, Section.SYSTEM)
            examples = examples[:0]
        if pin_examples:
            self._place_examples(examples)
        self._place_history(names_behavior, is_group=is_group)
        if not pin_examples:
            self._place_examples(examples)

    def _text_charge(self, text: str) -> int:
        return self.ledger.candidates.counts.count(text) + self.overheads.message if text else 0

    def _place_pinned(self, behavior: str, *, is_group: bool) -> None:
        """Keep pinned items before all others, at any cost."""
        messages = self.newest_first[self._pins[self.newest_first]]
        charges = self._message_charges(messages, behavior, is_group=is_group)
        self.ledger.guarantee(messages, PINNED, Section.HISTORY, room=self.left, charges=charges)
        self.pinned_history = int(charges.sum(dtype=np.int64))
        self.left -= self.pinned_history
        pinned = pinned_rows(self.ledger, self.places, self.lore)
        self.ledger.guarantee(pinned, PINNED, room=self.left)
        self.left -= self.ledger.cost(pinned)

    def _message_charges(self, messages: Rows, behavior: str, *, is_group: bool) -> I32:
        """Return the charges of messages, 0 for an empty message."""
        candidates, costs = self.ledger.candidates, self.ledger.costs[messages]
        names = name_charges(candidates, messages, behavior, self.texts.names, is_group=is_group)
        return np.where(costs > 0, charges_from(costs, self.overheads.message, names), 0)

    def _fixed_prompts(self) -> Iterator[_Fixed]:
        """Yield the fixed prompts in the order of the program."""
        yield from self._one(self.places.lore_before)
        if not len(self.places.main):
            yield _Fixed(self.places.main, self._text_charge(self.texts.names.filled(MAIN_PROMPT)))
        yield from self._each(self.places.main)
        yield from self._one(self.places.lore_after)
        for kind in _FIXED:
            yield from self._each(self.places.of(kind))
        yield from self._one(self.places.note.before)
        yield from self._one(self.places.note.after)

    def _one(self, rows: Rows) -> Iterator[_Fixed]:
        rows = rows[~self._pins[rows]]
        if len(rows):
            yield _Fixed(rows, self.ledger.cost(rows) + self.overheads.message)

    def _each(self, rows: Rows) -> Iterator[_Fixed]:
        for row in rows[~self._pins[rows]].tolist():
            yield from self._one(np.array([row], np.intp))

    def _place_fixed(self) -> None:
        """Place the fixed prompts up to the first misfit, after which nothing is placed."""
        prompts, kept_lore = list(self._fixed_prompts()), list[Rows]()
        charges = np.array([each.charge for each in prompts], np.int64)
        count = until_full(charges, self.left)
        for each in prompts[:count]:
            is_lore = self.ledger.candidates.kind[each.rows] == int(Kind.LORE)
            kept_lore.append(each.rows[is_lore])
            if own := each.rows[~is_lore].tolist():
                self._keep_fixed(np.array(own, np.intp))
            if not len(each.rows):
                self.said.add(MAIN_PROMPT)
            self.left -= each.charge
        keep_lore(self.ledger, self.lore, np.concatenate([self.places.main[:0], *kept_lore]))
        if count < len(prompts):
            self._stop(prompts[count].rows)
            self.ledger.drop(prompts[count].rows, FIXED_MISFIT, left=self.left)
            for each in prompts[count + 1 :]:
                self.ledger.drop(each.rows, AFTER_FIXED_MISFIT)

    def _keep_fixed(self, rows: Rows) -> None:
        """Keep the components of a fixed prompt; the first has the charge of the message."""
        beside = np.zeros(len(rows), np.int64)
        beside[0] = self.overheads.message
        charges = charges_from(self.ledger.costs[rows], beside)
        self.ledger.keep(rows, WITHIN_BUDGET, Section.SYSTEM, room=self.left, charges=charges)

    def _stop(self, rows: Rows) -> None:
        """End the prompt here, with a finding: a fixed prompt does not fit."""
        self.stopped = True
        misfit = "A fixed prompt" if len(rows) else "A message of the program itself"
        message = f"{misfit} does not fit into the {max(0, self.left):,} tokens left, so nothing after it is sent."
        self.ledger.report(MANDATORY_OVER_BUDGET, message, rows)

    def _place_history(self, behavior: str, *, is_group: bool) -> None:
        """Place the newest messages and the injections among them, then the texts around them."""
        rows, charges, units = self._weighed_history(behavior, is_group=is_group)
        if self.stopped:
            self.ledger.drop(rows, AFTER_FIXED_MISFIT, Section.HISTORY)
            return
        new_chat, nudge = self._text_charge(self.texts.new_chat), self._text_charge(self.texts.nudge)
        self.left -= new_chat + nudge
        self._send_if_empty()
        self.ledger.limit(Section.HISTORY, max(0, self.left) + self.pinned_history)
        self.left -= self._fill(rows, charges, units)
        for text, charge in ((self.texts.new_chat, new_chat), (self.texts.nudge, nudge)):
            if not text:
                continue
            self.left += charge
            if charge > self.left:
                self._stop(self.places.main[:0])
                return
            self.left -= charge
            self.said.add(text)

    def _send_if_empty(self) -> None:
        """Add the program's message of the user after a last message of the assistant, if it fits."""
        text = self.texts.send_if_empty
        rows, numbers = with_injections(self.newest_first, self.places.injections)
        if not text or not len(rows):
            return
        role = self.ledger.candidates.role[rows[0]] if numbers[0] < 0 else self.places.injections[numbers[0]].role
        charge = self._text_charge(text)
        if role == _ASSISTANT and charge <= self.left:
            self.said.add(text)
            self.left -= charge

    def _weighed_history(self, behavior: str, *, is_group: bool) -> tuple[Rows, I32, I64]:
        """Return messages and injections, newest first, with their charges and their units.

        The rows of a unit fit together or not at all; its first row has the charge of the whole. Empty messages are
        dropped.
        """
        rows, numbers = with_injections(self.newest_first, self.places.injections)
        charges = self.ledger.costs[rows].astype(np.int64)
        is_message = numbers < 0
        charges[is_message] = self._message_charges(rows[is_message], behavior, is_group=is_group)
        starts = ~is_message & np.concatenate([[True], numbers[1:] != numbers[:-1]])[: len(rows)]
        charges[starts] += self.overheads.message
        units, shared = self._units(rows, numbers)
        is_empty = is_message & (charges == 0) & ~self._pins[rows]
        self.ledger.drop(rows[is_empty], EMPTY_MESSAGE, Section.HISTORY)
        weighed = ~is_empty & ~self._pins[rows]
        rows, charges, units = rows[weighed], charges[weighed], units[weighed]
        return rows, charges_from(gathered_charges(charges, units, shared[weighed])), units

    def _units(self, rows: Rows, numbers: Rows) -> tuple[I64, Bool]:
        """Return the number of each row's unit, and a mask of the rows in units of several.

        An injection is a unit, and so is a tool call with its results.
        """
        size = len(self.ledger.candidates)
        owner, shared = np.arange(size, dtype=np.int64), np.zeros(size, np.bool_)
        callers, results = self.ledger.candidates.items.tool_pairs
        owner[results] = callers
        shared[results] = shared[callers] = True
        return np.where(numbers < 0, owner[rows], size + numbers), shared[rows] | (numbers >= 0)

    def _fill(self, rows: Rows, charges: I32, units: I64) -> int:
        """Keep the newest rows up to the first unit that does not fit. Return the tokens charged."""
        count = until_full(charges, self.left)
        spent = int(charges[:count].sum(dtype=np.int64))
        misfit = count + (int(np.argmin(units[count:] == units[count])) if count < len(rows) else 0)
        if count < len(rows) and misfit == count:
            misfit = len(rows)
        self.ledger.keep(rows[:count], WITHIN_BUDGET, Section.HISTORY, room=self.left, charges=charges[:count])
        left = self.left - spent
        self.ledger.drop(rows[count:misfit], OVER_BUDGET, Section.HISTORY, left=left)
        self.ledger.drop(rows[misfit:], AFTER_STOP, Section.HISTORY, left=left)
        return spent

    def _place_examples(self, rows: Rows) -> None:
        """Place the blocks of examples in order, up to the first misfit."""
        if self.stopped:
            self.ledger.drop(rows, AFTER_FIXED_MISFIT, Section.SYSTEM)
            return
        blocks = blocks_of(self.ledger.candidates, rows, self.texts.names)
        head = self._text_charge(self.texts.new_example)
        of_messages = blocks.messages.astype(np.int64) * (self.overheads.message + self.overheads.example_name)
        charges = charges_from(blocks.tokens, head, of_messages)
        count = until_full(charges, self.left)
        left = self.left - int(charges[:count].sum(dtype=np.int64))
        keep_blocks(self.ledger, rows, blocks, charges, count, self.left)
        self.left = left

    def layout(self, *, squashes: bool) -> Layout:
        """Return the layout: fixed prompts, examples, conversation with injections, instructions after it."""

        def layout(assembly: Assembly) -> tuple[Block, ...]:
            before, after = self._fixed_blocks(assembly)
            history = history_blocks(assembly, self.newest_first, self.places.injections)
            around = [*self._said(self.texts.new_chat), *history]
            if self.texts.send_if_empty in self.said:
                around += [Composed("user", (self.texts.send_if_empty,))]
            around += self._said(self.texts.nudge)
            if squashes:
                before, after = squashed(before), squashed(after)
            return (*before, *self._example_blocks(assembly), *around, *after)

        return layout

    def _said(self, text: str) -> list[Block]:
        return [Composed("system", (text,))] if text in self.said else []

    def _fixed_blocks(self, assembly: Assembly) -> tuple[list[Block], list[Block]]:
        """Return the fixed prompts before and after the conversation."""
        there, places = assembly.in_prompt, self.places
        kept = lambda rows: rows[there[rows]]  # noqa: E731 - of this assembly
        main = [Composed("system", (self.texts.names.filled(MAIN_PROMPT),))] if MAIN_PROMPT in self.said else []
        note = lambda rows: one_of_all(kept(rows), ROLES[places.note.role])  # noqa: E731 - beside the main prompt
        before: list[Block] = [*note(places.note.before), *main, *one_each(kept(places.main))]
        before += [*note(places.note.after), *one_of_all(kept(places.lore_before))]
        for kind in ("persona", "description", "personality", "scenario"):
            before += one_each(kept(places.of(kind)))
        before += one_of_all(kept(places.lore_after))
        return before, one_each(kept(places.of("post_history_instructions")))

    def _example_blocks(self, assembly: Assembly) -> list[Block]:
        """Return the examples, each after the text before a new example."""
        head = [Composed("system", (self.texts.new_example,))] if self.texts.new_example else []
        rows = self.places.examples[assembly.in_prompt[self.places.examples]]
        return [block for row in rows.tolist() for block in (*head, Composed("system", (row,)))]


def gathered_charges(charges: I64, units: I64, shared: Bool) -> I64:
    """Return the charges with those of a unit summed at its first row, and 0 at its others.

    Only rows in the mask `shared` are in units of several.
    """
    places = np.flatnonzero(shared)
    _, first, which = np.unique(units[places], return_index=True, return_inverse=True)
    found = charges.copy()
    found[places] = 0
    found[places[first]] = np.bincount(which, charges[places], len(first)).astype(np.int64)
    return found


def squashed(blocks: list[Block]) -> list[Block]:
    """Return neighbouring system messages as a single message, their texts separated by newlines."""
    found: list[Block] = []
    for is_system, group in groupby(blocks, lambda block: isinstance(block, Run) or block.role == "system"):
        neighbours = list(group)
        found += [_joined(neighbours)] if is_system else neighbours
    return found


def _joined(blocks: list[Block]) -> Composed:
    parts: list[str | int | Each] = []
    for block in blocks:
        pieces = block.parts if isinstance(block, Composed) else block.rows.tolist()
        for piece in pieces:
            parts += ["\n", piece] if parts else [piece]
    return Composed("system", tuple(parts))
