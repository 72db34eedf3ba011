"""Similarity to a query: the recorded value, else words, surroundings and vectors fused; or any of them alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from inspector.derived import cached_property
from inspector.retrieval.lexical import LexicalIndex
from inspector.retrieval.relevance.kinds import settings_of_kind
from inspector.retrieval.relevance.settings import AS_MEASURED, RelevanceSettings
from inspector.retrieval.relevance.surroundings import NOTHING_KNOWN, Surroundings, fused_parts, summed, talk_parts
from inspector.retrieval.vectors.embedding import TextVectors

F64 = NDArray[np.float64]

_DAMPING = 60
"""The k of Cormack, Clarke and Büttcher, Reciprocal Rank Fusion (SIGIR 2009)."""


def reciprocal_ranks(rankings: Sequence[NDArray[np.floating]]) -> F64:
    """Return Σ 1 / (60 + rank) over rankings of the same items, scaled so that an item first in all of them has 1.

    Each ranking is a score for each item, higher is better. Equal scores share the better rank. A score of 0 or less is
    no rank: that ranking does not count for the item.
    """
    total = sum(_ranked(np.asarray(scores)) for scores in rankings)
    return np.asarray(total * (_DAMPING + 1) / len(rankings), np.float64)


def _ranked(scores: NDArray[np.floating]) -> F64:
    """Return 1 / (60 + rank) of each score, 0 for those without a rank."""
    found = np.flatnonzero(scores > 0)
    order = found[np.argsort(-scores[found], kind="stable")]
    ordered = scores[order]
    is_next = np.empty(len(order), np.bool_)
    is_next[:1], is_next[1:] = True, ordered[1:] != ordered[:-1]
    places = np.arange(len(order))
    ranks = np.maximum.accumulate(np.where(is_next, places, 0)) + 1
    values = np.zeros(len(scores))
    values[order] = 1 / (_DAMPING + ranks)
    return values


F32 = NDArray[np.float32]
U8 = NDArray[np.uint8]
Rows = NDArray[np.intp]

WAYS = ("auto", "recorded", "embedding", "lexical", "hybrid", "fused")
"""The ways to get similarities: `auto` takes recorded ones and fuses the rest, `recorded` computes nothing, and the
others compute all of them, even those recorded.
"""
FUSED_WAYS = ("auto", "fused")
"""The ways that compare words, surroundings, and vectors."""
EMBEDDING_WAYS = (*FUSED_WAYS, "embedding", "hybrid")
"""The ways that compare vectors if they are known."""
INDEXED_AT_ONCE = 1_000
"""The number of texts indexed within 50 ms, while the user waits."""


class Origin(IntEnum):
    """The origin of a similarity."""

    NOWHERE = 0
    RECORDED = 1
    EMBEDDING = 2
    LEXICAL = 3
    HYBRID = 4
    FUSED = 5


@dataclass(frozen=True)
class Measure:
    """A way of comparing texts with a query, of `WAYS`, and the vectors, None to use words instead.

    If `words` is False, the words of many texts are not indexed yet, and nothing is compared by words until then.
    `settings` weigh the parts of fused similarities, and say which words count.
    """

    way: str = "auto"
    vectors: TextVectors | None = None
    words: bool = True
    settings: RelevanceSettings = AS_MEASURED

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # Cached, because it is used at every turn of a replay and the settings have many fields.
        return hash((self.way, self.vectors, self.words, self.settings))

    def settings_among(self, surroundings: Surroundings) -> RelevanceSettings:
        """Return the weights for these texts: where the way is `auto`, those that suit the kind of the talk."""
        return settings_of_kind(self.settings, surroundings.assistance) if self.way == "auto" else self.settings

    def describe(self, origin: int) -> str:
        """Return the origin of a similarity in words for users; "" for none."""
        model = self.vectors.embedder.name if self.vectors else ""
        fused = f"fused from words and {model}" if model and self.settings.vectors else "fused from words"
        named = {
            Origin.RECORDED: "recorded",
            Origin.EMBEDDING: f"embedding {model}",
            Origin.LEXICAL: "lexical BM25",
            Origin.HYBRID: f"hybrid of {model} and BM25",
            Origin.FUSED: fused,
        }
        return named.get(Origin(origin), "")


RECORDED_ONLY = Measure("recorded")


def compares_vectors(way: str, settings: RelevanceSettings) -> bool:
    """Return whether a way compares vectors at all with these weights."""
    return way in EMBEDDING_WAYS and (way not in FUSED_WAYS or settings.vectors > 0)


@dataclass(frozen=True, slots=True, eq=False)
class Likeness:
    """Similarities, NaN for none, with the `Origin` of each, and the parts of fused ones.

    The parts are NaN for similarities that are not fused.
    """

    values: F64
    origins: U8
    parts: Mapping[str, F64] = field(default_factory=dict)


class Similarity:
    """Similarities of a fixed list of texts to changing queries.

    `recorded` holds the similarities in the file, NaN if there is none. Of the computed ones, a lexical score is
    divided by the highest of its set, a cosine is taken as it is (0 if negative), the hybrid is the reciprocal rank
    fusion of both, and a fused similarity is a sum of parts (see `fused_parts`).
    """

    def __init__(self, texts: Sequence[str], recorded: F64, surroundings: Surroundings = NOTHING_KNOWN) -> None:
        self.recorded = recorded
        self._all = _Texts(texts, np.arange(len(texts), dtype=np.intp), surroundings)
        absent = np.flatnonzero(np.isnan(recorded))
        # If nothing is recorded, both are the same texts, and share their index and their matrix.
        self._absent = self._all if len(absent) == len(texts) else _Texts(texts, absent, surroundings.of(absent))

    def needs_talk(self, way: str) -> bool:
        """Return whether any text compared this way was made from turns of the talk, which count with it."""
        return way in FUSED_WAYS and len(self._computed(way).surroundings.source_owners) > 0

    def compared(self, way: str) -> Sequence[str]:
        """Return the texts compared with a query this way."""
        return self._computed(way).texts

    def to_query(self, query: str, measure: Measure, turns: F64 | None = None, among: Rows | None = None) -> Likeness:
        """Return similarities in the order of the texts; for an empty query, only recorded ones.

        If a vector is unknown, words are compared instead. `turns` are the word scores of the turns the texts were made
        from (`talk`). With `among`, only the texts of these rows exist, none of them recorded.
        """
        return self.to_each([query], measure, turns, among)[0]

    def to_each(
        self, queries: Sequence[str], measure: Measure, turns: F64 | None = None, among: Rows | None = None
    ) -> list[Likeness]:
        """Return similarities to each of many queries, each computed as if it were alone."""
        computed = self._computed(measure.way)
        recorded = self.recorded if among is None else self.recorded[among]
        origins = np.where(np.isnan(recorded), Origin.NOWHERE, Origin.RECORDED).astype(np.uint8)
        plain = Likeness(recorded.copy(), origins)
        asked = [query for query in queries if query.strip()]
        found = computed.to_each(asked, measure, turns, among) if len(computed.rows) and asked else None
        if found is None:
            return [plain] * len(queries)
        likenesses = iter(_spread(found, computed.rows if among is None else np.arange(len(among)), plain))
        return [next(likenesses) if query.strip() else plain for query in queries]

    def talk(self, query: str, measure: Measure, among: Rows) -> F64:
        """Return the word scores of these turns and their surroundings, shape (1, all turns); 0 for other turns."""
        found = np.zeros((1, len(self.recorded)))
        found[:, among] = self._all.talk(query, measure, among)
        return found

    def assistance(self, measure: Measure, among: Rows) -> float:
        """Return how far the weights are those of a talk with an assistant, 0–1, if only the texts of these rows exist.

        0 where nothing but the settings decides.
        """
        computed = self._computed(measure.way)
        is_weighed = measure.way == "auto" and measure.settings.by_kind
        return computed.surroundings.of(among).assistance if is_weighed else 0.0

    def words_found(self, query: str, row: int, measure: Measure) -> tuple[str, ...]:
        """Return the words of a query found in a text; none before its words are indexed."""
        computed = self._computed(measure.way)
        place = int(np.searchsorted(computed.rows, row))
        holds = place < len(computed.rows) and int(computed.rows[place]) == row
        return computed.words_found(query, place, measure) if holds else ()

    def awaits_index(self, way: str) -> bool:
        """Return whether comparing this way would first index so many texts that the user would have to wait."""
        computed = self._computed(way)
        return len(computed.texts) > INDEXED_AT_ONCE and not computed.is_indexed

    def build_index(self, way: str) -> None:
        """Index the words of the texts compared this way; takes a few seconds for 100,000 of them."""
        self._computed(way).build_index()

    def _computed(self, way: str) -> "_Texts":
        if way == "recorded":
            return _Texts((), np.empty(0, np.intp), NOTHING_KNOWN)
        return self._absent if way == "auto" else self._all


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """The similarities of some texts to queries, shape (queries, texts), their common origin, and their parts."""

    values: F64
    origin: Origin
    parts: Mapping[str, F64] = field(default_factory=dict)


class _Texts:
    """The texts of some rows, compared with queries; index and matrix are built on first use."""

    def __init__(self, texts: Sequence[str], rows: Rows, surroundings: Surroundings) -> None:
        numbers: list[int] = rows.tolist() if len(rows) < len(texts) else []
        self.texts: Sequence[str] = texts if len(rows) == len(texts) else [texts[row] for row in numbers]
        self.rows, self.surroundings = rows, surroundings
        self._matrix: tuple[TextVectors, F32] | None = None
        self._index: LexicalIndex | None = None

    @property
    def is_indexed(self) -> bool:
        """Whether the words are indexed."""
        return self._index is not None

    def build_index(self) -> LexicalIndex:
        """Return the index of the words, built now if there is none."""
        if self._index is None:
            self._index = LexicalIndex(self.texts, self.surroundings)
        return self._index

    def to_each(self, queries: Sequence[str], measure: Measure, turns: F64 | None, among: Rows | None) -> _Found | None:
        """Return the similarity of each text, and their common origin; None if the words are not indexed yet."""
        wanted = measure.vectors if compares_vectors(measure.way, measure.settings) else None
        like = self._cosines(queries, wanted, among) if wanted else None
        if not measure.words and (like is None or measure.way != "embedding"):
            return None
        if measure.way in FUSED_WAYS:
            return self._fused(queries, measure, like, turns, among)
        if like is None:
            return _Found(self._lexical(queries, measure.settings, among), Origin.LEXICAL)
        if measure.way == "hybrid":
            words = self._lexical(queries, measure.settings, among)
            pairs = zip(like, words, strict=True)
            return _Found(np.array([reciprocal_ranks(list(pair)) for pair in pairs]), Origin.HYBRID)
        return _Found(like, Origin.EMBEDDING)

    def talk(self, query: str, measure: Measure, among: Rows) -> F64:
        """Return the word scores of these turns, shape (1, turns): of their own, neighbouring and sittings' words."""
        around = self.surroundings.of(among)
        settings = measure.settings_among(around)
        return summed(talk_parts(self._words([query], settings, among), around, settings))

    def words_found(self, query: str, place: int, measure: Measure) -> tuple[str, ...]:
        """Return the words of a query found in a text; none before its words are indexed."""
        fields = _fields(measure.settings) if measure.way in FUSED_WAYS else ("texts",)
        return self._index.found(query, place, measure.settings, fields) if self._index else ()

    def _fused(
        self,
        queries: Sequence[str],
        measure: Measure,
        like: F64 | None,
        turns: F64 | None,
        among: Rows | None,
    ) -> _Found:
        around = self.surroundings if among is None else self.surroundings.of(among)
        settings = measure.settings_among(around)
        parts = fused_parts(self._words(queries, settings, among), like, turns, around, settings)
        return _Found(np.minimum(summed(parts), 1.0), Origin.FUSED, parts)

    def _words(self, queries: Sequence[str], settings: RelevanceSettings, among: Rows | None) -> F64:
        """Return BM25 scores in 0–1, including names and months: divided by the highest score of each query.

        If even the highest is below half the score of a text like the query, they are divided by that half instead.
        """
        found = self.build_index().scores_each(queries, settings, among, _fields(settings))
        return _divided(found.values, np.maximum(found.values.max(axis=1, initial=0.0), found.wholes / 2))

    def _lexical(self, queries: Sequence[str], settings: RelevanceSettings, among: Rows | None) -> F64:
        scores = self.build_index().scores_each(queries, settings, among).values
        return _divided(scores, scores.max(axis=1, initial=0.0))

    def _cosines(self, queries: Sequence[str], vectors: TextVectors, among: Rows | None) -> F64 | None:
        """Return the cosine of each text to each query, None if a vector is unknown."""
        rows = self._rows_of(vectors)
        if rows is None or not all(vectors.has_queries(queries)):
            return None
        end = len(rows) if among is None or not len(among) else int(among[-1]) + 1
        # Row by row: a product of matrices rounds differently with other rows or queries, but a query must give the
        # same result with others. It is as fast as a product for each query, and no threads wait for each other.
        cosines = [np.vecdot(rows[:end], vector) for vector in vectors.matrix(queries)]
        like = np.clip(np.array(cosines), 0.0, 1.0).astype(np.float64)
        return like if among is None else like[:, among]

    def _rows_of(self, vectors: TextVectors) -> F32 | None:
        matrix = self._matrix
        if (matrix is None or matrix[0] is not vectors) and vectors.knows(self.texts):
            matrix = self._matrix = (vectors, vectors.matrix(self.texts))
        return matrix[1] if matrix and matrix[0] is vectors else None


def _fields(settings: RelevanceSettings) -> tuple[str, ...]:
    """Return the fields whose words count as those of a text."""
    return ("texts", *(name for name in ("speakers", "months") if getattr(settings, name)))


def _divided(values: F64, highest: F64) -> F64:
    """Return the scores of each query divided by its highest; unchanged if it is 0."""
    return values / np.where(highest > 0, highest, 1.0)[:, None]


def _spread(found: _Found, rows: Rows, plain: Likeness) -> Iterator[Likeness]:
    """Yield the likenesses to each query: those found at these rows, and the plain ones elsewhere."""
    size = len(plain.values)
    if len(rows) == size:
        origins = np.full(size, found.origin, np.uint8)
        for number, values in enumerate(found.values):
            yield Likeness(values, origins, {name: part[number] for name, part in found.parts.items()})
        return
    for number, of_query in enumerate(found.values):
        values, origins = plain.values.copy(), plain.origins.copy()
        values[rows], origins[rows] = of_query, found.origin
        yield Likeness(values, origins, {name: _column(part[number], rows, size) for name, part in found.parts.items()})


def _column(part: F64, rows: Rows, size: int) -> F64:
    """Return a column of this size with a part at these rows, NaN elsewhere."""
    column = np.full(size, np.nan)
    column[rows] = part
    return column
