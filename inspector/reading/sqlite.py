"""SQLite files, read as a copy in memory: the file is never opened for writing, locked or changed.

A running application keeps its last changes in a write-ahead log beside the file. Both are then copied to a folder of
our own, where SQLite joins them; the files beside the source stay as they are. Knows no schema.

A journal may name another file, which SQLite deletes when it plays the journal back; such a journal is not played back.
"""

import os
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from inspector.derived import cached_property
from inspector.model import Problem
from inspector.reading.files import MAX_FILE_BYTES, read_file
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.values import clean

_LOGS = ("-wal", "-journal")
_COPY = "copy.db"
_COPIES = 2  # in memory at a time
_NAMES_A_FILE = bytes.fromhex("d9d505f920a163d7")  # ends a journal that is part of a change to several databases
_ROW = 300  # bytes of memory of a row beside its texts, with everything made of it
_COUNTED_BY = 1 << 20
_WRITE_VERSION, _READ_VERSION = 18, 19  # bytes of the header: 2 asks for a log, which a copy in memory cannot have
_DEFECTS = (sqlite3.Error, sqlite3.Warning, UnicodeError)


class Database:
    """The tables of a SQLite file. Views, triggers and virtual tables of a file are never run."""

    def __init__(self, source: FileSource, connection: sqlite3.Connection) -> None:
        self._source = source
        self._connection = connection

    @cached_property
    def tables(self) -> Mapping[str, frozenset[str]]:
        """The columns of each table. Raises UnreadableError if the file is damaged."""
        kind = "type = 'table' AND sql LIKE 'CREATE TABLE%' AND sql NOT LIKE '%WITHOUT ROWID%'"
        sql = f"SELECT name FROM sqlite_master WHERE {kind}"
        names = [row["name"] for row in self._select(sql)]
        return {name: frozenset(row["name"] for row in self._select(_columns_of(name))) for name in names}

    def rows(self, table: str, *columns: str) -> Iterator[dict[str, Any]]:
        """Yield the rows of a table in the order in which they were written, with those of `columns` that exist.

        A missing column is absent from the rows, and a missing table has none: applications add both over the years.
        """
        found = [column for column in columns if column in self.tables.get(table, ())]
        if found:
            yield from self._select(f"SELECT {', '.join(map(_quoted, found))} FROM {_quoted(table)} ORDER BY rowid")

    def _select(self, sql: str) -> Iterator[dict[str, Any]]:
        try:
            cursor = self._connection.execute(sql)
            names = [column[0] for column in cursor.description]
            taken = 0
            for row in cursor:
                # A damaged or hostile file can have more rows than bytes, by reusing pages.
                taken += _ROW + sum(len(value) for value in row if isinstance(value, str | bytes))
                if taken >= _COUNTED_BY:
                    self._source.take(taken, "the next of its rows would take")
                    taken = 0
                yield dict(zip(names, row, strict=True))
            self._source.take(taken, "the next of its rows would take")
        except _DEFECTS as error:
            raise self._source.unreadable("", f"is a damaged SQLite database: {error}") from None


@contextmanager
def opened(source: FileSource) -> Iterator[Database]:
    """Give the database of a file. Raise UnreadableError if it is damaged, or its log cannot be copied."""
    logs = {ending: log for ending in _LOGS if (log := _log(source, ending))}
    size = _COPIES * (len(source.data) + sum(map(len, logs.values())))
    copies = source.budget.lent(size, source.path, "its copies would take")
    with copies, closing(sqlite3.connect(":memory:")) as connection:
        try:
            _load(connection, _with_logs(source, logs))
        except _DEFECTS as error:
            raise source.unreadable("", f"is a damaged SQLite database: {error}") from None
        except OSError as error:
            said = f"cannot be copied with the log beside it: {error.strerror or error}"
            raise source.unreadable("", said) from None
        yield Database(source, connection)


def has_tables(source: FileSource, **wanted: str) -> bool:
    """Return whether a file is a SQLite database with these tables, each with the named columns (divided by blanks).

    A damaged database that names the tables counts too, so that reading it reports the damage.
    """
    if source.shape != "sqlite":
        return False
    # The text of each CREATE TABLE is in the file; without it no copy is needed to answer no.
    if not all(f"{name}".encode() in source.data for name in wanted):
        return False
    try:
        with opened(source) as database:
            tables = database.tables
    except UnreadableError:
        return True
    return all(set(columns.split()) <= tables.get(name, frozenset()) for name, columns in wanted.items())


def _load(connection: sqlite3.Connection, data: bytes) -> None:
    header = bytearray(data[:100])
    if len(header) > _READ_VERSION:
        header[_WRITE_VERSION] = header[_READ_VERSION] = 1
    connection.deserialize(bytes(header) + data[100:])
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, max(2 * len(data), _COUNTED_BY))
    connection.text_factory = lambda written: clean(written.decode(errors="replace"))
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA query_only = ON")


def _with_logs(source: FileSource, logs: Mapping[str, bytes]) -> bytes:
    """Return the bytes of the database with the logs beside it applied; `logs` are by the endings of their names."""
    if not logs:
        return source.data
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, _COPY)
        copy.write_bytes(source.data)
        for ending, log in logs.items():
            Path(folder, _COPY + ending).write_bytes(log)
        with closing(sqlite3.connect(copy)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
        size, most = copy.stat().st_size, len(source.data) + sum(map(len, logs.values()))
        if size > most:
            raise source.unreadable("", f"grows to {size:,} bytes by the log beside it; both hold {most:,}")
        return copy.read_bytes()


def _log(source: FileSource, ending: str) -> bytes:
    """Return the bytes of the log with this ending, empty if there is none. Raise UnreadableError."""
    path = source.given + ending
    if not os.path.isfile(path):
        return b""
    log = read_file(path, min(MAX_FILE_BYTES, source.budget.left))
    if log.endswith(_NAMES_A_FILE):
        message = "belongs to a change of several databases; open its database once with the program that it is from"
        raise UnreadableError(Problem(path, "", message))
    return log


def _columns_of(table: str) -> str:
    return f"PRAGMA table_info({_quoted(table)})"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
