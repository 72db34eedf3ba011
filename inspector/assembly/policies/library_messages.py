"""The common parts of the policies of well-known libraries: the messages given to such a library, and their roles.

It drops the candidates for which these libraries have no place, and decides nothing about messages.
"""

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import ROLE_NUMBER, U8, Bool, Kind, Rows, Section
from inspector.assembly.decisions import Assembly, Block, Composed, Run
from inspector.assembly.defaults import active_lore, leave_out
from inspector.assembly.ledger import Ledger
from inspector.assembly.reasons import SWITCHED_OFF

_NOT_PLACED = (Kind.PROFILE, Kind.MEMORY, Kind.PASSAGE, Kind.SUMMARY, Kind.DOCUMENT, Kind.ATTACHMENT)


def open_messages(ledger: Ledger, *, components: bool = False) -> Rows:
    """Return the list given to a library: the system prompt, if any, `components` on request, and messages.

    Everything else is dropped. From here on a message with tool calls costs its content only: these libraries count no
    calls, which are in the prompt nevertheless and are overhead in the ledger.
    """
    unplaced = _NOT_PLACED if components else (Kind.COMPONENT, *_NOT_PLACED)
    leave_out(ledger, np.concatenate([ledger.rows(*unplaced), active_lore(ledger)]))
    first = ledger.rows(Kind.SYSTEM, Kind.COMPONENT) if components else ledger.rows(Kind.SYSTEM)
    blank = ~ledger.candidates.active[first] | (ledger.candidates.items.lengths[first] == 0)
    ledger.drop(first[blank], SWITCHED_OFF, Section.SYSTEM)
    ledger.recost(ledger.candidates.items.callers, ledger.candidates.caller_tokens)
    return np.concatenate([first[~blank], ledger.rows(Kind.MESSAGE)])


def roles_of(candidates: Candidates, rows: Rows) -> U8:
    """Return the number of the role of each of these rows; that of a character's system prompt is `system`."""
    return np.where(candidates.kind[rows] == int(Kind.SYSTEM), ROLE_NUMBER["system"], candidates.role[rows])


def up_to_role(roles: U8, role: str) -> int:
    """Return the number of leading items up to and including the last with this role; all if the role is `none`."""
    if role == "none":
        return len(roles)
    places = np.flatnonzero(roles == ROLE_NUMBER[role])
    return int(places[-1]) + 1 if len(places) else 0


def tied_to_tools(candidates: Candidates, rows: Rows) -> Bool:
    """Return a mask of the rows with a tool call or the result of a call."""
    calls = np.zeros(len(candidates), np.bool_)
    calls[candidates.items.callers] = True
    return calls[rows] | (candidates.role[rows] == ROLE_NUMBER["tool"])


def message_layout(assembly: Assembly) -> tuple[Block, ...]:
    """Return one system message for the system prompt and for each component, in file order, then the messages."""
    parts = [row for kind in (Kind.SYSTEM, Kind.COMPONENT) for row in sorted(assembly.kept_rows(kind).tolist())]
    return (*(Composed("system", (row,)) for row in parts), Run(assembly.kept_rows(Kind.MESSAGE)))
