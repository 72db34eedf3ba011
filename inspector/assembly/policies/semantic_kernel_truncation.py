"""semantic_kernel_truncation: the messages kept by `ChatHistoryTruncationReducer.reduce` of semantic-kernel 1.45."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import ROLE_NUMBER, Rows, Section
from inspector.assembly.decisions import Assembly
from inspector.assembly.defaults import split_pinned
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.library_messages import message_layout, open_messages, roles_of, tied_to_tools
from inspector.assembly.policy import Traits, param
from inspector.assembly.reasons import FIRST_SYSTEM, PINNED, among_newest, before_newest, few_enough


@dataclass(frozen=True)
class SemanticKernelTruncation:
    """Keeps a number of the newest messages, and more where a tool call would lose its result.

    Tokens do not count. The first system message always stays. Pinned messages take places of the target first.
    """

    traits: ClassVar[Traits] = Traits(
        title="Semantic Kernel truncation", whose="semantic-kernel", maker="library", counts_contents=True
    )

    target_count: int = param(10, 1, 500, scale="log", unit="messages", help="Messages left by a cut.", sizes="history")
    threshold_count: int = param(
        0,
        0,
        500,
        scale="log",
        unit="messages",
        help="This many more than the target are tolerated, and searched for a message of the user.",
    )

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate. There is always a prompt, over the window if necessary."""
        ledger = Ledger(candidates, window)
        ledger.limit(Section.SYSTEM, None)
        ledger.limit(Section.HISTORY, None)
        pinned, rows = split_pinned(ledger, open_messages(ledger))
        ledger.guarantee(pinned, PINNED, Section.HISTORY)
        target = max(0, self.target_count - len(pinned))
        if len(rows) <= target + self.threshold_count:
            ledger.keep(rows[::-1], few_enough(len(rows), target + self.threshold_count), Section.HISTORY)
        else:
            self._cut(ledger, rows, target)
        return ledger.close(message_layout)

    def _cut(self, ledger: Ledger, rows: Rows, target: int) -> None:
        """Keep the rows after the cut, and the first system message if the cut would remove it."""
        system = np.flatnonzero(roles_of(ledger.candidates, rows) == ROLE_NUMBER["system"])[:1]
        is_older = len(system) > 0 and system[0] < len(rows) - target
        start = self._start(ledger.candidates, rows, target - 1 if is_older else target)
        first, kept = system[system < start], len(rows) - start
        ledger.keep(rows[first], FIRST_SYSTEM, Section.SYSTEM)
        ledger.keep(rows[start:][::-1], among_newest(kept, len(rows)), Section.HISTORY)
        ledger.drop(np.delete(rows[:start], first)[::-1], before_newest(kept, len(rows), target), Section.HISTORY)

    def _start(self, candidates: Candidates, rows: Rows, target: int) -> int:
        """Return the place of the cut: the first of the newest `target` rows, or a safe place before it.

        It moves back over tool calls and their results, then to the nearest user message before it, down to the
        threshold.
        """
        if target <= 0:
            return len(rows)
        earliest = len(rows) - self.threshold_count - target
        tied = tied_to_tools(candidates, rows)
        joined = np.zeros(len(rows), np.bool_)
        joined[1:] = tied[1:] & tied[:-1]
        start = int(np.flatnonzero(~joined[: len(rows) - target + 1])[-1])
        users = np.flatnonzero(roles_of(candidates, rows[: start + 1]) == ROLE_NUMBER["user"])
        return int(users[-1]) if len(users) and users[-1] >= earliest else start
