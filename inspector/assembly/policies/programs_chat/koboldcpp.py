"""koboldcpp: the tokens that KoboldCpp leaves of a prompt and of its memory.

Source: LostRuins/koboldcpp, gpttype_adapter.cpp (`gpttype_generate`).
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
from inspector.assembly.policies.programs_chat.messages import chat_messages, keep_pinned
from inspector.assembly.policies.programs_chat.parameters import (
    add_bos,
    context,
    message_overhead,
    reply_overhead,
    reply_reserve,
)
from inspector.assembly.policies.programs_chat.reasons import FITS_CONTEXT
from inspector.assembly.policies.programs_chat.token_stream import keep_spans, stream_of
from inspector.assembly.policy import Traits, param
from inspector.assembly.policy_finding_kinds import PROMPT_CUT

_LEAST_REPLY, _SPARE = 16, 4
"""The reply that always has a place, and the tokens that memory leaves free."""


@dataclass(frozen=True)
class KoboldCpp:
    """Keeps the last tokens of the prompt, behind the system prompt as memory. Nothing is refused, nothing warns."""

    traits: ClassVar[Traits] = Traits(title="KoboldCpp", whose="KoboldCpp, October 2024", maker="program")

    context_size: int = context(4096, 8, "The limit of prompt and reply together.")
    max_length: int = reply_reserve(200)
    memory: bool = param(True, help="Send the system prompt as memory, which the cut of the prompt spares.")
    add_bos: bool = add_bos(True)
    message_overhead: int = message_overhead(3)
    reply_overhead: int = reply_overhead(2)

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate. There is always a prompt."""
        ledger = Ledger(candidates, window)
        note_small_window(ledger, self.context_size, "Prompt and reply in KoboldCpp")
        reply = min(self.max_length, self.context_size - min(self.context_size - _SPARE, _LEAST_REPLY))
        rows, pinned = keep_pinned(ledger, chat_messages(ledger), self.message_overhead, self.context_size - reply)
        room, bos = max(0, self.context_size - reply - pinned), int(self.add_bos)
        is_memory = (candidates.kind[rows] == int(Kind.SYSTEM)) & self.memory
        prompt = stream_of(ledger, rows[~is_memory], self.message_overhead, bos=bos, reply=self.reply_overhead)
        begin = max(0, prompt.size - room)
        ledger.limit(Section.SYSTEM, None)
        ledger.limit(Section.HISTORY, None)
        lost = rows[:0]
        if is_memory.any():
            memory = stream_of(ledger, rows[is_memory], self.message_overhead, bos=bos)
            first = max(0, memory.size - max(0, room - _SPARE))
            lost = keep_spans(ledger, memory, [(first + bos if first else 0, memory.size)], FITS_CONTEXT, room)
            begin = max(begin + bos, prompt.size - max(0, room - (memory.size - first)))
        elif begin:
            begin += bos
        spans = [(min(begin, prompt.size), prompt.size)]
        lost = np.concatenate([lost, keep_spans(ledger, prompt, spans, FITS_CONTEXT, room)])
        if len(lost):
            ledger.report(
                PROMPT_CUT, f"KoboldCpp cuts memory and prompt to the {room:,} tokens beside the reply.", lost
            )
        return ledger.close(message_layout, available=max(0, self.context_size - reply), reserve=reply)
