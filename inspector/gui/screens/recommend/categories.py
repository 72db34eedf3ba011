"""Recall by category: what the setting of now and a recommended one hold of what each kind of question needs.

Values, the work that makes them, and the columns of their table; no widgets.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject

from inspector.analysis.recall import Found, Loss, Recalled, losses, mean_of, recall
from inspector.assembly.columns import F64, phrase
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.gui.screens.recommend.found import points, share
from inspector.gui.table.columns import Column
from inspector.gui.table.model import ArrayTableModel
from inspector.gui.tasks import tell
from inspector.model import Probe
from inspector.tokens.cache import CountCache

ALL, NONE = "all questions", "no category"
_TELL_AFTER = 10


@dataclass(frozen=True, eq=False)
class Category:
    """A kind of question: what became of the evidence of each now, and then; nothing under `then` where none is."""

    name: str
    now: tuple[Found, ...]
    then: tuple[Found, ...]


Categories = tuple[Category, ...]


def categories_in(now: Recalled, then: Recalled | None) -> Categories:
    """All questions, then each category in the order of the probes."""
    names = list(dict.fromkeys(probe.category for probe in now.probes))
    whole = Category(ALL, now.found, then.found if then else ())
    if len(names) < 2:
        return (whole,)
    return whole, *(Category(name or NONE, _of(now, name), _of(then, name) if then else ()) for name in names)


def _of(recalled: Recalled, name: str) -> tuple[Found, ...]:
    pairs = zip(recalled.probes, recalled.found, strict=True)
    return tuple(found for probe, found in pairs if probe.category == name)


def asked_by_category(
    pipeline: Pipeline, settings: Sequence[Scenario], probes: Sequence[Probe], cache: CountCache
) -> Iterator[Categories]:
    """Ask the probes under the setting of now and, where there is one, another; tells `(done, total)` on the way."""
    total = len(settings) * len(probes)
    found: list[Recalled] = []
    for setting in settings:
        before = len(found) * len(probes)

        def progress(done: int, _: int, before: int = before) -> None:
            tell((before + done, total) if done % _TELL_AFTER == 0 else None)

        found.append(recall(pipeline, setting, probes, cache, progress))
        yield categories_in(found[0], found[1] if len(found) > 1 else None)


def held(found: Sequence[Found], name: str = "recall_with_memories") -> float | None:
    """The mean of a figure of recall; None for no questions."""
    return mean_of(found).columns[name]


def _lost(categories: Categories, loss: Loss) -> F64:
    return np.array([losses(each.now)[loss] for each in categories])


def _loss_column(loss: Loss, place: int) -> Column[Categories]:
    return Column(
        f"lost_{loss.name.lower()}",
        f"Lost: {phrase(loss)}",
        f"The share of what they need that is not in the prompts of now, for the first reason: {phrase(loss)}",
        lambda categories, row: share(losses(categories[row].now)[loss]),
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
        lambda categories, row: share(held(getattr(categories[row], when), name)),
        lambda categories: _held(categories, when, name),
        digits=9,
        right=True,
    )


def _gain(category: Category) -> float | None:
    now, then = held(category.now), held(category.then)
    return None if now is None or then is None else (then - now) * 100


def _gains(categories: Categories) -> F64:
    gains = map(_gain, categories)
    return np.array([np.nan if gain is None else gain for gain in gains], np.float64)


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
    _held_column("now", "Now", "What the prompts of now hold of what they need", "now", "recall_with_memories"),
    _held_column("now_whole", "Whole", "The same by itself, not by a memory that names it", "now", "recall"),
    _held_column("then", "Then", "What they hold under the setting recommended", "then", "recall_with_memories"),
    Column(
        "gain",
        "Gain",
        "Then less now, in points",
        lambda all_, row: points(_gain(all_[row])),
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
