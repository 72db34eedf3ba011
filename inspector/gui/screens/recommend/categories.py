"""The table of recall by category. Columns only; no widgets here."""

import numpy as np
from PySide6.QtCore import QObject

from inspector.analysis.recall import Loss, losses
from inspector.analysis.recommend.categories import Categories, gain, held
from inspector.analysis.recommend.searched import points
from inspector.assembly.columns import F64, phrase
from inspector.figures import percentage
from inspector.gui.table.model import ArrayTableModel
from inspector.tables import Column


def _lost(categories: Categories, loss: Loss) -> F64:
    return np.array([losses(each.now)[loss] for each in categories])


def _loss_column(loss: Loss, place: int) -> Column[Categories]:
    return Column(
        f"lost_{loss.name.lower()}",
        f"Lost: {phrase(loss)}",
        f"The share of what they need that is missing from the current prompts, by its first reason: {phrase(loss)}",
        lambda categories, row: percentage(losses(categories[row].now)[loss]),
        lambda categories: _lost(categories, loss),
        digits=15,
        right=True,
        yields=place,
    )


def _held(categories: Categories, when: str, name: str) -> F64:
    values = (held(getattr(each, when), name) for each in categories)
    return np.array([np.nan if value is None else value for value in values], np.float64)


def _held_column(key: str, title: str, help_: str, when: str, name: str) -> Column[Categories]:
    return Column(
        key,
        title,
        help_,
        lambda categories, row: percentage(held(getattr(categories[row], when), name)),
        lambda categories: _held(categories, when, name),
        digits=9,
        right=True,
    )


def _gains(categories: Categories) -> F64:
    gains = map(gain, categories)
    return np.array([np.nan if each is None else each for each in gains], np.float64)


COLUMNS: tuple[Column[Categories], ...] = (
    Column("category", "Category", "The kind of question", lambda all_, row: all_[row].name, digits=16, stretches=True),
    Column(
        "questions",
        "Questions",
        "How many there are",
        lambda all_, row: f"{len(all_[row].now):,}",
        lambda all_: np.array([len(each.now) for each in all_]),
        digits=9,
        right=True,
    ),
    _held_column("now", "Now", "How much of what they need the current prompts hold", "now", "recall_with_memories"),
    _held_column("now_whole", "Whole", "The same, kept itself and not told by a memory that names it", "now", "recall"),
    _held_column("then", "Then", "The same under the recommended setting", "then", "recall_with_memories"),
    Column(
        "gain",
        "Gain",
        "Then less now, in points",
        lambda all_, row: points(gain(all_[row])),
        _gains,
        digits=8,
        right=True,
    ),
    *(_loss_column(loss, place) for place, loss in enumerate(Loss, 1)),
)


class CategoriesModel(ArrayTableModel[Categories]):
    """A row for each category."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(COLUMNS, parent)

    def show_categories(self, categories: Categories) -> None:
        """Show these categories."""
        ids = tuple(each.name for each in categories)
        self.show(categories, np.arange(len(ids)), self.ids if ids == self.ids else ids)
