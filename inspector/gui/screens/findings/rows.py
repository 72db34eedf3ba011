"""The rows of the list: a sign, a sentence, how many items, and a button where something can be done."""

from collections.abc import Iterator
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QCursor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QApplication, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from inspector.gui.parts.signs import paint_severity
from inspector.gui.screens.findings.entries import Entry
from inspector.gui.theme import GAP, UNIT, named_font, scaled, theme

_WRAP = Qt.TextFlag.TextWordWrap
_SIGN, _HEIGHT, _SIDE, _AROUND = 14, 26, 11, 10
_NARROW = 460
"""Narrower than this, in pixels, the buttons are below the sentence."""
_Index = QModelIndex | QPersistentModelIndex


class Button(NamedTuple):
    """A painted button of a row: its words, its place, and whether it does what is advised or shows the items."""

    words: str
    place: QRect
    is_deed: bool


class EntryDelegate(QStyledItemDelegate):
    """The painter of an entry, and the places of its buttons."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view

    def buttons(self, index: _Index, row: QRect) -> Iterator[Button]:
        """Yield the buttons of a row in its rectangle, from right to left."""
        entry: Entry = index.data(Qt.ItemDataRole.UserRole)
        right = row.x() + self._width - GAP
        top = row.bottom() - scaled(_HEIGHT) - UNIT if self._is_narrow else row.y() + _AROUND - UNIT
        for words, is_deed in ((entry.deed.words if entry.deed else "", True), (entry.items, False)):
            if words:
                width = QFontMetrics(named_font("secondary")).horizontalAdvance(words) + 2 * scaled(_SIDE)
                yield Button(words, QRect(right - width, top, width, scaled(_HEIGHT)), is_deed)
                right -= width + 2 * UNIT

    def button_at(self, place: QPoint) -> tuple[_Index, Button] | None:
        """Return the button at a place of the viewport, with its row."""
        index = self._view.indexAt(place)
        if not index.isValid():
            return None
        found = (button for button in self.buttons(index, self._view.visualRect(index)) if button.place.contains(place))
        return next(((index, button) for button in found), None)

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Return the height of the wrapped lines beside or above the buttons."""
        sentence, below = self._heights(index)
        height = sentence + (below + 2 if below else 0) + 2 * _AROUND
        if self._is_narrow and self._room(index):
            height += scaled(_HEIGHT) + UNIT
        return QSize(self._width, max(height, scaled(_HEIGHT) + 2 * _AROUND - 2 * UNIT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        self.initStyleOption(option, index)
        option.text = ""
        style = self._view.style() or QApplication.style()
        style.drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, self._view)
        entry: Entry = index.data(Qt.ItemDataRole.UserRole)
        look, row = theme(), option.rect
        painter.save()
        painter.fillRect(row.x(), row.bottom(), row.width(), 1, look.border)
        paint_severity(painter, QRectF(row.x() + GAP, row.y() + _AROUND + 1, _SIGN, _SIGN), entry.severity)
        sentence, _ = self._heights(index)
        text = QRect(row.x() + self._left, row.y() + _AROUND, self._text_width(index), row.height())
        painter.setPen(look.text)
        painter.setFont(self._font)
        painter.drawText(text, _WRAP, index.data(Qt.ItemDataRole.DisplayRole))
        painter.setPen(look.second_text)
        painter.setFont(self._view.font())
        painter.drawText(text.translated(0, sentence + 2), _WRAP, entry.below)
        mouse = self._view.viewport().mapFromGlobal(QCursor.pos()) if self._view.underMouse() else QPoint(-1, -1)
        for button in self.buttons(index, row):
            self._paint_button(painter, button, button.place.contains(mouse))
        painter.restore()

    def _paint_button(self, painter: QPainter, button: Button, hovered: bool) -> None:
        look, box = theme(), QRectF(button.place).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(look.outline if button.is_deed else Qt.PenStyle.NoPen)
        painter.setBrush(look.accent_soft if hovered else look.button if button.is_deed else look.hover)
        radius = 7 if button.is_deed else box.height() / 2
        painter.drawRoundedRect(box, radius, radius)
        painter.setPen(look.text if button.is_deed else look.second_text)
        painter.setFont(named_font("secondary"))
        painter.drawText(button.place, Qt.AlignmentFlag.AlignCenter, button.words)

    @property
    def _font(self) -> QFont:
        return named_font("name")

    @property
    def _width(self) -> int:
        """The width of the rows, the same with and without a scroll bar, so that heights stay correct."""
        return self._view.width() - self._view.verticalScrollBar().sizeHint().width()

    @property
    def _is_narrow(self) -> bool:
        return self._width < scaled(_NARROW)

    @property
    def _left(self) -> int:
        return GAP + _SIGN + GAP

    def _room(self, index: _Index) -> int:
        """Return the width of the buttons of a row with the gaps around them."""
        return sum(button.place.width() + 2 * UNIT for button in self.buttons(index, QRect()))

    def _text_width(self, index: _Index) -> int:
        beside = 0 if self._is_narrow else self._room(index)
        return max(self._width - self._left - GAP - beside, 40)

    def _heights(self, index: _Index) -> tuple[int, int]:
        """Return the heights of the sentence and of the text below it."""
        width, entry = self._text_width(index), index.data(Qt.ItemDataRole.UserRole)
        sentence = _height(self._font, width, index.data(Qt.ItemDataRole.DisplayRole))
        return sentence, _height(self._view.font(), width, entry.below) if entry.below else 0


def _height(font: QFont, width: int, text: str) -> int:
    return QFontMetrics(font).boundingRect(QRect(0, 0, width, 100_000), _WRAP, text).height()
