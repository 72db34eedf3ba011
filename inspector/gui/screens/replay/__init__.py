"""The screen of the replay: the whole conversation under the current policy, with a second policy beside it."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.edits import go_to_turn
from inspector.assembly.scenario import Scenario
from inspector.gui.screens.screen import Controls, Screen
from inspector.plugins import policies

if TYPE_CHECKING:
    from inspector.assembly.contenders import Contender
    from inspector.gui.screens.replay.view import ReplayView


class ReplayScreen(Screen["ReplayView"]):
    """Every turn as the prompt sent at the time; the selected turn makes no difference."""

    name, title, perspectives = "replay", "Replay", ("replay",)
    _replayed: Scenario | None = None

    def show_workspace(self) -> None:
        """Forget the turns of the workspace before."""
        from inspector.gui.screens.replay.view import NOTHING_OPEN

        self._replayed = None
        self.host.session.tasks.cancel("replay")
        self.view.show_nothing(NOTHING_OPEN)

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Request a replay when the conversation or the setting changes."""
        from inspector.analysis.replay.ask import replayed_scenario

        replayed = None if after is None else replayed_scenario(after.scenario)
        if replayed != self._replayed or not self.view.found:
            self._replayed = replayed
            self.view.refresh()

    def show_controls(self, controls: Controls) -> None:
        """Mark the turn of the scenario."""
        count = len(controls.case.chosen.parts.messages)
        at = controls.scenario.at
        self.view.show_turn(count if at is None else min(at, count))

    def _request(self, contender: "Contender | None") -> None:
        from inspector.analysis.replay.ask import replays
        from inspector.gui.screens.replay.view import NOTHING_OPEN

        session, view = self.host.session, self.view
        make = partial(replays, contenders=(None,) if contender is None else (None, contender))
        if not session.ask(self.name, make, view.show_replays, view.end, view.show_share):
            view.show_nothing(session.trouble or NOTHING_OPEN)

    def _go_to(self, turn: int) -> None:
        answer = self.host.session.answer
        last = 0 if answer is None else len(answer.case.chosen.parts.messages)
        self.host.session.edit(go_to_turn, None if turn >= last else turn)

    def _select(self, name: str) -> None:
        """Select a fallen item by its id, if it is a candidate now."""
        answer = self.host.session.answer
        rows = [] if answer is None else answer.assembly.candidates.rows_named([name]).tolist()
        if rows:
            self.host.select(rows[0])

    def _make(self, parent: QWidget) -> "ReplayView":
        from inspector.gui.plots.exporting import export_plot
        from inspector.gui.screens.replay.view import ReplayView

        session, view = self.host.session, ReplayView(parent)
        view.set_policies(policies()[0], session.presets)
        session.presets_changed.connect(lambda: view.set_policies(policies()[0], session.presets))
        view.requested.connect(self._request)
        view.outdated.connect(lambda: self.host.session.tasks.cancel("replay"))
        view.turn_chosen.connect(self._go_to)
        view.item_chosen.connect(self._select)
        view.export_requested.connect(
            lambda: export_plot(view.shown_plots, session, self.name, self.host.say, view.shown_tables)
        )
        return view
