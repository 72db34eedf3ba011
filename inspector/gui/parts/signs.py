"""Signs beside texts: severities, and sentences in lists."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPolygonF
from PySide6.QtWidgets import QApplication, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from inspector.gui.theme import PANEL_MARGIN, UNIT, named_font, theme
from inspector.model import Severity


def severity_color(severity: Severity) -> QColor:
    """Return the colour of a severity; information is muted."""
    current = theme()
    return {"error": current.error, "warning": current.warning, "info": current.muted_text}[severity]


def paint_severity(painter: QPainter, box: QRectF, severity: Severity) -> None:
    """Paint a filled disc with ! for an error, a triangle with ! for a warning, a ring with i for information."""
    color = severity_color(severity)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(color)
    painter.setBrush(Qt.BrushStyle.NoBrush if severity == "info" else color)
    if severity == "warning":
        painter.drawPolygon(QPolygonF([QPointF(box.center().x(), box.top()), box.bottomRight(), box.bottomLeft()]))
    else:
        painter.drawEllipse(box)
    font = QFont(painter.font())
    font.setBold(True)
    font.setPixelSize(max(8, round(box.height() * 0.7)))
    painter.setFont(font)
    painter.setPen(color if severity == "info" else theme().text_on(color))
    sign = box.translated(0, box.height() * 0.1) if severity == "warning" else box
    painter.drawText(sign, Qt.AlignmentFlag.AlignCenter, "i" if severity == "info" else "!")
    painter.restore()


_WRAP = Qt.TextFlag.TextWordWrap
_MARK = 14
_Index = QModelIndex | QPersistentModelIndex


class SentenceDelegate(QStyledItemDelegate):
    """Paints DisplayRole as a sentence wrapped in the view, and `second_line(item)` muted below it.

    The item comes from UserRole and has a `severity`.
    """

    def __init__(self, view: QListView, second_line: Callable[[Any], str]) -> None:
        super().__init__(view)
        self._view = view
        self._second_line = second_line

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Return the height of the wrapped lines in the width of the view."""
        text, second = self._texts(index)
        inner = self._inner
        height = _height(self._view.font(), inner, text) + 2 * UNIT
        if second:
            height += _height(named_font("caption"), inner, second) + 2
        return QSize(inner, max(height, 6 * UNIT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        self.initStyleOption(option, index)
        option.text = ""
        style = self._view.style() or QApplication.style()
        style.drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, self._view)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        text, second = self._texts(index)
        box = option.rect.adjusted(self._left, UNIT, 0, 0)
        box.setWidth(self._inner)
        mark = QRectF(option.rect.x() + PANEL_MARGIN, box.y() + 2, _MARK, _MARK)
        paint_severity(painter, mark, index.data(Qt.ItemDataRole.UserRole).severity)
        painter.save()
        ink = option.palette.highlightedText().color() if selected else theme().text
        painter.setPen(ink)
        painter.setFont(self._view.font())
        painter.drawText(box, _WRAP, text)
        if second:
            below = box.adjusted(0, _height(self._view.font(), box.width(), text) + 2, 0, 0)
            painter.setPen(ink if selected else theme().muted_text)
            painter.setFont(named_font("caption"))
            painter.drawText(below, _WRAP, second)
        painter.restore()

    @property
    def _inner(self) -> int:
        """The width of the sentences, the same with and without a scroll bar, so that heights stay correct."""
        return self._view.width() - self._view.verticalScrollBar().sizeHint().width() - self._left - PANEL_MARGIN

    @property
    def _left(self) -> int:
        return PANEL_MARGIN + _MARK + PANEL_MARGIN

    def _texts(self, index: _Index) -> tuple[str, str]:
        return index.data(Qt.ItemDataRole.DisplayRole), self._second_line(index.data(Qt.ItemDataRole.UserRole))


def _height(font: QFont, width: int, text: str) -> int:
    return QFontMetrics(font).boundingRect(QRect(0, 0, max(width, 40), 100_000), _WRAP, text).height()
