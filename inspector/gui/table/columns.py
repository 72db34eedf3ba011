"""Columns: how one column of a table reads its subject. No models here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from numpy.typing import NDArray
from PySide6.QtGui import QColor

Subject = TypeVar("Subject")


@dataclass(frozen=True, slots=True)
class Column(Generic[Subject]):
    """A column, declared once; each function gets the subject of the table and a row of it.

    `key` is the word that everybody names the column by, once in a table. `values` gives what the column is sorted by,
    one number a row, NaN last. `color` gives the colour of a text that is not the usual one, `ground` that of a cell
    that does not have the ground of its row. `digits` is the width that the column starts with, in figures; `stretches`
    marks the one that takes what is left. `shown` says whether the subject has anything to show here. In a narrow table
    the column with the highest `yields` makes place first, then columns are as narrow as `least` figures (0: as wide as
    ever), and where that is not enough, the one with the highest `goes_last` goes, and so on; the others stay. `needs`
    says how many figures the subject has here, for a column that may be narrower than `digits` without hiding anything.
    So many of them are `spare`: they are there once the column that stretches has its own width. A column that is not
    there `at_first` waits in the menu of the header.
    """

    key: str
    title: str
    help: str
    text: Callable[[Subject, int], str]
    values: Callable[[Subject], NDArray[Any]] | None = None
    digits: int = 8
    right: bool = False
    stretches: bool = False
    yields: int = 0
    goes_last: int = 0
    least: int = 0
    needs: Callable[[Subject], int] | None = None
    spare: int = 0
    color: Callable[[Subject, int], QColor | None] | None = None
    ground: Callable[[Subject, int], QColor | None] | None = None
    tooltip: Callable[[Subject, int], str] | None = None
    shown: Callable[[Subject], bool] | None = None
    at_first: bool = True
