"""Deciders: items that decided about another, such as the misfit at the end of a budget."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from inspector.assembly.columns import Kind, Rows, State
from inspector.assembly.decisions import Assembly
from inspector.assembly.reasons import (
    AFTER_MISFITS,
    AFTER_STOP,
    BEFORE_THE_PART,
    BEGINS_WITH_A_REPLY,
    DUPLICATE,
    LONGEST_THAT_FITS,
    NOT_YET,
    OVER_BUDGET,
    REPEATED,
    Reason,
)

BEGINNING = 200
"""The number of leading characters in which components have to agree to count as the same."""


@dataclass(frozen=True, slots=True)
class Decider:
    """The row of a deciding item, and the words before its name."""

    words: str
    row: int


def decider_of(assembly: Assembly, row: int) -> Decider | None:
    """Return the item that decided about a row, None if no single item did."""
    words, find = _DECIDERS.get(assembly.reason_of(row), ("", None))
    found = None if find is None else find(assembly, row)
    return None if found is None else Decider(words, found)


def _misfit(assembly: Assembly, row: int) -> int | None:
    """Return the last misfit in the section of a row before the row was decided."""
    rows = _with_reason(assembly, OVER_BUDGET)
    same = rows[(assembly.section[rows] == assembly.section[row]) & (assembly.rank[rows] < assembly.rank[row])]
    return int(same[np.argmax(assembly.rank[same])]) if len(same) else None


def _alike(assembly: Assembly, row: int) -> int | None:
    """Return the row in the prompt with the same beginning as this component."""
    candidates = assembly.candidates
    beginning = _beginning(candidates.texts[row])
    others = (other for kind in (Kind.SYSTEM, Kind.COMPONENT) for other in candidates.rows(kind).tolist())
    staying = (other for other in others if other != row and assembly.in_prompt[other])
    return next((other for other in staying if _beginning(candidates.texts[other]) == beginning), None)


def _beginning(text: str) -> str:
    return text[:BEGINNING].strip().lower()


def _repeated(assembly: Assembly, row: int) -> int | None:
    """Return the message repeated by a passage."""
    passages, messages = assembly.candidates.items.passage_messages
    found = messages[passages == row]
    return int(found[0]) if len(found) else None


def _to_come(assembly: Assembly, row: int) -> int | None:
    """Return the newest source message of a row, if it is not there yet either."""
    items = assembly.candidates.items
    pairs = (items.parts_of_messages, items.cited_messages)
    found = np.concatenate([messages[rows == row] for rows, messages in pairs])
    found = found[assembly.candidates.state[found] == State.NOT_YET]
    return int(found.max()) if len(found) else None


def _beginning_of_part(assembly: Assembly, row: int) -> int | None:
    """Return the first message of the fitting part of the conversation."""
    rows = _with_reason(assembly, LONGEST_THAT_FITS)
    return int(rows.min()) if len(rows) else None


def _with_reason(assembly: Assembly, reason: Reason) -> Rows:
    if reason not in assembly.reasons:
        return np.empty(0, np.intp)
    return np.flatnonzero(assembly.reason == assembly.reasons.index(reason))


_DECIDERS: Mapping[Reason, tuple[str, Callable[[Assembly, int], int | None]]] = {
    AFTER_STOP: ("That misfit is", _misfit),
    AFTER_MISFITS: ("The last of them is", _misfit),
    DUPLICATE: ("That component is", _alike),
    REPEATED: ("That message is", _repeated),
    BEFORE_THE_PART: ("That part begins with", _beginning_of_part),
    BEGINS_WITH_A_REPLY: ("What is kept begins with", _beginning_of_part),
    NOT_YET: ("It follows from", _to_come),
}
