"""The cache on disk, a SQLite file: opened on first use, set aside when damaged, and optional for all its users."""

import logging
import os
import re
import sqlite3
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar

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

    def has_more_rows(self, connection: sqlite3.Connection, number: int) -> bool:
        """Return whether there are more rows than this, without counting them all."""
        return connection.execute(f"select 1 from {self.name} limit 1 offset ?", (number,)).fetchone() is not None

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


Answer = TypeVar("Answer")

_VERSION = 3  # increase it when the format changes; a file of another version is emptied
_BUSY_SECONDS = 5.0
_RETRY_SECONDS = 0.01

# The errors of SQLite, Python and numpy when they read a damaged file.
_FAILURES = (sqlite3.Error, OSError, DamagedCacheError, TypeError, ValueError, OverflowError)
# Errors not caused by the content: another process uses the file, or the folder is not writable.
_OF_THE_PLACE = {
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL),
    *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_PROTOCOL),
    *(sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_NOLFS, sqlite3.SQLITE_INTERRUPT),
}

_log = logging.getLogger(__name__)


class CacheFile:
    """A SQLite file used only as a cache, safe for several threads and processes.

    An unusable file raises nothing here: work goes on without it and `trouble` says why. A damaged file is renamed to
    `NAME.corrupt`, replacing any older one, and a new file is begun.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self._lock = RLock()
        self._connection: sqlite3.Connection | None = None
        self._opened: tuple[int, int] | None = None
        self._usable = True
        self._renewed = False
        self._trouble = ""

    @property
    def trouble(self) -> str:
        """Why the cache is not used, or was begun anew, as a sentence; "" when all is well."""
        return self._trouble

    @property
    def is_usable(self) -> bool:
        """Whether the file has caused no problem so far."""
        return self._usable

    @property
    def size(self) -> int:
        """Bytes used on disk."""
        return sum(map(_bytes_of, self._files()))

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            connection, self._connection = self._connection, None
            if connection is not None:
                with suppress(sqlite3.Error):
                    connection.close()

    def forget_damaged(self) -> None:
        """Delete the damaged file set aside in this or an earlier run: it may hold texts."""
        with self._lock, suppress(OSError):
            self._aside.unlink(missing_ok=True)
            if self._usable:
                self._trouble = ""

    def attempt(self, action: Callable[[sqlite3.Connection], Answer], otherwise: Answer) -> Answer:
        """Run the action on the open file and return its result, or `otherwise` if the file is unusable.

        Actions run one at a time, and raise DamagedCacheError for content that was not written this way.
        """
        with self._lock:
            while self._usable:
                try:
                    return action(self._connected())
                except _FAILURES as problem:
                    self.close()
                    self._usable = self._is_damage(problem) and self._begin_anew()
                    if not self._usable:
                        self._tell(f"Counts are not kept: {self.path} cannot be used ({self._reason(problem)}).")
        return otherwise

    def _connected(self) -> sqlite3.Connection:
        if self._connection is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            for file in self._files():
                _identity(file)  # SQLite would wait for a pipe, and fill the memory with a device
            self._opened = _identity(self.path)
            # All threads share a connection, since the lock admits only one at a time.
            self._connection = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, check_same_thread=False)
            _prepare(self._connection)
            self._opened = _identity(self.path)
        return self._connection

    def _is_damage(self, problem: Exception) -> bool:
        """Return whether the content is to blame, as for any error of our statements that is not `_OF_THE_PLACE`."""
        if not isinstance(problem, sqlite3.Error):
            return not isinstance(problem, OSError)
        code = _code(problem)
        # A file may also declare a later format, which makes it read-only.
        is_writable = os.access(self.path, os.W_OK) and os.access(self.path.parent, os.W_OK)
        return (code == sqlite3.SQLITE_READONLY and is_writable) or code not in _OF_THE_PLACE

    def _reason(self, problem: Exception) -> str:
        """Return the reason for a failure; for damage without SQLite's message, which quotes the content."""
        return "it is damaged" if self._is_damage(problem) else str(problem)

    def _begin_anew(self) -> bool:
        """Rename the damaged file so a new one can be begun; False if that is forbidden or did not help before."""
        if self._renewed:
            return False
        self._renewed = True
        try:
            if _identity(self.path) != self._opened:
                return True  # another process has done so
            self.path.replace(self._aside)
            for file in self._files():
                file.unlink(missing_ok=True)
        except OSError:
            return False
        self._tell(f"The cache of counts was corrupt: it is now {self._aside}, and a new one was begun.")
        return True

    def _tell(self, sentence: str) -> None:
        self._trouble = f"{self._trouble} {sentence}".strip()
        _log.warning("%s", sentence)

    @property
    def _aside(self) -> Path:
        return self.path.with_name(f"{self.path.name}.corrupt")

    def _files(self) -> list[Path]:
        return [self.path.with_name(self.path.name + ending) for ending in ("", "-wal", "-shm", "-journal")]


def _prepare(connection: sqlite3.Connection) -> None:
    """Set up a new file. SQLite does not wait by itself while another process switches the same file to WAL."""
    until = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            connection.execute("pragma journal_mode = wal")
            connection.execute("pragma synchronous = normal")
            _lay_out(connection)
            return
        except sqlite3.OperationalError as problem:
            if _code(problem) != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        time.sleep(_RETRY_SECONDS)


def _lay_out(connection: sqlite3.Connection) -> None:
    """Empty a file of another version; check the tables of a file of this version."""
    if _version(connection) != _VERSION:
        with connection:
            connection.execute("begin immediate")
            if _version(connection) != _VERSION:  # else another process has done so meanwhile
                drop_tables(connection)
                connection.execute(f"pragma user_version = {_VERSION}")
    check_tables(connection)


def _version(connection: sqlite3.Connection) -> int:
    return connection.execute("pragma user_version").fetchone()[0]


def _identity(path: Path) -> tuple[int, int] | None:
    """Return device and inode of a file, None if it does not exist. Raises OSError if it is not a regular file."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found.st_mode):
        raise OSError(f"{path.name} is not a regular file")
    return found.st_dev, found.st_ino


def _bytes_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _code(problem: sqlite3.Error) -> int:
    return getattr(problem, "sqlite_errorcode", 0) & 0xFF
