"""The table of settings that were tried for a plot: a row for each. Columns only; no widgets."""

import numpy as np
from PySide6.QtCore import QObject

from inspector.analysis.recommend.tried import Tried
from inspector.assembly.columns import F64
from inspector.figures import percentage
from inspector.gui.table.model import ArrayTableModel
from inspector.tables import Column


def _policy(tried: Tried, row: int) -> str:
    return tried.policies[tried.places[row][1]] if tried.policies else ""


def _value(tried: Tried, row: int, knob: int) -> str:
    if knob >= len(tried.knobs):
        return ""
    turned = tried.knobs[knob]
    return turned.written(turned.values[tried.places[row][knob]])


def _places(tried: Tried, knob: int) -> F64:
    return np.array([place[knob] for place in tried.places], np.float64)


def _recall(tried: Tried) -> F64:
    return tried.recall.means if tried.recall is not None else np.full(len(tried.settings), np.nan)


def _recall_text(tried: Tried, row: int) -> str:
    value = float(_recall(tried)[row])
    return percentage(None if np.isnan(value) else value)


def _end(tried: Tried, row: int, end: int) -> str:
    interval = tried.recall.interval(row) if tried.recall is not None else None
    return percentage(interval[end] if interval else None)


COLUMNS: tuple[Column[Tried], ...] = (
    Column(
        "policy",
        "Policy",
        "Who decides",
        _policy,
        lambda tried: _places(tried, 1),
        digits=22,
        stretches=True,
    ),
    Column(
        "value",
        "Value",
        "The value of the first knob",
        lambda tried, row: _value(tried, row, 0),
        lambda tried: _places(tried, 0),
        digits=14,
        right=True,
    ),
    Column(
        "other_value",
        "Second value",
        "The value of the second knob",
        lambda tried, row: _value(tried, row, 1),
        lambda tried: _places(tried, 1),
        digits=14,
        right=True,
        shown=lambda tried: len(tried.knobs) > 1,
    ),
    Column(
        "recall",
        "Recall",
        "How much of what the questions need is in the prompts, by itself or by a memory that names it",
        _recall_text,
        _recall,
        digits=9,
        right=True,
    ),
    Column(
        "low",
        "From",
        "Where that lies at least, with 95 % confidence, over conversations",
        lambda tried, row: _end(tried, row, 0),
        digits=9,
        right=True,
    ),
    Column(
        "high",
        "To",
        "Where that lies at most, with 95 % confidence, over conversations",
        lambda tried, row: _end(tried, row, 1),
        digits=9,
        right=True,
    ),
)


class TriedModel(ArrayTableModel[Tried]):
    """A row for each setting that was tried."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(COLUMNS, parent)

    def show_tried(self, tried: Tried | None) -> None:
        """Show these settings; None for nothing."""
        ids = tuple(map(str, range(len(tried.settings)))) if tried else ()
        self.show(tried, np.arange(len(ids)), self.ids if ids == self.ids else ids)
