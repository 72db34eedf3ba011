"""The tables of the cache file: a value for each text, found by the text's hash, with a checksum.

Each source of values has its own table, named after its kind and fingerprint. The key is the first half of the hash as
an integer: SQLite writes such rows twice as fast as rows with a key of bytes. The checksum covers the whole hash, the
value and the source, so a matching value belongs to this text and this source. A mismatch means damage: two texts with
the same key are as unlikely as damage that goes undetected.
"""

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Row = tuple[int, int, Any]
"""Key, checksum, value."""

_KEYS_PER_QUERY = 30_000  # SQLite takes 32,766 parameters
_HASH_BYTES = 16
_KINDS = {"counts": "integer", "vectors": "blob", "summaries": "blob"}
_NAME = re.compile(rf"({'|'.join(_KINDS)})_[0-9a-f]{{32}}")


class DamagedCacheError(Exception):
    """The stored content differs from the content written."""


@dataclass(frozen=True, slots=True)
class CacheTable:
    """The values of a `kind` (counts, vectors, summaries) made by the source with this fingerprint."""

    kind: str
    fingerprint: str

    @property
    def seed(self) -> bytes:
        """16 bytes identifying kind and source, used in the table's name and in each checksum."""
        return blake2b(f"{self.kind}\n{self.fingerprint}".encode("utf-8", "surrogatepass"), digest_size=16).digest()

    @property
    def name(self) -> str:
        """The name in the file."""
        return f"{self.kind}_{self.seed.hex()}"

    def exists(self, connection: sqlite3.Connection) -> bool:
        """Return whether the file has this table."""
        return connection.execute("select 1 from sqlite_schema where name = ?", (self.name,)).fetchone() is not None

    def size(self, connection: sqlite3.Connection) -> int:
        """Return the number of rows."""
        return connection.execute(f"select count(*) from {self.name}").fetchone()[0]

    def rows(self, connection: sqlite3.Connection) -> Iterator[Row]:
        """Return all rows, by rising keys."""
        return connection.execute(f"select key, checksum, value from {self.name} order by key")

    def rows_of(self, connection: sqlite3.Connection, hashes: Integers) -> Iterator[Row]:
        """Return the rows whose keys belong to these hashes, by rising keys."""
        keys: list[int] = np.unique(hashes[:, 0]).tolist()
        parts = (keys[start : start + _KEYS_PER_QUERY] for start in range(0, len(keys), _KEYS_PER_QUERY))
        select = f"select key, checksum, value from {self.name} where key in"
        return chain.from_iterable(
            connection.execute(f"{select} ({','.join('?' * len(part))}) order by key", part) for part in parts
        )

    def write(self, connection: sqlite3.Connection, rows: Iterable[Row]) -> None:
        """Add rows in a single transaction; existing rows stay unchanged."""
        with connection:
            connection.execute("begin immediate")
            if not self.exists(connection):
                connection.execute(_statement(self.name))
            connection.executemany(f"insert or ignore into {self.name} values (?, ?, ?)", rows)


def read_values(connection: sqlite3.Connection, table: CacheTable, hashes: Integers) -> list[bytes | None]:
    """Return the value of each text by its hash, None if it is not stored.

    Raises DamagedCacheError, and TypeError for a value that is not bytes.
    """
    values: list[bytes | None] = [None] * len(hashes)
    stored = {row[0]: row for row in table.rows_of(connection, hashes)} if table.exists(connection) else {}
    seed = table.seed
    for place, (key, hashed) in enumerate(zip(hashes[:, 0].tolist(), _whole(hashes), strict=True)):
        if key in stored:
            _, checksum, values[place] = stored[key]
            if checksum != _checksum(seed, hashed, values[place]):
                raise DamagedCacheError
    return values


def value_rows(table: CacheTable, hashes: Integers, values: Sequence[bytes]) -> list[Row]:
    """Return the rows of values by the hashes of their texts, sorted by key."""
    seed = table.seed
    pairs = zip(hashes[:, 0].tolist(), _whole(hashes), values, strict=True)
    return sorted((key, _checksum(seed, hashed, value), value) for key, hashed, value in pairs)


def clear_tables(connection: sqlite3.Connection, kind: str) -> int:
    """Empty the tables of a kind, and return the number of rows removed."""
    names = [name for _, name, _ in _entries(connection) if name.startswith(f"{kind}_")]
    with connection:
        # Emptied, not dropped: another process may be about to read them.
        removed = sum(connection.execute(f"delete from {name}").rowcount for name in names)
    connection.execute("vacuum")
    return removed


def check_tables(connection: sqlite3.Connection) -> None:
    """Raise DamagedCacheError if the file holds anything but tables created by this module."""
    for kind, name, statement in _entries(connection):
        if kind != "table" or not _NAME.fullmatch(name) or statement != _statement(name):
            raise DamagedCacheError


def drop_tables(connection: sqlite3.Connection) -> None:
    """Drop the tables of the file, whatever they are."""
    for kind, name, _ in _entries(connection):
        if kind == "table" and not name.startswith("sqlite_"):
            quoted = name.replace('"', '""')
            connection.execute(f'drop table "{quoted}"')


def _entries(connection: sqlite3.Connection) -> list[tuple[str, str, str]]:
    return connection.execute("select type, name, sql from sqlite_schema").fetchall()


def _statement(name: str) -> str:
    columns = f"key integer primary key, checksum integer not null, value {_KINDS[name.partition('_')[0]]} not null"
    return f"CREATE TABLE {name} ({columns})"


def _whole(hashes: Integers) -> Iterator[bytes]:
    """Return the 16 bytes of each hash."""
    content = hashes.astype("<i8", copy=False).tobytes()
    return (content[start : start + _HASH_BYTES] for start in range(0, len(content), _HASH_BYTES))


def _checksum(seed: bytes, hashed: bytes, value: Any) -> int:
    digest = blake2b(value, digest_size=8, salt=hashed, person=seed).digest()
    return int.from_bytes(digest, "little", signed=True)
