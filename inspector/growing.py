"""What several threads add to and nobody takes from, and how whoever reads it notices that there is more."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock


class Growing:
    """Something that grows under a lock, with a version that goes up whenever it has grown.

    Whatever is made of it is kept with the version that was read before: what is added meanwhile then makes it old.
    """

    def __init__(self) -> None:
        self._growth = Lock()
        self._version = 0

    @property
    def version(self) -> int:
        """Goes up whenever something was added, by whomever.

        It waits for what is just being added, so whoever has seen anything of that sees the version that says so.
        """
        with self._growth:
            return self._version

    @contextmanager
    def growing(self) -> Iterator[None]:
        """Add within this, one thread at a time."""
        with self._growth:
            try:
                yield
            finally:
                self._version += 1
