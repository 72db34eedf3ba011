"""The cache on disk, a SQLite file, and the counts in it: key = fingerprint of the tokenizer and hash of the text.

Texts are not kept. What else is made from texts once, such as vectors, has tables of its own in the same file.

Each tokenizer has a table of its own whose key is the first half of the hash as an integer: SQLite writes such rows
twice as fast as rows with a key of bytes. The second half is kept beside it and must agree, so all 16 bytes count.
"""

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from threading import RLock
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Answer = TypeVar("Answer")
Integers = NDArray[np.int64]

UNKNOWN = -1

_BUSY_SECONDS = 5.0
_RETRY_SECONDS = 0.01
_KEYS_PER_QUERY = 30_000  # SQLite takes 32,766 parameters
_ROWS_PER_KEY = 4  # a table with at most so many rows for each wanted key is read faster as a whole
_BROKEN = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}

_SCHEMA = """
pragma journal_mode = wal;
pragma synchronous = normal;
create table if not exists tokenizers (id integer primary key, fingerprint text not null unique);
"""
_COLUMNS = "key integer primary key, rest integer not null, tokens integer not null"


def text_hashes(texts: Iterable[str]) -> Integers:
    """The 16-byte BLAKE2b hash of each text, as two 64-bit integers: an array of n × 2."""
    digests = (blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest() for text in texts)
    return np.frombuffer(b"".join(digests), "<i8").astype(np.int64, copy=False).reshape(-1, 2)


class CacheFile:
    """A SQLite file that is only a cache. Any thread may use it, and several processes the same file.

    Nothing here raises for a file that cannot be used: work goes on without it and `trouble` says why.
    A corrupt file is renamed to `NAME.corrupt` and a new one begun.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self._lock = RLock()
        self._connection: sqlite3.Connection | None = None
        self._usable = True
        self._trouble = ""

    @property
    def trouble(self) -> str:
        """Why the cache is not used, or was begun anew, as a sentence; "" when all is well."""
        return self._trouble

    @property
    def size(self) -> int:
        """Bytes that the cache takes on disk."""
        return sum(file.stat().st_size for file in self._files() if file.exists())

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def attempt(self, action: Callable[[sqlite3.Connection], Answer], otherwise: Answer) -> Answer:
        """What the action answers for the open file, one action at a time; `otherwise` where the file is of no use."""
        with self._lock:
            while self._usable:
                try:
                    return action(self._connected())
                except (sqlite3.Error, OSError) as problem:
                    self.close()
                    self._usable = _is_broken(problem) and not self._trouble and self._set_aside()
                    self._trouble = self._trouble or f"Counts are not kept: {self.path} cannot be used ({problem})."
        return otherwise

    def _connected(self) -> sqlite3.Connection:
        if self._connection is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            # One connection for all threads: the lock lets only one of them in.
            self._connection = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, check_same_thread=False)
            _prepare(self._connection)
        return self._connection

    def _set_aside(self) -> bool:
        """Rename the corrupt file, so that a new one can be begun; False where that is not allowed."""
        aside = self.path.with_name(self.path.name + ".corrupt")
        try:
            self.path.replace(aside)
            for file in self._files():
                file.unlink(missing_ok=True)
        except OSError:
            return False
        self._trouble = f"The cache of counts was corrupt: it is now {aside}, and a new one was begun."
        return True

    def _files(self) -> list[Path]:
        return [self.path.with_name(self.path.name + ending) for ending in ("", "-wal", "-shm")]


class CountCache(CacheFile):
    """Counts that outlive the program."""

    def read(self, fingerprint: str, hashes: Integers) -> NDArray[np.int32]:
        """The token count of each text by its hash (see `text_hashes`), UNKNOWN where it is not here."""
        nothing = np.full(len(hashes), UNKNOWN, np.int32)
        if not len(hashes):
            return nothing
        return self.attempt(lambda connection: _read(connection, fingerprint, hashes), otherwise=nothing)

    def write(self, fingerprint: str, hashes: Integers, counts: NDArray[np.int32]) -> None:
        """Keep the count of each text, in one transaction: all of them or none."""
        if len(hashes):
            self.attempt(lambda connection: _write(connection, fingerprint, hashes, counts), otherwise=None)

    def clear(self) -> int:
        """Forget every count; answers how many there were."""
        return self.attempt(_clear, otherwise=0)


def _prepare(connection: sqlite3.Connection) -> None:
    """Make a new file ours. SQLite does not wait by itself while another process switches the same file to WAL."""
    until = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            connection.executescript(_SCHEMA)
            return
        except sqlite3.OperationalError as problem:
            if problem.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        time.sleep(_RETRY_SECONDS)


def _is_broken(problem: Exception) -> bool:
    return isinstance(problem, sqlite3.Error) and getattr(problem, "sqlite_errorcode", 0) & 0xFF in _BROKEN


def _table_of(connection: sqlite3.Connection, fingerprint: str) -> str | None:
    row = connection.execute("select id from tokenizers where fingerprint = ?", (fingerprint,)).fetchone()
    return f"counts_{row[0]}" if row else None


def _read(connection: sqlite3.Connection, fingerprint: str, hashes: Integers) -> NDArray[np.int32]:
    table = _table_of(connection, fingerprint)
    stored = _stored_rows(connection, table, hashes) if table else np.empty((0, 3), np.int64)
    if not len(stored):
        return np.full(len(hashes), UNKNOWN, np.int32)
    places = np.minimum(np.searchsorted(stored[:, 0], hashes[:, 0]), len(stored) - 1)
    found = stored[places]
    same = (found[:, :2] == hashes).all(axis=1)
    return np.where(same, found[:, 2], UNKNOWN).astype(np.int32)


def _stored_rows(connection: sqlite3.Connection, table: str, hashes: Integers) -> Integers:
    """Rows of the table, sorted by key, with all those among them whose key is wanted: both halves, and tokens."""
    (size,) = connection.execute(f"select count(*) from {table}").fetchone()
    if size <= _ROWS_PER_KEY * len(hashes):
        rows = connection.execute(f"select key, rest, tokens from {table} order by key")
    else:
        rows = chain.from_iterable(_wanted_rows(connection, table, np.unique(hashes[:, 0]).tolist()))
    return np.fromiter(chain.from_iterable(rows), np.int64).reshape(-1, 3)


def _wanted_rows(connection: sqlite3.Connection, table: str, keys: list[int]) -> Iterator[sqlite3.Cursor]:
    for start in range(0, len(keys), _KEYS_PER_QUERY):
        part = keys[start : start + _KEYS_PER_QUERY]
        marks = ",".join("?" * len(part))
        yield connection.execute(f"select key, rest, tokens from {table} where key in ({marks}) order by key", part)


def _write(connection: sqlite3.Connection, fingerprint: str, hashes: Integers, counts: NDArray[np.int32]) -> None:
    order = np.argsort(hashes[:, 0])  # neighbours in the table are written together
    rows = zip(hashes[order, 0].tolist(), hashes[order, 1].tolist(), counts[order].tolist(), strict=True)
    with connection:
        connection.execute("begin immediate")
        connection.execute("insert or ignore into tokenizers (fingerprint) values (?)", (fingerprint,))
        table = _table_of(connection, fingerprint)
        connection.execute(f"create table if not exists {table} ({_COLUMNS})")
        connection.executemany(f"insert or ignore into {table} values (?, ?, ?)", rows)


def _clear(connection: sqlite3.Connection) -> int:
    tables = [f"counts_{row[0]}" for row in connection.execute("select id from tokenizers")]
    with connection:
        # Emptied, not dropped: another process may be about to read them.
        removed = sum(connection.execute(f"delete from {table}").rowcount for table in tables)
    connection.execute("vacuum")
    return removed
