"""Parquet files for tests, made in memory."""

import io
from typing import Any

import pytest


def parquet_of(rows: list[dict[str, Any]], **options: Any) -> bytes:
    """A Parquet file of these rows; the test is skipped where pyarrow is not installed."""
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    file = io.BytesIO()
    parquet.write_table(arrow.Table.from_pylist(rows), file, **options)
    return file.getvalue()
