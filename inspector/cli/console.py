"""Tables, styled lines and progress on a terminal: the only module that knows the library for them.

Any text is shown literally: no markup, no names of emoji, and no control characters.
"""

import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from rich import box
from rich.console import Console as RichConsole
from rich.table import Table as RichTable
from rich.text import Text

from inspector.cli.streams import writable
from inspector.visible_text import on_one_line

_WIDTH_WITHOUT_TERMINAL = 120
_MANY_ROWS = 200
_GAP = "   "
_Row = tuple[list[Text], str]


def styled(text: str, style: str = "") -> Text:
    """Return a single line of text in a style (a name of rich, such as `red`)."""
    return Text(writable(on_one_line(text)), style=style)


def stacked(lines: Iterable[str], style: str = "") -> Text:
    """Return several lines of text, one below the other."""
    return Text("\n".join(writable(on_one_line(line)) for line in lines), style=style)


def joined(*parts: Text | str) -> Text:
    """Return parts joined on a line, each in its style."""
    return Text("").join(part if isinstance(part, Text) else styled(part) for part in parts)


class Table:
    """A table whose cells are text, plain or in a style. A column whose second word is ">" is right-aligned."""

    def __init__(self, *columns: tuple[str, str]) -> None:
        self._titles = [styled(title) for title, _ in columns]
        self._to_right = [bool(alignment) for _, alignment in columns]
        self._rows: list[_Row] = []
        self._ends: set[int] = set()

    def add_row(self, *cells: Text | str, style: str = "") -> None:
        """Add a row; missing cells are empty."""
        given = [cell if isinstance(cell, Text) else styled(cell) for cell in cells]
        missing = len(self._titles) - len(given)
        self._rows.append(([*given, *(Text() for _ in range(missing))], style))

    def add_section(self) -> None:
        """Draw a line below the last row."""
        self._ends.add(len(self._rows))

    @property
    def row_count(self) -> int:
        """The number of rows."""
        return len(self._rows)

    def shown(self, width: int) -> RichTable | Text:
        """Return the table as it is written with this line width.

        A long table without wrapping is put together here: the library takes 0.6 ms for each of its rows.
        """
        if len(self._rows) >= _MANY_ROWS and not any("\n" in cell.plain for cells in self._cells() for cell in cells):
            widths = [max(cell.cell_len for cell in column) for column in zip(*self._cells(), strict=True)]
            if sum(widths) + len(_GAP) * (len(widths) - 1) <= width:
                return Text("\n").join(self._lines(widths))
        return self._rich()

    def _cells(self) -> Iterator[list[Text]]:
        yield self._titles
        yield from (cells for cells, _ in self._rows)

    def _lines(self, widths: Sequence[int]) -> Iterator[Text]:
        """Yield the lines as the library would write them."""
        width = sum(widths) + len(_GAP) * (len(widths) - 1)
        yield self._line((self._titles, "bold"), widths)
        yield Text(box.SIMPLE.head_row_horizontal * width)
        for number, row in enumerate(self._rows, 1):
            yield self._line(row, widths)
            if number in self._ends and number < len(self._rows):
                yield Text(" " * width)

    def _line(self, row: "_Row", widths: Sequence[int]) -> Text:
        cells, style = row
        line = Text(style=style)
        for number, (cell, width, to_right) in enumerate(zip(cells, widths, self._to_right, strict=True)):
            if to_right and cell.plain.endswith(" "):
                cell = cell.copy()
                cell.rstrip()
            blanks = " " * (width - cell.cell_len)
            line.append(_GAP if number else "").append(blanks if to_right else "")
            line.append_text(cell).append("" if to_right else blanks)
        return line

    def _rich(self) -> RichTable:
        table = RichTable(box=box.SIMPLE, pad_edge=False, show_edge=False)
        for title, to_right in zip(self._titles, self._to_right, strict=True):
            table.add_column(title, justify="right" if to_right else "left", overflow="fold", no_wrap=to_right)
        for number, (cells, style) in enumerate(self._rows, 1):
            table.add_row(*cells, style=style, end_section=number in self._ends)
        return table


class _Terminal(RichConsole):
    def on_broken_pipe(self) -> None:
        """Leave a broken pipe to the caller: the library would end the program as failed."""
        raise BrokenPipeError


class Console:
    """Standard output for human readers."""

    def __init__(self) -> None:
        # Without a terminal there is no width limit, and truncated paths or ids are useless.
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else _WIDTH_WITHOUT_TERMINAL
        self._rich = _Terminal(width=width, highlight=False, markup=False, emoji=False)

    @property
    def width(self) -> int:
        """The number of columns in a line."""
        return self._rich.width

    def print(self, what: Table | Text | str) -> None:
        """Write a table or a line."""
        shown = what.shown(self.width) if isinstance(what, Table) else styled(what) if isinstance(what, str) else what
        self._rich.print(shown, soft_wrap=isinstance(what, Table) and isinstance(shown, Text))


@contextmanager
def progress_on_errors(title: str, shown_from: int) -> Iterator[Callable[..., None]]:
    """Yield a function that shows progress (done, total, and a label) on standard error from this size on."""
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn  # for long work

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=RichConsole(stderr=True, emoji=False), transient=True) as progress:
        task = progress.add_task(on_one_line(title), visible=False)

        def advance(done: int, total: int, what: str = "") -> None:
            shown = total >= shown_from
            progress.update(task, completed=done, total=total, description=on_one_line(what or title), visible=shown)

        yield advance
