"""Computed summaries on disk, in the file of the counts: key = fingerprint of the method and hash of what it read.

Each method has a table of its own, laid out as those of the counts are (inspector/tokens/cache.py). Unlike counts and
vectors, summaries are readable texts made from a conversation: `clear` forgets them.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.tokens.cache import CacheFile

Integers = NDArray[np.int64]

_KEYS_PER_QUERY = 30_000  # SQLite takes 32,766 parameters
_REGISTRY = "create table if not exists summarizers (id integer primary key, fingerprint text not null unique)"
_COLUMNS = "key integer primary key, rest integer not null, summary text not null"


class SummaryCache:
    """Summaries that outlive the program. What is wrong with the file its `trouble` says."""

    def __init__(self, file: CacheFile) -> None:
        self.file = file

    def read(self, fingerprint: str, hashes: Integers) -> list[str | None]:
        """The summary of each text by its hash (see `text_hashes`), None where it is not here."""
        nothing: list[str | None] = [None] * len(hashes)
        if not len(hashes):
            return nothing
        return self.file.attempt(lambda connection: _read(connection, fingerprint, hashes), otherwise=nothing)

    def write(self, fingerprint: str, hashes: Integers, summaries: Sequence[str]) -> None:
        """Keep the summary of each text, in one transaction: all of them or none."""
        if len(hashes):
            self.file.attempt(lambda connection: _write(connection, fingerprint, hashes, summaries), otherwise=None)

    def clear(self) -> int:
        """Forget every summary; answers how many there were."""
        return self.file.attempt(_clear, otherwise=0)


def _table_of(connection: sqlite3.Connection, fingerprint: str) -> str | None:
    connection.execute(_REGISTRY)
    row = connection.execute("select id from summarizers where fingerprint = ?", (fingerprint,)).fetchone()
    return f"summaries_{row[0]}" if row else None


def _read(connection: sqlite3.Connection, fingerprint: str, hashes: Integers) -> list[str | None]:
    table = _table_of(connection, fingerprint)
    if table is None:
        return [None] * len(hashes)
    found: dict[tuple[int, int], str] = {
        (key, rest): summary for key, rest, summary in _wanted_rows(connection, table, hashes[:, 0].tolist())
    }
    return [found.get((key, rest)) for key, rest in hashes.tolist()]


def _wanted_rows(connection: sqlite3.Connection, table: str, keys: list[int]) -> Iterator[tuple[Any, ...]]:
    parts = (keys[start : start + _KEYS_PER_QUERY] for start in range(0, len(keys), _KEYS_PER_QUERY))
    select = f"select key, rest, summary from {table} where key in "
    return chain.from_iterable(connection.execute(f"{select}({','.join('?' * len(part))})", part) for part in parts)


def _write(connection: sqlite3.Connection, fingerprint: str, hashes: Integers, summaries: Sequence[str]) -> None:
    # SQLite takes no half surrogate pairs; a text that holds some is made again the next time.
    rows = [
        (key, rest, summary)
        for (key, rest), summary in zip(hashes.tolist(), summaries, strict=True)
        if not any("\ud800" <= letter <= "\udfff" for letter in summary)
    ]
    connection.execute(_REGISTRY)
    with connection:
        connection.execute("begin immediate")
        connection.execute("insert or ignore into summarizers (fingerprint) values (?)", (fingerprint,))
        table = _table_of(connection, fingerprint)
        connection.execute(f"create table if not exists {table} ({_COLUMNS})")
        connection.executemany(f"insert or ignore into {table} values (?, ?, ?)", rows)


def _clear(connection: sqlite3.Connection) -> int:
    connection.execute(_REGISTRY)
    tables = [f"summaries_{row[0]}" for row in connection.execute("select id from summarizers")]
    with connection:
        # Emptied, not dropped: another process may be about to read them.
        removed = sum(connection.execute(f"delete from {table}").rowcount for table in tables)
    connection.execute("vacuum")
    return removed
