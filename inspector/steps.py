"""Long sequences in steps: one call of C code, such as `list(map(…))`, keeps every other thread waiting to its end."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

ROWS_PER_STEP = 10_000
"""So many rows take C code a few milliseconds; a million would keep the window waiting for half a second."""

_Value = TypeVar("_Value")


def steps(values: Sequence[_Value]) -> Iterator[Sequence[_Value]]:
    """The values in order, `ROWS_PER_STEP` at a time."""
    for start in range(0, len(values), ROWS_PER_STEP):
        yield values[start : start + ROWS_PER_STEP]


def column(
    values: Sequence[_Value], kind: DTypeLike, numbers: Callable[[Sequence[_Value]], Iterable[Any]]
) -> NDArray[Any]:
    """A column of this kind with a number for each value: `numbers` gives those of a step."""
    found, start = np.empty(len(values), kind), 0
    for step in steps(values):
        found[start : start + len(step)] = np.fromiter(numbers(step), kind, len(step))
        start += len(step)
    return found


def surely_differ(texts: Sequence[str]) -> bool:
    """Whether no two of the texts are equal, by their hashes: a set of a million texts takes 100 MB."""
    hashes = column(texts, np.int64, lambda step: map(hash, step))
    hashes.sort()
    return not (hashes[1:] == hashes[:-1]).any()
