"""The table of errors by kind of content: all texts first, then each kind, a row for each tokenizer. No widgets."""

from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QObject, Qt

from inspector.analysis.content_kinds import ContentKind
from inspector.analysis.tokenizers import KindErrors, TokenizerComparison
from inspector.assembly.columns import Rows
from inspector.derived import cached_property
from inspector.figures import figures, signed
from inspector.gui.screens.tokenizers.model import KIND_WORDS, full_label, signed_share
from inspector.gui.table.model import ArrayTableModel, Marking
from inspector.gui.theme import theme
from inspector.tables import Column, Tone


@dataclass(frozen=True, eq=False)
class ErrorTable:
    """A comparison as rows: for all texts and for each kind of them a heading, then every tokenizer.

    A row is `group × tokenizers + place`; a heading is −1 less its group.
    """

    comparison: TokenizerComparison

    @cached_property
    def kinds(self) -> tuple[ContentKind | None, ...]:
        """The groups; None stands for all texts."""
        return (None, *self.comparison.kinds_present)

    @cached_property
    def cells(self) -> tuple[KindErrors | None, ...]:
        """The errors of each row, None where a tokenizer has not counted yet."""
        places = range(len(self.comparison.columns))
        return tuple(self.comparison.errors(place, kind) for kind in self.kinds for place in places)

    @cached_property
    def flips(self) -> tuple[int | None, ...]:
        """How many decisions flip in each row, None where that is not known."""
        compared = self.comparison
        of_kind = [slice(None) if kind is None else compared.kinds == kind for kind in self.kinds]
        masks = [compared.flipped(place) for place in range(len(compared.columns))]
        return tuple(None if mask is None else int(mask[group].sum()) for group in of_kind for mask in masks)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """A name for each row."""
        return tuple(f"{kind}/{column.name}" for kind in self.kinds for column in self.comparison.columns)

    @cached_property
    def rows(self) -> Rows:
        """All rows and headings, in order."""
        size = len(self.comparison.columns)
        groups = range(len(self.kinds))
        return np.array([row for group in groups for row in (-1 - group, *range(group * size, (group + 1) * size))])

    def place(self, row: int) -> int:
        """The tokenizer of a row."""
        return row % len(self.comparison.columns)

    def is_base(self, row: int) -> bool:
        """Whether the row is of the tokenizer that the others are compared with."""
        return self.place(row) == self.comparison.base

    def share(self, row: int) -> float:
        """By which share the total of a row is off; NaN where that is not known, and for what is compared with."""
        errors = self.cells[row]
        bias = None if errors is None or self.is_base(row) else errors.bias
        return float("nan") if bias is None else bias

    def title(self, group: int) -> str:
        """What the texts of a group hold, and how many there are."""
        kind, errors = self.kinds[group], self.cells[group * len(self.comparison.columns) + self.comparison.base]
        count = 0 if errors is None else errors.items
        words = "All content" if kind is None else KIND_WORDS[kind][:1].upper() + KIND_WORDS[kind][1:]
        return f"{words} · {count:,} text{'' if count == 1 else 's'}" if count else words


def _name(table: ErrorTable, row: int) -> str:
    return full_label(table.comparison.columns[table.place(row)].name)


def _flips(table: ErrorTable, row: int) -> str:
    flips = table.flips[row]
    return "" if flips is None or table.is_base(row) else f"{flips:,}"


def _total(table: ErrorTable, row: int) -> str:
    errors = table.cells[row]
    return "" if errors is None else figures(errors.total, not table.comparison.columns[table.place(row)].exact)


def _mean(table: ErrorTable, row: int) -> str:
    errors = table.cells[row]
    return "" if errors is None or table.is_base(row) else f"{errors.mean_absolute_error:,.1f}"


def _worst(table: ErrorTable, row: int) -> str:
    errors = table.cells[row]
    return "" if errors is None or errors.worst is None else table.comparison.ids[errors.worst]


def _worst_tooltip(table: ErrorTable, row: int) -> str:
    errors, differences = table.cells[row], table.comparison.differences(table.place(row))
    if errors is None or errors.worst is None or differences is None:
        return "None is off."
    return f"{table.comparison.ids[errors.worst]} is off by {signed(int(differences[errors.worst]))} tokens."


def _base_color(table: ErrorTable, row: int) -> Tone | None:
    return "muted" if table.is_base(row) else None


COLUMNS: tuple[Column[ErrorTable], ...] = (
    Column("tokenizer", "Tokenizer", "What counts", _name, digits=14, stretches=True, tone=_base_color),
    Column(
        "tokens", "Tokens", "What it counts for these texts together", _total, digits=9, right=True, tone=_base_color
    ),
    Column(
        "bias",
        "Bias",
        "By how much the total is too large (+) or too small (−)",
        lambda table, row: signed_share(table.share(row)),
        digits=8,
        right=True,
        tint=lambda table, row: table.share(row),
    ),
    Column("mean", "Mean error", "By how many tokens a text is off, whichever way", _mean, digits=8, right=True),
    Column("flips", "Flips", "How many decisions about these texts it flips", _flips, digits=7, right=True),
    Column("worst", "Worst item", "The item that is off by most tokens", _worst, digits=14, tooltip=_worst_tooltip),
)
DIFFERENCE_TITLES = {"bias": "Difference", "mean": "Mean difference", "worst": "Furthest item"}
"""The titles where no tokenizer is exact, so that nothing is an error."""
DIFFERENCE_COLUMNS = tuple(replace(column, title=DIFFERENCE_TITLES.get(column.key, column.title)) for column in COLUMNS)


class KindErrorsModel(ArrayTableModel[ErrorTable]):
    """Errors by kind of content."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(COLUMNS, parent)

    def show_comparison(self, comparison: TokenizerComparison | None) -> None:
        """Show the errors of a comparison."""
        table = None if comparison is None else ErrorTable(comparison)
        exact = comparison is None or comparison.reference is not None
        self.set_columns(COLUMNS if exact else DIFFERENCE_COLUMNS)  # only the titles are others
        rows, ids = (np.empty(0, np.intp), ()) if table is None else (table.rows, table.ids)
        self.show(table, rows, self.ids if ids == self.ids else ids)
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)

    def worst_row(self, row: int) -> int | None:
        """The item that is off most in a row of this table, None where there is none."""
        errors = self.subject.cells[row] if self.subject else None
        return errors.worst if errors else None

    def heading(self, row: int) -> str:
        """What the texts of a group hold."""
        return self.subject.title(-1 - row) if self.subject else ""

    def marking(self, position: int) -> Marking | None:
        """The heading of a group."""
        row = int(self.rows[position])
        return Marking(theme().border, heading=self.heading(row)) if row < 0 else None
