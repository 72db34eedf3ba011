"""Rows to files: JSON lines and CSV as they come, Parquet at once. What the rows mean is not known here."""

import csv
from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import IO, Any

import orjson

Row = Mapping[str, Any]

ENDINGS = (".jsonl", ".csv", ".parquet")


class MissingWriterError(Exception):
    """A kind of file needs a package that is not installed; the message names it."""


def write_jsonl(rows: Iterable[Row], file: IO[bytes]) -> None:
    """Write each row as a line of JSON as soon as it is there."""
    for row in rows:
        file.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
        file.flush()


def write_csv(rows: Iterable[Row], file: IO[str]) -> None:
    """Write a header from the keys of the first row, then each row; null is an empty cell."""
    writer = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(file, list(row), lineterminator="\n")
            writer.writeheader()
        writer.writerow({key: str(value).lower() if isinstance(value, bool) else value for key, value in row.items()})
        file.flush()


def check_parquet() -> None:
    """Raises MissingWriterError unless Parquet can be written here."""
    if find_spec("pyarrow") is None:
        raise MissingWriterError("writing .parquet needs the package pyarrow, which is not installed")


def write_parquet(rows: Iterable[Row], path: str) -> None:
    """Write all rows at once. Raises MissingWriterError."""
    check_parquet()
    table = import_module("pyarrow").Table.from_pylist([dict(row) for row in rows])
    import_module("pyarrow.parquet").write_table(table, path)
