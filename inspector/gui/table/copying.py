"""Table rows for the clipboard: with tabs for editors, as a table for documents and spreadsheets.

Cells are copied as they read. Text that begins like a formula gets an apostrophe and invisible characters are written
out, as in CSV files: pasted into a spreadsheet, both could act as commands.
"""

import re
from collections.abc import Iterable, Sequence
from html import escape

from PySide6.QtCore import QMimeData

from inspector.assembly.columns import Rows
from inspector.csv_text import guarded
from inspector.gui.table.model import ArrayTableModel
from inspector.secrets import masked
from inspector.tables import Column
from inspector.visible_text import made_visible, on_one_line

_FIGURE = re.compile(r"[+\-\N{MINUS SIGN}–]?[\d.,]*( %)?")
"""Texts that every spreadsheet takes for mere numbers, whatever their sign."""


def copied_rows(model: ArrayTableModel, columns: Sequence[Column], rows: Rows) -> QMimeData:
    """Return these rows under the titles of these columns, as text/plain with tabs and as text/html.

    Heading rows are left out.
    """
    lines = [[_cell(model, column, int(row)) for column in columns] for row in rows if row >= 0]
    titles = [on_one_line(column.title) for column in columns]
    copied = QMimeData()
    copied.setText("".join("\t".join(cells) + "\n" for cells in (titles, *lines)))
    copied.setData("text/html", _html(titles, lines, [column.is_figure for column in columns]).encode())
    return copied


def copied_texts(model: ArrayTableModel, rows: Rows) -> str:
    """Return the whole texts of these rows, separated by blank lines, as in the tooltip of the stretching column."""
    column = next((column for column in model.columns if column.stretches), model.columns[0])
    whole = column.tooltip or column.text
    return masked("\n\n".join(whole(model.subject, int(row)) for row in rows if row >= 0))


def _cell(model: ArrayTableModel, column: Column, row: int) -> str:
    text = column.text(model.subject, row)
    return text if _FIGURE.fullmatch(text) else on_one_line(guarded(made_visible(text)))


def _html(titles: Iterable[str], lines: Iterable[Sequence[str]], rights: Sequence[bool]) -> str:
    head = "".join(f"<th>{escape(title)}</th>" for title in titles)
    styles = [' style="text-align: right"' if right else "" for right in rights]
    rows = (
        "".join(f"<td{style}>{escape(cell)}</td>" for style, cell in zip(styles, cells, strict=True)) for cells in lines
    )
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
