"""Rows to files: JSON lines and CSV as they come, Parquet at once. Independent of the meaning of the rows."""

from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from typing import IO

from inspector.csv_text import Row, csv_lines
from inspector.extras import install_command
from inspector.json_text import json_line

ENDINGS = (".jsonl", ".csv", ".parquet")


class MissingWriterError(Exception):
    """A kind of file needs a missing package; the message names it."""


def write_jsonl(rows: Iterable[Row], file: IO[bytes]) -> None:
    """Write each row as a line of JSON as soon as it is there."""
    for row in rows:
        file.write(json_line(row))
        file.flush()


def write_csv(rows: Iterable[Row], file: IO[bytes]) -> None:
    """Write a header from the keys of the first row, then each row; no cell is a formula (see `csv_text`)."""
    for line in csv_lines(rows):
        file.write(line.encode())
        file.flush()


def check_parquet() -> None:
    """Raise MissingWriterError unless Parquet can be written here."""
    if find_spec("pyarrow") is None:
        raise MissingWriterError(f"writing .parquet needs pyarrow: {install_command('archives')}")


def write_parquet(rows: Iterable[Row], file: IO[bytes]) -> None:
    """Write all rows at once, even the rows before an error. Raise MissingWriterError."""
    check_parquet()
    made: list[Row] = []
    try:
        made.extend(dict(row) for row in rows)
    except BaseException:
        if made:
            _write_table(made, file)
        raise
    _write_table(made, file)


def _write_table(rows: list[Row], file: IO[bytes]) -> None:
    table = import_module("pyarrow").Table.from_pylist(rows)
    import_module("pyarrow.parquet").write_table(table, file)
    file.flush()
