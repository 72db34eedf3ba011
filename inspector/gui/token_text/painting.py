"""Painting a row of tokens: the text as shaped by Qt, tinted cells, frames around the hovered or current cell."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPalette, QTextCharFormat, QTextLayout, QTextOption

from inspector.gui.palettes import blended
from inspector.gui.parts.texts import shown_length
from inspector.gui.theme import UNIT, theme
from inspector.tokens.shown.tokens import ShownTokens, reach, reads_right_to_left, row_starts
from inspector.visible_text import made_visible

_LINE_BREAKS = "\n\u2028\u2029"
_MARKS = {" ": "·", "\t": "→   ", "\r": "↵", "\u00a0": "⍽", "\u3000": "□"} | dict.fromkeys(_LINE_BREAKS, "¶")
_BLANKS = {"\t": "    ", "\r": " "} | dict.fromkeys(_LINE_BREAKS, " ")
# Scripts with characters of equal width: a single character is measured for all.
_OF_ONE_WIDTH = ((0x3400, 0x9FFF, "中"), (0xAC00, 0xD7A3, "한"))


class TokenWriting:
    """Writes each code point separately, so that every token keeps a place. `white_space` marks gaps visibly."""

    def __init__(self, font: QFont, white_space: bool = False) -> None:
        self.font = font
        self.white_space = white_space
        self._metrics = QFontMetricsF(font)
        self._forms = dict(_MARKS if white_space else _BLANKS)
        self._widths: dict[str, float] = {}

    @property
    def line_spacing(self) -> float:
        """The distance from one base line to the next, in pixels."""
        return self._metrics.lineSpacing()

    @property
    def ascent(self) -> float:
        """The distance from the top of a line to its base line, in pixels."""
        return self._metrics.ascent()

    def written(self, text: str) -> Sequence[str]:
        """Return the form of each code point: itself, a mark for a gap, or the name of an invisible one."""
        if not self.white_space and text.isascii() and text.isprintable():
            return text
        return [self._form(character) for character in text]

    def is_mark(self, character: str) -> bool:
        """Return whether a drawn mark replaces this character."""
        return self.white_space and character in _MARKS

    def width(self, character: str) -> float:
        """Return the width of a code point on its own, in pixels."""
        for first, last, sample in _OF_ONE_WIDTH:
            if first <= ord(character) <= last:
                character = sample
        known = self._widths.get(character)
        if known is None:
            known = self._widths[character] = self._metrics.horizontalAdvance(self._form(character))
        return known

    def _form(self, character: str) -> str:
        known = self._forms.get(character)
        if known is None:
            code = ord(character)
            lone = 0xD800 <= code <= 0xDFFF
            known = self._forms[character] = f"⟦U+{code:04X}⟧" if lone else made_visible(character)
        return known


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


MAX_LAYOUTS = 400
_DIRECTION_CHARACTERS = 500


class TokenRows:
    """The rows of `shown` in a given writing, for one width in pixels at a time. There is always at least one row."""

    def __init__(self, shown: ShownTokens, writing: TokenWriting, width: int) -> None:
        self.shown = shown
        self.writing = writing
        self.height = round(writing.line_spacing) + UNIT
        self._reach = reach(shown.breaks, writing.width)
        self.wrap(width)

    def __len__(self) -> int:
        return len(self._starts)

    def wrap(self, width: int) -> None:
        """Wrap the rows to another width."""
        self._width = max(1, width)
        self._starts = row_starts(self.shown.breaks, self._reach, self._width)
        self.forget_layouts()

    def forget_layouts(self) -> None:
        """Shape the visible rows again, because the colours have changed."""
        self._layouts: dict[int, RowLayout] = {}

    def bounds(self, row: int) -> tuple[int, int]:
        """Return begin and end of a row in the text."""
        end = int(self._starts[row + 1]) if row + 1 < len(self._starts) else len(self.shown.text)
        return int(self._starts[row]), end

    def row_of(self, place: int) -> int:
        """Return the row of a code point."""
        return int(np.searchsorted(self._starts, place, "right")) - 1

    def home_row(self, cell: int) -> int:
        """Return the row in which a cell ends; a cell beginning with a line break is in the row below it."""
        return self.row_of(self.shown.cells.span(cell)[1] - 1)

    def layout(self, row: int) -> RowLayout:
        """Return a shaped row with its cells."""
        known = self._layouts.get(row)
        if known is None:
            if len(self._layouts) >= MAX_LAYOUTS:
                self._layouts.clear()
            known = self._layouts[row] = self._shaped(row)
        return known

    def cell_at(self, row: int, x: float) -> int | None:
        """Return the cell at x in a row, or None beside the text."""
        parts = self.layout(row).cells
        return next((part.cell for part in parts if any(left <= x < right for left, right in part.spans)), None)

    def spans_of(self, row: int, cell: int) -> tuple[Span, ...]:
        """Return the spans of a cell in a row, if any."""
        return next((part.spans for part in self.layout(row).cells if part.cell == cell), ())

    def place_at(self, row: int, x: float) -> int:
        """Return the gap between code points of the text nearest to x in a row."""
        return self.bounds(row)[0] + self.layout(row).place_at(x)

    def _shaped(self, row: int) -> RowLayout:
        begin, end = self.bounds(row)
        shown, cells = self.shown, self.shown.cells
        first = int(np.searchsorted(cells.ends, begin, "right"))
        last = min(int(np.searchsorted(cells.ends, end, "left")), len(cells) - 1)
        numbers = range(first, last + 1) if begin < end else range(0)
        spans = {cell: cells.span(cell) for cell in numbers}
        parts = {cell: (max(start, begin) - begin, min(stop, end) - begin) for cell, (start, stop) in spans.items()}
        special = {cell for cell in numbers if shown.special[cells.first[cell]]}
        backward = self._runs_backward(begin)
        outlined = [parts[cell] for cell in special]
        layout = RowLayout(shown.text[begin:end], self.writing, self._width, backward, outlined)
        layout.cells = tuple(
            RowCell(cell, len(cells.tokens(cell)), cell in special, layout.spans(*part)) for cell, part in parts.items()
        )
        return layout

    def _runs_backward(self, place: int) -> bool:
        """Return whether the line of a place reads from right to left.

        A line with special tokens does not: the parts written by a template keep their order, whatever is between them.
        """
        shown, ends = self.shown, self.shown.breaks.line_ends
        line = int(np.searchsorted(ends, place, "right"))
        begin, end = int(ends[line - 1]) if line else 0, int(ends[min(line, len(ends) - 1)])
        first, after = np.searchsorted(shown.ends, [begin, end], "right").tolist()
        if shown.special[first : after + 1].any():
            return False
        return reads_right_to_left(shown.text[begin : min(end, begin + _DIRECTION_CHARACTERS)])
