"""Rows written as JSON lines and CSV come back as they were."""

import csv
import io
import json
from importlib.util import find_spec

import pytest

from inspector.analysis.sweep.row_files import MissingWriterError, check_parquet, write_csv, write_jsonl

ROWS = [
    {"name": 'a "quoted", name', "share": 0.3, "on": True, "none": None},
    {"name": "é\n", "share": 1, "on": False, "none": 2},
]


def test_json_lines() -> None:
    file = io.BytesIO()
    write_jsonl(ROWS, file)
    assert [json.loads(line) for line in file.getvalue().decode().splitlines()] == ROWS


def test_csv() -> None:
    file = io.BytesIO()
    write_csv(ROWS, file)
    assert list(csv.reader(io.StringIO(file.getvalue().decode(), newline=""))) == [
        ["name", "share", "on", "none"],
        ['a "quoted", name', "0.3", "true", ""],
        ["é\n", "1", "false", "2"],
    ]


def test_no_rows_are_no_lines() -> None:
    file = io.BytesIO()
    write_csv([], file)
    assert file.getvalue() == b""


@pytest.mark.skipif(find_spec("pyarrow") is not None, reason="pyarrow is installed here")
def test_parquet_without_its_package_says_so() -> None:
    with pytest.raises(MissingWriterError, match="pyarrow"):
        check_parquet()
