"""continue_prune: the messages that Continue leaves of a chat.

Source: continuedev/continue d0a3c0b6, `core/llm/countTokens.ts`, `compileChatMessages`.
"""

from dataclasses import dataclass
from math import floor
from typing import ClassVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import ROLE_NUMBER, Kind, Rows, Section
from inspector.assembly.decisions import Assembly
from inspector.assembly.defaults import split_pinned
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.agents.talk import ASSISTANT, TOOL, USER
from inspector.assembly.policies.library_messages import message_layout, open_messages
from inspector.assembly.policy import Traits, param
from inspector.assembly.reasons import ALWAYS, PINNED, WITHIN_BUDGET, Reason

BLANK = Reason("filtered", "blank", "{thing} is blank, and Continue leaves such messages out.")
END = Reason("always", "being sent", "{thing} belongs to the end that is being sent ({spent} tokens).")
PRUNED = Reason(
    "over_budget",
    "older than what fits",
    "The oldest messages go until the rest fits into the room{limit}: {thing} went.",
)
LOST_CALL = Reason("orphan", "lost its call", "The call that {thing} answers went before it, so it goes as well.")


@dataclass(frozen=True)
class ContinuePrune:
    """Drops the oldest messages until the rest fits beside the system message and the end that is being sent."""

    traits: ClassVar[Traits] = Traits(title="Continue pruning", whose="Continue", maker="program", counts_contents=True)

    max_tokens: int = param(
        4_096,
        0,
        200_000,
        scale="log",
        unit="tokens",
        label="Reply",
        help="Up to 1,000 of them are kept free.",
        sizes="reply",
    )
    tool_tokens: int = param(0, 0, 100_000, scale="log", unit="tokens", help="The definitions of tools.")

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate. Fails with `request_too_large` where system message and end do not fit."""
        ledger = Ledger(candidates, window)
        rows = open_messages(ledger)
        system, rows = rows[candidates.kind[rows] == Kind.SYSTEM], rows[candidates.kind[rows] == Kind.MESSAGE]
        pinned, rows = split_pinned(ledger, rows)
        is_blank = _are_blank(candidates, rows)
        ledger.drop(rows[is_blank], BLANK, Section.HISTORY)
        rows = rows[~is_blank]
        first = _end(candidates.role[rows])
        end, others = rows[first:], rows[:first]
        free = window.tokens - min(1_000, window.tokens * 0.02) - min(1_000, self.max_tokens) - self.tool_tokens
        room = floor(free - ledger.cost(system) - ledger.cost(pinned) - ledger.cost(end))
        if room < 0:
            message = f"The system message and the newest messages need {-room:,} tokens more than there is room for."
            return ledger.fail("request_too_large", message)
        ledger.keep(system, ALWAYS, Section.SYSTEM)
        ledger.guarantee(pinned, PINNED, Section.HISTORY)
        ledger.guarantee(end, END, Section.HISTORY)
        self._prune(ledger, others, room)
        ledger.limit(Section.HISTORY, None)
        return ledger.close(message_layout)

    def _prune(self, ledger: Ledger, rows: Rows, room: int) -> None:
        """Drop the oldest rows, with the results that then stand first."""
        tails = np.cumsum(ledger.costs[rows][::-1].astype(np.int64))[::-1]
        start = int(np.searchsorted(-tails, -room))
        oldest = start
        while 0 < start < len(rows) and ledger.candidates.role[rows[start]] == ROLE_NUMBER["tool"]:
            start += 1
        ledger.keep(rows[start:][::-1], WITHIN_BUDGET, Section.HISTORY, room=room)
        ledger.drop(rows[oldest:start], LOST_CALL, Section.HISTORY)
        ledger.drop(rows[:oldest], PRUNED, Section.HISTORY)


def _are_blank(candidates: Candidates, rows: Rows) -> np.ndarray:
    calls = np.zeros(len(candidates), np.bool_)
    calls[candidates.items.callers] = True
    blank = candidates.items.blank_messages[rows - candidates.items.first_message]
    roles = candidates.role[rows]
    return blank & ((roles == USER) | ((roles == ASSISTANT) & ~calls[rows]))


def _end(roles: np.ndarray) -> int:
    """Return the place at which the end begins that is being sent."""
    last = len(roles) - 1
    if last < 0 or roles[last] == USER:
        return max(0, last)
    first = last
    while first > 0 and roles[first - 1] == roles[last]:
        first -= 1
    if roles[last] == TOOL and first > 0 and roles[first - 1] == ASSISTANT:
        return first - 1
    return first
