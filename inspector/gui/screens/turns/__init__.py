"""The screen of the turns: the replayed turn of the conversation."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.edits import go_to_turn
from inspector.gui.screens.screen import Controls, Screen

if TYPE_CHECKING:
    from inspector.gui.screens.turns.view import TurnBar


class TurnsScreen(Screen["TurnBar"]):
    """A slider over the turns of the conversation."""

    name, title, area, at_once = "turns", "Turns", "header", True
    perspectives = ("replay", "present")

    def show_controls(self, controls: Controls) -> None:
        """Show the turn of a scenario."""
        self.view.show_turn(controls.scenario.at, controls.case.chosen.parts.messages)

    def _make(self, parent: QWidget) -> "TurnBar":
        from inspector.gui.screens.turns.view import TurnBar

        view = TurnBar(parent)
        session = self.host.session
        view.turn_changed.connect(lambda at, gesture: session.drag(gesture, go_to_turn, at))
        view.next_drop_requested.connect(self._look_for_drop)
        return view

    def slots(self) -> Mapping[str, Callable[[], object]]:
        return {"play": lambda: self.view.player.toggle(), "next_drop": lambda: self._look_for_drop()}

    def show_workspace(self) -> None:
        """Stop playing: another conversation does not start by itself."""
        self.view.player.pause()

    def _look_for_drop(self) -> None:
        """Find the next turn at which an item falls, on a worker, and go there."""
        from inspector.analysis.replay.ask import find_next_drop

        session = self.host.session
        if session.answer is None or session.trouble:
            return
        self.view.player.pause()
        # At the end the search starts from the beginning.
        asked = session.answer.scenario
        scenario = replace(asked, at=1) if asked.at is None else asked

        def take(turn: int | None) -> None:
            if session.answer is not None and session.answer.scenario == asked:
                self._go_to_drop(turn)

        session.ask("next drop", lambda basis: iter([find_next_drop(replace(basis, scenario=scenario))]), take)

    def _go_to_drop(self, turn: int | None) -> None:
        if turn is None:
            self.host.say("Nothing falls out of the prompt at a later turn.")
        else:
            self.host.session.edit(go_to_turn, turn)
