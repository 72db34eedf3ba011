"""A plot as one value: rows of series over one axis, with the words at its axes, marks and a legend."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from inspector.drawings.colors import Tone
from inspector.drawings.series import Series

Write = Callable[[Sequence[int]], Sequence[str]]
"""The words at some whole numbers of an axis, with a line break where they have two lines."""


class Ticks(Enum):
    """The places of the words at an axis."""

    NUMBERS = "at round whole numbers"
    PLACES = "at 0, 1, 2, … as far as there is room"
    TIMES = "at days or hours of seconds since 1970, in UTC"


def whole_numbers(numbers: Sequence[int]) -> list[str]:
    """Each number with its thousands apart."""
    return [f"{number:,}" for number in numbers]


def listed(texts: Sequence[str]) -> Write:
    """The text of each place, nothing beside the places."""
    return lambda numbers: [texts[number] if 0 <= number < len(texts) else "" for number in numbers]


@dataclass(frozen=True, eq=False)
class Axis:
    """An axis from `first` to `end`. `write` gives the words at its numbers, in so many `lines`."""

    first: float
    end: float
    ticks: Ticks = Ticks.NUMBERS
    write: Write = whole_numbers
    title: str = ""
    lines: int = 1


def from_zero(tallest: float) -> Axis:
    """The upright axis of bars, with a little room above the tallest."""
    return Axis(0.0, max(tallest, 1.0) * 1.06)


@dataclass(frozen=True, eq=False)
class Row:
    """A series over the axis of the drawing. `title` names the heights; `height` is the pixels of the row in a file.

    `has_clear_title` keeps the title free from what is drawn.
    """

    title: str
    series: Series
    up: Axis
    height: int
    has_clear_title: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the legend; `hatched` is pale with lines."""

    words: str
    tone: Tone
    hatched: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """An upright line through all rows, with its words in the first."""

    place: float
    words: str


@dataclass(frozen=True, eq=False)
class Drawing:
    """Rows over one axis. `title` stands above it in a file, `note` below it."""

    title: str
    rows: tuple[Row, ...]
    across: Axis
    legend: tuple[Entry, ...] = ()
    marks: tuple[Mark, ...] = ()
    note: str = ""
