"""The turns of a replay as rows of a table. Columns only; no widgets here."""

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtGui import QColor

from inspector.analysis.replay import Replay
from inspector.analysis.replay_words import (
    caption,
    fallen_names,
    prefix_sentence,
    time_text,
)
from inspector.assembly.columns import Rows
from inspector.assembly.cost import cost_text
from inspector.figures import figures
from inspector.gui.table.columns import Column
from inspector.gui.table.model import ArrayTableModel
from inspector.gui.theme import theme


class ReplayModel(ArrayTableModel[Replay]):
    """A row for each turn."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(REPLAY_COLUMNS, parent)

    def show_replay(self, found: Replay | None, only_falls: bool) -> None:
        """Show the turns of a replay, all of them or those at which something fell; None shows nothing."""
        if found is None:
            self.show(None, np.empty(0, np.intp), ())
            return
        self.show(found, _places(found, only_falls), tuple(map(str, found.turns.tolist())))


def _places(found: Replay, only_falls: bool) -> Rows:
    if not only_falls:
        return np.arange(len(found))
    return np.array([place for place, fall in enumerate(found.falls) if len(fall.rows)], np.intp)


def _quiet(found: Replay, place: int) -> QColor | None:
    return None if found.is_sent[place] else theme().muted_text


def _cost(found: Replay, place: int) -> str:
    cost = float(found.cached_costs[place])
    return "" if np.isnan(cost) or not found.is_sent[place] else cost_text(cost, bool(found.estimated[place]))


def _findings(found: Replay, place: int) -> str:
    if found.refused[place]:
        return "refused"
    return ", ".join(code.replace("_", " ") for code in found.findings[place])


REPLAY_COLUMNS: tuple[Column[Replay], ...] = (
    Column(
        "turn",
        "Turn",
        "How many messages exist; in grey where the reply was said and nothing was sent",
        lambda found, place: f"{int(found.turns[place]):,}",
        lambda found: found.turns,
        digits=8,
        right=True,
        color=_quiet,
    ),
    Column("when", "When", "When its newest message was said", time_text, digits=17, yields=3, color=_quiet),
    Column(
        "total",
        "Tokens",
        "Tokens of the prompt as planned; ≈ where its texts are estimated, or counted apart in one message",
        lambda found, place: figures(int(found.totals[place]), bool(found.estimated[place])),
        lambda found: found.totals,
        digits=9,
        right=True,
        color=_quiet,
    ),
    Column(
        "horizon",
        "Reaches back",
        "How many messages back the oldest one of the prompt is",
        lambda found, place: figures(int(found.horizon[place])),
        lambda found: found.horizon,
        digits=12,
        right=True,
        color=_quiet,
    ),
    Column(
        "shared",
        "Shared",
        "Tokens with which it begins as the last prompt did: what a cache of prompts holds",
        lambda found, place: figures(int(found.shared[place])),
        lambda found: found.shared,
        digits=9,
        right=True,
        color=_quiet,
        tooltip=prefix_sentence,
    ),
    Column(
        "cost",
        "Cost",
        "US dollars of a prompt that was sent, with a cache of prompts",
        _cost,
        lambda found: found.cached_costs,
        digits=9,
        right=True,
        yields=2,
    ),
    Column(
        "fell",
        "Fell",
        "What left the prompt at this turn, or is no longer whole in it",
        fallen_names,
        lambda found: np.array([len(fall.rows) for fall in found.falls], np.int64),
        digits=24,
        stretches=True,
        tooltip=caption,
    ),
    Column("findings", "Findings", "Warnings and errors of this turn", _findings, digits=24, yields=1),
)
