"""jan: the messages that Jan trims.

Source: janhq/jan, web-app/src/lib/context-manager.ts (`trimMessages`).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Kind, Section
from inspector.assembly.decisions import Assembly
from inspector.assembly.defaults import note_small_window
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.library_messages import message_layout
from inspector.assembly.policies.programs_chat.messages import charges_of, chat_messages, keep_pinned
from inspector.assembly.policies.programs_chat.parameters import (
    context,
    message_overhead,
    reply_reserve,
)
from inspector.assembly.policies.programs_chat.reasons import LAST_ALWAYS
from inspector.assembly.policy import Traits
from inspector.assembly.reasons import ALWAYS, EVERYTHING_FITS


@dataclass(frozen=True)
class Jan:
    """Keeps the newest messages beside the system prompt and the reply; the newest one always stays."""

    traits: ClassVar[Traits] = Traits(title="Jan", whose="Jan, August 2026", maker="program")

    max_context_tokens: int = context(
        0, 0, "The limit of prompt and reply together; 0 sends everything.", label="Max context", at_minimum="none"
    )
    max_output_tokens: int = reply_reserve(2048)
    message_overhead: int = message_overhead(4)

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate. There is always a prompt, over the limit if the newest message is."""
        ledger = Ledger(candidates, window)
        note_small_window(ledger, self.max_context_tokens, "Jan's context")
        rows = chat_messages(ledger)
        system = rows[(candidates.kind[rows] == int(Kind.SYSTEM)) & ~candidates.pinned[rows]]
        most = self.max_context_tokens - self.max_output_tokens
        others, pinned = keep_pinned(ledger, rows, self.message_overhead, most)
        ledger.guarantee(system, ALWAYS, Section.SYSTEM)
        told = others[~np.isin(others, system)][::-1]
        ledger.limit(Section.SYSTEM, None)
        if not self.max_context_tokens:
            ledger.limit(Section.HISTORY, None)
            ledger.keep(told, EVERYTHING_FITS, Section.HISTORY)
            return ledger.close(message_layout, reserve=self.max_output_tokens)
        room = most - ledger.cost(system) - pinned
        ledger.limit(Section.HISTORY, max(0, room) + pinned)
        charges = charges_of(ledger, told, self.message_overhead)
        ledger.guarantee(told[:1], LAST_ALWAYS, Section.HISTORY, room=room, charges=charges[:1])
        left = room - int(charges[:1].sum()) if room > 0 else -1
        ledger.fill(told[1:], left, Section.HISTORY, charges=charges[1:])
        return ledger.close(message_layout, available=max(0, most), reserve=self.max_output_tokens)
