"""ollama: the messages and tokens that Ollama leaves of a chat.

Source: ollama/ollama, server/prompt.go (`chatPrompt`), server/routes.go (`truncateNativeChatMessages`) and
llm/llama_server.go (`completionPromptForRequest`); for `classic` runner/llamarunner/runner.go (`NewSequence`).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import I64, ROLE_NUMBER, Bool, Rows, Section
from inspector.assembly.decisions import Assembly
from inspector.assembly.defaults import note_small_window
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.library_messages import message_layout, roles_of
from inspector.assembly.policies.programs_chat.messages import charges_of, chat_messages, keep_pinned
from inspector.assembly.policies.programs_chat.parameters import (
    add_bos,
    context,
    message_overhead,
    reply_overhead,
)
from inspector.assembly.policies.programs_chat.reasons import NEVER_OLDEST, oldest_dropped
from inspector.assembly.policies.programs_chat.token_stream import Span, keep_spans, note_cut, stream_of
from inspector.assembly.policy import Traits, param

PATHS = {
    "rendered": "Ollama writes the prompt, as for most models of its library",
    "native": "llama-server applies the template of the model itself",
    "classic": "the runner before June 2026",
}


@dataclass(frozen=True)
class Ollama:
    """Drops the oldest messages until the rest fits, never a system message, then cuts tokens out of the rest.

    Nothing is kept free for the reply. Text of exactly the context passes the first step and loses half in the next.
    """

    traits: ClassVar[Traits] = Traits(title="Ollama", whose="Ollama, August 2026", maker="program")

    num_ctx: int = context(
        4096,
        1,
        "The context of the server: 4,096 below 23 GiB of graphics memory, 32,768 below 47 GiB, else 262,144, if it "
        "is not set.",
    )
    num_keep: int = param(
        4,
        -1,
        4096,
        scale="log",
        unit="tokens",
        at_minimum="all",
        help="Tokens kept at the front by a cut.",
        topic="rare",
    )
    shift: bool = param(
        True, label="Context shift", help="Cut a prompt that is too long; otherwise it is refused.", topic="rare"
    )
    path: str = param("rendered", choices=PATHS, help="The way of the prompt to the model.")
    add_bos: bool = add_bos(False)
    message_overhead: int = message_overhead(4)
    reply_overhead: int = reply_overhead(3)
    image_tokens: int = param(
        768,
        0,
        4096,
        scale="log",
        unit="tokens",
        label="Tokens of a picture",
        help="Counted for each picture; 0 for models that see none.",
        topic="rare",
    )

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate. Error: `request_too_large` if the server refuses the prompt."""
        ledger = Ledger(candidates, window)
        note_small_window(ledger, self.num_ctx, "Ollama's context")
        rows = chat_messages(ledger)
        rows, pinned = keep_pinned(ledger, rows, self.message_overhead, self.num_ctx)
        room = self.num_ctx - pinned
        rows = self._newest_that_fit(ledger, rows, room)
        stream = stream_of(ledger, rows, self.message_overhead, bos=int(self.add_bos), reply=self.reply_overhead)
        ledger.limit(Section.SYSTEM, None)
        ledger.limit(Section.HISTORY, None)
        spans = self.spans(stream.size, room, has_images=bool(candidates.images[rows].any()))
        if spans is None:
            message = f"The prompt takes {stream.size:,} tokens, and the server has {room:,} for it and a reply."
            return ledger.fail("request_too_large", message)
        keep_spans(ledger, stream, spans, NEVER_OLDEST, room)
        note_cut(ledger, stream, spans, "Ollama", room)
        return ledger.close(message_layout, available=self.num_ctx)

    def _newest_that_fit(self, ledger: Ledger, rows: Rows, room: int) -> Rows:
        """Drop messages from the front, system messages excepted, until the rest fits or only the last is left."""
        if not len(rows):
            return rows
        candidates = ledger.candidates
        charges = charges_of(ledger, rows, self.message_overhead).astype(np.int64)
        images = candidates.images[rows].astype(np.int64) * self.image_tokens
        is_system = roles_of(candidates, rows) == ROLE_NUMBER["system"]
        if self.path == "native":
            charges, images = charges + images, np.zeros_like(images)
        start = self.first_kept(charges, images, is_system, room)
        gone = ~is_system & (np.arange(len(rows)) < start)
        ledger.drop(
            rows[gone][::-1], oldest_dropped(int((charges + images).sum()) + self.reply_overhead, room), left=room
        )
        return rows[~gone]

    def first_kept(self, charges: I64, images: I64, is_system: Bool, room: int) -> int:
        """Return the first message, beside the system messages before it, from which on all fit; else the last one.

        `images` are the tokens of the pictures of each message, which count from there on only.
        """
        systems = np.where(is_system, charges, 0)
        sizes = np.cumsum(systems) - systems + np.cumsum((charges + images)[::-1])[::-1] + self.reply_overhead
        fitting = np.flatnonzero(sizes <= room)
        return int(fitting[0]) if len(fitting) else len(charges) - 1

    def spans(self, size: int, room: int, *, has_images: bool) -> list[Span] | None:
        """Return the parts that the model gets of a prompt of this size, None if it is refused."""
        if self.path == "native":
            return [(0, size)] if size < room else None
        keep = max(0, min((size if self.num_keep < 0 else self.num_keep) + int(self.add_bos), room - 1))
        if self.path == "classic":
            return [(0, size)] if size <= room else [(0, keep), (size - max(0, room - keep), size)]
        if size <= room - 1 or (has_images and self.image_tokens):
            return [(0, size)]
        if not self.shift:
            return None
        limit = max(keep, room - max((room - keep) // 2, 1))
        return [(0, keep), (size - (limit - keep), size)]
