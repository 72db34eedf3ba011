"""Whether what this thread makes is still wanted: whoever asked for it may change their mind at any time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class AbandonedError(Exception):
    """What was being made is no longer wanted."""


_is_wanted: ContextVar[Callable[[], bool]] = ContextVar("is_wanted", default=lambda: True)


@contextmanager
def while_wanted(is_wanted: Callable[[], bool]) -> Iterator[None]:
    """What this thread makes inside is made only while `is_wanted` says so, which is asked on this thread.

    Templates ask some times a second; then AbandonedError is raised.
    """
    outer = _is_wanted.get()
    token = _is_wanted.set(lambda: outer() and is_wanted())
    try:
        yield
    finally:
        _is_wanted.reset(token)


def check_wanted() -> None:
    """AbandonedError where this thread makes what is no longer wanted."""
    if not _is_wanted.get()():
        raise AbandonedError
