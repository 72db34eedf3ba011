"""The layouts of tables that the person explained: a YAML list of them, read, each bad one named, and added to."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from inspector.formats.own_file import OwnFile
from inspector.formats.tables.layout import TableLayout, layout_from
from inspector.model import Problem, Source
from inspector.reading.decode import kind_of
from inspector.reading.unreadable import UnreadableError

_HEAD = "# What the columns of your tables of messages say; `prompt-inspector columns` lists and explains them.\n"


def own_layouts(path: Path) -> tuple[tuple[TableLayout, ...], tuple[Problem, ...]]:
    """The good layouts of a file, which need not be there, and a problem for each bad one."""
    try:
        written, twice = _file(path).read()
    except UnreadableError as error:
        return (), (error.problem,)
    found, problems = layouts_in(written, str(path), "$")
    return found, (*(Problem(str(path), place, message) for place, message in twice), *problems)


def layouts_in(written: Sequence[Any], file: str, place: str) -> tuple[tuple[TableLayout, ...], tuple[Problem, ...]]:
    """The good layouts of a list that stands in a file at a place, and a problem for each bad one."""
    found: list[TableLayout] = []
    problems: list[Problem] = []
    for number, value in enumerate(written):
        try:
            found.append(_layout(value))
        except ValueError as error:
            problems.append(Problem(file, f"{place}[{number}]", str(error)))
    return tuple(dict.fromkeys(found)), tuple(problems)


def used(known: Iterable[TableLayout], sources: Iterable[Source]) -> tuple[TableLayout, ...]:
    """Those of the layouts by which files were read, in the order of the layouts."""
    by = {source.columns for source in sources}
    return tuple(layout for layout in dict.fromkeys(known) if tuple(layout.columns.items()) in by)


def add_layout(path: Path, layout: TableLayout, opened: Iterable[str | Path]) -> None:
    """Write a layout before all others, in place of those of the same columns.

    Raises UnreadableError where the file cannot be read whole and would be written with less, and OSError.
    """

    def put(document: list[Any]) -> None:
        document[:] = [layout.columns, *(one for one in document if not _is_of(one, layout))]

    _file(path).change(put, opened)


def remove_layouts(path: Path, layout: TableLayout, opened: Iterable[str | Path]) -> bool:
    """Take out the layouts of the same columns; whether there was one. Raises what `add_layout` raises."""

    def take(document: list[Any]) -> bool:
        before = len(document)
        document[:] = [one for one in document if not _is_of(one, layout)]
        return len(document) < before

    return _file(path).change(take, opened)


def _is_of(value: Any, layout: TableLayout) -> bool:
    """Whether what is written is a layout of the same columns, whatever it says of them."""
    try:
        return set(_layout(value).columns.values()) == set(layout.columns.values())
    except ValueError:
        return False


def _layout(value: Any) -> TableLayout:
    if not isinstance(value, dict):
        raise ValueError(f"expected names of columns by what they say, found {kind_of(value)}")
    return layout_from({str(part): name for part, name in value.items()})


def _file(path: Path) -> OwnFile:
    return OwnFile(path, _HEAD, "a list of layouts", [], levels=1, most_bytes=100_000)
