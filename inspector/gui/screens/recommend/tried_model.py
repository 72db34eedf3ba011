"""The model of the table of settings that were tried for a plot. No widgets here."""

import numpy as np
from PySide6.QtCore import QObject

from inspector.analysis.recommend.tried import Tried, tried_columns
from inspector.gui.table.model import ArrayTableModel


class TriedModel(ArrayTableModel[Tried]):
    """A row for each setting that was tried, with a column for each knob."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(tried_columns(None), parent)

    def show_tried(self, tried: Tried | None) -> bool:
        """Show these settings; None for nothing. Returns whether the columns are others than before."""
        columns = tried_columns(tried)
        ids = tuple(map(str, range(len(tried.settings)))) if tried else ()
        rows, known = np.arange(len(ids)), self.ids if ids == self.ids else ids
        is_other = [column.key for column in columns] != list(self.sections)
        if is_other:
            self.show_under(columns, tried, rows, known)
        else:
            self.show(tried, rows, known)
        return is_other
