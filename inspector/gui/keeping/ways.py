"""The model of the table of ways that would keep some items. No widgets here."""

import numpy as np
from PySide6.QtCore import QObject

from inspector.analysis.keeping.tables import WAY_COLUMNS, Ways
from inspector.gui.table.model import ArrayTableModel


class WaysModel(ArrayTableModel[Ways]):
    """A row for each way."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(WAY_COLUMNS, parent)

    def show_ways(self, ways: Ways) -> None:
        """Show these ways, in their order."""
        self.show(ways, np.arange(len(ways.all)), tuple(map(str, range(len(ways.all)))))
