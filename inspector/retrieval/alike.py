"""Groups of similar items, built up from pairs."""

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.intp]


class AlikeGroups:
    """The groups among `size` items. Likeness is transitive: a like b and b like c put all three into the same group.

    `labels` has the first item of the group for each item; the array is replaced, never changed.
    """

    def __init__(self, size: int) -> None:
        self.labels: Rows = np.arange(size)

    def apart(self, first: Rows, second: Rows) -> NDArray[np.bool_]:
        """Return whether each of these pairs is still in different groups."""
        return self.labels[first] != self.labels[second]

    def join(self, first: Rows, second: Rows) -> None:
        """Put both items of each pair into the same group."""
        if not len(first):
            return
        roots: dict[int, int] = {}

        def root(label: int) -> int:
            while label in roots:
                label = roots[label]
            return label

        for one, other in np.unique(np.stack([self.labels[first], self.labels[second]], axis=1), axis=0).tolist():
            low, high = sorted((root(one), root(other)))
            if low != high:
                roots[high] = low
        lowest = np.arange(len(self.labels))
        lowest[list(roots)] = [root(label) for label in roots]
        self.labels = lowest[self.labels]


def groups_of(labels: Rows) -> tuple[tuple[int, ...], ...]:
    """Return the groups of at least two items with the same label; the groups and their items are in order."""
    order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    stops = np.append(starts[1:], len(order))
    several = stops - starts > 1
    bounds = zip(starts[several].tolist(), stops[several].tolist(), strict=True)
    return tuple(tuple(order[start:stop].tolist()) for start, stop in bounds)
