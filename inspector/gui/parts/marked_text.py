"""A line of text with the matched words marked, painted alike in lists and tables."""

from typing import Any

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QTextCharFormat, QTextLayout, QTextLine, QTextOption

from inspector.gui.parts.texts import shown_length
from inspector.gui.theme import mark_color
from inspector.retrieval.search.words import Marks

_ENDLESS = 1_000_000


def paint_marked(painter: QPainter, place: QRect, text: str, marks: Marks, font: QFont) -> None:
    """Draw a text in the painter's ink, with the matched words on a ground, cut with … if it is too long.

    If the first mark would not fit, the text starts there.
    """
    looks = [_range(text, start, end) for start, end in marks]
    layout = _laid_out(text, looks, font)
    if layout.lineAt(0).naturalTextWidth() > place.width():
        room = place.width() - QFontMetrics(font).horizontalAdvance("…")
        if marks and marks[0][0] > 1 and _end_of(looks[0], layout) > room:
            begun, left_out = f"…{text[marks[0][0] :]}", marks[0][0] - 1
            later = tuple((start - left_out, end - left_out) for start, end in marks)
            paint_marked(painter, place, begun, later, font)
            return
        layout = _laid_out(_cut(text, layout.lineAt(0), room), looks, font)
    painter.save()
    painter.setClipRect(place, Qt.ClipOperation.IntersectClip)
    layout.draw(painter, QPointF(place.x(), place.y() + (place.height() - layout.lineAt(0).height()) / 2))
    painter.restore()


def _end_of(look: QTextLayout.FormatRange, layout: QTextLayout) -> float:
    """Return the distance from the left, in pixels, to the end of a formatted range in a single-line text."""
    reached: Any = layout.lineAt(0).cursorToX(look.start + look.length)
    return float(reached[0])


def _laid_out(text: str, looks: list[QTextLayout.FormatRange], font: QFont) -> QTextLayout:
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    layout.setTextOption(option)
    layout.setFormats(looks)
    layout.beginLayout()
    layout.createLine().setLineWidth(_ENDLESS)
    layout.endLayout()
    return layout


def _cut(text: str, row: QTextLine, width: int) -> str:
    """Return as much of a line as fits a width in pixels, followed by …."""
    before: Any = row.xToCursor(max(width, 0), QTextLine.CursorPosition.CursorOnCharacter)
    return f"{_first_units(text, before)}…"


def _first_units(text: str, count: int) -> str:
    """Return the beginning of a text, `count` UTF-16 code units long."""
    if text.isascii():
        return text[:count]
    return text.encode("utf-16-le", "surrogatepass")[: 2 * count].decode("utf-16-le", "ignore")


def _range(text: str, start: int, end: int) -> QTextLayout.FormatRange:
    marked = QTextLayout.FormatRange()
    marked.start, marked.length = shown_length(text[:start]), shown_length(text[start:end])
    look = QTextCharFormat()
    look.setBackground(mark_color())
    marked.format = look
    return marked
