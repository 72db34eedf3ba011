"""Sorting: the order of the rows of a table by a column."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.assembly.columns import Rows

UINT16_RANGE = 65_536


def sorted_rows(rows: Rows, values: NDArray[Any], descending: bool) -> Rows:
    """Return the rows by their values; rows of equal values keep their order, NaN comes last either way.

    `values` is indexed by row. Integers of a small range are sorted as uint16, which numpy does by radix: 1 ms instead
    of 10 at 100,000 rows.
    """
    found = values[rows]
    if not len(found):
        return rows
    if found.dtype.kind == "f":
        return rows[np.argsort(-found if descending else found, kind="stable")]
    low, high = int(found.min()), int(found.max())
    distance = (high - found) if descending else (found - low)
    if high - low < UINT16_RANGE:
        distance = distance.astype(np.uint16)
    return rows[np.argsort(distance, kind="stable")]
