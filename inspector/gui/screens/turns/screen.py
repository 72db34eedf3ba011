"""The screen of the turns: which turn of the conversation is replayed."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.edits import go_to_turn
from inspector.gui.screens.screen import Controls, Screen

if TYPE_CHECKING:
    from inspector.gui.screens.turns.view import TurnBar


class TurnsScreen(Screen["TurnBar"]):
    """A slider over the turns of the conversation."""

    name, title, area, at_once = "turns", "Turns", "bottom bar", True
    perspectives = ("inspect", "tune", "present")

    def show_controls(self, controls: Controls) -> None:
        """Show the turn of a scenario."""
        self.view.show_turn(controls.scenario.at, controls.case.chosen.parts.messages)

    def _make(self, parent: QWidget) -> "TurnBar":
        from inspector.gui.screens.turns.view import TurnBar

        view = TurnBar(parent)
        session = self.host.session
        view.turn_changed.connect(lambda at, gesture: session.drag(gesture, go_to_turn, at))
        return view
