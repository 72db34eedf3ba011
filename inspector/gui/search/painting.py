"""How a line of what was found is painted: who and when, and the excerpt with what was looked for marked in it."""

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
    """Headings are bold, with their number at the right; places are indented, with who and when before them."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Ground, what it is about, and the text."""
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
        """A line of the height that all lists have."""
        return QSize(0, row_height(self._view))

    @property
    def _view(self) -> QWidget:
        view = self.parent()
        assert isinstance(view, QWidget)
        return view


def _paint_about(painter: QPainter, inside: QRect, line: Line) -> QRect:
    """Write what a line is about. Returns the room that is left for its text."""
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
