"""A prompt as a stream of tokens, and what is left of its items after a program has cut tokens out of it.

The stream is one token that begins it (BOS), if there is one, then for each item the tokens of its formatting and of
its content, then the tokens that begin the reply.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import I64, Action, Rows
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.programs_chat.reasons import CUT_AWAY, PARTLY_CUT
from inspector.assembly.policy_finding_kinds import PROMPT_CUT
from inspector.assembly.reasons import Reason

Span = tuple[int, int]
"""Tokens of a stream, from the first to before the second."""


@dataclass(frozen=True, eq=False, slots=True)
class TokenStream:
    """The rows of a stream in order, where the content of each begins and ends in it, and its length."""

    rows: Rows
    begins: I64
    ends: I64
    size: int

    def kept(self, spans: Sequence[Span]) -> I64:
        """Return the number of tokens of each content within these spans, which do not overlap."""
        return sum((self.within(span) for span in spans), np.zeros(len(self.rows), np.int64))

    def within(self, span: Span) -> I64:
        """Return the number of tokens of each content within a span."""
        return np.maximum(np.minimum(self.ends, span[1]) - np.maximum(self.begins, span[0]), 0)


def stream_of(ledger: Ledger, rows: Rows, overhead: int, *, bos: int = 0, reply: int = 0) -> TokenStream:
    """Return the stream of these rows, with `overhead` tokens before each content."""
    costs = ledger.costs[rows].astype(np.int64)
    ends = bos + np.cumsum(costs + overhead)
    size = (int(ends[-1]) if len(rows) else bos) + reply
    return TokenStream(rows, ends - costs, ends, size)


def keep_spans(ledger: Ledger, stream: TokenStream, spans: Sequence[Span], whole: Reason, room: int) -> Rows:
    """Decide every row of a stream of which only these spans are left. Return the rows that lost tokens.

    A row without a text stays whole or goes.
    """
    left = stream.kept(spans)
    costs = stream.ends - stream.begins
    partly = np.flatnonzero((left > 0) & (left < costs))
    left[[place for place in partly.tolist() if not ledger.candidates.texts[stream.rows[place]]]] = 0
    is_whole = left == costs
    is_gone = (left == 0) & ~is_whole
    for place in np.flatnonzero(~is_whole & ~is_gone).tolist():
        _shorten(ledger, stream, place, spans, int(left[place]))
    stays = ~is_gone
    ledger.keep(stream.rows[stays], whole, room=room)
    ledger.drop(stream.rows[is_gone], CUT_AWAY)
    return stream.rows[~is_whole]


def note_cut(ledger: Ledger, stream: TokenStream, spans: Sequence[Span], program: str, room: int) -> None:
    """Report a stream of which only these spans are left, if they are not all of it."""
    left = sum(stop - first for first, stop in spans)
    if left < stream.size:
        lost = stream.rows[stream.kept(spans) < stream.ends - stream.begins]
        message = f"{program} has {max(0, room):,} tokens of context: it cuts {stream.size - left:,} tokens out of the "
        ledger.report(PROMPT_CUT, f"{message}prompt, without a word to the application.", lost)


def _shorten(ledger: Ledger, stream: TokenStream, place: int, spans: Iterable[Span], left: int) -> None:
    """Give a row the form of what is left of its tokens."""
    begin, end = int(stream.begins[place]), int(stream.ends[place])
    inside = [(max(first, begin) - begin, min(stop, end) - begin) for first, stop in spans]
    parts = tuple((first, stop) for first, stop in inside if first < stop)
    candidates, row = ledger.candidates, stream.rows[place : place + 1]
    text_of = lambda one: text_within(candidates, candidates.texts[one], parts, end - begin)  # noqa: E731 - when shown
    ledger.reshape(row, Action.TRUNCATED, PARTLY_CUT, np.array([left], np.int32), text_of)


def text_within(candidates: Candidates, text: str, parts: Sequence[Span], cost: int) -> str:
    """Return these tokens of a text that costs so many; where its cost is not its count, in proportion."""
    tokenizer, count = candidates.counts.tokenizer, candidates.counts.count(text)
    ends = [(-(-first * count // cost), stop * count // cost) for first, stop in parts]
    prefix = lambda tokens: len(tokenizer.first(text, tokens)) if tokens < count else len(text)  # noqa: E731
    found = "".join(text[prefix(first) : prefix(stop)] for first, stop in ends)
    return found if found != text else text[1:]
