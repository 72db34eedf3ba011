"""Mutations of SQLite files: rows, columns and tables by SQL on a copy in memory, then pages and headers by bytes."""

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any

from tests.fuzz.odd import NUMBERS, TIMES, odd_text

_HEADER = (16, 18, 19, 20, 21, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 92, 96)
_REFUSED = (sqlite3.Error, OverflowError, UnicodeError, ValueError, MemoryError)
_MOST = 3_000_000

Inner = Callable[[bytes, random.Random], bytes]


def mutated_database(data: bytes, rng: random.Random, inner: Inner) -> bytes | None:
    """The database with changed cells, columns, tables or pages; None for a damaged one."""
    if rng.random() < 0.2:
        return _mutated_pages(data, rng)
    try:
        changed = _changed_by_sql(data, rng, inner)
    except _REFUSED:
        return None
    return _mutated_pages(changed, rng) if rng.random() < 0.1 else changed


def _changed_by_sql(data: bytes, rng: random.Random, inner: Inner) -> bytes:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        header = bytearray(data)
        header[18:20] = b"\1\1"  # a copy in memory can keep no log
        connection.deserialize(bytes(header))
        connection.text_factory = lambda written: written.decode("utf-8", "replace")
        for _ in range(rng.choice((1, 2, 5, 20))):
            with suppress(*_REFUSED):
                _step(connection, rng, inner)
        if rng.random() < 0.15:  # at the very end: SQLite itself may not survive what it is told here
            with suppress(*_REFUSED):
                _lie_about_tables(connection, rng)
        return connection.serialize()


def _step(connection: sqlite3.Connection, rng: random.Random, inner: Inner) -> None:
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    tables = [name for (name,) in found if isinstance(name, str)]
    if not tables:
        return
    filled = [name for name in tables if connection.execute(f"SELECT 1 FROM {_quoted(name)} LIMIT 1").fetchone()]
    table = rng.choice(filled or tables)
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({_quoted(table)})")]
    column = rng.choice(columns or ["x"])
    if rng.random() < 0.75:
        _change_cell(connection, table, column, rng, inner)
    else:
        connection.execute(_changed_schema(table, column, rng.choice(tables), rng))


def _change_cell(connection: sqlite3.Connection, table: str, column: str, rng: random.Random, inner: Inner) -> None:
    """Another value in one cell, or in all cells of the column."""
    rows = [row for (row,) in connection.execute(f"SELECT rowid FROM {_quoted(table)} ORDER BY rowid LIMIT 2000")]
    if not rows:
        return
    row = rng.choice(rows)
    found = connection.execute(f"SELECT {_quoted(column)} FROM {_quoted(table)} WHERE rowid = ?", (row,)).fetchone()
    value = _odd_cell(found and found[0], rng, inner)
    where = "" if rng.random() < 0.1 and _size(value) < 1_000 else f" WHERE rowid = {row}"
    connection.execute(f"UPDATE OR IGNORE {_quoted(table)} SET {_quoted(column)} = ?{where}", (value,))


def _odd_cell(before: Any, rng: random.Random, inner: Inner) -> Any:
    """Another value for a cell: what stands in it changed, or one of any type."""
    if isinstance(before, str | bytes) and before and rng.random() < 0.4:
        plain = before.encode("utf-8", "replace") if isinstance(before, str) else before
        changed = inner(plain, rng)[:_MOST]
        return changed.decode("utf-8", "replace") if rng.random() < 0.8 else changed
    kind = rng.randrange(6)
    if kind == 0:
        return None
    if kind == 1:
        return odd_text(rng).encode("utf-8", "replace").decode()
    if kind == 2:
        number = rng.choice(NUMBERS)
        return number if isinstance(number, float) or -(2**63) <= number < 2**63 else str(number)
    if kind == 3:
        time = rng.choice(TIMES)
        return time if isinstance(time, str | float) or -(2**63) <= time < 2**63 else str(time)
    return rng.choice((b"", b"\xff\xfe", b"\0" * 100, rng.randbytes(20), b"{", before))


def _size(value: Any) -> int:
    return len(value) if isinstance(value, str | bytes) else 8


def _changed_schema(table: str, column: str, other: str, rng: random.Random) -> str:
    """A statement that changes the tables themselves."""
    one, name, two = _quoted(table), _quoted(column), _quoted(other)
    return rng.choice(
        (
            f"DELETE FROM {one} WHERE rowid % {rng.choice((1, 2, 3))} = 0",
            f"DROP TABLE {one}",
            f"ALTER TABLE {one} DROP COLUMN {name}",
            f"ALTER TABLE {one} RENAME COLUMN {name} TO {rng.choice(('x', 'id', 'content', 'rowid', '[a b]'))}",
            f"ALTER TABLE {one} RENAME TO {rng.choice(('x', 'messages', 'sqlite_x', '[a b]'))}",
            f"ALTER TABLE {one} ADD COLUMN {rng.choice(('x', 'id', 'content', 'metadata'))} DEFAULT 'y'",
            f"INSERT OR IGNORE INTO {one} SELECT * FROM {two}",
            f"CREATE TABLE x{rng.randrange(9)} AS SELECT * FROM {one}",
            f"CREATE VIEW v AS SELECT * FROM {one}",
            f"CREATE TRIGGER t AFTER INSERT ON {one} BEGIN DELETE FROM {two}; END",
            f"UPDATE {one} SET rowid = -rowid",
        )
    )


def _lie_about_tables(connection: sqlite3.Connection, rng: random.Random) -> None:
    """Another statement, name or place for a table in the list of tables, which then is no longer what there is."""
    change = rng.choice(
        (
            "sql = replace(sql, 'NOT NULL', '')",
            "sql = replace(sql, 'INTEGER', 'TEXT')",
            "sql = sql || ' WITHOUT ROWID'",
            "sql = substr(sql, 1, length(sql) - 2)",
            f"rootpage = {rng.choice((0, 1, 2, 99_999))}",
            f"name = {rng.choice(('NULL', '1', 'char(0)', 'tbl_name || 1'))}",
        )
    )
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master ORDER BY name")]
    if not names:
        return
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute(f"UPDATE sqlite_master SET {change} WHERE name = ?", (rng.choice(names),))


def _mutated_pages(data: bytes, rng: random.Random) -> bytes:
    """Bytes of the header, or of a page, as nobody who writes by SQL would have them."""
    changed = bytearray(data)
    size = int.from_bytes(data[16:18], "big") or 4_096
    for _ in range(rng.choice((1, 2, 8))):
        page = rng.randrange(max(1, len(data) // size)) * size
        place = rng.choice(_HEADER) if rng.random() < 0.2 else page + rng.randrange(40 if rng.random() < 0.5 else size)
        if place < len(changed):
            changed[place] = rng.choice((0, 1, 2, 5, 10, 13, 127, 128, 255, changed[place] ^ (1 << rng.randrange(8))))
    if rng.random() < 0.1:
        del changed[rng.randrange(len(changed)) :]
    return bytes(changed)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
