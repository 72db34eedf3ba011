"""Vectors on disk, in the file of the counts: key = fingerprint of the embedder and hash of the text.

Each embedder has a table of its own, laid out as those of the counts are (inspector/tokens/cache.py).
"""

import sqlite3
from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.tokens.cache import CacheFile

F16 = NDArray[np.float16]
Integers = NDArray[np.int64]

_KEYS_PER_QUERY = 30_000  # SQLite takes 32,766 parameters
_REGISTRY = "create table if not exists embedders (id integer primary key, fingerprint text not null unique)"
_COLUMNS = "key integer primary key, rest integer not null, vector blob not null"
_NOTHING = (np.empty(0, np.int64), np.empty((0, 0), np.float16))


class VectorCache:
    """Vectors that outlive the program, in half precision. What is wrong with the file its `trouble` says."""

    def __init__(self, file: CacheFile) -> None:
        self.file = file

    def read(self, fingerprint: str, hashes: Integers) -> tuple[Integers, F16]:
        """Which of the texts are here, by their hashes (see `text_hashes`), and one row with the vector of each."""
        if not len(hashes):
            return _NOTHING
        return self.file.attempt(lambda connection: _read(connection, fingerprint, hashes), otherwise=_NOTHING)

    def write(self, fingerprint: str, hashes: Integers, vectors: F16) -> None:
        """Keep the vector of each text, in one transaction: all of them or none."""
        if len(hashes):
            self.file.attempt(lambda connection: _write(connection, fingerprint, hashes, vectors), otherwise=None)

    def clear(self) -> int:
        """Forget every vector; answers how many there were."""
        return self.file.attempt(_clear, otherwise=0)


def _table_of(connection: sqlite3.Connection, fingerprint: str) -> str | None:
    connection.execute(_REGISTRY)
    row = connection.execute("select id from embedders where fingerprint = ?", (fingerprint,)).fetchone()
    return f"vectors_{row[0]}" if row else None


def _read(connection: sqlite3.Connection, fingerprint: str, hashes: Integers) -> tuple[Integers, F16]:
    table = _table_of(connection, fingerprint)
    if table is None:
        return _NOTHING
    found: dict[tuple[int, int], bytes] = {
        (key, rest): vector for key, rest, vector in _wanted_rows(connection, table, hashes[:, 0].tolist())
    }
    stored = [found.get((key, rest)) for key, rest in hashes.tolist()]
    rows = [row for row, vector in enumerate(stored) if vector is not None]
    if not rows:
        return _NOTHING
    vectors = np.frombuffer(b"".join(vector for vector in stored if vector is not None), "<f2")
    return np.array(rows, np.int64), vectors.reshape(len(rows), -1)


def _wanted_rows(connection: sqlite3.Connection, table: str, keys: list[int]) -> Iterator[tuple[Any, ...]]:
    parts = (keys[start : start + _KEYS_PER_QUERY] for start in range(0, len(keys), _KEYS_PER_QUERY))
    select = f"select key, rest, vector from {table} where key in "
    return chain.from_iterable(connection.execute(f"{select}({','.join('?' * len(part))})", part) for part in parts)


def _write(connection: sqlite3.Connection, fingerprint: str, hashes: Integers, vectors: F16) -> None:
    order = np.argsort(hashes[:, 0])  # neighbours in the table are written together
    blobs = [vector.tobytes() for vector in vectors[order].astype("<f2", copy=False)]
    connection.execute(_REGISTRY)
    with connection:
        connection.execute("begin immediate")
        connection.execute("insert or ignore into embedders (fingerprint) values (?)", (fingerprint,))
        table = _table_of(connection, fingerprint)
        connection.execute(f"create table if not exists {table} ({_COLUMNS})")
        rows = zip(hashes[order, 0].tolist(), hashes[order, 1].tolist(), blobs, strict=True)
        connection.executemany(f"insert or ignore into {table} values (?, ?, ?)", rows)


def _clear(connection: sqlite3.Connection) -> int:
    connection.execute(_REGISTRY)
    tables = [f"vectors_{row[0]}" for row in connection.execute("select id from embedders")]
    with connection:
        # Emptied, not dropped: another process may be about to read them.
        removed = sum(connection.execute(f"delete from {table}").rowcount for table in tables)
    connection.execute("vacuum")
    return removed
