"""Prompts as rows of units, to tell how much of a prompt is the prefix of another: the part held by a provider's cache.

A unit is an item as it is in the prompt, or a literal text around items. No text is read: two units are alike if they
are the same item in the same form at the same cost, or the same literal text.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from inspector.assembly.columns import I32, I64, ROLES, Rows
from inspector.assembly.decisions import Assembly, Composed, Each, Joined, Run
from inspector.assembly.overhead import Overhead, tool_texts
from inspector.assembly.sent_thoughts import sent_thoughts
from inspector.assembly.token_ledger import TokenLedger
from inspector.assembly.uncharged_calls import uncharged_calls
from inspector.model import Tool
from inspector.tokens.certainty import estimated
from inspector.tokens.chat.format import ChatFormat
from inspector.tokens.chat.frames import FrameTokens, frames_of

_LITERAL = -1
_ROW_BITS, _ACTION_BITS = 34, 32
_Part = tuple[Rows, I32]
"""Consecutive rows, or a literal text as a negative number, with the additional tokens of each."""


@dataclass(frozen=True, eq=False)
class PromptUnits:
    """A prompt as units in order: the key of each (negative: a literal text), and its tokens."""

    keys: I64
    costs: I64

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def tokens(self) -> int:
        """Tokens of the prompt but for the beginning of the reply, which no other prompt goes on from."""
        return int(self.costs.sum())

    def row(self, place: int) -> int:
        """Return the row of the first item at a place of the prompt or after it, -1 where there is none."""
        rest = self.keys[place:]
        if not len(rest):
            return -1
        key = int(rest[(rest >= 0).argmax()])
        return key >> _ROW_BITS if key >= 0 else -1


NO_UNITS = PromptUnits(np.empty(0, np.int64), np.empty(0, np.int64))


@dataclass(frozen=True, slots=True)
class Shared:
    """The tokens of the common beginning of two prompts, and the rows at which they differ.

    `row` is the row of the later prompt and `was` that of the earlier; both -1 if the later prompt only continues the
    whole earlier prompt. A row is -1, too, if no item follows.
    """

    tokens: int
    row: int
    was: int


def shared_prefix(before: PromptUnits, after: PromptUnits) -> Shared:
    """Return the common beginning of `before` and `after`."""
    length = min(len(before), len(after))
    differs = (before.keys[:length] != after.keys[:length]) | (before.costs[:length] != after.costs[:length])
    place = int(differs.argmax()) if np.count_nonzero(differs) else length
    tokens = int(after.costs[:place].sum())
    if place == len(before):
        return Shared(tokens, -1, -1)
    return Shared(tokens, after.row(place), before.row(place))


class UnitReader:
    """A reader of assemblies of the same items for a chat format; each literal text is counted once."""

    def __init__(self, chat_format: ChatFormat, tools: tuple[Tool, ...]) -> None:
        self._format, self._tools = chat_format, tool_texts(tools)
        self._added: FrameTokens | None = None
        self._literals: dict[Hashable, _Part] = {}

    def units(self, assembly: Assembly) -> PromptUnits:
        """Return the units of the prompt of an assembly; together with the beginning of the reply they are its planned
        total.

        None after an error.
        """
        blocks = [block for block in assembly.blocks if not isinstance(block, Run) or len(block.rows)]
        parts = [part for block in blocks for part in self._of_block(assembly, block)]
        if not parts:
            return NO_UNITS
        first = blocks[0]
        role = first.role if not isinstance(first, Run) else _role_of(assembly, int(first.rows[0]))
        parts.insert(0, self._literal(("beginning", role), lambda: self._beginning(assembly, role)))
        rows, added = map(np.concatenate, zip(*parts, strict=True))
        return _read(assembly, rows, added + self._thoughts(assembly, rows))

    def ledger(self, assembly: Assembly, units: PromptUnits) -> TokenLedger:
        """Return the planned ledger of an assembly with all overhead in one line; no count is claimed to be exact."""
        total = units.tokens + (self._frames(assembly).reply() if len(units) else 0)
        overhead = Overhead("around the items", estimated(total - assembly.items_total, "planned"))
        items = estimated(assembly.items_total, "planned")
        return TokenLedger(items, (overhead,), None, assembly.candidates.counts.tokenizer.name)

    def _of_block(self, assembly: Assembly, block: Run | Joined | Composed) -> Iterator[_Part]:
        if isinstance(block, Run):
            yield block.rows, assembly.candidates.frame_tokens[block.rows]
            return
        name = block.name if isinstance(block, Composed) else ""
        yield self._literal(("message", block.role, name), lambda: self._frames(assembly).frame(block.role, name))
        if isinstance(block, Composed) and block.summary:
            summary = assembly.compactions[block.summary - 1]
            yield self._literal(("summary", summary.number, summary.text, summary.size), lambda: summary.size)
        elif isinstance(block, Composed):
            for are_rows, parts in groupby(block.parts, lambda part: isinstance(part, int)):
                # Rows that follow each other are read together: there may be hundreds of them.
                found = list(parts)
                yield from _of_rows(found) if are_rows else self._of_texts(assembly, found)
        else:
            yield from self._of_joined(assembly, block)

    def _thoughts(self, assembly: Assembly, parts: Rows) -> I32:
        """Return the tokens of the thought that goes with each part, 0 for most."""
        sent, costs = sent_thoughts(assembly, self._frames(assembly), bool(self._tools)), np.zeros(len(parts), np.int32)
        if len(sent.rows):
            of_rows = np.zeros(len(assembly.candidates), np.int32)
            of_rows[sent.rows] = sent.tokens + sent.frames
            costs[parts >= 0] = of_rows[parts[parts >= 0]]
        return costs

    def _of_joined(self, assembly: Assembly, block: Joined) -> Iterator[_Part]:
        if block.mark:
            yield self._text(assembly, block.heading)
            yield block.rows, assembly.candidates.line_tokens[block.rows] - assembly.candidates.tokens[block.rows]
        else:
            joints = np.ones(len(block.rows), np.int32)
            joints[0] = 0
            yield block.rows, joints

    def _of_texts(self, assembly: Assembly, parts: Iterable[Any]) -> Iterator[_Part]:
        for part in parts:
            yield from self._of_each(assembly, part) if isinstance(part, Each) else (self._text(assembly, part),)

    def _of_each(self, assembly: Assembly, part: Each) -> Iterator[_Part]:
        candidates, rows = assembly.candidates, part.rows
        opened = candidates.form_tokens(rows, part.form, part.opening) + candidates.counts.count(part.ending)
        yield self._literal(("each", part.form, part.ending), lambda: 0)
        yield rows, opened

    def _text(self, assembly: Assembly, text: str) -> _Part:
        return self._literal(("text", text), lambda: assembly.candidates.counts.count(text))

    def _literal(self, name: Hashable, count: Callable[[], int]) -> _Part:
        known = self._literals.get(name)
        if known is None:
            number = len(self._literals)
            known = self._literals[name] = np.array([_LITERAL - number], np.intp), np.array([count()], np.int32)
        return known

    def _beginning(self, assembly: Assembly, role: str) -> int:
        added = self._frames(assembly)
        return added.constant(role) + added.tools(self._tools)

    def _frames(self, assembly: Assembly) -> FrameTokens:
        if self._added is None:  # to look it up compares whole chat formats
            self._added = frames_of(self._format, assembly.candidates.counts.tokenizer)
        return self._added


def _of_rows(rows: Iterable[Any]) -> Iterator[_Part]:
    found = np.fromiter(rows, np.intp)
    yield found, np.zeros(len(found), np.int32)


def _read(assembly: Assembly, parts: Rows, added: I32) -> PromptUnits:
    """Return the units: a key of row, action and cost for each part, and its tokens including the additional tokens.

    A message also has the tool calls not charged by the policy.
    """
    is_row = parts >= 0
    spent = assembly.spent[parts] * is_row
    keys, costs = (parts.astype(np.int64, copy=False) << _ROW_BITS) + spent, added.astype(np.int64) + spent
    if len(assembly.texts) > 1:
        keys += (assembly.action[parts] * is_row).astype(np.int64) << _ACTION_BITS
    if len(callers := assembly.candidates.items.callers):
        calls = np.isin(parts, callers)
        costs[calls] += uncharged_calls(assembly)[np.searchsorted(callers, parts[calls])]
    return PromptUnits(keys, costs)


def _role_of(assembly: Assembly, row: int) -> str:
    return ROLES[assembly.candidates.role[row]]
