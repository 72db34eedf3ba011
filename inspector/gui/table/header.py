"""The header of an array table: it keeps titles clear of the sort arrow, and reports the user's changes to columns."""

from PySide6.QtCore import QPointF, QRect, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPolygonF
from PySide6.QtWidgets import QHeaderView, QStyleOptionHeader, QWidget

from inspector.gui.theme import UNIT, theme

PADDING = 2 * UNIT
ARROW = 2 * UNIT
"""The width of the arrow, in pixels."""
ARROW_ROOM = ARROW + UNIT
"""The room for the arrow beside a title."""


class TableHeader(QHeaderView):
    """Titles of columns. The sort arrow is at the other end of a column: at the left for right-aligned titles.

    `let_go` reports the release of the mouse: sizes and order are then final.
    """

    let_go = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(True)
        self.setSectionsMovable(True)
        self.setHighlightSections(False)
        self.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def _is_sorted(self, section: int) -> bool:
        return self.isSortIndicatorShown() and self.sortIndicatorSection() == section

    def _is_right(self, section: int) -> bool:
        alignment = self.model().headerData(section, self.orientation(), Qt.ItemDataRole.TextAlignmentRole)
        return bool(int(alignment or 0) & int(Qt.AlignmentFlag.AlignRight))

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, section: int) -> None:
        """Prevent the style's own arrow, and shorten the title to leave room for ours."""
        super().initStyleOptionForIndex(option, section)
        if self._is_sorted(section):
            option.sortIndicator = QStyleOptionHeader.SortIndicator.None_  # type: ignore[attr-defined]
            room = self.sectionSize(section) - 2 * PADDING - ARROW_ROOM
            title = option.text  # type: ignore[attr-defined]
            shown = self.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, room)
            option.text = shown  # type: ignore[attr-defined]

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Paint a title, and the arrow of the sorted column."""
        painter.save()
        super().paintSection(painter, rect, section)
        painter.restore()
        if self._is_sorted(section):
            self._paint_arrow(painter, self.arrow_place(rect, section), theme().text)

    def arrow_place(self, rect: QRect, section: int) -> QRect:
        """Return the rectangle of the arrow in that of a section."""
        left = rect.left() + UNIT if self._is_right(section) else rect.right() - UNIT - ARROW
        return QRect(left, rect.center().y() - UNIT // 2, ARROW, UNIT + 1)

    def _paint_arrow(self, painter: QPainter, place: QRect, color: QColor) -> None:
        grows = self.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
        base, tip = (place.bottom(), place.top()) if grows else (place.top(), place.bottom())
        middle = place.left() + place.width() / 2
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        corners = ((place.left(), base), (place.right() + 1, base), (middle, tip))
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))
        painter.restore()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Report the end of a drag."""
        super().mouseReleaseEvent(event)
        self.let_go.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Report a double-click on a handle, which fits the column to its contents."""
        super().mouseDoubleClickEvent(event)
        self.let_go.emit()
