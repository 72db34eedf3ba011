"""llamacpp: what llama.cpp's server still holds of a chat at the end of a reply.

Source: ggml-org/llama.cpp, tools/server/server-context.cpp (`pre_decode` and the check of prompts).
"""

from dataclasses import dataclass
from typing import ClassVar

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Section
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
)
from inspector.assembly.policies.programs_chat.reasons import FITS_CONTEXT
from inspector.assembly.policies.programs_chat.token_stream import Span, keep_spans, stream_of
from inspector.assembly.policy import Traits, param
from inspector.assembly.policy_finding_kinds import CONTEXT_SHIFTED


@dataclass(frozen=True)
class LlamaCpp:
    """Refuses a prompt that does not fit, and with context shift forgets tokens of it while the reply grows."""

    traits: ClassVar[Traits] = Traits(title="llama.cpp", whose="llama.cpp server", maker="program")

    n_ctx: int = context(4096, 1, "The context of one slot of the server.")
    n_keep: int = param(
        0,
        -1,
        4096,
        scale="log",
        unit="tokens",
        at_minimum="the prompt",
        help="Tokens a shift keeps at the front.",
        topic="rare",
    )
    n_discard: int = param(
        0,
        0,
        32_768,
        scale="log",
        unit="tokens",
        at_minimum="half",
        help="Tokens a shift forgets at once.",
        topic="rare",
    )
    context_shift: bool = param(
        False, help="Forget the oldest tokens when the context is full; otherwise the reply ends there."
    )
    reply_tokens: int = param(
        0,
        0,
        32_768,
        step=16,
        scale="log",
        unit="tokens",
        label="Length of the reply",
        help="The reply to look at.",
        sizes="reply",
    )
    add_bos: bool = add_bos(False)
    message_overhead: int = message_overhead(4)
    reply_overhead: int = reply_overhead(3)

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate. Error: `request_too_large`, as a prompt as long as the context is refused."""
        ledger = Ledger(candidates, window)
        note_small_window(ledger, self.n_ctx, "The context of the server")
        rows, pinned = keep_pinned(ledger, chat_messages(ledger), self.message_overhead, self.n_ctx)
        room = self.n_ctx - pinned
        stream = stream_of(ledger, rows, self.message_overhead, bos=int(self.add_bos), reply=self.reply_overhead)
        ledger.limit(Section.SYSTEM, None)
        ledger.limit(Section.HISTORY, None)
        if stream.size >= room:
            message = f"The prompt takes {stream.size:,} tokens, and the server refuses all that is not below {room:,}."
            return ledger.fail("request_too_large", message)
        spans, shifts = self._held(stream.size, room)
        lost = keep_spans(ledger, stream, spans, FITS_CONTEXT, room)
        if shifts:
            times = "once" if shifts == 1 else f"{shifts:,} times"
            message = f"The context is shifted {times} during a reply of {self.reply_tokens:,} tokens."
            ledger.report(CONTEXT_SHIFTED, message, lost)
        return ledger.close(message_layout, available=self.n_ctx)

    def _held(self, prompt: int, room: int) -> tuple[list[Span], int]:
        """Return the parts of the prompt that are held at the end of the reply, and the number of shifts."""
        held, shifts = [(0, prompt)], 0
        later = max(0, self.reply_tokens - 1)
        while later:
            stored = sum(stop - first for first, stop in held)
            if stored + 1 < room:
                grown = min(later, room - 1 - stored)
            elif not self.context_shift:
                break
            else:
                held, grown, shifts = self._shifted(held, stored, prompt, room), 1, shifts + 1
            end = held[-1][1] if held else prompt
            held.append((max(end, prompt), max(end, prompt) + grown))
            later -= grown
        return [(first, min(stop, prompt)) for first, stop in held if first < prompt], shifts

    def _shifted(self, held: list[Span], stored: int, prompt: int, room: int) -> list[Span]:
        """Return what is held after a shift."""
        keep = max(0, min(room - 4, (prompt if self.n_keep < 0 else self.n_keep) + int(self.add_bos)))
        left = stored - keep
        discard = max(0, min(self.n_discard or left // 2, left - 1))
        found, place = list[Span](), 0
        for first, stop in held:
            size = stop - first
            for begin, end in ((0, keep), (keep + discard, stored)):
                low, high = max(begin, place) - place, min(end, place + size) - place
                if low < high:
                    found.append((first + low, first + high))
            place += size
        return found
