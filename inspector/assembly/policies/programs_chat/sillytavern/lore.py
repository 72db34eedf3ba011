"""World Info within its budget: which active entries SillyTavern activates (world-info.js, `checkWorldInfo`)."""

from dataclasses import dataclass
from math import floor

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Bool, Rows, Section
from inspector.assembly.defaults import active_lore
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.programs_chat.reasons import IGNORES_BUDGET
from inspector.assembly.reasons import AFTER_STOP, OVER_BUDGET, WITHIN_BUDGET
from inspector.model import LoreEntry


@dataclass(frozen=True, eq=False, slots=True)
class ChosenLore:
    """The entries taken, in the order of a message (lowest order first), pinned ones last, and the budget."""

    rows: Rows
    budget: int


def lore_budget(percent: int, prompt: int, cap: int) -> int:
    """Return the tokens that lore may take of a prompt: a percentage, rounded half up, at least 1 where that is 0."""
    budget = floor(percent * prompt / 100 + 0.5) or 1
    return min(budget, cap) if cap else budget


def choose_lore(ledger: Ledger, budget: int) -> ChosenLore:
    """Drop the entries that are inactive or over the budget, and return the others, which are not decided yet.

    Entries with the highest order come first. The one that brings the running total to the budget or above ends it;
    entries that ignore the budget are taken in any case and count.
    """
    candidates = ledger.candidates
    active = active_lore(ledger)
    if not len(active):
        return ChosenLore(active, budget)
    pinned, rows = active[candidates.pinned[active]], active[~candidates.pinned[active]]
    ledger.limit(Section.LORE, max(0, budget - 1))
    rows = rows[np.argsort([-_entry(candidates, row).order for row in rows.tolist()], kind="stable")]
    charges = _line_tokens(candidates, rows)
    free = np.array([bool(_entry(candidates, row).activation.get("ignoreBudget")) for row in rows.tolist()], np.bool_)
    sums = np.cumsum(charges, dtype=np.int64) + int(_line_tokens(candidates, pinned).sum(dtype=np.int64))
    taken = _taken(sums, free, budget)
    out = rows[~taken]
    left = budget - 1 - (int(sums[~taken][0]) - int(charges[~taken][0]) if len(out) else 0)
    ledger.drop(out[:1], OVER_BUDGET, Section.LORE, left=left)
    ledger.drop(out[1:], AFTER_STOP, Section.LORE, left=left)
    return ChosenLore(np.concatenate([rows[taken][::-1], pinned]), budget)


def keep_lore(ledger: Ledger, lore: ChosenLore, kept: Rows) -> None:
    """Keep these of the chosen entries, none pinned, in SillyTavern's order; none limits those that ignore it."""
    candidates, room = ledger.candidates, max(0, lore.budget - 1)
    rows = lore.rows[np.isin(lore.rows, kept)][::-1]
    charges = _line_tokens(candidates, rows)
    free = np.array([bool(_entry(candidates, row).activation.get("ignoreBudget")) for row in rows.tolist()], np.bool_)
    ledger.keep(rows[~free], WITHIN_BUDGET, Section.LORE, room=room, charges=charges[~free])
    ledger.guarantee(rows[free], IGNORES_BUDGET, Section.LORE)


def _taken(sums: np.ndarray, free: Bool, budget: int) -> Bool:
    """Return a mask of the entries before the first whose total reaches the budget, and of those that ignore it."""
    over = np.flatnonzero((sums >= budget) & ~free)
    stop = int(over[0]) if len(over) else len(sums)
    return free | (np.arange(len(sums)) < stop)


def _line_tokens(candidates: Candidates, rows: Rows) -> np.ndarray:
    """Return the tokens of each entry with the newline after it, as recorded where the file gives a count."""
    lines = candidates.form_tokens(rows, "lore with a newline", lambda row: f"{candidates.texts[row]}\n")
    return np.where(candidates.recorded[rows], candidates.tokens[rows], lines).astype(np.int32)


def _entry(candidates: Candidates, row: int) -> LoreEntry:
    thing = candidates.things[row]
    assert isinstance(thing, LoreEntry)
    return thing
