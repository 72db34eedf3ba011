"""Marks that a person puts on items from any table: what must survive, and notes."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from inspector.assembly.marks import marked_rows, toggle_must_survive, write_note
from inspector.gui.session import Session


def mark(session: Session, rows: Sequence[int]) -> None:
    """Let these rows of the answer that is shown have to survive, or no longer, as one step."""
    if session.answer is not None and rows:
        session.mark(toggle_must_survive, session.answer.assembly.candidates.items, rows, session.workspace)


def ask_for_note(session: Session, row: int | None, parent: QWidget) -> None:
    """Ask for a note on a row of the answer that is shown, with the one that is there; None asks for nothing."""
    from inspector.gui.parts.text_dialog import TextDialog  # not needed for the first picture

    if session.answer is None or row is None:
        return
    items = session.answer.assembly.candidates.items
    note = marked_rows(session.marks, items).notes.get(row, "")
    take = lambda text: session.mark(write_note, items, row, session.workspace, text)  # noqa: E731 - of this item
    TextDialog(f"Note on {items.names[row]}", note, take, parent, lines=True).open()
