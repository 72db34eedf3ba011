"""What recall costs: the fronts of the recommended windows, the setting of now and the recommended ones, with tokens.

Values and the columns of their table; no widgets.
"""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject

from inspector.analysis.recommend.advice import Setting
from inspector.analysis.recommend.searched import Searched
from inspector.assembly.columns import F64
from inspector.figures import dollars, percentage
from inspector.gui.table.model import ArrayTableModel
from inspector.tables import Column

NOW, RECOMMENDED, FRONT = "now", "recommended", "front"


@dataclass(frozen=True)
class Priced:
    """A setting of a window: what it is there, and on which line of the plot it stands."""

    window: int
    kind: str
    line: int
    setting: Setting
    words: str
    """Its policy, and what is set of that."""

    @property
    def tokens(self) -> float:
        """The mean of its prompts."""
        return self.setting.tokens or 0.0

    @property
    def sentence(self) -> str:
        """What it costs, what it recalls, and what it is."""
        cost = "" if self.setting.cost is None else f" ({dollars(self.setting.cost)})"
        head = "" if self.kind == FRONT else f"{self.kind}, "
        recall = percentage(self.setting.recall_with_memories)
        return f"{head}{self.window:,}: {recall} for {self.tokens:,.0f} tokens a prompt{cost}: {self.words}"


def priced_in(found: Searched, place: int) -> tuple[Priced, ...]:
    """What costs how much: the selected window on line 0, its settings of now and recommended, then the others."""
    order = [place, *(other for other in range(len(found.windows)) if other != place)]
    rows: list[Priced] = []
    for line, number in enumerate(order):
        advice = found.windows[number]
        window = advice.context_window
        rows += [Priced(window, FRONT, line, point, found.setting_words(point.scenario)) for point in advice.front]
    advice = found.windows[place]
    for line, (kind, setting) in enumerate(((NOW, advice.current), (RECOMMENDED, advice.best)), len(order)):
        if setting.tokens is not None:
            rows.append(Priced(advice.context_window, kind, line, setting, found.setting_words(setting.scenario)))
    return tuple(rows)


def names_in(found: Searched, place: int) -> tuple[str, ...]:
    """The names of the lines."""
    order = [place, *(other for other in range(len(found.windows)) if other != place)]
    return (*(f"{found.windows[number].context_window:,}" for number in order), NOW, RECOMMENDED)


def _figures(rows: tuple[Priced, ...], name: str) -> F64:
    values = (getattr(row.setting, name) for row in rows)
    return np.array([np.nan if value is None else value for value in values], np.float64)


COLUMNS: tuple[Column[tuple[Priced, ...]], ...] = (
    Column(
        "window",
        "Window",
        "The context window, in tokens",
        lambda rows, row: f"{rows[row].window:,}",
        lambda rows: np.array([each.window for each in rows]),
        digits=8,
        right=True,
    ),
    Column(
        "kind", "What", "On the front, recommended, or the current one", lambda rows, row: rows[row].kind, digits=12
    ),
    Column(
        "tokens",
        "Tokens",
        "The mean number of tokens of a prompt",
        lambda rows, row: f"{rows[row].tokens:,.0f}",
        lambda rows: _figures(rows, "tokens"),
        digits=9,
        right=True,
    ),
    Column(
        "cost",
        "Cost",
        "The mean cost of a prompt, in US dollars",
        lambda rows, row: "–" if (cost := rows[row].setting.cost) is None else dollars(cost),
        lambda rows: _figures(rows, "cost"),
        digits=12,
        right=True,
        yields=1,
    ),
    Column(
        "recall",
        "Recall",
        "How much of what the questions need is in the prompts, by itself or by a memory that names it",
        lambda rows, row: percentage(rows[row].setting.recall_with_memories),
        lambda rows: _figures(rows, "recall_with_memories"),
        digits=8,
        right=True,
    ),
    Column(
        "fits",
        "Fits",
        "The share of the prompts that leave room for the reply",
        lambda rows, row: percentage(rows[row].setting.fits),
        lambda rows: _figures(rows, "fits"),
        digits=8,
        right=True,
        yields=2,
    ),
    Column(
        "setting",
        "Setting",
        "The policy, and what is set of it",
        lambda rows, row: rows[row].words,
        digits=30,
        stretches=True,
        tooltip=lambda rows, row: rows[row].words,
    ),
)


class PricedModel(ArrayTableModel[tuple[Priced, ...]]):
    """A row for each setting."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(COLUMNS, parent)

    def show_priced(self, rows: tuple[Priced, ...]) -> None:
        """Show these settings."""
        ids = tuple(f"{number}" for number in range(len(rows)))
        self.show(rows, np.arange(len(ids)), self.ids if ids == self.ids else ids)
