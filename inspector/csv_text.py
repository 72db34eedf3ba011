"""Rows as CSV that neither a spreadsheet nor a terminal reads as commands, independent of their meaning.

Text that begins like a formula gets an apostrophe before it, as OWASP advises against CSV injection; numbers stay
numbers. Control characters are written out (⟦U+001B⟧); line ends in quotes stay. JSON keeps every text unchanged.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from inspector.visible_text import made_visible

Row = Mapping[str, Any]

# Spreadsheets skip blanks and quotes, and read full-width signs like the others.
_FORMULA = re.compile(r"[\s\"']*[=+\-@\t\r＝＋－＠]")
_QUOTED = re.compile(r"[,;\"\s]")  # in locales with a decimal comma, a semicolon separates cells


def csv_lines(rows: Iterable[Row], columns: Sequence[str] = ()) -> Iterator[str]:
    """Yield a header, from the keys of the first row unless given, then each row. Lines end with LF.

    Null is an empty cell.
    """
    if columns:
        yield _line(columns)
    for row in rows:
        if not columns:
            columns = list(row)
            yield _line(columns)
        yield _line(row[column] for column in columns)


def guarded(text: str) -> str:
    """Return a text safe from being read as a formula, with an apostrophe before a formula-like beginning."""
    return f"'{text}" if _FORMULA.match(text) else text


def _line(values: Iterable[Any]) -> str:
    return ",".join(map(_cell, values)) + "\n"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    seen = made_visible(guarded(str(value))).replace("\t", "⟦U+0009⟧")
    if not _QUOTED.search(seen):
        return seen
    doubled = seen.replace('"', '""')
    return f'"{doubled}"'
