"""Embedding: the interface of models, embedding many texts in the background, and the vectors known in memory.

The models have their own modules; nothing here loads them. Vectors are kept in half precision everywhere, so a text has
the same vector whether it was just embedded or read from the cache.
"""

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from inspector.growing import Growing
from inspector.tokens.cache import text_hashes
from inspector.tokens.cache_file import CacheFile, CacheTable, Integers, clear_tables, read_values, value_rows

F16 = NDArray[np.float16]

_NOTHING = (np.empty(0, np.int64), np.empty((0, 0), np.float16))


class VectorCache:
    """Vectors kept between runs, in half precision. `trouble` has any problem with the file."""

    def __init__(self, file: CacheFile) -> None:
        self.file = file

    def read(self, fingerprint: str, hashes: Integers) -> tuple[Integers, F16]:
        """Return whether each text is stored, by its hash (see `text_hashes`), and a row with the vector of each."""
        nothing: list[bytes | None] = []
        table = CacheTable("vectors", fingerprint)
        stored = self.file.attempt(lambda connection: read_values(connection, table, hashes), otherwise=nothing)
        found = {row: vector for row, vector in enumerate(stored) if vector is not None}
        if not found:
            return _NOTHING
        vectors = np.frombuffer(b"".join(found.values()), "<f2")
        return np.array([*found], np.int64), vectors.reshape(len(found), -1)

    def write(self, fingerprint: str, hashes: Integers, vectors: F16) -> None:
        """Store the vector of each text in a single transaction."""
        if len(hashes):
            table = CacheTable("vectors", fingerprint)
            rows = value_rows(table, hashes, [vector.tobytes() for vector in vectors.astype("<f2", copy=False)])
            self.file.attempt(lambda connection: table.write(connection, rows), otherwise=None)

    def clear(self) -> int:
        """Forget every vector, and return their number."""
        return self.file.attempt(lambda connection: clear_tables(connection, "vectors"), otherwise=0)


F32 = NDArray[np.float32]

_NO_VECTOR = -1


class EmbedderUnavailableError(Exception):
    """This model exists, or may exist, but cannot be loaded here; the message says why."""


class Embedder(Protocol):
    """Makes vectors of texts."""

    @property
    def name(self) -> str:
        """The name to request it by, such as `wordllama` or `hf:FOLDER`."""
        ...

    @property
    def fingerprint(self) -> str:
        """The name and a hash of all that affects vectors: the same in every run, different when vectors may differ."""
        ...

    @property
    def quick(self) -> bool:
        """Whether a text takes about a millisecond, so that queries may be embedded on demand."""
        ...

    @property
    def chunk(self) -> int:
        """The number of texts to process between chances to stop, small enough for a short wait."""
        ...

    def embed(self, texts: Sequence[str]) -> F32:
        """Return a row of length 1 for each text; zeros for a text with nothing to embed."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddedChunk:
    """The vectors of texts[start : start + len(vectors)], in half precision."""

    start: int
    vectors: F16


def embed_texts(
    texts: Sequence[str], embedder: Embedder, cache: VectorCache | None = None, chunk: int | None = None
) -> Generator[EmbeddedChunk, None, None]:
    """Embed every text, in order, `chunk` at a time; cached texts are not embedded again.

    New vectors reach the cache even if the iterator is closed early.
    """
    size = chunk or embedder.chunk
    for start in range(0, len(texts), size):
        yield EmbeddedChunk(start, _embedded(texts[start : start + size], embedder, cache))


def _embedded(texts: Sequence[str], embedder: Embedder, cache: VectorCache | None) -> F16:
    if cache is None:
        return embedder.embed(texts).astype(np.float16)
    hashes = text_hashes(texts)
    known, stored = cache.read(embedder.fingerprint, hashes)
    missing = np.setdiff1d(np.arange(len(texts)), known, assume_unique=True)
    if not len(missing):
        return stored
    wanted: list[int] = missing.tolist()
    fresh = embedder.embed([texts[row] for row in wanted]).astype(np.float16)
    cache.write(embedder.fingerprint, hashes[missing], fresh)
    if not len(known):
        return fresh
    vectors = np.empty((len(texts), fresh.shape[1]), np.float16)
    vectors[known], vectors[missing] = stored, fresh
    return vectors


class TextVectors(Growing):
    """The known vectors of an embedder, in memory. It grows; known vectors never change.

    Queries do not change its version.
    """

    def __init__(self, embedder: Embedder) -> None:
        super().__init__()
        self.embedder = embedder
        self._places: dict[str, int] = {"": _NO_VECTOR}
        self._vectors: F16 = np.empty((0, 0), np.float16)
        self._used = 0
        self._lock = Lock()

    def add(self, texts: Sequence[str], vectors: F16) -> None:
        """Remember the vector of each text."""
        with self.growing():
            self._remember(texts, vectors)

    def missing(self, texts: Iterable[str]) -> list[str]:
        """Return the distinct texts whose vectors are unknown, in order."""
        return [text for text in dict.fromkeys(texts) if text not in self._places]

    def knows(self, texts: Iterable[str]) -> bool:
        """Return whether the vector of every text is known."""
        return all(map(self._places.__contains__, texts))

    def matrix(self, texts: Sequence[str]) -> F32:
        """Return a row for each text, zeros for an empty text. Raises KeyError for a text without a known vector."""
        places = np.fromiter(map(self._places.__getitem__, texts), np.intp, len(texts))
        if not len(self._vectors):
            return np.zeros((len(texts), self._vectors.shape[1]), np.float32)
        rows = self._vectors[places].astype(np.float32)
        rows[places == _NO_VECTOR] = 0
        return rows

    def has_queries(self, queries: Sequence[str]) -> list[bool]:
        """Return whether each of these queries has a vector: known, or made now if the embedder is quick."""
        unknown = [query for query in dict.fromkeys(queries) if query not in self._places]
        if unknown and self.embedder.quick:
            self._remember(unknown, self.embedder.embed(unknown).astype(np.float16))
        return [query in self._places for query in queries]

    def of_query(self, query: str) -> F32 | None:
        """Return the vector of a query: known, or made now if the embedder is quick; None if it must be awaited."""
        return self.matrix([query])[0] if self.has_queries([query])[0] else None

    def _remember(self, texts: Sequence[str], vectors: F16) -> None:
        if not len(texts):
            return
        with self._lock:
            end = self._used + len(texts)
            if end > len(self._vectors):
                grown = np.empty((max(end, 2 * len(self._vectors)), vectors.shape[1]), np.float16)
                if self._used:
                    grown[: self._used] = self._vectors[: self._used]
                self._vectors = grown
            self._vectors[self._used : end] = vectors
            # The places last, so that a reader finds a text only once its vector is stored.
            self._places.update(zip(texts, range(self._used, end), strict=True))
            self._places[""] = _NO_VECTOR
            self._used = end
