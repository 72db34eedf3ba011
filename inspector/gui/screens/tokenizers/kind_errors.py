"""The model of the table of errors by kind of content. No widgets here."""

import numpy as np
from PySide6.QtCore import QObject, Qt

from inspector.analysis.tokenizers.ask import TokenizerComparison
from inspector.analysis.tokenizers.errors import ErrorTable, error_columns
from inspector.gui.table.model import ArrayTableModel, Marking
from inspector.gui.theme import theme


class KindErrorsModel(ArrayTableModel[ErrorTable]):
    """Errors by kind of content."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(error_columns(None), parent)

    def show_comparison(self, comparison: TokenizerComparison | None) -> None:
        """Show the errors of a comparison."""
        table = None if comparison is None else ErrorTable(comparison)
        self.set_columns(error_columns(table))  # only the titles are others
        rows, ids = (np.empty(0, np.intp), ()) if table is None else (table.rows, table.ids)
        self.show(table, rows, self.ids if ids == self.ids else ids)
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)

    def worst_row(self, row: int) -> int | None:
        """Return the item with the largest error in a row of this table, None if there is none."""
        errors = self.subject.cells[row] if self.subject else None
        return errors.worst if errors else None

    def heading(self, row: int) -> str:
        return self.subject.title(-1 - row) if self.subject else ""

    def marking(self, position: int) -> Marking | None:
        """Return the heading of a group."""
        row = int(self.rows[position])
        return Marking(theme().border, heading=self.heading(row)) if row < 0 else None
