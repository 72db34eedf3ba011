"""librechat: the messages that LibreChat's agents prune.

Source: @librechat/agents 3.9.2, src/messages/prune.ts (`createPruneMessages`, `getMessagesWithinTokenLimit`), and
danny-avila/LibreChat, packages/api/src/agents/initialize.ts.
"""

from dataclasses import dataclass
from math import floor
from typing import ClassVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Kind, Rows, Section
from inspector.assembly.decisions import Assembly
from inspector.assembly.defaults import note_small_window
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.library_messages import message_layout
from inspector.assembly.policies.programs_chat.messages import charges_of, chat_messages, keep_pinned
from inspector.assembly.policies.programs_chat.parameters import (
    context,
    message_overhead,
)
from inspector.assembly.policies.programs_chat.reasons import LOST_CALL
from inspector.assembly.policy import Traits, param
from inspector.assembly.reasons import AFTER_STOP, ALWAYS

_SHARE_OF_WINDOW, _LEAST_CONTEXT, _UNKNOWN_WINDOW = 0.95, 1024, 18_000


@dataclass(frozen=True)
class LibreChat:
    """Keeps instructions, then the newest messages within a share of the context."""

    traits: ClassVar[Traits] = Traits(
        title="LibreChat", whose="LibreChat agents 3.9", maker="program", unknown_window=_UNKNOWN_WINDOW
    )

    max_context_tokens: int = context(
        0,
        0,
        "The limit of the prompt; 0 is 95 % of the window of the model.",
        label="Max context",
        at_minimum="the window",
    )
    reserve_ratio: float = param(
        0.05, 0.0, 0.5, step=0.01, unit="share", label="Kept free", help="The share of the context kept free."
    )
    message_overhead: int = message_overhead(3)
    reply_priming: int = param(
        3, 0, 50, unit="tokens", label="Beginning of the reply", help="Charged once, beside the messages.", topic="rare"
    )

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate. Error: `request_too_large` if no message is left."""
        ledger = Ledger(candidates, window)
        most = self.max_context_tokens or max(_LEAST_CONTEXT, _half_up(_SHARE_OF_WINDOW * window.tokens))
        note_small_window(ledger, most, "LibreChat's context")
        reserved = _half_up(most * self.reserve_ratio) if 0 < self.reserve_ratio < 1 else 0
        budget = most - reserved
        rows = chat_messages(ledger)
        is_system = candidates.kind[rows] == int(Kind.SYSTEM)
        system = rows[is_system & ~candidates.pinned[rows]]
        others, pinned = keep_pinned(ledger, rows, self.message_overhead, budget)
        ledger.guarantee(system, ALWAYS, Section.SYSTEM)
        told = others[~np.isin(others, system)][::-1]
        room = budget - pinned - int(charges_of(ledger, system, self.message_overhead).sum()) - self.reply_priming
        ledger.limit(Section.SYSTEM, None)
        ledger.limit(Section.HISTORY, max(0, room) + pinned)
        kept = self._fill(ledger, told, room)
        if len(told) and not kept and not pinned:
            message = (
                f"Instructions and what is kept free leave {max(0, room):,} tokens, and the newest message needs more."
            )
            return ledger.fail("request_too_large", message)
        return ledger.close(message_layout, available=budget)

    def _fill(self, ledger: Ledger, told: Rows, room: int) -> int:
        """Keep the newest messages, and none once the room is used up. Return how many."""
        charges = charges_of(ledger, told, self.message_overhead)
        sums = np.cumsum(charges, dtype=np.int64)
        used_up = len(told) if len(told) and sums[-1] <= room else int(np.searchsorted(sums, room)) + 1
        used_up = 0 if room <= 0 < len(told) and used_up < len(told) else used_up
        ledger.fill(told[:used_up], room, Section.HISTORY, charges=charges[:used_up])
        left = max(0, room - int(charges[:used_up].sum()))
        ledger.drop(told[used_up:], AFTER_STOP, Section.HISTORY, left=left)
        _drop_orphans(ledger, told)
        return len(ledger.those_kept(told))


def _half_up(number: float) -> int:
    """Round as JavaScript does."""
    return floor(number + 0.5)


def _drop_orphans(ledger: Ledger, told: Rows) -> None:
    """Take back the results of tools whose call is not kept."""
    callers, results = ledger.candidates.items.tool_pairs
    kept = ledger.those_kept(told)
    callers_in = np.isin(callers, ledger.candidates.open.nonzero()[0])
    lost = results[callers_in & ~np.isin(callers, kept)]
    ledger.withdraw(kept[np.isin(kept, lost)], LOST_CALL)
