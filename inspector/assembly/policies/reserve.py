"""reserve: memories get the room left by the reply, a margin and the whole conversation (ibex-harness' design)."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import floor
from typing import Any

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import F64, ROLES, Kind, Rows, Section
from inspector.assembly.decisions import Assembly, Layout
from inspector.assembly.defaults import (
    active_lore,
    drop_unplaced,
    fill_lore,
    keep_all,
    keep_system_text,
    split_kind,
    split_pinned,
    standard_layout,
    system_rows,
)
from inspector.assembly.knapsack import best_total, densest_first
from inspector.assembly.ledger import Ledger
from inspector.assembly.packing import highest_first, run_of
from inspector.assembly.policy import Traits, param
from inspector.assembly.policy_finding_kinds import CONSTRAINED, KNAPSACK_GREEDY
from inspector.assembly.reasons import NOT_IN_BEST, NOT_IN_DENSEST, PINNED
from inspector.assembly.thresholds import WINDOW, Budgets, Packing, Room, mask_of, pooled
from inspector.retrieval.ranking import finite, weighted_sum

SIMILARITY_WEIGHT, CONFIDENCE_WEIGHT = 0.85, 0.15
KNAPSACK_CELLS = 20_000_000
"""Above this many cells, memories × room in tokens, the greedy knapsack replaces the exact one."""
PACKS = {
    "stop": "ends at the first that does not fit",
    "skip": "passes over memories that do not fit",
    "knapsack": "finds the set with the best total score",
}
RESERVE_BUDGETS = frozenset(("response_ratio", "response_min", "response_max", "safety_ratio", "constrained_below"))
"""The parameters that affect only the room of memories, or findings."""
TOKENS_PER_CONVERSATION = 3
_WINDOW_OF_UNKNOWN_MODELS = 8192
TOKENS_PER_MESSAGE = 4


@dataclass(frozen=True)
class Reserve:
    """Keeps the whole conversation and room for the reply, then fills the rest with memories by rank."""

    response_ratio: float = param(
        0.15,
        0,
        1,
        step=0.005,
        unit="share",
        group="response",
        label="Reply",
        help="Part of the window kept free for the reply.",
        sizes="reply",
    )
    response_min: int = param(
        500,
        0,
        8000,
        step=50,
        scale="log",
        unit="tokens",
        group="response",
        label="Reply at least",
        help="At least this much is kept free for the reply.",
        sizes="reply",
    )
    response_max: int = param(
        4096,
        0,
        32_000,
        step=64,
        scale="log",
        unit="tokens",
        group="response",
        label="Reply at most",
        help="No more than this is kept free for the reply, unless the minimum is higher.",
    )
    safety_ratio: float = param(
        0.05,
        0,
        0.5,
        step=0.005,
        unit="share",
        label="Safety margin",
        help="Part of the window left unused.",
        topic="rare",
    )
    constrained_below: int = param(
        1000,
        0,
        8000,
        step=50,
        scale="log",
        at_minimum="never",
        unit="tokens",
        label="Warn below",
        help="A finding warns if fewer tokens are left for memories.",
        topic="memories",
    )
    pack: str = param(
        "skip",
        choices=PACKS,
        label="Packing",
        help="How memories are chosen; the best come first.",
        topic="memories",
    )
    count_overhead: bool = param(
        True,
        label="Count formatting",
        help="Charge each message four tokens and its role, and three for all.",
        topic="rare",
    )

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate. There is always a prompt, over the window if necessary."""
        ledger = Ledger(candidates, window)
        reserve = max(self.response_min, min(self._longest_reply(window), floor(window.tokens * self.response_ratio)))
        margin = floor(window.tokens * self.safety_ratio)
        ledger.limit(Section.SYSTEM, None)
        directive = keep_system_text(ledger)
        messages = self._message_tokens(ledger)
        room = max(0, window.tokens - messages - directive - reserve - margin)
        ledger.limit(Section.MEMORY, room)
        ledger.limit(Section.HISTORY, None)
        if room < self.constrained_below:
            message = f"{room:,} tokens are left for memories, fewer than {self.constrained_below:,}."
            ledger.report(CONSTRAINED, message)
        spent = self._pack_memories(ledger, room)
        fill_lore(ledger, active_lore(ledger), max(0, room - spent))
        keep_all(ledger, Kind.MESSAGE, Section.HISTORY)
        drop_unplaced(ledger, Kind.PASSAGE, Kind.SUMMARY, Kind.DOCUMENT, Kind.ATTACHMENT)
        return ledger.close(self._layout(), reserve=reserve, margin=margin)

    @property
    def traits(self) -> Traits:
        """The traits; it speaks by the directive, and gives its ranking."""
        return Traits(
            title="Whole conversation first",
            whose="ibex-harness",
            unknown_window=_WINDOW_OF_UNKNOWN_MODELS,
            prefers_directive=True,
            signals=memory_signals,
            packing=self.packing,
            divisions=_divisions,
        )

    def packing(self, candidates: Candidates) -> Packing | None:
        """Return the thresholds of memories and lore; None for a knapsack, which takes them in no order."""
        if self.pack == "knapsack":
            return None
        ledger = Ledger(candidates, ContextWindow(0))
        fixed = keep_system_text(ledger) + self._message_tokens(ledger)
        pinned, others = split_kind(ledger, Kind.MEMORY)
        ranked, _ = self._considered(ledger, others)
        pinned_lore, lore = split_pinned(ledger, active_lore(ledger))
        messages, system_text = ledger.rows(Kind.MESSAGE), ledger.those_kept(system_rows(ledger))
        sure = mask_of(candidates, system_text, pinned, pinned_lore, messages)
        pools = pooled(ranked, ledger.costs, "stop" if self.pack == "stop" else "skip"), pooled(lore, ledger.costs)
        before, before_lore = ledger.cost(pinned), ledger.cost(pinned_lore)

        def rooms(given: Budgets) -> Room:
            window = given[WINDOW]
            longest = np.minimum(given["response_max"], np.floor(window * given["response_ratio"]).astype(np.int64))
            margin = np.floor(window * given["safety_ratio"]).astype(np.int64)
            room = np.maximum(0, window - fixed - np.maximum(given["response_min"], longest) - margin)
            spent = before + pools[0].spent(room - before) if len(lore) else before
            rest = np.maximum(0, room - spent)
            return Room((room - before, rest - before_lore), np.zeros((), np.bool_))

        return Packing(RESERVE_BUDGETS, ledger.forms, sure, pools, rooms)

    def _longest_reply(self, window: ContextWindow) -> int:
        """Return the most tokens kept free for the reply, unless the minimum is higher."""
        return self.response_max

    def _layout(self) -> Layout:
        return standard_layout("system")

    def _message_tokens(self, ledger: Ledger) -> int:
        """Return the cost of the conversation by the document's rule; with overhead more than its messages spend."""
        candidates, rows = ledger.candidates, ledger.rows(Kind.MESSAGE)

        def summed() -> tuple[int, list[int]]:
            roles = candidates.role[run_of(rows)]
            # For few numbers, counting each takes a third of the time of `np.bincount`.
            return ledger.cost(rows), [int(np.count_nonzero(roles == number)) for number in range(len(ROLES))]

        cost, said = candidates.derived("reserve/messages", None, summed)
        if not self.count_overhead:
            return cost
        roles = (candidates.counts.count(role) for role in ROLES)
        added = sum(messages * (TOKENS_PER_MESSAGE + role) for messages, role in zip(said, roles, strict=True))
        return cost + added + TOKENS_PER_CONVERSATION

    def _pack_memories(self, ledger: Ledger, limit: int) -> int:
        """Pack pinned memories, then the others by score, as `pack` says. Return the tokens spent."""
        pinned, others = split_kind(ledger, Kind.MEMORY)
        ledger.guarantee(pinned, PINNED, Section.MEMORY, room=limit)
        spent = ledger.cost(pinned)
        ranked, scores = self._considered(ledger, others)
        ledger.score(ranked, scores)
        return spent + self._pack_ranked(ledger, ranked, scores, limit - spent)

    def _considered(self, ledger: Ledger, rows: Rows) -> tuple[Rows, F64]:
        """Return the ranked ones of these memories, best first, and their scores; `rows` are all unpinned memories."""
        candidates = ledger.candidates
        return candidates.before_messages.derived("reserve/by_score", (), lambda: by_score(candidates, rows))

    def _pack_ranked(self, ledger: Ledger, rows: Rows, scores: F64, room: int) -> int:
        """Pack these memories, best first, as `pack` says. Return the tokens spent."""
        if self.pack == "stop":
            return ledger.fill(rows, room, Section.MEMORY)
        if self.pack == "skip":
            return ledger.fit(rows, room, Section.MEMORY)
        return _pack_best(ledger, rows, scores, room)


def _divisions(window: int, prompt: int) -> Iterator[dict[str, Any]]:
    """Yield divisions with all the room left by a prompt for the reply, without a margin."""
    reserve = max(0, window - prompt)
    for pack in ("skip", "stop"):
        yield {"response_min": reserve, "response_max": reserve, "safety_ratio": 0.0, "pack": pack}


def memory_signals(candidates: Candidates, rows: Rows) -> dict[str, tuple[float, F64]]:
    """Return the ranking signals of memories: name → weight, and one value in 0–1 for each row."""
    confidence = candidates.confidence[rows]
    return {
        "similarity": (SIMILARITY_WEIGHT, finite(candidates.similarity[rows])),
        "confidence": (CONFIDENCE_WEIGHT, np.where(np.isnan(confidence), 1.0, confidence)),
    }


def by_score(candidates: Candidates, rows: Rows) -> tuple[Rows, F64]:
    """Return these memories, best first, and their scores; ties keep their order. No parameter affects the result."""
    scores = weighted_sum(memory_signals(candidates, rows))
    order = highest_first(scores)
    return rows[order], scores[order]


def _pack_best(ledger: Ledger, rows: Rows, scores: F64, room: int) -> int:
    """Pack the memories with the best total score; too large a task is done greedily, with a finding."""
    charges = ledger.costs[rows]
    if len(rows) * room <= KNAPSACK_CELLS:
        return ledger.choose(rows, best_total(charges, scores, room), room, NOT_IN_BEST, Section.MEMORY)
    ledger.report(
        KNAPSACK_GREEDY,
        f"{len(rows):,} memories in {room:,} tokens are too many to find the best set: "
        "those with the most score per token go first.",
    )
    return ledger.choose(rows, densest_first(charges, scores, room), room, NOT_IN_DENSEST, Section.MEMORY)
