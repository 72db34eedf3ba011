"""Similarity to a query: what the file recorded, else likeness of vectors, else lexical relevance, each in 0–1."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from inspector.retrieval.fusion import reciprocal_ranks
from inspector.retrieval.lexical import LexicalIndex
from inspector.retrieval.vectors.embedding import TextVectors

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
U8 = NDArray[np.uint8]
Rows = NDArray[np.intp]

WAYS = ("auto", "recorded", "embedding", "lexical", "hybrid")
"""How similarities come about: `auto` takes what is recorded and computes the rest, `recorded` computes nothing, and
the others compute all of them, also where something is recorded."""
EMBEDDING_WAYS = ("auto", "embedding", "hybrid")
"""The ways that compare vectors where they are known."""
INDEXED_AT_ONCE = 3_000
"""So many texts are indexed within 30 ms, while somebody waits."""


class Origin(IntEnum):
    """Where a similarity comes from."""

    NOWHERE = 0
    RECORDED = 1
    EMBEDDING = 2
    LEXICAL = 3
    HYBRID = 4


@dataclass(frozen=True)
class Measure:
    """How texts are compared with a query: one of `WAYS`, and the vectors, None where words have to do instead.

    With `words` False, the words of many texts are not indexed yet: nothing is compared by words until they are.
    """

    way: str = "auto"
    vectors: TextVectors | None = None
    words: bool = True

    def describe(self, origin: int) -> str:
        """Where a similarity comes from, for a person; "" for none."""
        model = self.vectors.embedder.name if self.vectors else ""
        named = {
            Origin.RECORDED: "recorded",
            Origin.EMBEDDING: f"embedding {model}",
            Origin.LEXICAL: "lexical BM25",
            Origin.HYBRID: f"hybrid of {model} and BM25",
        }
        return named.get(Origin(origin), "")


RECORDED_ONLY = Measure("recorded")


@dataclass(frozen=True, slots=True, eq=False)
class Likeness:
    """Similarities, NaN for none, and the `Origin` of each."""

    values: F64
    origins: U8


class Similarity:
    """Similarities of a fixed list of texts to changing queries.

    `recorded` holds the similarities that the file gives, NaN where there is none. Of what is computed, a lexical
    score is divided by the highest of its set, a cosine is taken as it is (0 where it is negative), and the hybrid is
    the reciprocal rank fusion of both.
    """

    def __init__(self, texts: Sequence[str], recorded: F64) -> None:
        self.recorded = recorded
        self._all = _Texts(texts, np.arange(len(texts), dtype=np.intp))
        absent = np.flatnonzero(np.isnan(recorded))
        # Where nothing is recorded both are the same texts, and share their index and their matrix.
        self._absent = self._all if len(absent) == len(texts) else _Texts(texts, absent)

    def compared(self, way: str) -> Sequence[str]:
        """The texts that are compared with a query this way."""
        return self._computed(way).texts

    def to_query(self, query: str, measure: Measure) -> Likeness:
        """Similarities in the order of the texts; where the query is empty, only what is recorded.

        Where a vector is not known, words are compared instead.
        """
        computed = self._computed(measure.way)
        values = self.recorded.copy()
        origins = np.where(np.isnan(values), Origin.NOWHERE, Origin.RECORDED).astype(np.uint8)
        if len(computed.rows) and query.strip() and (found := computed.to_query(query, measure)) is not None:
            values[computed.rows], origins[computed.rows] = found
        return Likeness(values, origins)

    def awaits_index(self, way: str) -> bool:
        """Whether comparing by words this way would first index so many texts that somebody would have to wait."""
        computed = self._computed(way)
        return len(computed.texts) > INDEXED_AT_ONCE and not computed.is_indexed

    def build_index(self, way: str) -> None:
        """Index the words of the texts that are compared this way; takes about a second for 100,000 of them."""
        self._computed(way).build_index()

    def _computed(self, way: str) -> "_Texts":
        if way == "recorded":
            return _Texts((), np.empty(0, np.intp))
        return self._absent if way == "auto" else self._all


class _Texts:
    """Texts that are compared with queries, those of some rows: index and matrix are made when first asked for."""

    def __init__(self, texts: Sequence[str], rows: Rows) -> None:
        wanted: list[int] = rows.tolist()
        self.texts = [texts[row] for row in wanted]
        self.rows = rows
        self._matrix: tuple[TextVectors, F32] | None = None
        # No cached_property: before Python 3.12 all texts share its lock, and a few would wait for the index of many.
        self._index: LexicalIndex | None = None

    @property
    def is_indexed(self) -> bool:
        """Whether the words are indexed."""
        return self._index is not None

    def build_index(self) -> LexicalIndex:
        """The index of the words, made now where there is none."""
        if self._index is None:
            self._index = LexicalIndex(self.texts)
        return self._index

    def to_query(self, query: str, measure: Measure) -> tuple[F64, Origin] | None:
        """The similarity of each text, and where all of them come from; None where the words are not indexed yet."""
        like = self._cosines(query, measure.vectors) if measure.vectors and measure.way in EMBEDDING_WAYS else None
        if not measure.words and (like is None or measure.way == "hybrid"):
            return None
        if like is None:
            return self._lexical(query), Origin.LEXICAL
        if measure.way == "hybrid":
            return reciprocal_ranks([like, self._lexical(query)]), Origin.HYBRID
        return like, Origin.EMBEDDING

    def _lexical(self, query: str) -> F64:
        scores = self.build_index().scores(query)
        highest = scores.max(initial=0.0)
        return scores / highest if highest > 0 else scores

    def _cosines(self, query: str, vectors: TextVectors) -> F64 | None:
        """The cosine of each text to the query, None where a vector is not known."""
        asked, rows = vectors.of_query(query), self._rows_of(vectors)
        if rows is None or asked is None:
            return None
        return np.clip(rows @ asked, 0.0, 1.0).astype(np.float64)

    def _rows_of(self, vectors: TextVectors) -> F32 | None:
        matrix = self._matrix
        if (matrix is None or matrix[0] is not vectors) and vectors.knows(self.texts):
            matrix = self._matrix = (vectors, vectors.matrix(self.texts))
        return matrix[1] if matrix and matrix[0] is vectors else None
