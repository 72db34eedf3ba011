"""The model of the table of summaries, and their totals in a sentence. No widgets."""

import numpy as np
from PySide6.QtCore import QObject

from inspector.analysis.fidelity.ask import SummaryTable, SummaryTotal
from inspector.analysis.fidelity.tables import SUMMARY_COLUMNS, item_id
from inspector.gui.table.model import ArrayTableModel

_NO_ROWS = np.empty(0, dtype=np.intp)


def total_line(table: SummaryTable) -> str:
    """Return the totals of the summaries of this prompt; if it has none, those of the available summaries."""
    inside: SummaryTotal = table.total(table.summarized)
    marked = "≈ " if not table.exact.all() else ""
    if inside.messages:
        return f"{_messages(inside.messages)} summarized · {marked}{inside.sentence}"
    return f"None in this prompt; {_messages(len(table))} would be · {marked}{table.total().sentence}"


def _messages(count: int) -> str:
    return f"{count:,} message{'' if count == 1 else 's'}"


class SummaryModel(ArrayTableModel[SummaryTable]):
    """The messages of a table of summaries, in conversation order unless sorted."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(SUMMARY_COLUMNS, parent)

    def show_table(self, table: SummaryTable | None) -> None:
        """Show a table; None shows nothing."""
        if table is None:
            self.show(None, _NO_ROWS, ())
            return
        ids = tuple(item_id(table, place) for place in range(len(table)))
        self.show(table, np.arange(len(table)), self.ids if ids == self.ids else ids)
