"""Columns: how one column of a table reads its subject, and the order that a sorted one gives. No models here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from inspector.assembly.columns import Rows

Subject = TypeVar("Subject")

UINT16_RANGE = 65_536


@dataclass(frozen=True, slots=True)
class Column(Generic[Subject]):
    """A column, declared once; each function gets the subject of the table and a row of it.

    `key` gives what the column is sorted by, one number a row, NaN last. `color` gives the colour of a text that is
    not the usual one. `digits` is the width that the column starts with, in figures; `stretches` marks the one that
    takes what is left. `shown` says whether the subject has anything to show here. In a narrow table the column with
    the highest `yields` makes place first; those with 0 stay.
    """

    title: str
    help: str
    text: Callable[[Subject, int], str]
    key: Callable[[Subject], NDArray[Any]] | None = None
    digits: int = 8
    right: bool = False
    stretches: bool = False
    yields: int = 0
    color: Callable[[Subject, int], QColor | None] | None = None
    tooltip: Callable[[Subject, int], str] | None = None
    shown: Callable[[Subject], bool] | None = None


def sorted_rows(rows: Rows, key: NDArray[Any], descending: bool) -> Rows:
    """The rows by their key; rows of equal keys stay in the order they came in, NaN comes last either way.

    `key` is indexed by row. Integers of a small range are sorted as uint16, which numpy does by radix: 1 ms instead
    of 10 at 100,000 rows.
    """
    values = key[rows]
    if not len(values):
        return rows
    if values.dtype.kind == "f":
        return rows[np.argsort(-values if descending else values, kind="stable")]
    low, high = int(values.min()), int(values.max())
    distance = (high - values) if descending else (values - low)
    if high - low < UINT16_RANGE:
        distance = distance.astype(np.uint16)
    return rows[np.argsort(distance, kind="stable")]
