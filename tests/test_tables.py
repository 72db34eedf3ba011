"""Tables that are declared: each column says what it is, and a part of a larger subject is read through it."""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

import pytest

import inspector.analysis
import inspector.assembly
import inspector.cli
from inspector.cli.answering import print_table
from inspector.tables import Column, Face, Kind, Table, columns_of_part, table_of_part


def declared() -> Iterator[tuple[str, Table]]:
    """Every table of a module, by its name; those with a column for each entry of a subject have none before."""
    for package in (inspector.analysis, inspector.assembly, inspector.cli):
        for found in walk_packages(package.__path__, f"{package.__name__}."):
            module = import_module(found.name)
            for name, value in vars(module).items():
                if isinstance(value, Table) and not callable(value.columns):
                    yield f"{found.name}.{name}", value


TABLES = dict(declared())


@pytest.mark.parametrize("name", TABLES)
def test_every_column_has_a_key_of_its_own_a_title_and_a_help(name: str) -> None:
    columns = TABLES[name].columns_of(None)
    keys = [column.key for column in columns]
    assert len(set(keys)) == len(keys)
    assert all(column.title and column.help for column in columns)
    assert not any(column.right for column in columns), "a figure is one by its kind"


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
