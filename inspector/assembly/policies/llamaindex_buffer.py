"""llamaindex_buffer: the messages kept by `ChatMemoryBuffer.get` of llama-index-core 0.14."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import ROLE_NUMBER, Bool, Rows, Section
from inspector.assembly.decisions import Assembly
from inspector.assembly.defaults import note_small_window, split_pinned
from inspector.assembly.ledger import Ledger
from inspector.assembly.packing import first_that_fits
from inspector.assembly.policies.library_messages import message_layout, open_messages, roles_of
from inspector.assembly.policy import Traits, param
from inspector.assembly.reasons import BEFORE_THE_PART, BEGINS_WITH_A_REPLY, GUARANTEED, LONGEST_THAT_FITS, PINNED

JOINT = " "
SEAM = 4
"""The most tokens that joining the texts adds to, or takes from, the sum of all counts, per message."""


@dataclass(frozen=True)
class LlamaindexBuffer:
    """Keeps the longest end of the conversation that fits as one text and begins with a message of the user.

    The newest message stays whatever it costs.
    """

    traits: ClassVar[Traits] = Traits(
        title="LlamaIndex buffer", whose="llama-index-core", maker="library", counts_contents=True
    )

    token_limit: int = param(
        3000,
        1,
        128_000,
        step=50,
        scale="log",
        unit="tokens",
        label="Messages at most",
        help="The limit of all contents, joined by one space.",
        sizes="prompt",
    )
    initial_tokens: int = param(
        0,
        0,
        128_000,
        step=10,
        scale="log",
        unit="tokens",
        help="Tokens of the limit already taken by something else.",
        topic="rare",
    )

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate. Error: `request_too_large`, if `initial_tokens` exceed the limit."""
        ledger = Ledger(candidates, window)
        note_small_window(ledger, self.token_limit, "Messages up to the limit")
        room = max(0, self.token_limit - self.initial_tokens)
        ledger.limit(Section.SYSTEM, None)
        ledger.limit(Section.HISTORY, room)
        if self.initial_tokens > self.token_limit:
            message = f"The {self.initial_tokens:,} initial tokens exceed the limit of {self.token_limit:,}."
            return ledger.fail("request_too_large", message)
        messages = open_messages(ledger)
        pinned, rows = split_pinned(ledger, messages)
        ledger.guarantee(pinned, PINNED, Section.HISTORY, room=room)
        if len(rows):
            self._keep_an_end(ledger, pinned, rows, room)
        return ledger.close(message_layout)

    def _keep_an_end(self, ledger: Ledger, pinned: Rows, rows: Rows, room: int) -> None:
        """Keep the rows from the first beginning at which they fit together with the pinned rows."""
        sums = np.cumsum(ledger.costs[rows][::-1], dtype=np.int64)[::-1]
        left = room - ledger.cost(pinned)
        starts = np.flatnonzero(_may_begin(ledger.candidates, rows))
        guess = int(np.searchsorted(-sums[starts], -left))
        fits = _fitting(ledger, pinned, rows, room)
        place = first_that_fits(guess, len(starts), lambda place: fits(int(starts[place])))
        is_alone = place == len(starts)
        start = len(rows) - 1 if is_alone else int(starts[place])
        newest = rows[start:][::-1]
        if is_alone:
            ledger.guarantee(newest, GUARANTEED, Section.HISTORY, room=left)
        else:
            ledger.keep(newest, LONGEST_THAT_FITS, Section.HISTORY, room=left)
        unused = left - ledger.cost(newest)
        near = sums[:start] <= left
        ledger.drop(rows[:start][near][::-1], BEGINS_WITH_A_REPLY, Section.HISTORY, left=unused)
        ledger.drop(rows[:start][~near][::-1], BEFORE_THE_PART, Section.HISTORY, left=unused)


def _may_begin(candidates: Candidates, rows: Rows) -> Bool:
    """Return a mask of the rows at which the kept part may begin.

    No replies and no tool results, but always the very first and the newest message.
    """
    roles = roles_of(candidates, rows)
    begins = (roles != ROLE_NUMBER["assistant"]) & (roles != ROLE_NUMBER["tool"])
    begins[[0, -1]] = True
    return begins


def _fitting(ledger: Ledger, pinned: Rows, rows: Rows, room: int) -> Callable[[int], bool]:
    """Return a test whether the contents of the rows from a start on, with the pinned ones, fit as a single text.

    A recorded cost replaces the count of its content. If the sum of all costs is far from the room, nothing is counted.
    """
    candidates = ledger.candidates
    contents, tokenizer = candidates.items.contents, candidates.counts.tokenizer
    sums = np.cumsum(ledger.costs[rows][::-1], dtype=np.int64)[::-1] + ledger.cost(pinned)

    def fits(start: int) -> bool:
        if abs(room - sums[start]) > SEAM * (len(pinned) + len(rows) - start):
            return bool(sums[start] <= room)
        kept = np.sort(np.concatenate([pinned, rows[start:]]))
        given = candidates.recorded[kept]
        text = JOINT.join([contents[row] for row in kept[~given].tolist()])
        return ledger.cost(kept[given]) + int(tokenizer.count([text])[0]) <= room

    return fits
