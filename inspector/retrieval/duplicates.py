"""Near-duplicates: texts that nearly repeat another, by their vectors, or by their words if there are no vectors.

Both ways are exact: they find every pair above the threshold. Impossible pairs are ruled out in bulk, so 100,000 texts
stay feasible. The work comes in parts and can be stopped between them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from inspector.retrieval.lexical import words_of

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


F32 = NDArray[np.float32]
Integers = NDArray[np.int64]

LEAST_COSINE = 0.95
LEAST_SHARED = 0.8
"""The least share of words two texts have in common, of all words in either (Jaccard's index)."""

_ROWS_PER_BLOCK = 2048
_PAIRS_AT_ONCE = 1 << 15
_AXES = 64
_TOLERANCE = 2e-4  # vectors are kept in half precision
_SKETCH_WORDS = 4
_DISTANCES_PER_STEP = 64


@dataclass(frozen=True, slots=True, eq=False)
class DuplicateSearch:
    """The progress of the search, 0–1, and its result so far: for each row the first row like it."""

    done: float
    labels: Rows

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The rows of similar texts, at least two in each group; the groups and their rows are in order."""
        return groups_of(self.labels)


def near_duplicates(texts: Sequence[str], vectors: F32 | None = None) -> Iterator[DuplicateSearch]:
    """Look for texts that nearly repeat another; the last result is complete.

    `vectors` has a row of length 1 (or zeros) for each text.
    """
    return alike_by_words(texts) if vectors is None else alike_by_vectors(vectors)


def alike_by_vectors(vectors: F32, least: float = LEAST_COSINE) -> Iterator[DuplicateSearch]:
    """Yield the groups of rows with a cosine of at least `least` to another row of the group; zeros are like nothing.

    The rows are rotated so that the first axes hold most of their length. The other axes can add at most the product of
    their lengths to a cosine: a pair for which even that is too little is ruled out, for a third of the work.
    """
    alike, least = AlikeGroups(len(vectors)), least - _TOLERANCE
    rows = np.flatnonzero((vectors != 0).any(axis=1))
    first_axes = _turned(vectors[rows])[:, :_AXES]
    rest = np.sqrt(np.maximum(0, 1 - np.square(first_axes).sum(axis=1, keepdims=True)))
    bounds = np.hstack([first_axes, rest])
    for start in range(0, len(rows), _ROWS_PER_BLOCK):
        block = bounds[start : start + _ROWS_PER_BLOCK]
        for other in range(start, len(rows), _ROWS_PER_BLOCK):
            highest = block @ bounds[other : other + _ROWS_PER_BLOCK].T
            one, two = np.divmod(np.flatnonzero(highest >= least), highest.shape[1])
            one, two = one + start, two + other
            earlier = one < two
            _join_alike(alike, vectors, rows[one[earlier]], rows[two[earlier]], least)
        left = max(0, len(rows) - start - _ROWS_PER_BLOCK) / len(rows)
        yield DuplicateSearch(1 - left**2, alike.labels)
    if not len(rows):
        yield DuplicateSearch(1.0, alike.labels)


def _join_alike(alike: AlikeGroups, vectors: F32, first: Rows, second: Rows, least: float) -> None:
    """Join the pairs whose cosine is high enough."""
    for start in range(0, len(first), _PAIRS_AT_ONCE):
        one, two = first[start : start + _PAIRS_AT_ONCE], second[start : start + _PAIRS_AT_ONCE]
        apart = alike.apart(one, two)
        one, two = one[apart], two[apart]
        enough = np.einsum("ij,ij->i", vectors[one], vectors[two]) >= least
        alike.join(one[enough], two[enough])


def _turned(vectors: F32) -> F32:
    """Return the vectors in axes by falling spread; lengths and cosines stay."""
    _, axes = np.linalg.eigh((vectors.T @ vectors).astype(np.float64))
    return vectors @ axes[:, ::-1].astype(np.float32)


def alike_by_words(texts: Sequence[str], least: float = LEAST_SHARED) -> Iterator[DuplicateSearch]:
    """Yield the groups of texts sharing at least `least` of the words of both with another text of the group.

    The rarest words of a text, one more than the other text may lack, include a word of the other; so only texts
    sharing such a word are compared (Chaudhuri, Ganti and Kaushik, ICDE 2006).
    """
    alike = AlikeGroups(len(texts))
    sets = [frozenset(words_of(text)) for text in texts]
    first: dict[frozenset[str], int] = {}
    for row, words in enumerate(sets):
        first.setdefault(words, row)
    same = np.array([first[words] if words else row for row, words in enumerate(sets)], np.intp)
    alike.join(same, np.arange(len(texts)))
    rows = [row for words, row in first.items() if words]
    words, holders = _rarest_words([sets[row] for row in rows], least)
    compared = _Sketches([sets[row] for row in rows], least)
    own = np.array(rows, np.intp)
    places = np.arange(len(words))
    for distance in count(1):
        # Entries of the same word are neighbours: each is compared with the next, then with the next but one.
        places = places[places + distance < len(words)]
        places = places[words[places] == words[places + distance]]
        if not len(places) or distance % _DISTANCES_PER_STEP == 0:
            yield DuplicateSearch(1 - len(places) / max(1, len(words)), alike.labels)
        if not len(places):
            return
        one, two = holders[places], holders[places + distance]
        possible = alike.apart(own[one], own[two])
        one, two = compared.alike(one[possible], two[possible])
        alike.join(own[one], own[two])


def _rarest_words(sets: Sequence[frozenset[str]], least: float) -> tuple[Integers, Rows]:
    """Return pairs sorted by word: the number of a word, and the place of a set with this word among its rarest."""
    frequency: dict[str, int] = {}
    for words in sets:
        for word in words:
            frequency[word] = frequency.get(word, 0) + 1
    rarest_first = sorted(frequency, key=lambda word: (frequency[word], word))
    number = dict(zip(rarest_first, range(len(rarest_first)), strict=True))
    numbers: list[int] = []
    holders: list[int] = []
    for place, words in enumerate(sets):
        # One more than the other text may lack, so at least one of these words is in both.
        needed = len(words) - int(np.ceil(least * len(words) - 1e-9)) + 1
        rare = sorted(number[word] for word in words)[:needed]
        numbers += rare
        holders += [place] * len(rare)
    order = np.argsort(np.array(numbers, np.int64), kind="stable")
    return np.array(numbers, np.int64)[order], np.array(holders, np.intp)[order]


class _Sketches:
    """Sets of words, each with a sketch of 256 bits, of which every word sets one: unlike sketches mean unlike sets."""

    def __init__(self, sets: Sequence[frozenset[str]], least: float) -> None:
        self._sets = sets
        self._least = least
        self._sizes = np.fromiter(map(len, sets), np.int64, len(sets))
        bits = 64 * _SKETCH_WORDS
        number: dict[str, int] = {}
        self._sketches = np.zeros((len(sets), _SKETCH_WORDS), np.uint64)
        for place, words in enumerate(sets):
            mask = 0
            for word in words:
                mask |= 1 << number.setdefault(word, len(number) % bits)
            self._sketches[place] = np.frombuffer(mask.to_bytes(bits // 8, "little"), "<u8")

    def alike(self, first: Rows, second: Rows) -> tuple[Rows, Rows]:
        """Return the pairs of sets that share enough of their words."""
        differing = np.bitwise_count(self._sketches[first] ^ self._sketches[second]).sum(axis=1)
        # Sets that share s of all their words differ in (1 − s) ⁄ (1 + s) of both sizes together; words on the same
        # bit can only hide a difference.
        most = (1 - self._least) / (1 + self._least) * (self._sizes[first] + self._sizes[second])
        possible = np.flatnonzero(differing <= most + 1e-9)
        enough = [place for place in possible.tolist() if self._shared(first[place], second[place]) >= self._least]
        return first[enough], second[enough]

    def _shared(self, first: int, second: int) -> float:
        one, two = self._sets[first], self._sets[second]
        common = len(one & two)
        return common / (len(one) + len(two) - common)
