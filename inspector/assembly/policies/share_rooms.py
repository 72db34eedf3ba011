"""The rooms that follow from the shares of ratio, for any number of windows and shares at once."""

from dataclasses import dataclass

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import F64, I64, Bool
from inspector.assembly.thresholds import WINDOW, Budgets, Pool, Room

SHIFT = 0.10
SHIFT_FROM, SHIFT_OVER = 20, 180
SHARE_BOUNDS = (0.05, 0.90)
SUM_BOUNDS = (0.95 - 1e-9, 1.05 + 1e-9)
BUDGETS = frozenset(
    ("memory_share", "history_share", "reserve_share", "system_limit", "system_overflow", "borrow", "adaptive")
)
"""The parameters of ratio that affect only rooms."""


def shift_of(candidates: Candidates) -> float:
    """Return the shift of adaptive shares from memories to the conversation, by its length."""
    grown = min(max((len(candidates.existing_messages) - SHIFT_FROM) / SHIFT_OVER, 0.0), 1.0)
    return SHIFT * (2 * grown - 1)


@dataclass(frozen=True, eq=False)
class ShareRooms:
    """The certain tokens, and the pools on which shares are spent. Called with budgets, it returns rooms."""

    system: int
    pinned_memories: int
    pinned_lore: int
    sure_history: int
    memories: Pool
    lore: Pool
    history: Pool
    shift: float

    @property
    def pools(self) -> tuple[Pool, Pool, Pool]:
        """The pools, in the order of their rooms."""
        return self.memories, self.lore, self.history

    def __call__(self, given: Budgets) -> Room:
        """Return the rooms for memories, lore and older messages, each without its certain tokens."""
        window = given[WINDOW]
        available = np.maximum(0, window - self.system)
        memory_limit = self._limit(available, given["memory_share"], -self.shift, given["adaptive"])
        history_limit = self._limit(available, given["history_share"], self.shift, given["adaptive"])
        history_room, room = history_limit, memory_limit
        lent = np.isin(given["borrow"], ("history", "both"))
        if lent.any():
            left = np.maximum(0, memory_limit - self._remembered(memory_limit))
            history_room = history_limit + np.where(lent, left, 0)
        lent = np.isin(given["borrow"], ("memories", "both"))
        if lent.any():
            told = self.sure_history + self.history.spent(history_room - self.sure_history)
            room = memory_limit + np.where(lent, np.maximum(0, history_limit - told), 0)
        rest = np.maximum(0, room - self._spent_on_memories(room)) if len(self.lore.rows) else room
        rooms = (room - self.pinned_memories, rest - self.pinned_lore, history_room - self.sure_history)
        return Room(rooms, self._is_refused(given))

    def _limit(self, available: I64, share: F64, shift: float, adaptive: Bool) -> I64:
        moved = np.clip(share + shift, *SHARE_BOUNDS)
        return np.floor(available * np.where(adaptive, moved, share)).astype(np.int64)

    def _spent_on_memories(self, room: I64) -> I64:
        return self.pinned_memories + self.memories.spent(room - self.pinned_memories)

    def _remembered(self, limit: I64) -> I64:
        """Return the tokens memories and lore spend of their own limit."""
        spent = self._spent_on_memories(limit)
        return spent + self.pinned_lore + self.lore.spent(np.maximum(0, limit - spent) - self.pinned_lore)

    def _is_refused(self, given: Budgets) -> Bool:
        total = given["memory_share"] + given["history_share"] + given["reserve_share"]
        too_large = (self.system > given["system_limit"] * given[WINDOW]) & (given["system_overflow"] == "error")
        return too_large | (total < SUM_BOUNDS[0]) | (total > SUM_BOUNDS[1])
