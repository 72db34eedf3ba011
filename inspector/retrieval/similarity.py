"""Similarity to a query: what the file recorded, else lexical relevance scaled to 0–1."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from inspector.retrieval.lexical import LexicalIndex


class Similarity:
    """Similarities of a fixed list of texts to changing queries.

    `recorded` holds the similarities that the file gives, NaN where there is none; those are never computed again.
    The others are BM25 scores divided by the highest of them, so that they lie in 0–1.
    """

    def __init__(self, texts: Sequence[str], recorded: NDArray[np.float64]) -> None:
        self.recorded = recorded
        self._absent = np.flatnonzero(np.isnan(recorded)).tolist()
        self._index = LexicalIndex([texts[row] for row in self._absent]) if len(self._absent) else None

    def to_query(self, query: str) -> NDArray[np.float64]:
        """Similarities in the order of the texts; NaN where none is recorded and the query is empty."""
        similarity = self.recorded.copy()
        if self._index is None or not query.strip():
            return similarity
        scores = self._index.scores(query)
        highest = scores.max(initial=0.0)
        similarity[self._absent] = scores / highest if highest > 0 else scores
        return similarity
