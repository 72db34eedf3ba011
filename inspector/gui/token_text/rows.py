"""The rows of a text of tokens: wrapped all at once with arrays, shaped one by one as they come into sight."""

import numpy as np

from inspector.gui.theme import UNIT
from inspector.gui.token_text.painting import RowCell, RowLayout, Span
from inspector.gui.token_text.writing import TokenWriting
from inspector.tokens.shown.text_rows import reach, reads_right_to_left, row_starts
from inspector.tokens.shown.tokens import ShownTokens

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
