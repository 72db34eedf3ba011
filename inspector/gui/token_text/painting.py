"""Painting a row of tokens: the text as shaped by Qt, tinted cells, frames around the hovered or current cell."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPalette, QTextCharFormat, QTextLayout, QTextOption

from inspector.gui.palettes import blended
from inspector.gui.parts.visible_text import shown_length
from inspector.gui.theme import theme
from inspector.gui.token_text.writing import TokenWriting

_ROUNDING = 3.0
_INSET = 1.0
_POINTED_AT = 0.28
_SMALLEST_PIECE = 4.0

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class RowCell:
    """The part of a cell in a row: the number of the cell, and its spans from left to right, in pixels."""

    cell: int
    tokens: int
    special: bool
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Pointing:
    """The cell below the mouse, the current cell, and whether this text has the focus."""

    hovered: int | None = None
    current: int | None = None
    focused: bool = False


class RowLayout:
    """A shaped row of code points. Places are code points from the row's beginning; `x` is in pixels."""

    def __init__(
        self, text: str, writing: TokenWriting, width: float, backward: bool, special: Sequence[tuple[int, int]]
    ) -> None:
        """`backward`: the text's line reads from right to left. `special`: the places of special tokens."""
        written = writing.written(text)
        self.text = text
        self.cells: tuple[RowCell, ...] = ()
        self._places = range(len(text) + 1) if written is text else _places(written)
        self._layout = QTextLayout("".join(written), writing.font)
        self._layout.setTextOption(_option(backward))
        accent, muted = _ink(theme().accent), _ink(theme().muted_text)
        marks = [place for place, character in enumerate(text) if writing.is_mark(character)]
        # Formats set after shaping would undo it.
        self._layout.setFormats(
            [self._range(begin, end, accent) for begin, end in special]
            + [self._range(place, place + 1, muted) for place in marks]
        )
        self._layout.beginLayout()
        self._line = self._layout.createLine()
        if self._line.isValid():
            self._line.setLineWidth(width)
        self._layout.endLayout()

    def spans(self, begin: int, end: int) -> tuple[Span, ...]:
        """Return the spans of a part of the row; text in two directions may have several."""
        if not self._line.isValid() or begin >= end:
            return ()
        first = self._places[begin]
        boxes = [run.boundingRect() for run in self._line.glyphRuns(first, self._places[end] - first)]
        joined: list[Span] = []
        for left, right in sorted((box.left(), box.right()) for box in boxes):
            if joined and left <= joined[-1][1] + 0.5:
                joined[-1] = (joined[-1][0], max(right, joined[-1][1]))
            else:
                joined.append((left, right))
        return tuple(joined)

    def place_at(self, x: float) -> int:
        """Return the gap between code points nearest to x."""
        if not self._line.isValid():
            return 0
        return bisect_right(self._places, self._line.xToCursor(x)) - 1

    def draw(
        self, painter: QPainter, place: QPointF, ascent: float, selected: tuple[int, int] | None, ink: QColor
    ) -> None:
        """Draw the text with its base line `ascent` below the place, and the selected part in another ink."""
        if self._line.isValid():
            ranges = [] if selected is None else [self._range(*selected, _ink(ink))]
            self._layout.draw(painter, place + QPointF(0, ascent - self._line.ascent()), ranges)

    def _range(self, begin: int, end: int, look: QTextCharFormat) -> QTextLayout.FormatRange:
        found = QTextLayout.FormatRange()
        # The stubs lack the setters.
        found.start = self._places[begin]  # pyright: ignore[reportAttributeAccessIssue]
        found.length = self._places[end] - self._places[begin]  # pyright: ignore[reportAttributeAccessIssue]
        found.format = look  # pyright: ignore[reportAttributeAccessIssue]
        return found


def paint_row(
    painter: QPainter,
    row: RowLayout,
    strip: QRectF,
    writing: TokenWriting,
    pointing: Pointing,
    selected: tuple[int, int] | None,
    palette: QPalette,
) -> None:
    """Paint a row into its strip. `selected` gives begin and end of the selected part."""
    left = strip.left()
    for cell in row.cells:
        _paint_ground(painter, cell, strip, cell.cell in (pointing.hovered, pointing.current))
    if selected is not None:
        for box in _boxes(row.spans(*selected), strip):
            painter.fillRect(box, palette.color(QPalette.ColorRole.Highlight))
    for cell in row.cells:
        _paint_outline(painter, cell, strip, pointing)
    painter.setPen(theme().text)
    top = strip.top() + (strip.height() - writing.line_spacing) / 2
    row.draw(painter, QPointF(left, top), writing.ascent, selected, palette.color(QPalette.ColorRole.HighlightedText))


def _paint_ground(painter: QPainter, cell: RowCell, strip: QRectF, pointed_at: bool) -> None:
    """Paint the tint of a cell, except for a special token."""
    look = theme()
    tint = look.base if cell.special else look.tokens[cell.cell % len(look.tokens)]
    for box in _boxes(cell.spans, strip):
        painter.fillRect(box, blended(look.accent, look.base, _POINTED_AT) if pointed_at else tint)
        if cell.tokens > 1:
            _paint_pieces(painter, box, cell.tokens)


def _paint_pieces(painter: QPainter, box: QRectF, tokens: int) -> None:
    """Paint a line below a cell of several tokens, in as many pieces as fit."""
    count = min(tokens, max(2, int(box.width() / _SMALLEST_PIECE)))
    step = box.width() / count
    for number in range(count):
        painter.fillRect(QRectF(box.left() + number * step + 1, box.bottom() - 2, step - 2, 2), theme().muted_text)


def _paint_outline(painter: QPainter, cell: RowCell, strip: QRectF, pointing: Pointing) -> None:
    """Paint the outline of a special, current or hovered token."""
    look, is_current = theme(), cell.cell == pointing.current
    if not (is_current or cell.special or cell.cell == pointing.hovered):
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(look.text if is_current and pointing.focused else look.accent)
    for box in _boxes(cell.spans, strip):
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), _ROUNDING, _ROUNDING)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _boxes(spans: Sequence[Span], strip: QRectF) -> list[QRectF]:
    top, height = strip.top() + _INSET, strip.height() - 2 * _INSET
    return [QRectF(strip.left() + left, top, right - left, height) for left, right in spans]


def _places(written: Sequence[str]) -> list[int]:
    """Return the start of each code point's form, in Qt's units, and the end of the last."""
    return list(accumulate(map(shown_length, written), initial=0))


def _option(backward: bool) -> QTextOption:
    """Return the option for a single line, from either side, that counts trailing spaces."""
    option = QTextOption(Qt.AlignmentFlag.AlignRight if backward else Qt.AlignmentFlag.AlignLeft)
    option.setTextDirection(Qt.LayoutDirection.RightToLeft if backward else Qt.LayoutDirection.LeftToRight)
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    option.setFlags(QTextOption.Flag.IncludeTrailingSpaces)
    return option


def _ink(color: QColor) -> QTextCharFormat:
    look = QTextCharFormat()
    look.setForeground(color)
    return look
