"""Long work in steps, and whether its result is still wanted."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

ROWS_PER_STEP = 10_000
"""This many rows take C code a few milliseconds; a million would block the window for half a second."""

_Value = TypeVar("_Value")


def steps(values: Sequence[_Value]) -> Iterator[Sequence[_Value]]:
    """Yield the values in order, `ROWS_PER_STEP` at a time."""
    for start in range(0, len(values), ROWS_PER_STEP):
        yield values[start : start + ROWS_PER_STEP]


def gathered(values: Iterable[_Value]) -> tuple[_Value, ...]:
    """Return the values as a tuple. The intermediate list, which `tuple` would free as a whole, is freed in steps."""
    found = list(values)
    made = tuple(found)
    while found:
        del found[-ROWS_PER_STEP:]
    return made


def column(
    values: Sequence[_Value], kind: DTypeLike, numbers: Callable[[Sequence[_Value]], Iterable[Any]]
) -> NDArray[Any]:
    """Return a column of this kind with a number for each value: `numbers` returns those of a step."""
    found, start = np.empty(len(values), kind), 0
    for step in steps(values):
        found[start : start + len(step)] = np.fromiter(numbers(step), kind, len(step))
        start += len(step)
    return found


def rows_alike(texts: Sequence[str]) -> NDArray[np.int64]:
    """Return the rows, rising, whose text may equal that of another row, by their hashes. All others surely differ.

    A set of a million texts would take 100 MB, and block every other thread for 60 ms when it grows.
    """
    hashes = column(texts, np.int64, lambda step: map(hash, step))
    order = np.argsort(hashes)
    hashes = hashes[order]
    same = np.zeros(len(texts) + 1, np.bool_)  # whether a hash equals the one before it
    same[1:-1] = hashes[1:] == hashes[:-1]
    return np.sort(order[same[1:] | same[:-1]])


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
