"""A text on one line in which what somebody looks for is marked: lists and tables paint it alike."""

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QFont, QPainter, QTextCharFormat, QTextLayout, QTextOption

from inspector.gui.parts.visible_text import shown_length
from inspector.gui.theme import mark_color, theme
from inspector.retrieval.search.words import Marks

_ENDLESS = 1_000_000


def paint_marked(
    painter: QPainter, place: QRect, text: str, marks: Marks, font: QFont, is_selected: bool = False
) -> None:
    """Write a text in the ink of the painter, as far as there is room; on a selected line marks are bold only."""
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    layout.setTextOption(option)
    layout.setFormats([_range(text, start, end, is_selected) for start, end in marks])
    layout.beginLayout()
    row = layout.createLine()
    row.setLineWidth(_ENDLESS)
    layout.endLayout()
    painter.save()
    painter.setClipRect(place, Qt.ClipOperation.IntersectClip)
    layout.draw(painter, QPointF(place.x(), place.y() + (place.height() - row.height()) / 2))
    painter.restore()


def _range(text: str, start: int, end: int, is_selected: bool) -> QTextLayout.FormatRange:
    marked = QTextLayout.FormatRange()
    marked.start, marked.length = shown_length(text[:start]), shown_length(text[start:end])
    look = QTextCharFormat()
    look.setFontWeight(QFont.Weight.Bold)
    if not is_selected:
        look.setBackground(mark_color())
        look.setForeground(theme().text)
    marked.format = look
    return marked
