"""Keyboard navigation among tokens: from token to token, from row to row, to either end."""

from PySide6.QtCore import Qt

from inspector.gui.token_text.painting import RowCell
from inspector.gui.token_text.rows import TokenRows

_Key = Qt.Key
_STEPS = {_Key.Key_Left: -1, _Key.Key_Right: 1}
_ROWS = {_Key.Key_Up: -1, _Key.Key_Down: 1}
_PAGES = {_Key.Key_PageUp: -1, _Key.Key_PageDown: 1}
_ENDS = (_Key.Key_Home, _Key.Key_End)


def reached_cell(
    key: Qt.Key, of_all: bool, rows: TokenRows, current: int | None, top_row: int, page_rows: int
) -> int | None:
    """Return the cell to which a key leads from the current cell, or None for other keys.

    With `of_all`, Home and End refer to the whole text. Without a current cell, the first visible cell counts as
    current.
    """
    count = len(rows.shown.cells)
    if not count or key not in (*_STEPS, *_ROWS, *_PAGES, *_ENDS):
        return None
    if key in _ENDS and of_all:
        return 0 if key == _Key.Key_Home else count - 1
    if current is None:
        return next((found for row in range(top_row, len(rows)) if (found := _nearest(rows, row, 0.0)) is not None), 0)
    if key in _STEPS:
        return min(max(current + _STEPS[key], 0), count - 1)
    if key in _ENDS:
        parts = _at_home(rows, rows.home_row(current))
        return parts[0 if key == _Key.Key_Home else -1].cell
    return _beside(rows, current, _ROWS.get(key, 0) + _PAGES.get(key, 0) * max(1, page_rows))


def _beside(rows: TokenRows, current: int, by: int) -> int:
    """Return the cell `by` rows below the current cell, or further if no cell ends in that row."""
    here = rows.home_row(current)
    spans = rows.spans_of(here, current)
    x = spans[0][0] if spans else 0.0
    row = min(max(here + by, 0), len(rows) - 1)
    while 0 <= row < len(rows) and row != here:
        cell = _nearest(rows, row, x)
        if cell is not None:
            return cell
        row += 1 if by > 0 else -1
    return current


def _nearest(rows: TokenRows, row: int, x: float) -> int | None:
    """Return the cell of a row nearest to x, or None if no cell ends there."""
    parts = [(abs(part.spans[0][0] - x), part.cell) for part in _at_home(rows, row) if part.spans]
    return min(parts)[1] if parts else None


def _at_home(rows: TokenRows, row: int) -> list[RowCell]:
    """Return the cells that end in a row: a cell beginning with a line break is in the row below it."""
    return [part for part in rows.layout(row).cells if rows.home_row(part.cell) == row]
