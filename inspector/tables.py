"""Tables: the columns of an answer, declared once for the terminal, JSON, CSV, the window and pages.

A column gives typed values. The text of a value follows from its kind, never the other way round. No Qt here.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum, Flag, auto
from typing import Any, Generic, Literal, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from inspector.figures import dollars, figures, percentage, signed, signed_percentage
from inspector.secrets import masked_head

Subject = TypeVar("Subject")
Whole = TypeVar("Whole")
Value: TypeAlias = str | int | float | bool | datetime | Sequence[str] | None
"""A typed value; None if it is unknown or absent."""
Tone = Literal["muted", "accent", "error", "warning", "kept", "summarized", "truncated", "dropped"]
"""The role of a text colour; each face has a colour for it."""
NAMED_IDS = 3
"""How many ids a text names before it counts the rest."""
LINE_CODE_POINTS = 300
_ASKING = ("value", "values", "words", "runs", "brief", "estimated", "tone", "tint", "tooltip", "shown", "needs")
"""The fields of a column with functions of the subject."""
OUTCOME_GLYPHS = {"summarized": "≈", "truncated": "✂", "dropped": "✕"}
_DECIMALS = 3


class Kind(Enum):
    """The meaning of a value, which decides how it is written."""

    TEXT = auto()
    WORD = auto()
    """A word of ours in lower case, such as a section or a role: `current_message` is written Current message."""
    OUTCOME = auto()
    """The outcome of an item: kept, summarized, truncated, dropped, not_yet; written with its glyph."""
    EXCERPT = auto()
    """A long text, of which the first line is written, with secrets masked."""
    IDS = auto()
    FLAG = auto()
    TIME = auto()
    COUNT = auto()
    TOKENS = auto()
    DIFFERENCE = auto()
    """A count with its sign."""
    SHARE = auto()
    """A share of 1, written in percent."""
    SHARE_DIFFERENCE = auto()
    """A difference as a share of 1, written in percent with its sign."""
    NUMBER = auto()
    """A number with three decimals, such as a score."""
    MONEY = auto()
    """US dollars."""


FIGURE_KINDS = frozenset(
    {
        Kind.COUNT, Kind.TOKENS, Kind.DIFFERENCE, Kind.SHARE, Kind.SHARE_DIFFERENCE, Kind.NUMBER, Kind.MONEY,
    }
)  # fmt: skip
"""Kinds aligned to the right."""


class Face(Flag):
    """Where a column is shown."""

    FILES = auto()
    """JSON, CSV, TSV and Parquet."""
    WINDOW = auto()
    TERMINAL = auto()
    """The terminal and HTML pages."""
    PEOPLE = WINDOW | TERMINAL
    ALL = FILES | PEOPLE


@dataclass(frozen=True, slots=True)
class Column(Generic[Subject]):
    """A column, declared once; each function takes the subject of the table and a row of it.

    `key` names the column in files, options and settings, and is unique in a table. `value` gives the typed value of a
    row and `kind` its meaning; `words` replaces the text derived from them, and so do `runs`, a text in two parts of
    which a window writes the second in a quieter ink. `absent` is the text for None, by default a dash for figures and
    nothing for other kinds. `estimated` says whether a figure is an estimate. `values` gives one
    number per row to sort by, NaN last. `tone` is the role of the text colour, `tint` (-1 to 1) the strength and side
    of the background. `shown` says whether the subject has anything to show here.

    The remaining fields are for the window, widths in figures: `digits` is the initial width, `stretches` marks the
    column for the remaining width. In a narrow table the column with the highest `yields` is hidden first, then columns
    shrink to `least` (0: never), then the column with the highest `goes_last` is hidden, and so on. `needs` gives the
    width needed by the subject, for a column that can be narrower than `digits` without hiding anything; `spare` of it
    is given only after the stretching column has its own width. `brief` gives the two parts of a shorter text, for a
    column narrower than at first. A column that is not there `at_first` waits in the menu of the header; one `of_signs`
    has no title above it, and the signs about each row in it.
    """

    key: str
    title: str
    help: str
    value: Callable[[Subject, int], Value]
    values: Callable[[Subject], NDArray[Any]] | None = None
    kind: Kind = Kind.TEXT
    words: Callable[[Subject, int], str] | None = None
    runs: Callable[[Subject, int], tuple[str, str]] | None = None
    brief: Callable[[Subject, int], tuple[str, str]] | None = None
    absent: str | None = None
    estimated: Callable[[Subject, int], bool] | None = None
    tone: Callable[[Subject, int], Tone | None] | None = None
    tint: Callable[[Subject, int], float | None] | None = None
    tooltip: Callable[[Subject, int], str] | None = None
    shown: Callable[[Subject], bool] | None = None
    faces: Face = Face.ALL
    digits: int = 8
    stretches: bool = False
    yields: int = 0
    goes_last: int = 0
    least: int = 0
    needs: Callable[[Subject], int] | None = None
    spare: int = 0
    at_first: bool = True
    of_signs: bool = False
    text: Callable[[Subject, int], str] = field(init=False, repr=False, compare=False)
    """The value of a row as a user reads it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", self.words or _joined(self.runs) or _text_of(self))

    @property
    def is_figure(self) -> bool:
        """Whether the column is aligned to the right."""
        return self.kind in FIGURE_KINDS


@dataclass(frozen=True, slots=True)
class Table(Generic[Subject]):
    """A table of an answer: its columns, and the rows of a subject in the order of files.

    A row below zero is a heading for the rows after it. Files have none.
    """

    columns: Sequence[Column[Subject]] | Callable[[Subject], Sequence[Column[Subject]]]
    """Its columns, or a function of the subject if each of its entries has a column."""
    rows: Callable[[Subject], Iterable[int]]
    heading: Callable[[Subject, int], str] | None = None
    has_both_ends: bool = False
    """Whether a terminal, of many rows, shows the first and the last ones rather than only the first."""

    def columns_of(self, subject: Subject) -> Sequence[Column[Subject]]:
        """Return the columns for a subject."""
        return self.columns(subject) if callable(self.columns) else self.columns

    def records(self, subject: Subject) -> Iterator[dict[str, Value]]:
        """Return each row in the form of files: typed values by the keys of their columns."""
        return records(self.columns_of(subject), subject, (row for row in self.rows(subject) if row >= 0))


def records(columns: Iterable[Column[Subject]], subject: Subject, rows: Iterable[int]) -> Iterator[dict[str, Value]]:
    """Yield the rows in the form of files: typed values by the keys of their columns, ids as a list, times as text."""
    kept = [(column.key, column.value) for column in columns if column.faces & Face.FILES]
    for row in rows:
        yield {key: _plain(value(subject, row)) for key, value in kept}


def with_files_of(shown: Iterable[Column[Subject]], columns: Iterable[Column[Subject]]) -> tuple[Column[Subject], ...]:
    """Return the columns of a window, and after them those of files, which stay as they are declared elsewhere."""
    of_window = (replace(column, faces=Face.WINDOW) for column in shown)
    return (*of_window, *(replace(column, faces=Face.FILES) for column in columns if column.faces & Face.FILES))


def field_column(key: str, title: str, help: str, kind: Kind = Kind.TEXT, **more: Any) -> Column[Any]:
    """Return a column of a sequence of values with a field of this key."""
    return Column(key, title, help, lambda rows, row: getattr(rows[row], key), kind=kind, **more)


def columns_of_part(columns: Iterable[Column[Subject]], part: Callable[[Whole], Subject]) -> tuple[Column[Whole], ...]:
    """Return the columns for a larger subject that holds theirs, with the same rows."""
    return tuple(_of_part(column, part) for column in columns)


def table_of_part(table: Table[Subject], part: Callable[[Whole], Subject]) -> Table[Whole]:
    """Return the table for a larger subject that holds its own."""

    def columns(whole: Whole) -> Sequence[Column[Whole]]:
        held = part(whole)  # once, not for each cell
        return columns_of_part(table.columns_of(held), lambda _: held)

    def heading(whole: Whole, row: int) -> str:
        return table.heading(part(whole), row) if table.heading is not None else ""

    headed = None if table.heading is None else heading
    return Table(columns, lambda whole: table.rows(part(whole)), headed, table.has_both_ends)


def _of_part(column: Column[Subject], part: Callable[[Whole], Subject]) -> Column[Whole]:
    asked = {name: asks for name in _ASKING if (asks := getattr(column, name)) is not None}
    read = {name: lambda whole, *row, asks=asks: asks(part(whole), *row) for name, asks in asked.items()}
    return cast(Column[Whole], replace(column, **read))


def columns_on(face: Face, columns: Iterable[Column[Subject]], subject: Subject) -> list[Column[Subject]]:
    """Return the columns of a subject shown on a face."""
    return [column for column in columns if column.faces & face and (column.shown is None or column.shown(subject))]


def flat(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record for files without lists: ids are joined by spaces."""
    return {key: " ".join(value) if isinstance(value, list) else value for key, value in record.items()}


def written_time(time: datetime) -> str:
    """Return a time to the minute, as in tables and files."""
    return f"{time:%Y-%m-%d %H:%M}"


MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def short_time(time: datetime) -> str:
    """Return a time without its year, for a line of words: 19 Apr 17:55."""
    return f"{time.day} {MONTHS[time.month - 1]} {time:%H:%M}"


def first_line(text: str) -> str:
    """Return the first nonblank line of a text, with secrets masked; long texts are never formatted whole."""
    return masked_head(text, LINE_CODE_POINTS).lstrip().partition("\n")[0].rstrip()


def outcome_text(outcome: str) -> str:
    """Return an outcome as tables write it: its glyph and its word, such as `✕ dropped`."""
    return f"{OUTCOME_GLYPHS.get(outcome, '')} {outcome.replace('_', ' ')}".lstrip()


def named(ids: Sequence[str]) -> str:
    """Return the first few ids, and how many more there are."""
    more = len(ids) - NAMED_IDS
    return ", ".join(ids[:NAMED_IDS]) + (f" and {more:,} more" if more > 0 else "")


def or_none(number: float) -> float | None:
    """Return a number for files, None for NaN."""
    return None if np.isnan(number) else float(number)


def _plain(value: Value) -> Value:
    if isinstance(value, datetime):
        return written_time(value)
    return list(value) if isinstance(value, tuple) else value


def _capitalized(word: str) -> str:
    return word[:1].upper() + word[1:].replace("_", " ")


_WRITTEN: dict[Kind, Callable[[Any], str]] = {
    Kind.TEXT: str,
    Kind.WORD: _capitalized,
    Kind.OUTCOME: outcome_text,
    Kind.EXCERPT: first_line,
    Kind.IDS: named,
    Kind.FLAG: lambda value: "yes" if value else "",
    Kind.TIME: written_time,
    Kind.DIFFERENCE: signed,
    Kind.SHARE: percentage,
    Kind.SHARE_DIFFERENCE: signed_percentage,
    Kind.NUMBER: lambda value: f"{value:.{_DECIMALS}f}",
}
_ESTIMATED: dict[Kind, Callable[[Any, bool], str]] = {
    Kind.COUNT: figures,
    Kind.TOKENS: figures,
    Kind.DIFFERENCE: signed,
    Kind.MONEY: dollars,
}


def _joined(runs: Callable[[Subject, int], tuple[str, str]] | None) -> Callable[[Subject, int], str] | None:
    """Return the text of two parts as one."""
    return None if runs is None else lambda subject, row: "".join(runs(subject, row))


def _text_of(column: Column[Subject]) -> Callable[[Subject, int], str]:
    """Return how a column writes its values, decided once: a table asks for thousands of cells."""
    value, kind, estimated = column.value, column.kind, column.estimated
    absent = column.absent if column.absent is not None else "–" if column.is_figure else ""

    def plain(subject: Subject, row: int) -> str:
        found = value(subject, row)
        return absent if found is None else write(found)

    def with_sureness(subject: Subject, row: int) -> str:
        found = value(subject, row)
        is_estimate = estimated is not None and estimated(subject, row)
        return absent if found is None else _ESTIMATED[kind](found, is_estimate)

    if kind in _ESTIMATED and (estimated is not None or kind not in _WRITTEN):
        return with_sureness
    write = _WRITTEN[kind]
    return plain


UINT16_RANGE = 65_536


def sorted_rows(rows: NDArray[np.intp], values: NDArray[Any], descending: bool) -> NDArray[np.intp]:
    """Return the rows by their values; rows of equal values keep their order, NaN comes last either way.

    `values` is indexed by row. Integers of a small range are sorted as uint16, which numpy does by radix: 1 ms instead
    of 10 at 100,000 rows.
    """
    found = values[rows]
    if not len(found):
        return rows
    if found.dtype.kind == "f":
        return rows[np.argsort(-found if descending else found, kind="stable")]
    low, high = int(found.min()), int(found.max())
    distance = (high - found) if descending else (found - low)
    if high - low < UINT16_RANGE:
        distance = distance.astype(np.uint16)
    return rows[np.argsort(distance, kind="stable")]
