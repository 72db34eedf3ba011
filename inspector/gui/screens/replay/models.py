"""The tables of a replay in the window: what fell out, with its turn, and a row for each turn."""

import numpy as np
from PySide6.QtCore import QObject

from inspector.analysis.replay.ask import Replay
from inspector.analysis.replay.falls import FALL_COLUMNS, Falls, falls_of
from inspector.analysis.replay.tables import TURN_COLUMNS
from inspector.assembly.columns import Section
from inspector.gui.table.model import ArrayTableModel, Marking
from inspector.gui.theme import theme


class FallModel(ArrayTableModel[Falls]):
    """A row for each fall up to a turn, the latest first; those of the turn itself are lit."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(FALL_COLUMNS, parent)
        self._falls: Falls | None = None
        self._turn = 0

    def show_replay(self, found: Replay | None) -> None:
        """Show the falls of a replay; None shows nothing."""
        self._falls = None if found is None else falls_of(found)
        self.show_turn(self._turn)

    def show_turn(self, turn: int) -> None:
        """Show what fell out up to a turn."""
        self._turn = turn
        if self._falls is None:
            self.show(None, np.empty(0, np.intp), ())
        else:
            self.show(self._falls, self._falls.until(turn), self._falls.ids)

    def marking(self, position: int) -> Marking | None:
        """Return the edge of the section of a row."""
        falls, fall = self.subject, int(self.rows[position])
        if falls is None:
            return None
        section = Section(int(falls.found.candidates.home_section[falls.rows[fall]]))
        return Marking(theme().section_color(section), is_lit=int(falls.turns[fall]) == self._turn)


class TurnModel(ArrayTableModel[Replay]):
    """A row for each turn."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(TURN_COLUMNS, parent)

    def show_replay(self, found: Replay | None, only_falls: bool) -> None:
        """Show the turns of a replay, all of them or those at which something fell; None shows nothing."""
        if found is None:
            self.show(None, np.empty(0, np.intp), ())
            return
        rows = np.flatnonzero(found.fallen) if only_falls else np.arange(len(found))
        self.show(found, rows, tuple(map(str, found.turns.tolist())))
