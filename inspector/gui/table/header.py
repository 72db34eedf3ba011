"""The header of an array table: an arrow that no title lies under, and word of what a person did to the columns."""

from PySide6.QtCore import QPointF, QRect, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPolygonF
from PySide6.QtWidgets import QHeaderView, QStyleOptionHeader, QWidget

from inspector.gui.theme import UNIT, theme

PADDING = 2 * UNIT
ARROW = 2 * UNIT
"""The width of the arrow, in pixels."""
ARROW_ROOM = ARROW + UNIT
"""What the arrow takes from a title beside it."""


class TableHeader(QHeaderView):
    """Titles of columns. The arrow stands at the end of a column where its title is not: left of those on the right.

    `let_go` tells that a person has let go of the mouse: sizes and order are what they are to be.
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
        """The style draws no arrow, and a title that has the room beside it."""
        super().initStyleOptionForIndex(option, section)
        if self._is_sorted(section):
            option.sortIndicator = QStyleOptionHeader.SortIndicator.None_  # type: ignore[attr-defined]
            room = self.sectionSize(section) - 2 * PADDING - ARROW_ROOM
            title = option.text  # type: ignore[attr-defined]
            shown = self.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, room)
            option.text = shown  # type: ignore[attr-defined]

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Paint a title, and the arrow of the column that is sorted by."""
        painter.save()
        super().paintSection(painter, rect, section)
        painter.restore()
        if self._is_sorted(section):
            self._paint_arrow(painter, self.arrow_place(rect, section), theme().text)

    def arrow_place(self, rect: QRect, section: int) -> QRect:
        """Where the arrow stands in the rectangle of a section."""
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
        """What was dragged is let go."""
        super().mouseReleaseEvent(event)
        self.let_go.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A handle that is clicked twice makes its column as wide as what it shows."""
        super().mouseDoubleClickEvent(event)
        self.let_go.emit()
