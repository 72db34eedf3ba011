"""prompt-inspector columns: the meaning of the columns of tables of messages, as explained by the user."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from inspector.cli.answering import Telling, answer
from inspector.cli.failure import InputError
from inspector.cli.output import say_written, warn
from inspector.tables import Column, Kind
from inspector.tables import Table as Shown

if TYPE_CHECKING:
    from inspector.formats.tables.layout import TableLayout
    from inspector.reading.table import TextTable

Rows = Sequence[Mapping[str, str]]


_HELD: Shown[Rows] = Shown(
    (
        Column("column", "Column", "The column, as the file names it", lambda rows, row: rows[row]["column"]),
        Column("holds", "Holds", "The part of a message that it holds", lambda rows, row: rows[row]["holds"]),
        Column(
            "first",
            "First",
            "How its first cell begins",
            lambda rows, row: rows[row]["first"],
            kind=Kind.EXCERPT,
            stretches=True,
        ),
    ),
    lambda rows: range(len(rows)),
)


def _explained(what: str) -> Column[Rows]:
    return Column(
        what,
        what.capitalize(),
        f"The column that holds the {what} of a message",
        lambda rows, row: rows[row].get(what),
        shown=lambda rows: any(what in row for row in rows),
    )


def _layout_columns(_: Rows) -> Sequence[Column[Rows]]:
    from inspector.formats.tables.layout import parts

    return tuple(map(_explained, parts()))


_LAYOUTS: Shown[Rows] = Shown(_layout_columns, lambda rows: range(len(rows)))


def _nothing(rows: Rows) -> list[str]:
    return [] if rows else ["Nothing was said of any table; `prompt-inspector columns FILE WHAT=COLUMN …` does."]


def columns(file: str | None, names: tuple[str, ...], forget: bool, answer_format: str) -> None:
    """Run `prompt-inspector columns` with the values of its options."""
    if file is None:
        value = _listed()
    else:
        table = _table(file)
        if names and forget:
            raise click.UsageError("columns: either WHAT=COLUMN or --forget")
        if names:
            value = _explain(file, table, names)
        elif forget:
            value = _forget(file, table)
        else:
            value = _looked_at(file, table)
    if file is None:
        answer(value["tables"], Telling([_LAYOUTS], lambda _: value, below=_nothing, most=None), answer_format)
    else:
        answer(value["columns"], Telling([_HELD], lambda _: value, most=None), answer_format)
    if "written_to" in value:
        say_written("the explanations of tables", value["written_to"])


def _table(file: str) -> "TextTable":
    """Return the table in a file. End the command if there is none."""
    from inspector.formats import UnreadableError
    from inspector.formats.tables.chats import table_of

    try:
        table = table_of(file)
    except UnreadableError as error:
        raise InputError(str(error.problem)) from None
    if table is None:
        raise InputError(f"{file}: expected a table of text (CSV, TSV) with the names of its columns in the first line")
    return table


def _explain(file: str, table: "TextTable", names: tuple[str, ...]) -> dict[str, Any]:
    from inspector.formats.tables.layout import layout_from
    from inspector.formats.tables.own import add_layout
    from inspector.settings import own_tables_file

    for name in names:
        if "=" not in name:
            raise InputError(f"columns: expected WHAT=COLUMN, such as text=Message, found {name}")
    try:
        layout = layout_from(dict(name.split("=", 1) for name in names))
    except ValueError as error:
        raise InputError(f"columns: {error}") from None
    missing = [name for name in layout.columns.values() if name not in table.plain]
    if missing:
        raise InputError(f"{file}: has no column {missing[0]}; its columns are {', '.join(table.columns)}")
    _changed(lambda path: add_layout(path, layout, [file]))
    return {**_looked_at(file, table), "written_to": str(own_tables_file())}


def _forget(file: str, table: "TextTable") -> dict[str, Any]:
    from inspector.formats.tables.own import remove_layouts
    from inspector.settings import own_tables_file

    fitting = [layout for layout in _own() if layout.fits(table.plain)]
    if not fitting:
        raise InputError(f"{file}: nothing was said of tables with its columns")
    for layout in fitting:
        _changed(lambda path, layout=layout: remove_layouts(path, layout, [file]))
    return {**_looked_at(file, table), "written_to": str(own_tables_file())}


def _changed(change: Any) -> None:
    from inspector.cli.presets import written
    from inspector.settings import own_tables_file

    written(lambda: change(own_tables_file()))


def _looked_at(file: str, table: "TextTable") -> dict[str, Any]:
    """Return the columns of a file with their meaning, and the beginning of the first row."""
    from inspector.formats.tables.chats import layout_in

    layout = layout_in(table, _own())
    said = {name: what for what, name in layout.columns.items()} if layout else {}
    first = next((cells for _, cells in table.rows(lambda _, __: None)), {})
    rows = [
        {"column": name, "holds": said.get(plain, ""), "first": first.get(plain, "")}
        for name, plain in zip(table.columns, table.plain, strict=True)
    ]
    return {"file": file, "columns": rows}


def _listed() -> dict[str, Any]:
    return {"tables": [layout.columns for layout in _own()]}


def _own() -> "tuple[TableLayout, ...]":
    from inspector.plugins import explained_tables

    layouts, problems = explained_tables()
    for problem in problems:
        warn(problem)
    return tuple(layouts)
