"""The tables of a replay in the window: what fell out, with its turn, a row for each turn, and the compactions."""

import numpy as np
from PySide6.QtCore import QObject

from inspector.analysis.replay.ask import Replay
from inspector.analysis.replay.events import EVENT_COLUMNS
from inspector.analysis.replay.falls import FALL_COLUMNS, Falls, falls_of
from inspector.analysis.replay.moments import Moments
from inspector.analysis.replay.tables import TURN_COLUMNS
from inspector.assembly.columns import Action, Section
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


class MomentModel(ArrayTableModel[Moments]):
    """A row for each moment at which a list was shortened, here or as recorded; those at the turn shown are lit."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(EVENT_COLUMNS, parent)
        self._turn = 0

    def show_moments(self, moments: Moments | None) -> None:
        """Show the moments of a replay; None shows nothing."""
        rows = np.arange(0 if moments is None else len(moments))
        self.show(moments, rows, tuple(map(str, rows.tolist())))

    def show_turn(self, turn: int) -> None:
        """Light the moments of a turn."""
        self._turn = turn
        self.show_moments(self.subject)

    def marking(self, position: int) -> Marking | None:
        """Return the edge of a row: quiet for a recorded moment, in the colour of what is dropped for one here."""
        moments = self.subject
        if moments is None:
            return None
        moment, look = moments.all[int(self.rows[position])], theme()
        edge = look.second_text if moment.whose == "recorded" else look.action_color(Action.DROPPED)
        return Marking(edge, is_lit=moments.turn(moment) == self._turn)
