"""Painting of one row of tokens: the text as Qt shapes it, tinted cells below, frames around what is pointed at."""

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
    """A part of a row that belongs to one cell: its number, where it stands from left to right, in pixels."""

    cell: int
    tokens: int
    special: bool
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Pointing:
    """What is pointed at: the cell below the mouse, the current cell, and whether the keys go to this text."""

    hovered: int | None = None
    current: int | None = None
    focused: bool = False


class RowLayout:
    """A row of code points, shaped. Places are code points from the row's beginning; `x` is in pixels."""

    def __init__(
        self, text: str, writing: TokenWriting, width: float, backward: bool, special: Sequence[tuple[int, int]]
    ) -> None:
        """`backward` says that the text's line reads from right to left, `special` where special tokens stand."""
        written = writing.written(text)
        self.text = text
        self.cells: tuple[RowCell, ...] = ()
        self._places = range(len(text) + 1) if written is text else _places(written)
        self._layout = QTextLayout("".join(written), writing.font)
        self._layout.setTextOption(_option(backward))
        accent, muted = _ink(theme().accent), _ink(theme().muted_text)
        marks = [place for place, character in enumerate(text) if writing.is_mark(character)]
        # Formats that come after the shaping would undo it.
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
        """Where a part of the row stands; text in two directions may stand in several places."""
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
        """The gap between code points that is nearest to x."""
        if not self._line.isValid():
            return 0
        return bisect_right(self._places, self._line.xToCursor(x)) - 1

    def draw(
        self, painter: QPainter, place: QPointF, ascent: float, selected: tuple[int, int] | None, ink: QColor
    ) -> None:
        """Draw the text with its base line `ascent` below the place, the selected part in another ink."""
        if self._line.isValid():
            ranges = [] if selected is None else [self._range(*selected, _ink(ink))]
            self._layout.draw(painter, place + QPointF(0, ascent - self._line.ascent()), ranges)

    def _range(self, begin: int, end: int, look: QTextCharFormat) -> QTextLayout.FormatRange:
        found = QTextLayout.FormatRange()
        # The stubs leave out that these are to be set.
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
    """Paint a row into its strip; `selected` are begin and end of the part that is selected."""
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
    """The tint of a cell; a special token has none."""
    look = theme()
    tint = look.base if cell.special else look.tokens[cell.cell % len(look.tokens)]
    for box in _boxes(cell.spans, strip):
        painter.fillRect(box, blended(look.accent, look.base, _POINTED_AT) if pointed_at else tint)
        if cell.tokens > 1:
            _paint_pieces(painter, box, cell.tokens)


def _paint_pieces(painter: QPainter, box: QRectF, tokens: int) -> None:
    """A line below a cell of several tokens, in as many pieces as there is room for."""
    count = min(tokens, max(2, int(box.width() / _SMALLEST_PIECE)))
    step = box.width() / count
    for number in range(count):
        painter.fillRect(QRectF(box.left() + number * step + 1, box.bottom() - 2, step - 2, 2), theme().muted_text)


def _paint_outline(painter: QPainter, cell: RowCell, strip: QRectF, pointing: Pointing) -> None:
    """The outline of a special token, of the current one and of the one below the mouse."""
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
    """Where what is written for each code point begins, in the units that Qt counts, and where the last ends."""
    return list(accumulate(map(shown_length, written), initial=0))


def _option(backward: bool) -> QTextOption:
    """One line, from either side, whose last spaces count."""
    option = QTextOption(Qt.AlignmentFlag.AlignRight if backward else Qt.AlignmentFlag.AlignLeft)
    option.setTextDirection(Qt.LayoutDirection.RightToLeft if backward else Qt.LayoutDirection.LeftToRight)
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    option.setFlags(QTextOption.Flag.IncludeTrailingSpaces)
    return option


def _ink(color: QColor) -> QTextCharFormat:
    look = QTextCharFormat()
    look.setForeground(color)
    return look
