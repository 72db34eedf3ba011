"""Tables as files: CSV with the keys and values of the command line. Open files are never overwritten."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QWidget

from inspector.csv_text import csv_lines
from inspector.gui.parts.new_file import ask_new_file, reason_of
from inspector.gui.session.session import Session
from inspector.gui.table.model import ArrayTableModel
from inspector.model import Problem
from inspector.tables import flat
from inspector.writing import write_file

TABLE = "Table (*.csv)"


def export_table(
    parent: QWidget, session: Session, name: str, model: ArrayTableModel, say: Callable[[str], None]
) -> None:
    """Ask for a file, write the rows of a table in their order, and report it. Errors are reported."""
    folder = Path(session.paths[0]).resolve().parent if session.paths else Path.home()
    chosen = ask_new_file(parent, "Export the table", folder / f"{name}.csv", TABLE)
    if chosen is None:
        return
    try:
        write_file(chosen, "".join(csv_lines(map(flat, model.records()))).encode(), session.opened_files)
    except (OSError, ValueError) as error:
        session.problem_reported.emit(Problem(str(chosen), "", f"cannot be written: {reason_of(error)}"))
        return
    say(f"Saved {chosen}")
