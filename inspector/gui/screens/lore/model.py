"""The model of the table of lore. No widgets here."""

import numpy as np
from PySide6.QtCore import QObject

from inspector.assembly.lore_tables import LORE_COLUMNS, LoreRows
from inspector.gui.table.model import ArrayTableModel


class LoreModel(ArrayTableModel[LoreRows]):
    """A row for each lore entry; inactive entries are muted."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(LORE_COLUMNS, parent)

    def show_lore(self, lore: LoreRows | None, which: int) -> None:
        """Show the entries of an assembly: all, the active or the inactive ones."""
        if lore is None:
            self.show(None, np.empty(0, np.intp), ())
        else:
            same = self.subject is not None and self.subject.ids == lore.ids
            self.show(lore, lore.shown(which), self.ids if same else lore.ids)
