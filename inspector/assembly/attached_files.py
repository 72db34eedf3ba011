"""Attached files: their shares of the characters of a slot, and the message quoting them."""

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Action, Rows, Section
from inspector.assembly.decisions import Composed
from inspector.assembly.ledger import Ledger
from inspector.assembly.reasons import CUT, GETS_ITS_SHARE, PINNED
from inspector.model import Document, SkippedFile

CUT_MARK = "\n…[truncated]"
ROOM_FOR_CUT_MARK = 20
"""Code points reserved below the cap of a cut attachment for the mark, which takes fewer."""
_CLOSING = "\n</ATTACHED_CONTENT>\n"


def fill_files(ledger: Ledger, rows: Rows, budget: int, floor: int, *, counts_tags: bool = False) -> int:
    """Keep files in order, each cut to its part of the remaining `budget`, or to the `floor`, in code points.

    With `counts_tags` the tags around a file use up the budget too. Return the code points used.
    """
    candidates = ledger.candidates
    lengths = candidates.items.lengths[rows].tolist()
    caps: dict[int, int] = {}
    used = 0
    for place, (row, length) in enumerate(zip(rows.tolist(), lengths, strict=True)):
        cap = max(floor, (budget - used) // (len(rows) - place))
        if length > cap:
            caps[row] = max(0, cap - ROOM_FOR_CUT_MARK)
            length = caps[row] + len(CUT_MARK)
        used += length
        if counts_tags:
            used += len(_opening(candidates, row)) + len(_CLOSING)

    def beginning(row: int) -> str:
        return candidates.texts[row][: caps[row]] + CUT_MARK

    for row, length in caps.items():
        cut = np.array([row], np.intp)
        costs = candidates.form_tokens(cut, ("code points and mark", length), beginning)
        ledger.reshape(cut, Action.TRUNCATED, CUT, costs, beginning)
    pinned = candidates.pinned[rows]
    ledger.guarantee(rows[pinned], PINNED, Section.ATTACHMENTS)
    ledger.keep(rows[~pinned], GETS_ITS_SHARE, Section.ATTACHMENTS)
    return used


def files_block(candidates: Candidates, rows: Rows) -> Composed:
    """Return one message with the quoted attached files and the names of skipped ones."""
    pieces: list[str | int] = []
    for row in rows.tolist():
        pieces += [_opening(candidates, row), row, _CLOSING]
    return Composed("user", (*pieces, *map(_skipped_line, candidates.items.skipped)))


def _opening(candidates: Candidates, row: int) -> str:
    thing = candidates.things[row]
    path = thing.title or thing.id if isinstance(thing, Document) else candidates.items.plain_ids[row]
    return f'<ATTACHED_CONTENT path="{_quoted(path)}">\n'


def _skipped_line(file: SkippedFile) -> str:
    return f'<SKIPPED_PATH path="{_quoted(file.path)}" reason="{_quoted(file.reason)}"/>\n'


def _quoted(text: str) -> str:
    """Replace double quotes by single quotes, which do not end an attribute."""
    return text.replace('"', "'")
