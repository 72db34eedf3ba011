"""The screen of how long each lasts: how far back the prompts reach, and when each item falls out."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.gui.screens.screen import Controls, Screen

if TYPE_CHECKING:
    from inspector.gui.screens.lasting.view import LastingView


class LastingScreen(Screen["LastingView"]):
    """The replay that the turns show, seen from the items."""

    name, title, perspectives = "lasting", "How long each lasts", ("replay",)

    def show_controls(self, controls: Controls) -> None:
        """Show the turn of the scenario."""
        self.view.show_turn(controls.turn)

    def _request(self) -> None:
        """Show the replay if it is there, else ask for it, with the second policy of the turns."""
        turns = self.host.turns
        if turns.is_fresh:
            self.view.show_replays(turns.found)
        elif trouble := turns.ask(turns.contender):
            self.view.show_nothing(trouble)

    def _select(self, name: str) -> None:
        """Select an item by its id, if it is a candidate now."""
        answer = self.host.session.answer
        rows = [] if answer is None else answer.assembly.candidates.rows_named([name]).tolist()
        if rows:
            self.host.select(rows[0])

    def _make(self, parent: QWidget) -> "LastingView":
        from inspector.gui.plots.exporting import export_plot
        from inspector.gui.screens.lasting.view import LastingView

        session, turns, view = self.host.session, self.host.turns, LastingView(parent)
        view.requested.connect(self._request)
        view.turned.connect(turns.go_to)
        view.item_chosen.connect(self._select)
        view.export_requested.connect(
            lambda: export_plot(view.shown_plots, session, self.name, self.host.say, view.shown_tables)
        )
        turns.outdated.connect(view.refresh)
        turns.changed.connect(lambda: view.show_replays(turns.found))
        turns.share_changed.connect(view.show_share)
        turns.ended.connect(view.end)
        view.refresh()
        return view
