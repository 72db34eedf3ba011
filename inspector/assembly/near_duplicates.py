"""Near-duplicate memories of a workspace: the texts to search, and the results so far.

The search itself is in inspector/retrieval/duplicates.py; a caller with a free thread runs it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from threading import Lock

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Kind, Rows
from inspector.derived import cached_property
from inspector.retrieval.duplicates import DuplicateSearch, groups_of, near_duplicates
from inspector.retrieval.similarity import Origin
from inspector.retrieval.vectors.embedding import TextVectors


@dataclass(frozen=True, eq=False)
class MemoryTexts:
    """The memories to search: all of them, whatever takes part now; `first` is the row of the first.

    `vectors` are given only if all of them are compared with the query by these vectors; else words are compared.
    """

    first: int
    texts: tuple[str, ...]
    vectors: TextVectors | None

    def __len__(self) -> int:
        return len(self.texts)

    def search(self) -> Iterator[DuplicateSearch]:
        """Search for near-repeats among the texts, in parts; the last result is complete."""
        return near_duplicates(self.texts, self.vectors.matrix(self.texts) if self.vectors else None)


@dataclass(frozen=True, eq=False)
class NearDuplicates:
    """For each memory, from the row `first` on, the first memory of its group (itself if it is like no other)."""

    first: int
    labels: Rows

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The rows of candidates with nearly the same content, at least two in each group."""
        return tuple(tuple(self.first + place for place in group) for group in groups_of(self.labels))

    @cached_property
    def grouped(self) -> Rows:
        """The rows of candidates in any of the groups."""
        return self.first + np.flatnonzero(np.bincount(self.labels, minlength=1)[self.labels] > 1)

    @cached_property
    def _companions(self) -> dict[int, tuple[int, ...]]:
        return {row: group for group in self.groups for row in group}

    def like(self, row: int) -> tuple[int, ...]:
        """Return the other rows with nearly the same content; none for most."""
        return tuple(other for other in self._companions.get(row, ()) if other != row)


class DuplicateSearches:
    """The results for the current memories: by their words, and by the vectors of each model."""

    def __init__(self) -> None:
        self._looked_through: tuple[object, MemoryTexts] | None = None
        # One value: other threads read it while it is replaced.
        self._found: tuple[tuple[str, ...], Mapping[tuple[int, TextVectors | None], NearDuplicates]] = ((), {})
        self._adding = Lock()

    def memories(self, candidates: Candidates) -> MemoryTexts:
        """Return the memories to search for these candidates, made once for the same items and way of comparing."""
        measure = candidates.measure
        key = (candidates.items, measure.way, measure.vectors)
        looked_through = self._looked_through
        if looked_through is None or looked_through[0] != key:
            looked_through = self._looked_through = (key, _memory_texts(candidates))
        return looked_through[1]

    def known(self, candidates: Candidates) -> NearDuplicates | None:
        """Return the near-duplicates among these candidates, None before a search."""
        memories, (texts, found) = self.memories(candidates), self._found
        if memories.texts is not texts and memories.texts != texts:
            return None
        return found.get((memories.first, memories.vectors))

    def add(self, memories: MemoryTexts, labels: Rows) -> None:
        """Add the result of a search; results for other memories are discarded."""
        with self._adding:
            texts, found = self._found
            kept = found if memories.texts == texts else {}
            added = {(memories.first, memories.vectors): NearDuplicates(memories.first, labels)}
            self._found = (memories.texts, {**kept, **added})


def _memory_texts(candidates: Candidates) -> MemoryTexts:
    rows = candidates.rows(Kind.MEMORY)
    first = int(rows[0]) if len(rows) else 0
    # Vectors of items with a recorded similarity may exist, from other candidates; this must not change the result.
    compared = np.isin(candidates.similarity_origin[rows], (Origin.EMBEDDING, Origin.HYBRID, Origin.FUSED)).all()
    vectors = candidates.measure.vectors if compared else None
    return MemoryTexts(first, candidates.texts[first : first + len(rows)], vectors)
