"""The order in which the chats of an archive are looked at, and how far that is."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random
from threading import Lock


class Agenda(Iterator[int]):
    """The rows still to be looked at: those asked for first, then the others in a mixed order, the same in each run.

    A mixed order makes the chats looked at so far a sample of all. A worker takes rows while the window asks for the
    visible ones. To pause, cancel the work and keep its results; what is left is the agenda of the next one.
    """

    def __init__(self, rows: Iterable[int]) -> None:
        mixed = list(rows)
        Random(0).shuffle(mixed)
        self._rows = dict.fromkeys(reversed(mixed))  # the next row is the last key
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._rows)

    def __next__(self) -> int:
        with self._lock:
            if not self._rows:
                raise StopIteration
            return self._rows.popitem()[0]

    def ask_first(self, rows: Iterable[int]) -> None:
        """Take these rows next, in this order, if they are still to be looked at."""
        with self._lock:
            for row in reversed(list(rows)):
                if row in self._rows:
                    del self._rows[row]
                    self._rows[row] = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the chats have been looked at: `done` of `of_all`, the last `fresh` of them within `seconds` of work."""

    done: int
    of_all: int
    fresh: int
    seconds: float

    @property
    def share(self) -> float:
        """The share looked at, 0–1."""
        return self.done / self.of_all if self.of_all else 1.0

    @property
    def each_second(self) -> float | None:
        """How many chats are looked at in a second, None before anything is known about it."""
        return self.fresh / self.seconds if self.fresh and self.seconds > 0 else None

    @property
    def seconds_left(self) -> float | None:
        """The expected time for the others, None before anything is known about it."""
        speed = self.each_second
        return (self.of_all - self.done) / speed if speed else None
