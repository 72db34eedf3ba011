"""Writing answers: one way for all commands, from the tables declared beside each answer.

A terminal gets lines and tables, JSON a document, CSV the rows of the first table, and `--plot` a drawing.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from inspector.cli.output import print_csv, print_json, say
from inspector.cli.plots import write_plot
from inspector.tables import Column, Face, Subject, Table, Value, columns_on, flat

if TYPE_CHECKING:
    from inspector.cli.console import Text

Line: TypeAlias = "str | Text"
"""A line on a terminal, plain or in a style."""

MOST_ROWS = 40
_NARROWEST = 12
"""The minimum width of a text column with wrapping."""
_GAP = 3
"""The blanks between two columns of a terminal."""
_STYLES = {
    "muted": "dim", "accent": "bold", "error": "red", "warning": "yellow",
    "kept": "", "summarized": "yellow", "truncated": "dark_orange", "dropped": "red",
}  # fmt: skip


def no_lines(_: object) -> Iterable["Line"]:
    """Return no lines above or below a table."""
    return ()


@dataclass(frozen=True)
class Plot:
    """The file of a plot, the function that draws it (SVG), and the opened files, which are never overwritten."""

    file: str
    draw: Callable[[], bytes]
    opened: Sequence[str]


@dataclass(frozen=True)
class Telling(Generic[Subject]):
    """How an answer is written: its JSON document, its tables, and the lines around them on a terminal.

    `value` makes the JSON document, by default the rows of CSV; of a single answer, its lists may be iterators, as in
    `json_pieces`. `file` is the table of CSV, by default the first table.
    A terminal shows at most `most` rows of a table; files have all of them.
    """

    tables: Sequence[Table[Subject]]
    value: Callable[[Subject], Any] | None = None
    above: Callable[[Subject], Iterable[Line]] = no_lines
    below: Callable[[Subject], Iterable[Line]] = no_lines
    most: int | None = MOST_ROWS
    file: Table[Subject] | None = None

    def document(self, subject: Subject) -> Any:
        """Return the answer as a JSON value."""
        return list(self.file_table.records(subject)) if self.value is None else self.value(subject)

    def rows(self, subject: Subject) -> Iterator[dict[str, Value]]:
        """Return the rows of CSV, for files without lists."""
        return map(flat, self.file_table.records(subject))

    @property
    def file_table(self) -> Table[Subject]:
        """The table of CSV."""
        return self.file or self.tables[0]


def answer(found: Subject, telling: Telling[Subject], answer_format: str, plot: Plot | None = None) -> None:
    """Write an answer in a format, or its plot."""
    answer_all([found], telling, answer_format, plot)


def answer_all(
    found: Sequence[Subject], telling: Telling[Subject], answer_format: str, plot: Plot | None = None
) -> None:
    """Write several answers: in sequence on a terminal, with their rows together as CSV, as a list in JSON."""
    rows = chain.from_iterable(map(telling.rows, found))
    if plot is not None:
        write_plot(plot.file, plot.draw, lambda: rows, plot.opened)
    elif answer_format == "json":
        values = [telling.document(each) for each in found]
        print_json(values[0] if len(values) == 1 else values)
    elif answer_format == "csv":
        print_csv(rows)
    else:
        for each in found:
            _print(each, telling)


def print_lines(lines: Iterable[Line]) -> None:
    """Write lines on a terminal, in their styles."""
    for line in lines:
        if isinstance(line, str):
            say(line)
        else:
            from inspector.cli.console import Console

            Console().print(line)


def print_table(table: Table[Subject], subject: Subject, most: int | None = MOST_ROWS, whole: str = "csv") -> None:
    """Write a table on a terminal, and below it the columns without room and the number of omitted rows.

    `whole` is the format with all columns.
    """
    from inspector.cli.console import Console
    from inspector.cli.console import Table as Printed

    console, rows = Console(), list(table.rows(subject))
    if not rows:
        return
    first, last = _ends(len(rows), most, table.has_both_ends)
    told = [*rows[:first], *rows[len(rows) - last :]]
    columns = columns_on(Face.TERMINAL, table.columns_of(subject), subject)
    cells = {column.key: [_cell(column, subject, row) for row in told if row >= 0] for column in columns}
    shown = _with_room(columns, cells, console.width)
    printed = Printed(*((column.title, ">" if column.is_figure else "") for column in shown))
    lines = zip(*(cells[column.key] for column in shown), strict=True)
    for number, row in enumerate(told):
        if last and number == first:
            printed.add_row("…")
        if row < 0 and table.heading is not None:
            printed.add_row(*[""] * (len(shown) - 1), f"── {table.heading(subject, row)}")
        else:
            printed.add_row(*next(lines))
    console.print(printed)
    if left_out := [column.title for column in columns if column not in shown]:
        say(f"No room for {', '.join(left_out)} (--format {whole} has all columns)")
    if more := sum(row >= 0 for row in rows[first : len(rows) - last]):
        say(f"… and {more:,} more (--format json lists all)")


def _ends(size: int, most: int | None, has_both_ends: bool) -> tuple[int, int]:
    """Return how many of the first and of the last rows are shown."""
    if most is None or size <= most:
        return size, 0
    last = most // 2 if has_both_ends else 0
    return most - last, last


def _with_room(
    columns: Sequence[Column[Subject]], cells: Mapping[str, Sequence["Text"]], width: int
) -> Sequence[Column[Subject]]:
    """Return the columns that fit into a width, leaving out those with the highest `yields` first, as in the window."""
    needed = {column.key: _needed(column, cells[column.key]) + _GAP for column in columns}
    shown = list(columns)
    while sum(needed[column.key] for column in shown) - _GAP > width:
        first = max(shown, key=lambda column: column.yields)
        if not first.yields:
            break
        shown.remove(first)
    return shown


def _needed(column: Column[Subject], cells: Sequence["Text"]) -> int:
    """Return the width of a column; a stretching text may wrap."""
    natural = max((cell.cell_len for cell in cells), default=0)
    return max(len(column.title), min(natural, column.least or _NARROWEST) if column.stretches else natural)


def _print(subject: Subject, telling: Telling[Subject]) -> None:
    print_lines(telling.above(subject))
    for table in telling.tables:
        print_table(table, subject, telling.most, "csv" if table is telling.file_table else "json")
    print_lines(telling.below(subject))


def _cell(column: Column[Subject], subject: Subject, row: int) -> "Text":
    from inspector.cli.console import styled

    tone = column.tone(subject, row) if column.tone is not None else None
    return styled(column.text(subject, row), _STYLES[tone] if tone else "")
