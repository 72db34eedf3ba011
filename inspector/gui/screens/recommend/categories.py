"""The model of the table of recall by category. No widgets here."""

import numpy as np
from PySide6.QtCore import QObject

from inspector.analysis.recommend.categories import CATEGORY_COLUMNS, Categories
from inspector.gui.table.model import ArrayTableModel


class CategoriesModel(ArrayTableModel[Categories]):
    """A row for each category."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(CATEGORY_COLUMNS, parent)

    def show_categories(self, categories: Categories) -> None:
        """Show these categories."""
        ids = tuple(each.name for each in categories)
        self.show(categories, np.arange(len(ids)), self.ids if ids == self.ids else ids)
