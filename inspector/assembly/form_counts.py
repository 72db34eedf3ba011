"""The tokens of candidates in a form, remembered row by row: needed at every step of a slider, counted once."""

from collections.abc import Callable

import numpy as np

from inspector.assembly.columns import I32, Rows

MOST_FORMS = 64
"""The number of forms remembered for the items of a workspace; each step of a slider of lengths is a new form."""
_UNKNOWN = -1


class FormCounts:
    """The tokens of rows in a form, over the span of the rows requested so far. It grows; known counts stay."""

    def __init__(self) -> None:
        self._span: tuple[int, I32] = (0, np.empty(0, np.int32))  # one value: other threads read it while it grows

    def of(self, rows: Rows, count: Callable[[Rows], I32]) -> I32:
        """Return the tokens of these rows, calling `count` for unknown ones."""
        if not len(rows):
            return np.empty(0, np.int32)
        start, known = self._covering(int(rows.min()), int(rows.max()) + 1)
        found = known[rows - start]
        unknown = np.flatnonzero(found == _UNKNOWN)
        if len(unknown):
            found[unknown] = known[rows[unknown] - start] = count(rows[unknown])
        return found

    def _covering(self, first: int, end: int) -> tuple[int, I32]:
        """Return the first row of a span around these rows, and the counts known in it."""
        start, known = self._span
        if not len(known):
            start = first
        if first < start or end > start + len(known):
            begin, stop = min(first, start), max(end, start + len(known))
            wider = np.full(stop - begin, _UNKNOWN, np.int32)
            wider[start - begin : start - begin + len(known)] = known
            start, known = self._span = (begin, wider)
        return start, known
