"""Every declared table: its columns have titles, helps and keys of their own."""

import importlib
import pkgutil
from collections.abc import Iterator

import pytest

import inspector
from inspector.tables import Column, Table

_LEFT_OUT = ("inspector.__main__", "inspector.gui")


def _columns() -> Iterator[tuple[str, tuple[Column, ...]]]:
    for module in pkgutil.walk_packages(inspector.__path__, "inspector."):
        if module.name.startswith(_LEFT_OUT):
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            columns = value.columns if isinstance(value, Table) else value
            if isinstance(columns, tuple) and columns and all(isinstance(each, Column) for each in columns):
                yield f"{module.name}.{name}", columns


@pytest.mark.parametrize("columns", [pytest.param(columns, id=name) for name, columns in _columns()])
def test_columns_are_titled_explained_and_told_apart(columns: tuple[Column, ...]) -> None:
    assert all(column.key and column.title and column.help for column in columns)
    assert not any(column.help.endswith(".") for column in columns)
    assert len({column.key for column in columns}) == len(columns)
