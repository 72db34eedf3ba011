"""Items by entries: after the columns of the items themselves, a column for each entry compared."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QObject, QPointF, QRect, Qt
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QTableView, QWidget

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import HOME_SECTION, Kind, Rows
from inspector.gui.parts.texts import tooltip
from inspector.gui.table.header import EntryHeader
from inspector.gui.table.model import ArrayTableModel, Cell, Marking, Sign, Subject
from inspector.gui.table.row_painter import Place, RowPainter
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import PIN_SIGN, row_height, theme
from inspector.tables import Column


class MatrixModel(ArrayTableModel[Subject]):
    """Rows of a subject, each with the colour of its kind at the edge and a pin if pinned.

    `candidates_of` returns the items in the rows of a subject; `about_entry` returns the tooltip over the column of an
    entry, by the entry's place.
    """

    def __init__(
        self,
        item_columns: Sequence[Column[Subject]],
        candidates_of: Callable[[Subject], Candidates],
        about_entry: Callable[[Subject, int], str],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(item_columns, parent)
        self._item_columns = tuple(item_columns)
        self._candidates_of = candidates_of
        self._about_entry = about_entry
        self._places: Mapping[str, int] = {}

    def show_matrix(
        self, entries: Sequence[Column[Subject]], subject: Subject | None, rows: Rows, ids: Sequence[str]
    ) -> None:
        """Show these rows of a subject, with these columns for its entries, in order."""
        places = {column.key: place for place, column in enumerate(entries)}
        if places == self._places:
            self.show(subject, rows, ids)
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)
            return
        self._places = places
        self.show_under((*self._item_columns, *entries), subject, rows, ids)

    def place(self, key: str) -> int | None:
        """Return the place of the entry in the column of this key, or None for the columns of the items."""
        return self._places.get(key)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the usual values, except the tooltip over an entry, which describes that."""
        if role == Qt.ItemDataRole.ToolTipRole and orientation == Qt.Orientation.Horizontal:
            place = self.place(self.columns[section].key)
            if place is not None and self.subject is not None:
                return tooltip(self._about_entry(self.subject, place), wraps=True)
        return super().headerData(section, orientation, role)

    def marking(self, position: int) -> Marking | None:
        """Return the colour of the item's home section, and the pin."""
        if self.subject is None:
            return None
        look, row, candidates = theme(), int(self.rows[position]), self._candidates_of(self.subject)
        section = HOME_SECTION[Kind(int(candidates.kind[row]))]
        signs = (Sign(PIN_SIGN, look.pinned_color),) if candidates.pinned[row] else ()
        return Marking(look.section_color(section), signs)


class GlyphPainter(RowPainter):
    """Paints the cells of `glyphs` as glyphs in their middle, with a hairline before each column.

    The cells of `lasting` are never dimmed.
    """

    def __init__(self, view: QTableView, model: MatrixModel) -> None:
        super().__init__(view, model)
        self._matrix = model
        self.lasting = ""

    def _paint_cell(self, painter: QPainter, strip: QRect, place: Place, cell: Cell, selected: bool) -> None:
        if self._matrix.place(place.column.key) is None:
            super()._paint_cell(painter, strip, place, cell, selected)
            return
        opacity, look = painter.opacity(), theme()
        if place.column.key == self.lasting:
            painter.setOpacity(1.0)
        if cell.ground is not None and not (selected and cell.ground == look.accent_soft):
            painter.fillRect(place.x, strip.y(), place.width - 1, strip.height(), cell.ground)
        painter.fillRect(place.x + place.width - 1, strip.y(), 1, strip.height() + 1, look.border)
        prepared, used, tall = self._texts.text(cell.text, place.width)
        painter.setPen(cell.color or look.text)
        left = place.x + (place.width - used) / 2
        painter.drawStaticText(QPointF(left, strip.y() + (strip.height() - tall) / 2), prepared)
        painter.setOpacity(opacity)


ROWS = 3
"""The number of rows below the header before the header becomes short."""


class MatrixTable(ArrayTableView):
    """Rows of items, with a column for each entry of the header after those of the items themselves."""

    def __init__(self, model: ArrayTableModel, header: EntryHeader, parent: QWidget | None = None) -> None:
        self.header = header
        header.setParent(parent)
        super().__init__(model, parent, header)
        header.setSortIndicatorShown(True)  # tables turn it off for a header passed to them

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shorten the header of a low table, to keep room for rows."""
        scroll_bar = self.horizontalScrollBar().sizeHint().height()
        self.header.set_room(self.height() - scroll_bar - ROWS * row_height(self))
        super().resizeEvent(event)

    def _declared_width(self, column: Column) -> int:
        return self.header.width_of(column.key) or super()._declared_width(column)
