"""Every column of every table that is declared below the window has a title, a help and a key of its own."""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest

import inspector
from inspector.cli.answering import print_table
from inspector.tables import Column, Face, Kind, Table, columns_of_part, table_of_part


def declared() -> Iterator[tuple[str, tuple[Column[Any], ...]]]:
    """The name of each tuple of columns, and of each table whose columns follow from no subject."""
    for found in walk_packages(inspector.__path__, "inspector."):
        if found.name.startswith(("inspector.__main__", "inspector.gui")):
            continue
        for name, value in vars(import_module(found.name)).items():
            columns = value.columns if isinstance(value, Table) else value
            if isinstance(columns, tuple) and columns and all(isinstance(each, Column) for each in columns):
                yield f"{found.name}.{name}", columns


DECLARED = dict(declared())


def test_there_are_tables() -> None:
    assert len(DECLARED) > 15


@pytest.mark.parametrize("name", DECLARED)
def test_a_column_has_a_title_a_help_and_a_key_of_its_own(name: str) -> None:
    columns = DECLARED[name]
    assert [column.key for column in columns if not (column.key and column.title and column.help)] == []
    assert not [column.key for column in columns if column.help.endswith(".")]
    keys = [column.key for column in columns]
    assert len(set(keys)) == len(keys)


def test_a_part_of_an_answer_is_written_as_the_part_alone() -> None:
    size: Column[list[str]] = Column("size", "Size", "How long it is", lambda words, row: len(words[row]))
    inner: Table[list[str]] = Table((size,), lambda words: range(len(words)))

    def words_in(text: str) -> list[str]:
        return text.split()

    outer = table_of_part(inner, words_in)
    assert list(outer.records("one three")) == list(inner.records(["one", "three"])) == [{"size": 3}, {"size": 5}]
    (column,) = outer.columns_of("one three")
    assert [column.text("one three", row) for row in outer.rows("one three")] == ["3", "5"]


def test_headings_are_no_rows_of_files() -> None:
    word: Column[list[str]] = Column("word", "Word", "A word", lambda words, row: words[row])
    table: Table[list[str]] = Table((word,), lambda words: [-1, 0, -2, 1])
    assert list(table.records(["a", "b"])) == [{"word": "a"}, {"word": "b"}]


NUMBERS: tuple[Column[list[int]], ...] = (
    Column("number", "Number", "A number", lambda numbers, row: numbers[row], kind=Kind.COUNT),
    Column("word", "Word", "A word", lambda numbers, row: f"no {numbers[row]}", faces=Face.WINDOW),
)


def part_of(whole: dict[str, list[int]]) -> list[int]:
    return whole["part"]


def test_a_part_is_read_through_what_holds_it() -> None:
    columns = columns_of_part(NUMBERS, part_of)
    assert [column.text({"part": [1_000, 2]}, 0) for column in columns] == ["1,000", "no 1000"]
    table = table_of_part(Table(NUMBERS, lambda numbers: range(len(numbers))), part_of)
    assert list(table.records({"part": [3, 4]})) == [{"number": 3}, {"number": 4}]


@pytest.mark.parametrize(("size", "shown"), [(4, "0 1 2 3"), (9, "0 1 … 7 8")])
def test_of_many_rows_both_ends_are_shown(capsys: pytest.CaptureFixture[str], size: int, shown: str) -> None:
    table = Table(NUMBERS, lambda numbers: range(len(numbers)), has_both_ends=True)
    print_table(table, list(range(size)), most=4)
    told = capsys.readouterr().out.splitlines()
    assert " ".join(line.strip() for line in told[2:] if len(line.strip()) == 1) == shown
    assert any("… and 5 more" in line for line in told) == (size > 4)
