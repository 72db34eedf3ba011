"""priority: the parts of a prompt left by `Prompt.truncate` of prompt_poet 0.0.52."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import F64, Bool, Kind, Rows, Section
from inspector.assembly.decisions import Assembly
from inspector.assembly.defaults import note_small_window
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.library_messages import message_layout, open_messages
from inspector.assembly.policy import Traits, param
from inspector.assembly.reasons import ALL_FITS, ALWAYS, PINNED, cut_in_turn, spared


@dataclass(frozen=True)
class Priority:
    """Cuts parts by their number, the highest first and of equal ones the oldest, until the prompt fits a limit.

    The parts are the character's components in file order, then the messages. A part with the number 0 is never cut;
    pinned parts and the system prompt have 0, since the library gives 0 to a part without a number.
    """

    traits: ClassVar[Traits] = Traits(
        title="Prompt Poet priorities", whose="prompt_poet", maker="library", counts_contents=True
    )

    token_limit: int = param(
        4096,
        1,
        128_000,
        step=64,
        scale="log",
        unit="tokens",
        label="Prompt at most",
        help="The limit of all parts together.",
        sizes="prompt",
    )
    truncation_step: int = param(
        1,
        1,
        8000,
        scale="log",
        unit="tokens",
        help="Cuts are rounded up to a multiple of this: more at once, and less often.",
        topic="rare",
    )
    message_priority: int = param(1, 0, 20, help="The number of every message as a part; 0 is never cut.")

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate. Error: `request_too_large`, if the parts never cut exceed the limit."""
        ledger = Ledger(candidates, window)
        note_small_window(ledger, self.token_limit, "Parts up to the limit")
        rows = open_messages(ledger, components=True)
        priority = self._priorities(candidates, rows)
        total = ledger.cost(rows)
        wanted = -(max(0, total - self.token_limit) // -self.truncation_step) * self.truncation_step
        cut = _cut(ledger.costs[rows], priority, wanted)
        gone, stays = rows[cut][np.argsort(-priority[cut], kind="stable")], rows[~cut]
        ledger.limit(Section.SYSTEM, None)
        ledger.limit(
            Section.HISTORY, max(0, self.token_limit - ledger.cost(stays[candidates.kind[stays] < int(Kind.MESSAGE)]))
        )
        if ledger.cost(stays) > self.token_limit:
            message = f"Parts that are never cut take {ledger.cost(stays):,} tokens of a limit of {self.token_limit:,}."
            return ledger.fail("request_too_large", message)
        pinned = candidates.pinned[stays]
        firm = (priority[~cut] <= 0) & ~pinned
        ledger.guarantee(stays[pinned], PINNED)
        ledger.keep(stays[firm], ALWAYS)
        ledger.keep(stays[~firm & ~pinned], spared(total, self.token_limit) if wanted else ALL_FITS)
        ledger.drop(gone, cut_in_turn(total, self.token_limit))
        return ledger.close(message_layout)

    def _priorities(self, candidates: Candidates, rows: Rows) -> F64:
        """Return the number of each part: a component's own, that of messages, and 0 for parts never cut."""
        kind = candidates.kind[rows]
        own = np.where(kind == int(Kind.COMPONENT), candidates.priority[rows], 0.0)
        priority = np.where(kind == int(Kind.MESSAGE), float(self.message_priority), own)
        return np.where(candidates.pinned[rows], 0.0, priority)


def _cut(costs: np.ndarray, priority: F64, wanted: int) -> Bool:
    """Return a mask of the parts to cut until at least `wanted` tokens are gone.

    Neighbours of equal priority are a block. The library takes a whole block if this removes no more than is wanted,
    and otherwise part by part, so only in the first case do free parts at the end of a block go with it.
    """
    cut = np.zeros(len(costs), np.bool_)
    order = np.flatnonzero(priority > 0)
    order = order[np.argsort(-priority[order], kind="stable")]
    if not wanted or not len(order):
        return cut
    block = np.cumsum(np.diff(priority, prepend=priority[:1]) != 0)[order]
    gone = np.cumsum(costs[order], dtype=np.int64)
    last = min(int(np.searchsorted(gone, wanted)), len(order) - 1)
    whole = int(np.flatnonzero(block == block[last])[-1])
    cut[order[: (whole if gone[whole] <= wanted else last) + 1]] = True
    return cut
