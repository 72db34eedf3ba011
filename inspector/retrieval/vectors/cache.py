"""Vectors on disk, in the file of the counts: key = fingerprint of the embedder and hash of the text."""

import numpy as np
from numpy.typing import NDArray

from inspector.tokens.cache_file import CacheFile
from inspector.tokens.cache_tables import CacheTable, Integers, clear_tables, read_values, value_rows

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
