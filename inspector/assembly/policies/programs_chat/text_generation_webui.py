"""text_generation_webui: the messages that text-generation-webui leaves of a chat.

Source: oobabooga/text-generation-webui, modules/chat.py (`generate_chat_prompt`) and modules/text_generation.py
(`get_max_prompt_length`).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import I64, ROLE_NUMBER, Action, Bool, Rows, Section
from inspector.assembly.decisions import Assembly
from inspector.assembly.defaults import note_small_window
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.library_messages import message_layout, roles_of
from inspector.assembly.policies.programs_chat.messages import charges_of, chat_messages, keep_pinned
from inspector.assembly.policies.programs_chat.parameters import (
    context,
    message_overhead,
    reply_overhead,
    reply_reserve,
)
from inspector.assembly.policies.programs_chat.reasons import (
    BEGINNING_ONLY,
    CUT_TO_NOTHING,
    NEVER_OLDEST,
    oldest_dropped,
)
from inspector.assembly.policy import Traits
from inspector.assembly.policy_finding_kinds import PROMPT_CUT


@dataclass(frozen=True)
class TextGenerationWebui:
    """Drops the oldest messages until the rest fits, and cuts the last message if it does not fit alone."""

    traits: ClassVar[Traits] = Traits(
        title="text-generation-webui", whose="text-generation-webui, May 2026", maker="program"
    )

    truncation_length: int = context(8192, 1, "The limit of prompt and reply together.")
    max_new_tokens: int = reply_reserve(512)
    message_overhead: int = message_overhead(4)
    reply_overhead: int = reply_overhead(3)

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate. Error: `request_too_large` if not even an empty last message fits."""
        ledger = Ledger(candidates, window)
        note_small_window(ledger, self.truncation_length, "Prompt and reply")
        most = self.truncation_length - self.max_new_tokens
        rows, pinned = keep_pinned(ledger, chat_messages(ledger), self.message_overhead, most)
        room = most - pinned - self.reply_overhead
        ledger.limit(Section.SYSTEM, None)
        ledger.limit(Section.HISTORY, None)
        rows = self._newest_that_fit(ledger, rows, room)
        charges = charges_of(ledger, rows, self.message_overhead)
        over = int(charges.sum(dtype=np.int64)) - room
        if over > 0 and not self._cut_last(ledger, rows[-1:], over):
            message = (
                f"The prompt is {over - ledger.cost(rows[-1:]):,} tokens too long even with an empty last message."
            )
            return ledger.fail("request_too_large", message, reserve=self.max_new_tokens)
        last = (
            rows[-1:] if over > 0 and ledger.is_reshaped(rows[-1:]).all() and not ledger.cost(rows[-1:]) else rows[:0]
        )
        ledger.drop(last, CUT_TO_NOTHING)
        kept = rows[: len(rows) - len(last)]
        ledger.keep(kept[::-1], NEVER_OLDEST, room=room, charges=charges_of(ledger, kept, self.message_overhead)[::-1])
        return ledger.close(message_layout, available=max(0, most), reserve=self.max_new_tokens)

    def _newest_that_fit(self, ledger: Ledger, rows: Rows, room: int) -> Rows:
        """Drop messages from the front until the rest fits or only the last is left, beside a system message."""
        charges = charges_of(ledger, rows, self.message_overhead).astype(np.int64)
        gone = gone_from_front(ledger.candidates, rows, charges, room)
        ledger.drop(rows[gone], oldest_dropped(int(charges.sum()), room), left=max(0, room))
        return rows[~gone]

    def _cut_last(self, ledger: Ledger, last: Rows, over: int) -> bool:
        """Shorten the last message by this many tokens. Return whether there are so many."""
        room = ledger.cost(last) - over
        if not len(last) or room < 0:
            return False
        costs = ledger.candidates.cut_tokens(last, room)
        beginning = lambda row: ledger.candidates.beginning(row, room)  # noqa: E731 - read when it is shown
        ledger.reshape(last, Action.TRUNCATED, BEGINNING_ONLY, costs, beginning)
        ledger.report(PROMPT_CUT, f"The last message is cut to its first {room:,} tokens.", last)
        return True


def gone_from_front(candidates: Candidates, rows: Rows, charges: I64, room: int) -> Bool:
    """Return a mask of the rows dropped: first those before a system message, then those between it and the last.

    A cut never ends before a result of a tool, or before a message that calls tools.
    """
    gone = np.zeros(len(rows), np.bool_)
    roles = roles_of(candidates, rows)
    tied = roles == ROLE_NUMBER["tool"]
    tied[np.isin(rows, candidates.items.callers)] = True
    system = np.flatnonzero(roles == ROLE_NUMBER["system"])[:1]
    first = int(system[0]) if len(system) else len(rows)
    size = int(charges.sum())
    for begin, end in ((0, min(first, len(rows) - 1)), (first + 1, len(rows) - 1)):
        if size <= room or begin >= end:
            continue
        stops = np.flatnonzero(np.append(~tied[begin + 1 : end], True)) + begin + 1
        freed = np.cumsum(charges[begin:end])[stops - begin - 1]
        enough = np.flatnonzero(size - freed <= room)
        place = int(enough[0]) if len(enough) else len(stops) - 1
        gone[begin : stops[place]] = True
        size -= int(freed[place])
    return gone
