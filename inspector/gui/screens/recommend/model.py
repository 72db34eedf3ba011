"""The models of the tables of a recommendation. No widgets here."""

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtGui import QColor

from inspector.analysis.recommend.by_policy import PolicyAdvice
from inspector.analysis.recommend.categories import CATEGORY_COLUMNS, Categories, held
from inspector.analysis.recommend.policy_rows import POLICY_COLUMNS, PolicyRow
from inspector.analysis.recommend.priced import PRICED_COLUMNS, Priced
from inspector.analysis.recommend.searched import Searched
from inspector.analysis.recommend.tables import GAIN_COLUMNS, WINDOW_COLUMNS
from inspector.gui.table.model import ArrayTableModel, Cell
from inspector.gui.theme import theme
from inspector.tables import Column


class Whisker(NamedTuple):
    """Recall as a dot, with its interval, and recall now as a line; shares of 1."""

    recall: float
    low: float
    high: float
    now: float
    look: str


class Strong(NamedTuple):
    """A text in the weight of titles."""

    text: str


class ShareBar(NamedTuple):
    """A share as a bar, with a mark for another share (None: none)."""

    share: float
    mark: float | None


class PolicyModel(ArrayTableModel[Sequence[PolicyRow]]):
    """A row for the best setting of each policy."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(POLICY_COLUMNS, parent)

    def show_rows(self, rows: Sequence[PolicyRow]) -> None:
        """Show these rows."""
        ids = tuple(f"{each.window.context_window}/{each.advice.policy}/{each.advice.is_current}" for each in rows)
        self.show(rows, np.arange(len(ids)), self.ids if ids == self.ids else ids)

    def cell(self, position: int, column: Column[Sequence[PolicyRow]]) -> Cell:
        """Return a cell: the policy in the weight of titles, recall as a whisker, gains in their colours."""
        shown = super().cell(position, column)
        row = cast(Sequence[PolicyRow], self.subject)[int(self.rows[position])]
        if column.key == "policy":
            return Cell("", figure=Strong(shown.text))
        if column.key == "whisker":
            return Cell("", figure=_whisker(row))
        return shown._replace(color=_ink(row, column.key))


def _whisker(row: PolicyRow) -> Whisker:
    low, high = row.advice.recall or (row.recall, row.recall)
    look = "now" if row.advice.is_current else "best" if row.number == 0 else ""
    return Whisker(row.recall, low, high, row.now, look)


def gain_ink(side: int) -> QColor:
    """Return the ink of a gain: 1 for one surely above 0, −1 for one surely below it, else 0."""
    return (theme().second_text, theme().good, theme().error)[side]


def _ink(row: PolicyRow, key: str) -> QColor | None:
    look = theme()
    if key in ("words", "interval", "held_on", "tokens", "cost"):
        return look.second_text
    if key == "fits":
        return look.error if row.advice.setting.fits < 1 else look.second_text
    if key == "gain":
        return gain_ink(row.side)
    return None


class AdviceModel(ArrayTableModel[Searched]):
    """A row for each window."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(WINDOW_COLUMNS, parent)

    def show_found(self, found: Searched | None) -> None:
        """Show the result of a search; None shows nothing."""
        ids = tuple(f"{advice.context_window}" for advice in found.windows) if found else ()
        self.show(found, np.arange(len(ids)), self.ids if ids == self.ids else ids)


class GainsModel(ArrayTableModel[PolicyAdvice]):
    """A row for each held-out conversation."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(GAIN_COLUMNS, parent)

    def show_advice(self, advice: PolicyAdvice | None) -> None:
        """Show the gain of a setting on each conversation."""
        ids = tuple(each.name for each in advice.gains) if advice else ()
        self.show(advice, np.arange(len(ids)), self.ids if ids == self.ids else ids)


class PricedModel(ArrayTableModel[Sequence[Priced]]):
    """A row for each setting."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(PRICED_COLUMNS, parent)

    def show_priced(self, rows: Sequence[Priced]) -> None:
        """Show these settings."""
        ids = tuple(f"{number}" for number in range(len(rows)))
        self.show(rows, np.arange(len(ids)), self.ids if ids == self.ids else ids)


class CategoriesModel(ArrayTableModel[Categories]):
    """A row for each kind of question, with recall as a bar."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(CATEGORY_COLUMNS, parent)

    def show_categories(self, categories: Categories) -> None:
        """Show these categories."""
        ids = tuple(each.name for each in categories)
        self.show(categories, np.arange(len(ids)), self.ids if ids == self.ids else ids)

    def cell(self, position: int, column: Column[Categories]) -> Cell:
        """Return a cell: recall as a bar, gains in their colours."""
        shown = super().cell(position, column)
        category = cast(Categories, self.subject)[int(self.rows[position])]
        if column.key == "bar":
            now, then = held(category.now) or 0.0, held(category.then)
            return Cell("", figure=ShareBar(now if then is None else then, None if then is None else now))
        if column.key == "gain":
            return shown._replace(color=theme().good if shown.text.startswith("+") else theme().second_text)
        return shown
