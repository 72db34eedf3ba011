"""Whether the result of this thread is still wanted: the caller may abandon it at any time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class AbandonedError(Exception):
    """The result is no longer wanted."""


_is_wanted: ContextVar[Callable[[], bool]] = ContextVar("is_wanted", default=lambda: True)


@contextmanager
def while_wanted(is_wanted: Callable[[], bool]) -> Iterator[None]:
    """Let work on this thread inside continue only while `is_wanted` returns True; it is called on this thread.

    Templates check some times a second; then AbandonedError is raised.
    """
    outer = _is_wanted.get()
    token = _is_wanted.set(lambda: outer() and is_wanted())
    try:
        yield
    finally:
        _is_wanted.reset(token)


def check_wanted() -> None:
    """Raise AbandonedError if the result of this thread is no longer wanted."""
    if not _is_wanted.get()():
        raise AbandonedError
