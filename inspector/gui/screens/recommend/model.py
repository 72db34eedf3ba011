"""The models of the tables of a recommendation. No widgets here."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QObject

from inspector.analysis.recommend.advice import WindowAdvice
from inspector.analysis.recommend.categories import CATEGORY_COLUMNS, Categories
from inspector.analysis.recommend.priced import PRICED_COLUMNS, Priced
from inspector.analysis.recommend.searched import Questions, Searched
from inspector.analysis.recommend.tables import GAIN_COLUMNS, QUESTION_COLUMNS, WINDOW_COLUMNS
from inspector.analysis.recommend.tried import Tried, tried_columns
from inspector.gui.table.model import ArrayTableModel


class AdviceModel(ArrayTableModel[Searched]):
    """A row for each window."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(WINDOW_COLUMNS, parent)

    def show_found(self, found: Searched | None) -> None:
        """Show the result of a search; None shows nothing."""
        ids = tuple(f"{advice.context_window}" for advice in found.windows) if found else ()
        self.show(found, np.arange(len(ids)), self.ids if ids == self.ids else ids)


class GainsModel(ArrayTableModel[WindowAdvice]):
    """A row for each held-out conversation."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(GAIN_COLUMNS, parent)

    def show_advice(self, advice: WindowAdvice | None) -> None:
        """Show the gain of each conversation under the advice for a window."""
        ids = tuple(each.name for each in advice.gains) if advice else ()
        self.show(advice, np.arange(len(ids)), self.ids if ids == self.ids else ids)


class QuestionsModel(ArrayTableModel[Questions]):
    """A row for each question."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(QUESTION_COLUMNS, parent)

    def show_questions(self, questions: Questions) -> None:
        """List these."""
        names = tuple(f"{one.conversation}/{one.id}" for one in questions.offered)
        self.show(questions, np.arange(len(names)), self.ids if names == self.ids else names)


class PricedModel(ArrayTableModel[Sequence[Priced]]):
    """A row for each setting."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(PRICED_COLUMNS, parent)

    def show_priced(self, rows: Sequence[Priced]) -> None:
        """Show these settings."""
        ids = tuple(f"{number}" for number in range(len(rows)))
        self.show(rows, np.arange(len(ids)), self.ids if ids == self.ids else ids)


class CategoriesModel(ArrayTableModel[Categories]):
    """A row for each category."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(CATEGORY_COLUMNS, parent)

    def show_categories(self, categories: Categories) -> None:
        """Show these categories."""
        ids = tuple(each.name for each in categories)
        self.show(categories, np.arange(len(ids)), self.ids if ids == self.ids else ids)


class TriedModel(ArrayTableModel[Tried]):
    """A row for each tried setting, with a column for each knob."""

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
