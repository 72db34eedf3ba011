"""The emergency of WhisperEngine: a system message without room for the conversation stays alone, possibly cut."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inspector.assembly.columns import Action, Rows
from inspector.assembly.defaults import PARAGRAPH
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.whisperengine.cutting import both_ends
from inspector.assembly.reasons import EMERGENCY_CUT

NOTICE = (
    "\n\n[The middle of this system message was left out, because it is too long. Its beginning and its end stand as "
    "they were written; go on with the conversation from what you have.]\n\n"
)


@dataclass(frozen=True, slots=True)
class CutPlan:
    """Above `limit` tokens, cut a system message to its first `head` and last `tail` code points around the notice."""

    limit: int
    head: int
    tail: int
    notice: str

    def applies(self, tokens: int, length: int) -> bool:
        """Return whether a message of this size is cut: never if its two ends would overlap."""
        return tokens > self.limit and length > self.head + self.tail


@dataclass(frozen=True, eq=False, slots=True)
class CutSystem:
    """The rest of a system message: the rows in it, those gone, and its text in pieces (literal texts, rows)."""

    left: Rows
    gone: Rows
    pieces: tuple[str | int, ...]


def cut_message(ledger: Ledger, row: Rows, plan: CutPlan) -> None:
    """Cut a system message of the conversation, a single row or none, if the plan applies."""
    text = "".join(map(ledger.text, row.tolist()))
    if not plan.applies(ledger.cost(row), len(text)):
        return
    short = both_ends(text, plan.head, plan.notice, plan.tail)
    costs = ledger.candidates.counts.tokenizer.count([short])
    ledger.reshape(row, Action.TRUNCATED, EMERGENCY_CUT, costs, lambda _: short)


def cut_components(ledger: Ledger, rows: Rows, texts: Sequence[str], plan: CutPlan) -> CutSystem:
    """Cut the system message made of these components and their texts, if the plan applies."""
    whole = PARAGRAPH.join(texts)
    if not plan.applies(ledger.candidates.counts.count(whole), len(whole)):
        return CutSystem(rows, rows[:0], tuple(piece for row in rows.tolist() for piece in (PARAGRAPH, row))[1:])
    head_end, tail_start = plan.head, len(whole) - plan.tail
    is_left = np.zeros(len(rows), np.bool_)
    pieces: list[str | int] = []
    start = written = 0
    for place, text in enumerate(texts):
        end = start + len(text)
        begin, stop = _span_left(start, end, head_end, tail_start)
        if begin < stop:
            is_left[place] = True
            pieces += [_without_middle(whole, written, begin, head_end, tail_start, plan.notice), int(rows[place])]
            _shorten(
                ledger,
                rows[place : place + 1],
                text,
                plan,
                _without_middle(whole, begin, stop, head_end, tail_start, plan.notice),
            )
            written = stop
        start = end + len(PARAGRAPH)
    pieces.append(_without_middle(whole, written, len(whole), head_end, tail_start, plan.notice))
    return CutSystem(rows[is_left], rows[~is_left], tuple(piece for piece in pieces if piece != ""))


def _span_left(start: int, end: int, head_end: int, tail_start: int) -> tuple[int, int]:
    """Return the span of a component between start and end outside the middle, empty if entirely inside."""
    is_in_head, is_in_tail = start < head_end, end > tail_start
    begin = start if is_in_head else max(start, tail_start)
    return begin, end if is_in_tail else min(end, head_end)


def _without_middle(text: str, begin: int, stop: int, head_end: int, tail_start: int, notice: str) -> str:
    """Return the rest of text[begin:stop], with the notice if it spans the whole middle."""
    if stop <= head_end or begin >= tail_start:
        return text[begin:stop]
    return text[begin:head_end] + notice + text[tail_start:stop]


def _shorten(ledger: Ledger, row: Rows, text: str, plan: CutPlan, part: str) -> None:
    """Reshape a component to this part, unless it is the whole text."""
    if part != text:
        costs = ledger.candidates.counts.tokenizer.count([part])
        ledger.reshape(row, Action.TRUNCATED, EMERGENCY_CUT, costs, lambda _: part)
