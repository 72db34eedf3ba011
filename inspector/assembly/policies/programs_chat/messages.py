"""The messages that a chat program or server gets: a system prompt and the conversation, and nothing else."""

import numpy as np

from inspector.assembly.columns import I32, Kind, Rows, Section
from inspector.assembly.defaults import active_lore, leave_out, split_pinned
from inspector.assembly.ledger import Ledger
from inspector.assembly.packing import charges_from
from inspector.assembly.reasons import PINNED, SWITCHED_OFF

_NOT_PLACED = (
    *(Kind.COMPONENT, Kind.PROFILE, Kind.MEMORY, Kind.PASSAGE, Kind.SUMMARY, Kind.DOCUMENT, Kind.ATTACHMENT),
)


def chat_messages(ledger: Ledger) -> Rows:
    """Return the system prompt, if it has a text, and the messages, in order; drop everything else."""
    leave_out(ledger, np.concatenate([ledger.rows(*_NOT_PLACED), active_lore(ledger)]))
    first = ledger.rows(Kind.SYSTEM)
    blank = ~ledger.candidates.active[first] | (ledger.candidates.items.lengths[first] == 0)
    ledger.drop(first[blank], SWITCHED_OFF, Section.SYSTEM)
    return np.concatenate([first[~blank], ledger.rows(Kind.MESSAGE)])


def keep_pinned(ledger: Ledger, rows: Rows, overhead: int, room: int) -> tuple[Rows, int]:
    """Keep the pinned of these rows first. Return the others, and the tokens charged for the pinned."""
    pinned, others = split_pinned(ledger, rows)
    charges = charges_of(ledger, pinned, overhead)
    ledger.guarantee(pinned, PINNED, Section.HISTORY, room=room, charges=charges)
    return others, int(charges.sum(dtype=np.int64))


def charges_of(ledger: Ledger, rows: Rows, overhead: int) -> I32:
    """Return the cost of each of these rows with the formatting of a message."""
    return charges_from(ledger.costs[rows], overhead)
