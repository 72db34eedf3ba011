"""vllm: how vLLM cuts or refuses a prompt.

Source: vllm-project/vllm, vllm/renderers/params.py (`TokenizeParams`).
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
    reply_reserve,
)
from inspector.assembly.policies.programs_chat.reasons import FITS_CONTEXT
from inspector.assembly.policies.programs_chat.token_stream import keep_spans, note_cut, stream_of
from inspector.assembly.policy import Traits, param


@dataclass(frozen=True)
class Vllm:
    """Refuses a prompt that does not fit, unless the request asks for its last tokens only."""

    traits: ClassVar[Traits] = Traits(title="vLLM", whose="vLLM", maker="program")

    max_model_len: int = context(8192, 1, "The limit of prompt and reply together.")
    max_tokens: int = reply_reserve(0, at_minimum="what is left")
    truncate_prompt_tokens: int = param(
        0,
        -1,
        131_072,
        scale="log",
        unit="tokens",
        help="The last tokens of the prompt that stay; 0 for all, -1 for those that fit.",
    )
    add_bos: bool = add_bos(False)
    message_overhead: int = message_overhead(4)
    reply_overhead: int = reply_overhead(3)

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate. Errors: `request_too_large`, and `invalid_parameter` for a cut above the room."""
        ledger = Ledger(candidates, window)
        note_small_window(ledger, self.max_model_len, "The context of the server")
        rows, pinned = keep_pinned(ledger, chat_messages(ledger), self.message_overhead, self.max_model_len)
        room = self.max_model_len - self.max_tokens - pinned
        stream = stream_of(ledger, rows, self.message_overhead, bos=int(self.add_bos), reply=self.reply_overhead)
        ledger.limit(Section.SYSTEM, None)
        ledger.limit(Section.HISTORY, None)
        if self.truncate_prompt_tokens > room:
            message = (
                f"truncate_prompt_tokens is {self.truncate_prompt_tokens:,}, and prompts may take {max(0, room):,}."
            )
            return ledger.fail("invalid_parameter", message, reserve=self.max_tokens)
        asked = room if self.truncate_prompt_tokens < 0 else self.truncate_prompt_tokens or stream.size
        left = min(stream.size, max(0, asked))
        if left > room:
            message = f"The prompt takes {left:,} tokens, and the server refuses all above {max(0, room):,}."
            return ledger.fail("request_too_large", message, reserve=self.max_tokens)
        spans = [(stream.size - left, stream.size)]
        keep_spans(ledger, stream, spans, FITS_CONTEXT, room)
        note_cut(ledger, stream, spans, "vLLM", room)
        return ledger.close(
            message_layout, available=max(0, self.max_model_len - self.max_tokens), reserve=self.max_tokens
        )
