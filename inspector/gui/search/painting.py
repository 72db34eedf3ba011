"""Painting a search result: speaker and date, and the excerpt with the matched words marked."""

from typing import Any, cast

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from inspector.gui.parts.marked_text import paint_marked
from inspector.gui.search.lines import Line
from inspector.gui.theme import UNIT, row_height, theme

_Index = QModelIndex | QPersistentModelIndex
ABOUT_DIGITS = 20


class FoundLines(QStyledItemDelegate):
    """Headings are bold, with their number at the right; places are indented, with speaker and date in front."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        self.initStyleOption(option, index)
        view, shown, line = self._view, cast(Any, option), index.data(Qt.ItemDataRole.UserRole)
        view.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, view)
        is_selected = bool(shown.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.HighlightedText if is_selected else QPalette.ColorRole.Text
        ink = shown.palette.color(role)
        inside = shown.rect.adjusted(2 * UNIT, 0, -2 * UNIT, 0)
        painter.save()
        painter.setPen(ink if is_selected else theme().muted_text)
        text = _paint_about(painter, inside, line)
        painter.setPen(ink)
        font = QFont(view.font())
        font.setBold(line.place is None)
        paint_marked(painter, text, line.text, line.marks, font, is_selected)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(0, row_height(self._view))

    @property
    def _view(self) -> QWidget:
        view = self.parent()
        assert isinstance(view, QWidget)
        return view


def _paint_about(painter: QPainter, inside: QRect, line: Line) -> QRect:
    """Paint the description of a line. Returns the remaining room for its text."""
    metrics = painter.fontMetrics()
    if line.place is None:
        width = metrics.horizontalAdvance(line.about)
        painter.drawText(inside, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), line.about)
        return inside.adjusted(0, 0, -width - 2 * UNIT, 0)
    left = inside.adjusted(3 * UNIT, 0, 0, 0)
    width = ABOUT_DIGITS * metrics.horizontalAdvance("0")
    words = metrics.elidedText(line.about, Qt.TextElideMode.ElideRight, width)
    painter.drawText(left, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), words)
    return left.adjusted(width + 2 * UNIT, 0, 0, 0)
