"""The cost of recall: the fronts of the recommended windows, the current and the best settings, with their tokens."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from inspector.analysis.recommend.front import thinned
from inspector.analysis.recommend.measured import Setting
from inspector.analysis.recommend.searched import Searched
from inspector.assembly.columns import F64
from inspector.figures import dollars, percentage
from inspector.tables import Column, Face, Kind, Table

NOW, RECOMMENDED, FRONT = "now", "recommended", "front"
_SHOWN_POINTS = 5


@dataclass(frozen=True)
class Priced:
    """A setting of a window: its kind, and its line in the plot."""

    window: int
    kind: str
    line: int
    setting: Setting
    words: str
    """Its policy, and the changed parameters."""
    options: str
    """The same as options of a command."""

    @property
    def tokens(self) -> float:
        """The mean of its prompts."""
        return self.setting.tokens or 0.0

    @property
    def sentence(self) -> str:
        """Its cost, its recall, and its setting."""
        paid = self.setting.paid
        cost = "" if paid is None else f" ({dollars(paid)})"
        head = "" if self.kind == FRONT else f"{self.kind}, "
        recall = percentage(self.setting.recall_with_memories)
        return f"{head}{self.window:,}: {recall} for {self.tokens:,.0f} tokens a prompt{cost}: {self.words}"


def priced_in(found: Searched, place: int) -> tuple[Priced, ...]:
    """Return settings by cost: the selected window on line 0, its current and its best setting, then the others."""
    order = window_order(found, place)
    fronts = (_priced(found, window, 2, FRONT, line, _front(found, window)) for line, window in enumerate(order))
    rows = [each for front in fronts for each in front]
    for line, (number, kind) in enumerate(((0, NOW), (1, RECOMMENDED)), len(order)):
        rows += [each for each in _priced(found, place, number, kind, line, 1) if each.setting.tokens is not None]
    return tuple(rows)


def all_priced(found: Searched) -> tuple[Priced, ...]:
    """Return for each window its current setting and its front."""
    windows = range(len(found.windows))
    parts = (
        (*_priced(found, place, 0, NOW, 0, 1), *_priced(found, place, 2, FRONT, 0, _front(found, place)))
        for place in windows
    )
    return tuple(each for part in parts for each in part)


def _front(found: Searched, place: int) -> int:
    return len(found.windows[place].front)


def _priced(found: Searched, place: int, first: int, kind: str, line: int, most: int) -> Iterator[Priced]:
    """Yield so many settings of a window from a given place on."""
    advice, options = found.windows[place], found.options[place]
    for number, setting in list(enumerate(advice.settings))[first : first + most]:
        words = found.setting_words(setting.scenario)
        yield Priced(advice.context_window, kind, line, setting, words, options[number])


def window_order(found: Searched, place: int) -> list[int]:
    """Return the windows with the selected window first."""
    return [place, *(other for other in range(len(found.windows)) if other != place)]


def _figures(rows: Sequence[Priced], name: str) -> F64:
    values = (getattr(row.setting, name) for row in rows)
    return np.array([np.nan if value is None else value for value in values], np.float64)


PRICED_COLUMNS: tuple[Column[Sequence[Priced]], ...] = (
    Column(
        "context_window",
        "Window",
        "The context window, in tokens",
        lambda rows, row: rows[row].window,
        lambda rows: np.array([each.window for each in rows]),
        Kind.COUNT,
        digits=8,
    ),
    Column(
        "kind",
        "What",
        "On the front, recommended, or the current one",
        lambda rows, row: rows[row].kind,
        faces=Face.FILES | Face.WINDOW,
        digits=12,
    ),
    Column(
        "tokens",
        "Tokens",
        "The mean number of tokens of a prompt",
        lambda rows, row: rows[row].setting.tokens,
        lambda rows: _figures(rows, "tokens"),
        Kind.NUMBER,
        lambda rows, row: f"{rows[row].tokens:,.0f}",
        digits=9,
    ),
    Column(
        "cost",
        "Full price",
        "The mean cost of a prompt without a cache of prompts, in US dollars",
        lambda rows, row: rows[row].setting.cost,
        lambda rows: _figures(rows, "cost"),
        Kind.MONEY,
        digits=12,
        yields=2,
    ),
    Column(
        "cost_cached",
        "Cost",
        "The mean cost of a prompt with the provider's cache of prompts, in US dollars",
        lambda rows, row: rows[row].setting.cost_cached,
        lambda rows: _figures(rows, "cost_cached"),
        Kind.MONEY,
        digits=12,
        yields=1,
    ),
    Column(
        "recall",
        "Kept",
        "The share of the needed items kept whole in the prompts",
        lambda rows, row: rows[row].setting.recall,
        kind=Kind.SHARE,
        faces=Face.FILES,
    ),
    Column(
        "recall_with_memories",
        "Recall",
        "The share of the needed items in the prompts, by themselves or by a memory that names them",
        lambda rows, row: rows[row].setting.recall_with_memories,
        lambda rows: _figures(rows, "recall_with_memories"),
        Kind.SHARE,
        digits=8,
    ),
    Column(
        "fits",
        "Fits",
        "The share of the prompts that leave room for the reply",
        lambda rows, row: rows[row].setting.fits,
        lambda rows: _figures(rows, "fits"),
        Kind.SHARE,
        digits=8,
        yields=2,
    ),
    Column(
        "setting",
        "Setting",
        "The options that make it of the current setting",
        lambda rows, row: rows[row].options,
        faces=Face.FILES | Face.TERMINAL,
        stretches=True,
    ),
    Column(
        "words",
        "Setting",
        "The policy, and its changed settings",
        lambda rows, row: rows[row].words,
        faces=Face.WINDOW,
        digits=30,
        stretches=True,
        tooltip=lambda rows, row: rows[row].words,
    ),
)
PRICED: Table[Sequence[Priced]] = Table(PRICED_COLUMNS, lambda rows: range(len(rows)))


def _shown_points(rows: Sequence[Priced]) -> Iterator[int]:
    for window in dict.fromkeys(each.window for each in rows):
        front = [place for place, each in enumerate(rows) if each.window == window and each.kind == FRONT]
        yield from (front[number] for number in thinned(len(front), _SHOWN_POINTS).tolist())


SHORT_FRONTS: Table[Sequence[Priced]] = Table(PRICED_COLUMNS, _shown_points)
"""A few points of each front: the savings of less recall."""
