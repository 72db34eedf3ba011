"""Tables, styled lines and progress on a terminal: the one place that knows the library for them.

Whatever text is given is shown as it is: no markup, no names of emoji, and no character that is a command.
"""

import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from rich import box
from rich.console import Console as RichConsole
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table as RichTable
from rich.text import Text

from inspector.cli.output import to_standard_output
from inspector.visible_text import on_one_line

_WIDTH_WITHOUT_TERMINAL = 120


def styled(text: str, style: str = "") -> Text:
    """One line of text in a style (a name of rich, such as `red`)."""
    return Text(on_one_line(text), style=style)


def stacked(lines: Iterable[str], style: str = "") -> Text:
    """Lines one below the other."""
    return Text("\n".join(map(on_one_line, lines)), style=style)


def joined(*parts: Text | str) -> Text:
    """Parts on one line, each in its style."""
    return Text("").join(part if isinstance(part, Text) else styled(part) for part in parts)


class Table:
    """A table whose cells are text, or text in a style. A column whose second word is ">" is right-aligned."""

    def __init__(self, *columns: tuple[str, str]) -> None:
        self.rich = RichTable(box=box.SIMPLE, pad_edge=False, show_edge=False)
        for title, alignment in columns:
            justify = "right" if alignment else "left"
            self.rich.add_column(styled(title), justify=justify, overflow="fold", no_wrap=bool(alignment))

    def add_row(self, *cells: Text | str, style: str = "") -> None:
        """Add a row; cells that are left out are empty."""
        self.rich.add_row(*(cell if isinstance(cell, Text) else styled(cell) for cell in cells), style=style)

    def add_section(self) -> None:
        """Draw a line below what there is."""
        self.rich.add_section()

    @property
    def row_count(self) -> int:
        """How many rows there are."""
        return self.rich.row_count


class Console:
    """Standard output for people."""

    def __init__(self) -> None:
        # Without a terminal there is no width to keep to, and a path or an id that is cut off is of no use.
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else _WIDTH_WITHOUT_TERMINAL
        self._rich = RichConsole(width=width, highlight=False, markup=False, emoji=False)

    @property
    def width(self) -> int:
        """How many columns a line has."""
        return self._rich.width

    def print(self, what: Table | Text | str) -> None:
        """Write a table or a line."""
        with to_standard_output():
            self._rich.print(what.rich if isinstance(what, Table) else styled(what) if isinstance(what, str) else what)


class ErrorConsole:
    """Standard error for people: tables, which are no part of an answer."""

    def __init__(self) -> None:
        width = shutil.get_terminal_size().columns if sys.stderr.isatty() else _WIDTH_WITHOUT_TERMINAL
        self._rich = RichConsole(width=width, highlight=False, markup=False, emoji=False, stderr=True)

    def print(self, table: Table) -> None:
        """Write a table."""
        self._rich.print(table.rich)


@contextmanager
def progress_on_errors(title: str, shown_from: int) -> Iterator[Callable[..., None]]:
    """Shows (done, of how many, and what) on standard error while there are so many."""
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=RichConsole(stderr=True, emoji=False), transient=True) as progress:
        task = progress.add_task(on_one_line(title), visible=False)

        def advance(done: int, total: int, what: str = "") -> None:
            shown = total >= shown_from
            progress.update(task, completed=done, total=total, description=on_one_line(what or title), visible=shown)

        yield advance
