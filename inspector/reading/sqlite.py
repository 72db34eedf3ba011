"""SQLite files, read as a copy in memory: the file is never opened for writing, locked or changed.

An application that is running keeps its last changes in a write-ahead log beside the file. Both are copied to a folder
of our own then, where SQLite puts them together; what lies beside the source stays as it is. Knows no schema.
"""

import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.values import clean

_LOGS = ("-wal", "-journal")
_WRITE_VERSION, _READ_VERSION = 18, 19  # bytes of the header: 2 asks for a log, which a copy in memory cannot have
_DEFECTS = (sqlite3.Error, sqlite3.Warning, UnicodeError)


class Database:
    """The tables of a SQLite file. Views, triggers and virtual tables of a file are never run."""

    def __init__(self, source: FileSource, connection: sqlite3.Connection) -> None:
        self._source = source
        self._connection = connection

    @cached_property
    def tables(self) -> Mapping[str, frozenset[str]]:
        """The columns of each table. Raises UnreadableError where the file is damaged."""
        kind = "type = 'table' AND sql LIKE 'CREATE TABLE%' AND sql NOT LIKE '%WITHOUT ROWID%'"
        sql = f"SELECT name FROM sqlite_master WHERE {kind}"
        names = [row["name"] for row in self._select(sql)]
        return {name: frozenset(row["name"] for row in self._select(_columns_of(name))) for name in names}

    def rows(self, table: str, *columns: str) -> Iterator[dict[str, Any]]:
        """The rows of a table in the order in which they were written, with those of `columns` that it has.

        A column that is absent is absent from the rows, and so is a table: applications add both over the years.
        """
        found = [column for column in columns if column in self.tables.get(table, ())]
        if found:
            yield from self._select(f"SELECT {', '.join(map(_quoted, found))} FROM {_quoted(table)} ORDER BY rowid")

    def _select(self, sql: str) -> Iterator[dict[str, Any]]:
        try:
            cursor = self._connection.execute(sql)
            names = [column[0] for column in cursor.description]
            for row in cursor:
                yield dict(zip(names, row, strict=True))
        except _DEFECTS as error:
            raise self._source.unreadable("", f"is a damaged SQLite database: {error}") from None


@contextmanager
def opened(source: FileSource) -> Iterator[Database]:
    """The database of a file. Raises UnreadableError where it is damaged, or its log cannot be copied."""
    with closing(sqlite3.connect(":memory:")) as connection:
        try:
            _load(connection, _with_logs(source))
        except _DEFECTS as error:
            raise source.unreadable("", f"is a damaged SQLite database: {error}") from None
        except OSError as error:
            said = f"cannot be copied with the log beside it: {error.strerror or error}"
            raise source.unreadable("", said) from None
        yield Database(source, connection)


def has_tables(source: FileSource, **wanted: str) -> bool:
    """Whether a file is a SQLite database with these tables, each with the columns named (divided by blanks).

    A damaged one that names the tables counts too, so that reading it says what is wrong with it.
    """
    if source.shape != "sqlite":
        return False
    # The text of each CREATE TABLE stands in the file; without it no copy has to be made to say no.
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
    connection.text_factory = lambda written: clean(written.decode(errors="replace"))
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA query_only = ON")


def _with_logs(source: FileSource) -> bytes:
    """The bytes of the database with what stands in a log beside it."""
    path = Path(source.path)
    logs = [log for ending in _LOGS if (log := path.with_name(path.name + ending)).is_file() and log.stat().st_size]
    if not logs:
        return source.data
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, path.name)
        copy.write_bytes(source.data)
        for log in logs:
            Path(folder, log.name).write_bytes(log.read_bytes())
        with closing(sqlite3.connect(copy)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
        return copy.read_bytes()


def _columns_of(table: str) -> str:
    return f"PRAGMA table_info({_quoted(table)})"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
