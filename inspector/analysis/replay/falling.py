"""The items that fall out of the prompt from one assembly of a conversation to another."""

from dataclasses import dataclass

import numpy as np

from inspector.assembly.columns import I32, I64, Action, Fate, Rows, State
from inspector.assembly.compare import compare
from inspector.assembly.decisions import Assembly


@dataclass(frozen=True, eq=False)
class Fall:
    """Items that left the prompt at a turn, or are no longer whole in it, and the room left for each."""

    rows: Rows
    actions: I32
    left: I64
    needed: I32


NO_FALL = Fall(np.empty(0, np.intp), np.empty(0, np.int32), np.empty(0, np.int64), np.empty(0, np.int32))


def fall_between(before: Assembly, after: Assembly) -> Fall:
    """Return the falls from one assembly to another of the same conversation, as rows of the later assembly."""
    rows = fell(before, after)
    if not len(rows):
        return NO_FALL
    return Fall(rows, after.action[rows].astype(np.int32), after.left[rows], after.charges[rows])


def are_of_one_conversation(before: Assembly, after: Assembly) -> bool:
    """Return whether something can fall from one assembly to another, regardless of the items considered by their
    policies.
    """
    return before.candidates.items.conversation is after.candidates.items.conversation


def fell(before: Assembly, after: Assembly) -> Rows:
    """Return the rows that were whole and no longer are, and the rows that left the prompt.

    If the policies consider different items (a directive, a greeting), items are matched by their ids.
    """
    if before.candidates.items is not after.candidates.items:
        return _fell_by_id(before, after)
    rows = (after.action > before.action).nonzero()[0]  # a later action leaves less of an item
    if not len(rows):
        return rows
    is_fall = (before.action[rows] == int(Action.KEPT)) | (after.action[rows] == int(Action.DROPPED))
    return rows[is_fall & (after.candidates.state[rows] != int(State.NOT_YET))]


def _fell_by_id(before: Assembly, after: Assembly) -> Rows:
    found = compare(before, after)
    is_less = (found.fates_after > found.fates_before) & (found.fates_after <= int(Fate.DROPPED))
    is_fall = (found.fates_before == int(Fate.KEPT)) | (found.fates_after == int(Fate.DROPPED))
    return found.rows_after[is_less & is_fall]
