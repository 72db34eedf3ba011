"""Asking for changes that would keep the selected items, or the dropped ones that must stay."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtWidgets import QWidget

from inspector.assembly.marks import marked_rows
from inspector.gui.session.session import Session


def ask_what_keeps(session: Session, rows: Sequence[int], parent: QWidget) -> str:
    """Show changes that would keep the dropped items among these rows, or else all dropped items that must stay.

    Returns a message if there is nothing to ask for, else "".
    """
    session.flush()
    answer = session.answer
    if answer is None or session.trouble:
        return session.trouble
    in_prompt, items = answer.assembly.in_prompt, answer.assembly.candidates.items
    dropped = [row for row in rows if not in_prompt[row]]
    if not dropped:
        dropped = np.flatnonzero(marked_rows(session.marks, items).must_survive & ~in_prompt).tolist()
    if not dropped:
        return "Select dropped items, or mark some that must stay, to see what would keep them"
    from inspector.gui.keeping.dialog import KeepingDialog  # not needed for the first picture

    KeepingDialog(session, answer, dropped, parent).open()
    return ""
