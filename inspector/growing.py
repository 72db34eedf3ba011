"""Shared collections to which several threads add and from which none removes, with a version for readers."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock


class Growing:
    """A collection that grows under a lock, with a version that goes up with every growth.

    Keep a result derived from it with the version read beforehand: an addition in the meantime then makes it stale.
    """

    def __init__(self) -> None:
        self._growth = Lock()
        self._version = 0

    @property
    def version(self) -> int:
        """The version, which goes up with every addition by any thread.

        Reading it waits for an addition in progress, so a reader who has seen any part of it gets the version that
        includes it.
        """
        with self._growth:
            return self._version

    @contextmanager
    def growing(self) -> Iterator[None]:
        """Add inside this context, one thread at a time."""
        with self._growth:
            try:
                yield
            finally:
                self._version += 1
