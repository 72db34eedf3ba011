"""SQL on the rows of a sweep, by DuckDB."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import astuple, dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import Any

from inspector.analysis.archive.chats import BadFile
from inspector.analysis.archive.parts import told_by
from inspector.analysis.archive.schema import check_archives
from inspector.steps import check_wanted
from inspector.tables import Column, Kind, Table

_OFFLINE = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
_HEEDING_SECONDS = 0.05


class QueryError(Exception):
    """A query cannot be answered; the message is DuckDB's."""


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The answer to a query: the names of its columns, and its rows as plain values."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def _answer_columns(found: QueryResult) -> Iterator[Column[QueryResult]]:
    for place, name in enumerate(found.columns):
        again = found.columns[:place].count(name)
        yield _answer_column(found, place, f"{name}_{again}" if again else name, name)


def _answer_column(found: QueryResult, place: int, key: str, title: str) -> Column[QueryResult]:
    def value(found: QueryResult, row: int) -> Any:
        return found.rows[row][place]

    is_number = any(isinstance(row[place], int | float) for row in found.rows)
    kind = Kind.NUMBER if is_number else Kind.TEXT
    return Column(
        key, title, "A column of the query", value, kind=kind, words=lambda found, row: _cell(value(found, row))
    )


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.1f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


ANSWER: Table[QueryResult] = Table(lambda found: list(_answer_columns(found)), lambda found: range(len(found.rows)))
"""The rows of an answer; repeated column names are numbered."""


def query(files: Sequence[str | Path], sql: str) -> QueryResult:
    """Query Parquet files of rows: the table `rows` holds them, `bad_files` the unusable files (path, place, reason).

    Nothing is written, nothing fetched, and no other file read. Ctrl+C ends it, and so does an abandoned request
    (AbandonedError). Raise QueryError, and MissingArchivesError if DuckDB is not installed.
    """
    check_archives()
    duckdb = import_module("duckdb")
    with duckdb.connect(":memory:", config=_OFFLINE) as database:
        try:
            return _heeding(database, lambda: _answer(duckdb, database, [os.path.abspath(file) for file in files], sql))
        except duckdb.Error as problem:
            raise QueryError(str(problem).strip()) from None


def _heeding(database: Any, ask: Callable[[], QueryResult]) -> QueryResult:
    """Run the query on another thread: this thread would not notice anything while DuckDB works, not even Ctrl+C."""
    with ThreadPoolExecutor(1, "query") as pool:
        asked = pool.submit(ask)
        try:
            while not wait([asked], _HEEDING_SECONDS).done:
                check_wanted()
        except BaseException:
            while not wait([asked], _HEEDING_SECONDS).done:  # it may not have begun when it is first told
                database.interrupt()
            raise
        return asked.result()


def _answer(duckdb: Any, database: Any, files: Sequence[str], sql: str) -> QueryResult:
    _make_tables(database, files)
    _close_in(database, files)
    _check_only_reads(duckdb, database.extract_statements(sql))
    asked = database.execute(sql)
    columns = tuple(column[0] for column in asked.description or ())
    return QueryResult(columns, tuple(tuple(map(_plain, row)) for row in asked.fetchall()))


def _close_in(database: Any, files: Sequence[str]) -> None:
    """Restrict reading to these files from now on; no statement can undo it."""
    named = ", ".join("'" + file.replace("'", "''") + "'" for file in files)
    database.execute(f"set allowed_paths = [{named}]")
    database.execute("set enable_external_access = false")
    database.execute("set lock_configuration = true")


def _check_only_reads(duckdb: Any, statements: Sequence[Any]) -> None:
    """Raise QueryError for statements other than queries: COPY could overwrite any file, even behind EXPLAIN."""
    kinds = [duckdb.StatementType(statement.type) for statement in statements]
    if kinds != [duckdb.StatementType.SELECT]:
        found = ", ".join(kind.name for kind in kinds) or "nothing"
        raise QueryError(f"expected one SELECT, found {found}")


def _make_tables(database: Any, files: Sequence[str]) -> None:
    relation = database.read_parquet(list(files), union_by_name=True)
    relation.create_view("rows")
    database.execute("create table bad_files (path varchar, place varchar, reason varchar)")
    bad: list[BadFile] = [one for file in files if (said := told_by(file)) for one in said.bad]
    if bad:
        written = [[_text(value) for value in astuple(one)] for one in bad]
        database.executemany("insert into bad_files values (?, ?, ?)", written)


def _text(value: str) -> str:
    return value.encode("utf-8", "backslashreplace").decode()


def _plain(value: Any) -> Any:
    """Return a value as JSON."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, datetime | date | time | timedelta | bytes):
        return str(value)
    if isinstance(value, list | tuple):
        return [_plain(held) for held in value]
    if isinstance(value, dict):
        return {str(key): _plain(held) for key, held in value.items()}
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)
