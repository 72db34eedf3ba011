"""Timing: repeated calls, and a row of the table that compares two of them."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

FRAME_SECONDS = 1 / 60


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table, in seconds; `ratio` is how many times faster ours is, or slower where `at_most` is set.

    With `megabytes`, which both worked through, the line shows speeds. With a `unit`, both are figures of that.
    """

    what: str
    ours: float
    other: str = ""
    theirs: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    megabytes: float | None = None
    unit: str = ""

    @property
    def ratio(self) -> float | None:
        """Theirs by ours, or ours by theirs where the goal is an upper bound."""
        if self.theirs is None:
            return None
        return self.ours / self.theirs if self.at_most is not None else self.theirs / self.ours

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        goal = "" if self.at_least is None else f"≥ {self.at_least:g}"
        goal = goal if self.at_most is None else f"≤ {self.at_most:g}"
        ratio = self.ratio
        met = ""
        if ratio is not None and self.at_least is not None:
            met = "met" if ratio >= self.at_least else "MISSED"
        if ratio is not None and self.at_most is not None:
            met = "met" if ratio <= self.at_most else "MISSED"
        theirs = "" if self.theirs is None else self._shown(self.theirs)
        return (
            self.what,
            self._shown(self.ours),
            self.other,
            theirs,
            "" if ratio is None else f"{ratio:,.2f} ×",
            goal,
            met,
        )

    def _shown(self, value: float) -> str:
        if self.unit:
            return f"{value:,.0f} {self.unit}"
        return seconds(value) if self.megabytes is None else f"{self.megabytes / value:,.1f} MB/s"


def seconds(value: float) -> str:
    """A time with a unit that suits it."""
    if value >= 1:
        return f"{value:.2f} s"
    return f"{value * 1e3:.2f} ms" if value >= 1e-3 else f"{value * 1e6:.1f} µs"


def timed(call: Callable[[], object]) -> float:
    """Seconds that one call takes."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def median_of(call: Callable[[], object], repeats: int) -> float:
    """The median of so many calls."""
    return statistics.median(timed(call) for _ in range(repeats))
