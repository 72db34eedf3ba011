"""The memory budget of an opening: counted while files are read, unpacked and decoded, before it is taken."""

from collections.abc import Iterator
from contextlib import contextmanager

from inspector.model import Problem
from inspector.reading.values import UnreadableError

OPENING_BYTES = 2_000_000_000
"""The memory for a whole opening, unless the user's settings say otherwise."""

_UNITS = ((10**9, "GB"), (10**6, "MB"), (10**3, "kB"))


class BeyondBudgetError(UnreadableError):
    """A file needs more memory than is left for its opening; the problem has the figures."""


class Budget:
    """The bytes of memory left for an opening, and the number of bytes it may still unpack.

    Memory is given back when it is free again. The unpacking allowance is not: a small file may unpack to much, again
    and again, and all of them together have to come to an end.
    """

    def __init__(self, total: int = OPENING_BYTES) -> None:
        self.total = total
        self.left = total
        self._packed_left = total

    @property
    def most_unpacked(self) -> int:
        """The number of bytes that may be unpacked at once."""
        return min(self.left, self._packed_left)

    def take(self, size: int, file: str, what: str) -> None:
        """Count bytes that are about to be used. `what` begins the sentence: `its text would take`.

        Raise BeyondBudgetError if fewer are left; then none are counted.
        """
        if size > self.left:
            raise self._beyond(file, f"{what} {in_words(size)} of memory; an opening may take", self.left)
        self.left -= size

    def count_unpacked(self, size: int, file: str, what: str) -> None:
        """Count unpacked bytes, `most_unpacked` or one more. Raise BeyondBudgetError for the latter."""
        if size > self.most_unpacked:
            raise self._beyond(file, f"{what} {in_words(size)} or more; an opening may unpack", self.most_unpacked)
        self._packed_left -= size

    def _beyond(self, file: str, what: str, left: int) -> BeyondBudgetError:
        allowed = f"{in_words(self.total)} in all, of which {in_words(left)} are left"
        return BeyondBudgetError(Problem(file, "", f"{what} {allowed} (opening_bytes in settings.yaml allows more)"))

    def give_back(self, size: int) -> None:
        """Count bytes as free again."""
        self.left += size

    @contextmanager
    def lent(self, size: int, file: str, what: str) -> Iterator[None]:
        """Count bytes as used only inside the `with`. Raise BeyondBudgetError as `take` does."""
        self.take(size, file, what)
        try:
            yield
        finally:
            self.give_back(size)


def in_words(size: int) -> str:
    """Return a number of bytes as usually written: `1.5 GB`, `120 bytes`."""
    for unit, name in _UNITS:
        if size >= unit:
            return f"{size / unit:,.1f} {name}"
    return f"{size:,} bytes"
