"""The model of the table of memories, with bars for signals and lines between rows. No widgets here."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from inspector.assembly.columns import Rows, Section
from inspector.assembly.decisions import Assembly
from inspector.assembly.explain import Signal as Term
from inspector.assembly.listed_items import OUTCOME_COLUMN, WHEN_COLUMN, brief_outcome, outcome_ink, outcome_runs
from inspector.assembly.memory_ranking import Fate, MemoryRanking
from inspector.assembly.memory_tables import MEMORY_COLUMNS, caption, rows_with_lines
from inspector.gui.table.model import ArrayTableModel, Cell, Marking, Sign
from inspector.gui.theme import PIN_SIGN, theme
from inspector.tables import Column, columns_of_part, with_files_of


class SignalBar(NamedTuple):
    """The contents of the bar of a memory: the terms of its score, and whether it was ranked by them."""

    signals: tuple[Term, ...]
    ranked: bool


def _shown_columns() -> tuple[Column[MemoryRanking], ...]:
    """Return the columns from left to right: rank, number, score, text, when, tokens and outcome; others wait."""
    known = {column.key: column for column in MEMORY_COLUMNS}
    of_assembly: Callable[[MemoryRanking], Assembly] = lambda ranking: ranking.assembly  # noqa: E731
    (when,) = columns_of_part((WHEN_COLUMN,), of_assembly)
    outcome: Column[MemoryRanking] = replace(
        cast(Column[MemoryRanking], OUTCOME_COLUMN),
        value=known["in_prompt"].value,
        values=lambda ranking: ranking.fates,
        runs=lambda ranking, row: outcome_runs(ranking.assembly, row, ranking.why(row)),
        brief=lambda ranking, row: brief_outcome(ranking.assembly, row, ranking.why(row)),
        tone=lambda ranking, row: outcome_ink(ranking.assembly, row),
        tooltip=known["why"].tooltip,
    )
    waiting = ("similarity", "kind")
    return (
        replace(known["rank"], digits=4),
        replace(known["id"], digits=5, yields=3),
        replace(known["score"], yields=2),
        replace(known["signals"], title="Signals", digits=SIGNALS_DIGITS),
        replace(known["text"], digits=20),
        replace(when, yields=1),
        replace(known["tokens"], yields=0),
        outcome,
        replace(known["nearly_the_same"], yields=4),
        *(replace(known[key], at_first=False) for key in waiting),
    )


SIGNALS_DIGITS = 15
"""About 120 pixels for the bar."""


class MemoryModel(ArrayTableModel[MemoryRanking]):
    """The memories of a ranking; in the order of decision a row below zero is a line between the others.

    With every step of a slider the order changes. If the number of rows stays, the model is not reset for this, which
    takes 2 ms at 100,000 rows: `order_will_change` and `order_changed` tell a view to keep the selection.
    """

    order_will_change = Signal()
    order_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(with_files_of(_shown_columns(), MEMORY_COLUMNS), parent)

    def show_ranking(self, ranking: MemoryRanking | None) -> None:
        """Show a ranking, with its lines unless a column sorts the rows."""
        if ranking is None:
            self.show(None, np.empty(0, np.intp), ())
        else:
            self.show(ranking, rows_with_lines(ranking), ranking.assembly.candidates.ids)

    def show(self, subject: MemoryRanking | None, rows: Rows, ids: Sequence[str]) -> None:
        """Show these rows; the same items in another order are other values in the same places."""
        if ids is not self.ids or self.subject is None or self.sorted_by or len(rows) != len(self.rows):
            super().show(subject, rows, ids)
            return
        self.order_will_change.emit()
        self.subject, self.rows, self._base = subject, rows, rows
        self.values_changed()
        self.order_changed.emit()

    def heading(self, row: int) -> str:
        return caption(self.subject, row) if self.subject else ""

    def cell(self, position: int, column: Column[MemoryRanking]) -> Cell:
        """Return a cell; the signals are drawn as a bar."""
        return Cell("", figure=self._bar(position)) if column.key == "signals" else super().cell(position, column)

    def _bar(self, position: int) -> SignalBar:
        ranking, row = cast(MemoryRanking, self.subject), int(self.rows[position])
        ranked = ranking.score(row) is not None and ranking.fates[row] != Fate.THRESHOLD
        return SignalBar(ranking.signals(row), ranked)

    def marking(self, position: int) -> Marking | None:
        """Return the colour of the row's section with its pin, or the caption of a line."""
        if self.subject is None:
            return None
        look, row = theme(), int(self.rows[position])
        if row < 0:
            return Marking(look.border, heading=self.heading(row))
        pinned = self.subject.assembly.candidates.pinned[row]
        section = Section(int(self.subject.assembly.section[row]))
        return Marking(look.section_color(section), (Sign(PIN_SIGN, look.pinned_color),) if pinned else ())

    def _ordered(self, rows: Rows, values: NDArray | None) -> Rows:
        return super()._ordered(rows if values is None else rows[rows >= 0], values)
