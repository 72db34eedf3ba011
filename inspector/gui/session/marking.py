"""The user's marks on items of any table: must survive, left out, needed by a question, notes; and their versions."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from inspector.assembly.alternatives import Alternative
from inspector.assembly.edits import choose_leaf, toggle_exclusions, toggle_pins
from inspector.assembly.marks import marked_rows, need, question_of, toggle_must_survive, write_note
from inspector.assembly.numbers import called, called_in
from inspector.figures import counted
from inspector.gui.session.session import Session

NO_QUESTION = (
    "Select the items needed for a question, and the message of the user that asks; without one the next message asks, "
    "or the newest message if it is the user's"
)


def mark(session: Session, rows: Sequence[int]) -> None:
    """Mark these rows of the shown answer as having to stay, or remove the mark, as one step."""
    if session.answer is not None and rows:
        session.mark(toggle_must_survive, session.answer.assembly.candidates.items, rows, session.workspace)


def mark_needed(session: Session, rows: Sequence[int]) -> str:
    """Record that the question among these rows, the next or the newest message needs the others, as one step.

    Returns a message on the result.
    """
    if session.answer is None:
        return ""
    items, scenario = session.answer.assembly.candidates.items, session.answer.scenario
    question = question_of(items, rows, scenario.at, scenario.has_later)
    if question is None:
        return NO_QUESTION
    session.mark(need, items, question)
    return f"{question.name} needs {counted(len(question.rows), 'item')}: Recommend asks it."


def pin(session: Session, ids: Sequence[str]) -> None:
    """Pin these items, or unpin them if all are pinned, as one step."""
    session.edit(toggle_pins, ids, _called(session, ids))


def leave_out(session: Session, ids: Sequence[str]) -> None:
    """Exclude these items, or include them if all are excluded, by the scenario or the file, as one step."""
    if session.answer is None:
        return
    candidates = session.answer.assembly.candidates
    rows = candidates.rows_named(ids).tolist()
    by_file = [candidates.ids[row] for row in rows if getattr(candidates.things[row], "excluded", False)]
    session.edit(toggle_exclusions, ids, by_file, _called(session, ids))


def _called(session: Session, ids: Sequence[str]) -> str:
    """Return a single item of the shown answer by its number, "" for several."""
    if session.answer is None or len(ids) != 1:
        return ""
    candidates = session.answer.assembly.candidates
    return next((called(candidates, int(row)) for row in candidates.rows_named(ids)), "")


def show_alternative(session: Session, conversation: str, chosen: Alternative) -> int | None:
    """Show the branch with another version of a message, and return the row of that version in the new answer."""
    session.edit(choose_leaf, session.workspace, conversation, chosen.leaf, session.chats)
    session.flush()
    if session.answer is None:
        return None
    rows = session.answer.assembly.candidates.rows_named([f"messages/{chosen.message.id}"])
    return int(rows[0]) if len(rows) else None


def ask_for_note(session: Session, row: int | None, parent: QWidget) -> None:
    """Ask for a note on a row of the shown answer, starting with its present note. None does nothing."""
    from inspector.gui.parts.text_dialog import TextDialog  # not needed for the first picture

    if session.answer is None or row is None:
        return
    items = session.answer.assembly.candidates.items
    note = marked_rows(session.marks, items).notes.get(row, "")
    take = lambda text: session.mark(write_note, items, row, session.workspace, text)  # noqa: E731 - of this item
    TextDialog(f"Note on {called_in(items, row)}", note, take, parent, lines=True).open()
