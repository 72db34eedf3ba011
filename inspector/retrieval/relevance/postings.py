"""Postings: the words of each text, and their frequencies."""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import count, repeat

import numpy as np
from numpy.typing import NDArray

I32 = NDArray[np.int32]
Rows = NDArray[np.intp]


class Postings:
    """An index of lists of words, a list per text.

    `numbers` numbers the distinct words, `lengths` are the numbers of words of each text. The texts of word w are
    `rows[starts[w]:starts[w + 1]]`, with its number of occurrences in each in `times`.
    """

    def __init__(self, texts: Iterable[Sequence[str]]) -> None:
        known = defaultdict[str, int](count().__next__)
        words, rows, lengths = array("i"), array("i"), array("i")
        for row, text in enumerate(texts):
            words.extend(map(known.__getitem__, text))
            rows.extend(repeat(row, len(text)))  # numpy's repeat would block every other thread
            lengths.append(len(text))
        self.numbers: dict[str, int] = dict(known)
        self.lengths: I32 = np.frombuffer(lengths, np.int32) if lengths else np.empty(0, np.int32)
        self._arrange(np.array(words, np.int64), np.array(rows, np.int64))

    def _arrange(self, words: NDArray[np.int64], rows: NDArray[np.int64]) -> None:
        size = max(1, len(self.lengths))
        pairs, times = np.unique(words * size + rows, return_counts=True)
        self.rows: I32 = (pairs % size).astype(np.int32)
        self.times: I32 = times.astype(np.int32)
        self.starts: Rows = np.searchsorted(pairs, np.arange(len(self.numbers) + 1) * size)

    def frequencies(self) -> dict[str, int]:
        """Return the number of occurrences of each word in all texts."""
        if not self.numbers:
            return {}
        sums: list[int] = np.add.reduceat(self.times, self.starts[:-1], dtype=np.int64).tolist()
        return dict(zip(self.numbers, sums, strict=True))

    def of(self, word: int) -> tuple[I32, I32]:
        """Return the texts containing a word, and its number of occurrences in each."""
        inside = slice(self.starts[word], self.starts[word + 1])
        return self.rows[inside], self.times[inside]

    def holds(self, word: int, row: int) -> bool:
        """Return whether a text contains a word."""
        inside = self.rows[self.starts[word] : self.starts[word + 1]]
        place = int(np.searchsorted(inside, row))
        return place < len(inside) and int(inside[place]) == row
