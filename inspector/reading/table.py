"""Tables of text (CSV, TSV): the names of the columns, and the rows as objects. Knows no format."""

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from itertools import islice

DELIMITERS = ",;\t|"
_LONGEST_HEADER = 5_000
_LONGEST_NAME = 40
_LEAST_ROWS, _LOOKED_AT = 2, 5
csv.field_size_limit(2**31 - 1)  # of the whole process; the budget of an opening is counted elsewhere
_SAID = "sep="  # a first line that tells spreadsheets the delimiter

Note = Callable[[str, str], None]
"""Called with the place and the words of a problem."""


class TextTable:
    """The text of a table, its `delimiter`, and the names of its `columns`, as written.

    `plain` are the names in the style of fields: `Created at` is `created_at`. A column without a name has "".
    """

    def __init__(self, text: str, delimiter: str) -> None:
        self._text, self._first = _without_said(text)
        self.delimiter = delimiter
        self.columns = _cells(_header(self._text), delimiter)
        self.plain = [plain_name(name) for name in self.columns]

    def rows(self, note: Note) -> Iterator[tuple[int, dict[str, str]]]:
        """Yield the rows with any content, by the plain names of their cells, after the line in which each begins.

        Empty cells are left out. A row with too many cells is noted, and an unreadable row ends the table.
        """
        for line, cells in self.cells(note):
            if len(cells) > len(self.plain):
                note(f"line {line}", f"expected {len(self.plain)} columns, found more; the rest was left out")
            yield line, {name: cell for name, cell in zip(self.plain, cells, strict=False) if cell.strip()}

    def cells(self, note: Note) -> Iterator[tuple[int, list[str]]]:
        """Yield the same as lists of all their cells."""
        table = csv.reader(io.StringIO(self._text, newline=""), delimiter=self.delimiter, strict=True)
        line = self._first
        try:
            next(table)
            line = table.line_num + self._first
            for cells in table:
                if any(cell.strip() for cell in cells):
                    yield line, cells
                line = table.line_num + self._first
        except csv.Error as error:
            note(f"line {line}", f"is not a row of a table ({error}); the rows from here on were left out")


def tables_in(text: str) -> Iterator[TextTable]:
    """Yield the text as a table for each delimiter that gives two or more columns."""
    header = _header(_without_said(text)[0])
    for delimiter in DELIMITERS:
        if delimiter in header:
            yield TextTable(text, delimiter)


def table_in(text: str) -> TextTable | None:
    """Return the text as a table whose first rows all match the columns of its first line; None if it is none."""
    return next(filter(_is_even, tables_in(text)), None)


def _is_even(table: TextTable) -> bool:
    if len(set(table.plain)) < len(table.plain) or not all(0 < len(name) <= _LONGEST_NAME for name in table.columns):
        return False
    uneven: list[str] = []
    rows = list(islice(table.cells(lambda place, _: uneven.append(place)), _LOOKED_AT))
    return len(rows) >= _LEAST_ROWS and not uneven and all(len(cells) == len(table.plain) for _, cells in rows)


def plain_name(name: str) -> str:
    """Return the name of a column in the style of a field."""
    return "_".join(name.strip().lower().split())


def named(cells: Mapping[str, str], name: str) -> str:
    """Return a cell by the plain name of its column, "" if there is none."""
    return cells.get(name, "").strip() if name else ""


def _without_said(text: str) -> tuple[str, int]:
    """Return the text from the header on, and the number of the header's line."""
    first, _, rest = text.partition("\n")
    return (rest, 2) if first.strip().strip('"').lower().startswith(_SAID) and len(first) < 12 else (text, 1)


def _header(text: str) -> str:
    """Return the first line of a table; "" if it cannot be a header."""
    first = text[:_LONGEST_HEADER].split("\n", 1)[0].strip("\r")
    return first if first.replace("\t", "").isprintable() and len(first) < _LONGEST_HEADER else ""


def _cells(header: str, delimiter: str) -> list[str]:
    return [cell.strip() for cell in next(csv.reader([header], delimiter=delimiter), [])]
