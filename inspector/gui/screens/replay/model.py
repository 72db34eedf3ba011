"""The models of the tables of a replay, and its turns as bars of plots. No widgets here."""

import numpy as np
from PySide6.QtCore import QObject

from inspector.analysis.replay import Replay
from inspector.analysis.replay_tables import ITEM_COLUMNS, TURN_COLUMNS
from inspector.analysis.replay_words import fallen, reach_heights, sections_in, warned
from inspector.assembly.columns import F64, Rows, Section
from inspector.gui.plots.pixels import NO_BARS, BarArrays
from inspector.gui.table.model import ArrayTableModel


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
        super().__init__(TURN_COLUMNS, parent)

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


class FallenModel(ArrayTableModel[Replay]):
    """A row for each item that falls out, in the order in which they fall."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(ITEM_COLUMNS, parent)

    def show_replay(self, found: Replay | None) -> None:
        """Show the items that fall in a replay; None shows nothing."""
        if found is None:
            self.show(None, np.empty(0, np.intp), ())
            return
        self.show(found, fallen(found), found.candidates.ids)
