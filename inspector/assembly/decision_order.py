"""The order of decision inside a section, in words: the place of an item, and the criterion of the order."""

from dataclasses import dataclass

import numpy as np

from inspector.assembly.columns import Kind, Rows
from inspector.assembly.decisions import Assembly

MOST_PASSES = 4
"""An order with more passes in the same direction than this is not named."""


@dataclass(frozen=True, slots=True)
class DecisionPlace:
    """A row was the `number`-th of `total` in its section; `order` names the criterion of the order, "" for none."""

    number: int
    total: int
    order: str


def decision_place(assembly: Assembly, row: int) -> DecisionPlace | None:
    """Return the place of a row among all of its section, in the order of their decision.

    None for rows dropped before the policy saw them.
    """
    if assembly.rank[row] < 0:
        return None
    inside = np.flatnonzero((assembly.section == assembly.section[row]) & (assembly.rank >= 0))
    decided = inside[np.argsort(assembly.rank[inside], kind="stable")]
    number = int(np.flatnonzero(decided == row)[0]) + 1
    return DecisionPlace(number, len(decided), _order(assembly, decided, row))


def _order(assembly: Assembly, decided: Rows, row: int) -> str:
    """Return the criterion: pins first, then scores, time or the file. It is named only if it holds for all rows."""
    pinned = assembly.candidates.pinned[decided]
    pins = int(pinned.sum())
    pins_first = bool(pinned[:pins].all()) and 0 < pins < len(decided)
    if pins_first and assembly.candidates.pinned[row]:
        return "pinned, before the others"
    others = decided[pins:] if pins_first else decided
    goes_by = _by_score if np.isfinite(assembly.score[others]).any() else _by_place
    words = goes_by(assembly, others, row)
    return f"{words}, after {pins:,} pinned" if words and pins_first else words


def _by_score(assembly: Assembly, decided: Rows, row: int) -> str:
    """Return the words for an order by score; rows without a score have only been sorted out."""
    scores = assembly.score[decided]
    scored = np.flatnonzero(np.isfinite(scores))
    if np.isnan(assembly.score[row]) or (np.diff(scores[scored]) > 0).any():
        return ""
    before = int(scored[0])
    return f"best score first, after {before:,} without one" if before else "best score first"


def _by_place(assembly: Assembly, decided: Rows, row: int) -> str:
    """Return the direction and the pass in which a row was reached; messages are in the file as they were said."""
    steps = np.diff(decided)
    are_messages = bool((assembly.candidates.kind[decided] == Kind.MESSAGE).all())
    words = ("oldest first", "newest first") if are_messages else ("in the order of the file", "last of the file first")
    for direction, is_turn in zip(words, (steps < 0, steps > 0), strict=True):
        turns = np.flatnonzero(is_turn)
        if len(steps) > 1 and len(turns) < min(MOST_PASSES, len(steps) / 2):
            place = int(np.flatnonzero(decided == row)[0])
            number = int(np.searchsorted(turns, place)) + 1
            return f"{direction}, pass {number} of {len(turns) + 1}" if len(turns) else direction
    return ""
