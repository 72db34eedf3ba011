"""The layouts of tables that the user explained: reads their YAML list, reports bad ones, and adds to it."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from inspector.formats.own_file import OwnFile
from inspector.formats.tables.layout import TableLayout, layout_from
from inspector.model import Problem, Source
from inspector.reading.decode import kind_of
from inspector.reading.values import UnreadableError

_HEAD = "# The meaning of the columns of your tables of messages; `prompt-inspector columns` lists and explains them.\n"


def own_layouts(path: Path) -> tuple[tuple[TableLayout, ...], tuple[Problem, ...]]:
    """Return the good layouts of a file, which need not exist, and a problem for each bad one."""
    try:
        written, twice = _file(path).read()
    except UnreadableError as error:
        return (), (error.problem,)
    found, problems = layouts_in(written, str(path), "$")
    return found, (*(Problem(str(path), place, message) for place, message in twice), *problems)


def layouts_in(written: Sequence[Any], file: str, place: str) -> tuple[tuple[TableLayout, ...], tuple[Problem, ...]]:
    """Return the good layouts of a list at a place of a file, and a problem for each bad one."""
    found: list[TableLayout] = []
    problems: list[Problem] = []
    for number, value in enumerate(written):
        try:
            found.append(_layout(value))
        except ValueError as error:
            problems.append(Problem(file, f"{place}[{number}]", str(error)))
    return tuple(dict.fromkeys(found)), tuple(problems)


def used(known: Iterable[TableLayout], sources: Iterable[Source]) -> tuple[TableLayout, ...]:
    """Return the layouts by which files were read, in their order."""
    by = {source.columns for source in sources}
    return tuple(layout for layout in dict.fromkeys(known) if tuple(layout.columns.items()) in by)


def add_layout(path: Path, layout: TableLayout, opened: Iterable[str | Path]) -> None:
    """Write a layout before all others, in place of those of the same columns.

    Raise UnreadableError if the file cannot be read whole and would lose content, and OSError.
    """

    def put(document: list[Any]) -> None:
        document[:] = [layout.columns, *(one for one in document if not _is_of(one, layout))]

    _file(path).change(put, opened)


def remove_layouts(path: Path, layout: TableLayout, opened: Iterable[str | Path]) -> bool:
    """Remove the layouts of the same columns; return whether there were any. Raise the errors of `add_layout`."""

    def take(document: list[Any]) -> bool:
        before = len(document)
        document[:] = [one for one in document if not _is_of(one, layout)]
        return len(document) < before

    return _file(path).change(take, opened)


def _is_of(value: Any, layout: TableLayout) -> bool:
    """Return whether a value is a layout of the same columns, whatever their roles."""
    try:
        return set(_layout(value).columns.values()) == set(layout.columns.values())
    except ValueError:
        return False


def _layout(value: Any) -> TableLayout:
    if not isinstance(value, dict):
        raise ValueError(f"expected names of columns by their meaning, found {kind_of(value)}")
    return layout_from({str(part): name for part, name in value.items()})


def _file(path: Path) -> OwnFile:
    return OwnFile(path, _HEAD, "a list of layouts", [], levels=1, most_bytes=100_000)
