"""How the lines of the box are painted."""

from typing import Any, cast

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from inspector.gui.parts.marked_text import paint_marked
from inspector.gui.parts.texts import first_line
from inspector.gui.search.lines import Entry, Heading, Hit
from inspector.gui.theme import UNIT, named_font, row_height, theme

ABOUT_DIGITS = 20
TITLE_SHARE, LEAST_WITH_ABOUT = 0.42, 480
"""The part of the width that titles get beside descriptions, and the width from which on there are descriptions."""
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class BoxLines(QStyledItemDelegate):
    """Headings small, with their amount at the right; entries with description and keys; matches with their marks."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        self.initStyleOption(option, index)
        view, place, line = self._view, cast(Any, option).rect, index.data(Qt.ItemDataRole.UserRole)
        inside = place.adjusted(2 * UNIT, 0, -2 * UNIT, 0)
        painter.save()
        if isinstance(line, Heading):
            _paint_heading(painter, place, inside, line)
        else:
            view.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, view)
            if isinstance(line, Entry):
                _paint_entry(painter, inside, line)
            else:
                _paint_hit(painter, inside, line, view.font())
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, row_height(self._view))

    @property
    def _view(self) -> QWidget:
        view = self.parent()
        assert isinstance(view, QWidget)
        return view


def _paint_heading(painter: QPainter, place: QRect, inside: QRect, line: Heading) -> None:
    """Paint a section's title; a hairline parts it from the section above."""
    if place.top() > 0:
        painter.fillRect(inside.left(), place.top(), inside.width(), 1, theme().border)
    painter.setFont(named_font("secondary"))
    painter.setPen(theme().muted_text)
    painter.drawText(inside, int(_LEFT), line.text)
    painter.drawText(inside, int(_RIGHT), line.about)


def _paint_entry(painter: QPainter, inside: QRect, line: Entry) -> None:
    """Paint title, description and keys in columns; a narrow box has no descriptions."""
    look, metrics = theme(), painter.fontMetrics()
    title, about, keys = line.choice.cells
    left = inside.adjusted(2 * UNIT, 0, 0, 0)
    room = left.width() - (metrics.horizontalAdvance(keys) + 2 * UNIT if keys else 0)
    has_about = inside.width() >= LEAST_WITH_ABOUT
    titled = round(TITLE_SHARE * left.width()) if has_about else room
    _paint_cell(painter, QRect(left.left(), left.top(), titled, left.height()), title, _ink(line))
    painter.setPen(look.muted_text)
    painter.drawText(left, int(_RIGHT), keys)
    if has_about:
        start = left.left() + titled + 2 * UNIT
        _paint_cell(
            painter, QRect(start, left.top(), left.left() + room - start, left.height()), about, look.muted_text
        )


def _ink(line: Entry) -> QColor:
    return theme().text if line.choice.possible else theme().muted_text


def _paint_cell(painter: QPainter, place: QRect, text: str, ink: QColor) -> None:
    painter.setPen(ink)
    shown = painter.fontMetrics().elidedText(first_line(text), Qt.TextElideMode.ElideRight, place.width())
    painter.drawText(place, int(_LEFT), shown)


def _paint_hit(painter: QPainter, inside: QRect, line: Hit, font: QFont) -> None:
    """Paint the title of a chat in bold, with its number at the right, or a place, with speaker and date in front."""
    metrics, painted = QFontMetrics(font), QFont(font)
    painter.setPen(theme().muted_text)
    if line.place is None:
        painted.setWeight(QFont.Weight.DemiBold)
        painter.drawText(inside, int(_RIGHT), line.about)
        text = inside.adjusted(2 * UNIT, 0, -metrics.horizontalAdvance(line.about) - 2 * UNIT, 0)
    else:
        left = inside.adjusted(4 * UNIT, 0, 0, 0)
        width = min(ABOUT_DIGITS * metrics.horizontalAdvance("0"), left.width() // 3)
        painter.drawText(left, int(_LEFT), metrics.elidedText(line.about, Qt.TextElideMode.ElideRight, width))
        text = left.adjusted(width + 2 * UNIT, 0, 0, 0)
    painter.setPen(theme().text)
    paint_marked(painter, text, line.text, line.marks, painted)
