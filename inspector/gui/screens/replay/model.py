"""The turns of a replay as rows of a table, and as bars of plots. Columns only; no widgets here."""

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtGui import QColor

from inspector.analysis.replay import Replay
from inspector.analysis.replay_words import (
    caption,
    fallen_names,
    prefix_sentence,
    reach_heights,
    sections_in,
    time_text,
    warned,
)
from inspector.assembly.columns import F64, Rows, Section
from inspector.assembly.cost import cost_text
from inspector.figures import figures
from inspector.gui.plots.pixels import NO_BARS, BarArrays
from inspector.gui.table.columns import Column
from inspector.gui.table.model import ArrayTableModel
from inspector.gui.theme import theme


def token_bars(found: Replay) -> BarArrays:
    """Tokens by section and turn, one section above the other; the look is the section, after the last the overhead.

    Each bar reaches down to the foot, and the lower ones are drawn over the higher ones. A section without tokens has
    no bar: it would be as high as the one below, and hide it.
    """
    if not len(found):
        return NO_BARS
    looks = [*sections_in(found), len(Section)]
    columns = np.column_stack([found.tokens, found.overhead])[:, looks]
    heights = np.cumsum(columns, axis=1)[:, ::-1].T.astype(np.float64)
    left, right = (np.tile(edge, len(looks)) for edge in turn_edges(found))
    numbers = np.repeat(np.array(looks[::-1], np.uint8), len(found))
    there = columns[:, ::-1].T.ravel() > 0
    foot = np.zeros(int(there.sum()))
    return BarArrays(left[there], right[there], foot, heights.ravel()[there], numbers[there], apart=False)


def prefix_bars(found: Replay) -> BarArrays:
    """Tokens of each prompt, filled as far as it begins as the last one that was sent; look 1 where that breaks."""
    if not len(found):
        return NO_BARS
    shared, totals = found.shared.astype(np.float64), found.totals.astype(np.float64)
    return BarArrays(*turn_edges(found), totals, shared, found.is_broken.astype(np.uint8), apart=False)


def horizon_bars(found: Replay) -> BarArrays:
    """How many turns back each prompt reaches; look 1 at turns with a warning or an error."""
    if not len(found):
        return NO_BARS
    reach, looks = reach_heights(found), warned(found).astype(np.uint8)
    return BarArrays(*turn_edges(found), np.zeros(len(found)), reach, looks, apart=False)


def turn_edges(found: Replay) -> tuple[F64, F64]:
    """From where to where each turn is on the axis of turns: from the turn that was replayed before it."""
    right = found.turns.astype(np.float64) + 0.5
    return np.concatenate([[0.5], right[:-1]]), right


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
