"""The models of the tables of a replay. No widgets here."""

import numpy as np
from PySide6.QtCore import QObject

from inspector.analysis.replay.ask import Replay
from inspector.analysis.replay.tables import ITEM_COLUMNS, TURN_COLUMNS
from inspector.analysis.replay.words import fallen
from inspector.assembly.columns import Rows
from inspector.gui.table.model import ArrayTableModel


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
    """A row for each fallen item, in order of falling."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(ITEM_COLUMNS, parent)

    def show_replay(self, found: Replay | None) -> None:
        """Show the items that fall in a replay; None shows nothing."""
        if found is None:
            self.show(None, np.empty(0, np.intp), ())
            return
        self.show(found, fallen(found), found.candidates.ids)
