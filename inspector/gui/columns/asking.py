"""Asking for the meaning of the columns in a table of messages. The answer is kept, and the file opened."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMainWindow

from inspector.formats import UnreadableError
from inspector.formats.tables.chats import layout_in, table_of
from inspector.formats.tables.layout import TableLayout
from inspector.formats.tables.own import add_layout
from inspector.gui.columns.dialog import ColumnsDialog
from inspector.gui.screens.screen import Host
from inspector.plugins import explained_tables
from inspector.reading.table import TextTable
from inspector.settings import own_tables_file

TASK = "columns"
NO_TABLE = "is not a table of text (CSV, TSV) with the names of its columns in the first line"
_FILTER = "Tables (*.csv *.tsv *.txt);;All files (*)"
_Found = tuple[TextTable | None, TableLayout | None]
_Reopen = Callable[[str, TableLayout], None]


def explain_columns(window: QMainWindow, host: Host, reopen: _Reopen) -> None:
    """Ask about the last table that could not be read, else about a file chosen by the user.

    `reopen` opens a file by a layout beside the open files, or reads it again if it is open.
    """
    unread = [problem.file for problem in host.session.unread if problem.is_table]
    path = unread[0] if unread else QFileDialog.getOpenFileName(window, "Columns of a table", "", _FILTER)[0]
    if not path:
        return
    ask = partial(_ask, window, host, path, reopen)
    host.session.tasks.run(
        TASK, partial(_look, path, host.session.now.columns), ask, lambda: None, lambda error: host.say(_words(error))
    )


def _look(path: str, columns: Sequence[TableLayout]) -> Iterator[_Found]:
    """Yield the table of a file, and the layout for reading it, from these or from the user's own."""
    table = table_of(path)
    yield table, layout_in(table, (*columns, *explained_tables()[0])) if table else None


def _ask(window: QMainWindow, host: Host, path: str, reopen: _Reopen, found: _Found) -> None:
    table, layout = found
    if table is None:
        host.say(f"{Path(path).name} {NO_TABLE}")
        return

    def keep(chosen: TableLayout) -> None:
        write = partial(add_layout, own_tables_file(), chosen, [path])
        host.session.tasks.write(write, partial(done, chosen), lambda error: dialog.complain(_words(error)))

    def done(chosen: TableLayout) -> None:
        dialog.accept()
        reopen(path, chosen)

    dialog = ColumnsDialog(Path(path).name, table, layout, keep, window)
    dialog.open()


def _words(error: Exception) -> str:
    return str(error.problem) if isinstance(error, UnreadableError) else str(error) or type(error).__name__
