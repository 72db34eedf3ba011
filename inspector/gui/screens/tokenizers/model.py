"""The matrix of a tokenizer comparison, items by tokenizer, and the headers of its columns. No widgets here."""

import numpy as np
from PySide6.QtCore import QObject

from inspector.analysis.tokenizers.ask import TokenizerComparison
from inspector.analysis.tokenizers.errors import FIGURE_SPACE, full_label, short_name, signed_share
from inspector.analysis.tokenizers.tables import ITEM_COLUMNS, tokenizer_column
from inspector.assembly.columns import Rows
from inspector.figures import counted, figures
from inspector.gui.table.header import HeaderEntry, HeaderLine
from inspector.gui.table.matrix_model import MatrixModel


def header_entries(comparison: TokenizerComparison) -> tuple[HeaderEntry, ...]:
    """Return the header of each tokenizer's column: its name, its total and its flipped decisions."""
    return tuple(
        HeaderEntry(column.name, column.name, "tokenizer", place == 0, _header_lines(comparison, place))
        for place, column in enumerate(comparison.columns)
    )


def _header_lines(comparison: TokenizerComparison, place: int) -> tuple[HeaderLine, ...]:
    column = comparison.columns[place]
    lines = (HeaderLine(short_name(column.name), "name"), HeaderLine("exact" if column.exact else "estimate", "muted"))
    if column.tokens is None:
        return (*lines, HeaderLine("not counted yet", "muted"))
    total = int(column.tokens.sum(dtype=np.int64))
    if place == comparison.base:
        role = "the reference" if column.exact else "compared with it"
        return (
            *lines,
            HeaderLine(counted(total, "token", estimated=not column.exact), "usual"),
            HeaderLine(role, "muted"),
        )
    errors = comparison.errors(place)
    bias = "" if errors is None or errors.bias is None else f"  {signed_share(errors.bias).strip(FIGURE_SPACE)}"
    flips = HeaderLine(flips_text(comparison, place), "usual" if _flip_count(comparison, place) else "muted")
    return (*lines, HeaderLine(f"{figures(total, not column.exact)}{bias}", "usual"), flips)


def _flip_count(comparison: TokenizerComparison, place: int) -> int | None:
    flips = comparison.flips(place)
    return None if flips is None else len(flips)


def flips_text(comparison: TokenizerComparison, place: int) -> str:
    """Return how many decisions a tokenizer flips, in words."""
    count = _flip_count(comparison, place)
    if count is None:
        return "decisions not known"
    return f"flips {count:,} decision{'' if count == 1 else 's'}" if count else "flips nothing"


def _column_tooltip(comparison: TokenizerComparison, place: int) -> str:
    column, errors = comparison.columns[place], comparison.errors(place)
    lines = [full_label(column.name), "Counts exactly." if column.exact else "Estimates."]
    if errors is None:
        return "\n".join([*lines, "Not counted yet."])
    if place != comparison.base:
        mean = "Off" if comparison.reference else "Apart"
        lines.append(f"{mean} by {errors.mean_absolute_error:,.1f} tokens an item; {flips_text(comparison, place)}.")
    return "\n".join([*lines, "A click sorts by what it flips and by how far it is off."])


class TokenizerComparisonModel(MatrixModel[TokenizerComparison]):
    """The matrix of a comparison; a cell with an error has a ground of its own."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(ITEM_COLUMNS, lambda comparison: comparison.candidates, _column_tooltip, parent)

    def show_comparison(self, comparison: TokenizerComparison | None, rows: Rows) -> None:
        """Show these rows of a comparison, with a column for each of its tokenizers."""
        names = [] if comparison is None else [column.name for column in comparison.columns]
        columns = [tokenizer_column(place, name) for place, name in enumerate(names)]
        if self.place(self.sorted_by) is not None and all(column.key != self.sorted_by for column in columns):
            self.sorted_by = "flips"
        self.show_matrix(columns, comparison, rows, () if comparison is None else comparison.ids)
