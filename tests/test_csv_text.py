"""CSV: what is read back is what was written, and no cell is a formula to a spreadsheet."""

import csv
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.csv_text import csv_lines


def read_back(*rows: dict[str, Any]) -> list[list[str]]:
    return list(csv.reader(io.StringIO("".join(csv_lines(rows)), newline="")))


@given(st.lists(st.text("ab ,;\"'\né|", max_size=8), min_size=2, max_size=2))
def test_text_comes_back(cells: list[str]) -> None:
    (_, row) = read_back(dict(zip("xy", cells, strict=True)))
    assert row == cells


@pytest.mark.parametrize(
    "text",
    [
        *(
            '=HYPERLINK("http://x","y")',
            "+1",
            "-1+2",
            "@SUM(A1)",
            "\t=1",
            "\r=1",
            "\n=1",
            " =1",
            '"=1',
            "'=1",
            "\u00a0=1",
        ),
        *("＝1", "＋1", "－1", "＠1", " \"' =1"),
    ],
)
def test_text_like_a_formula_gets_an_apostrophe(text: str) -> None:
    header, row = read_back({text: text})
    assert header[0].startswith("'")
    assert row[0].startswith("'")


def test_numbers_stay_numbers() -> None:
    row = {"a": -1, "b": -0.5, "c": 1e-9, "d": True, "e": None, "f": "", "g": "a-1=2"}
    assert read_back(row)[1] == ["-1", "-0.5", "1e-09", "true", "", "", "a-1=2"]


def test_a_semicolon_begins_no_cell_where_it_divides_them() -> None:
    assert next(iter(csv_lines([{"a;=1": 1}]))) == '"a;=1"\n'


def test_the_header_may_be_given() -> None:
    assert list(csv_lines([], ["a", "b"])) == ["a,b\n"]
    assert list(csv_lines([{"b": 1, "a": 2}], ["a", "b"])) == ["a,b\n", "2,1\n"]
    assert list(csv_lines([])) == []
