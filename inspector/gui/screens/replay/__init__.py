"""The screen of the replay: the conversation turn by turn, in lanes over one axis, with a second policy beside it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.gui.screens.screen import Controls, Screen
from inspector.plugins import policies

if TYPE_CHECKING:
    from inspector.assembly.answer import Answer
    from inspector.assembly.contenders import Contender
    from inspector.gui.screens.replay.lanes import LanesView
    from inspector.gui.screens.replay.view import ReplayPage


class ReplayScreen(Screen["ReplayPage"]):
    """Every turn as the prompt sent at the time; the playhead is the turn of the scenario."""

    name, title, perspectives, at_once = "replay", "Turn by turn", ("replay",), True

    def slots(self) -> Mapping[str, Callable[[], object]]:
        return {"play": lambda: self.host.turns.player.toggle(), "next_drop": lambda: self._look_for_drop()}

    def show_controls(self, controls: Controls) -> None:
        """Show the turn of the scenario."""
        self.view.transport.show_turn(controls.turn, controls.messages)
        if self.view.lanes is not None:
            self.view.lanes.show_turn(controls.turn)

    def show_answer(self, before: "Answer | None", after: "Answer | None") -> None:
        """Tell the lanes the open questions: marks may have changed them."""
        if self.view.lanes is not None:
            self._tell_questions(self.view.lanes)

    def _tell_questions(self, lanes: "LanesView") -> None:
        lanes.set_questions(self.host.session.questions.asked)

    def _show_found(self, lanes: "LanesView") -> None:
        """Show the replay that is there; one that was forgotten with its workspace is wanted anew."""
        lanes.show_replays(self.host.turns.found)
        if not self.host.turns.found:
            lanes.refresh()

    def _request(self, contender: "Contender | None") -> None:
        """Show the replay if it is there, else ask for it."""
        turns, lanes = self.host.turns, self.view.lanes
        assert lanes is not None
        if turns.is_fresh and contender == turns.contender:
            lanes.show_replays(turns.found)
            lanes.end("")
        elif trouble := turns.ask(contender):
            lanes.show_nothing(trouble)

    def _select(self, name: str) -> None:
        """Select a fallen item by its id, if it is a candidate now."""
        answer = self.host.session.answer
        rows = [] if answer is None else answer.assembly.candidates.rows_named([name]).tolist()
        if rows:
            self.host.select(rows[0])

    def _look_for_drop(self) -> None:
        """Find the next turn at which an item falls, on a worker, and go there."""
        from inspector.analysis.replay.ask import find_next_drop

        session = self.host.session
        if session.answer is None or session.trouble:
            return
        self.host.turns.player.pause()
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
            self.host.turns.step_to(turn)

    def _make(self, parent: QWidget) -> "ReplayPage":
        from inspector.gui.screens.replay.view import ReplayPage

        view = ReplayPage(self.host.turns.player, parent)
        view.transport.turned.connect(self.host.turns.go_to)
        view.transport.drop_requested.connect(lambda: self.host.do("next_drop"))
        view.first_seen.connect(lambda: self.tell(self._make_lanes))
        return view

    def _make_lanes(self) -> None:
        from inspector.gui.plots.exporting import export_plot
        from inspector.gui.screens.replay.lanes import LanesView

        session, turns, lanes = self.host.session, self.host.turns, LanesView()
        lanes.set_policies(policies()[0], session.presets)
        session.presets_changed.connect(lambda: lanes.set_policies(policies()[0], session.presets))
        lanes.requested.connect(self._request)
        lanes.turned.connect(turns.go_to)
        lanes.item_chosen.connect(self._select)
        lanes.export_requested.connect(
            lambda: export_plot(lanes.shown_plots, session, self.name, self.host.say, lanes.shown_tables)
        )
        self._follow(lanes)
        self.view.take_lanes(lanes)
        self.host.columns.join(lanes)

    def _follow(self, lanes: "LanesView") -> None:
        """Show every replay, and ask for another when the conversation or a setting has changed."""
        turns = self.host.turns
        turns.outdated.connect(lanes.refresh)
        turns.changed.connect(lambda: self._show_found(lanes))
        turns.share_changed.connect(lanes.show_share)
        turns.ended.connect(lanes.end)
        self.host.session.asked.chosen.connect(lambda: self._tell_questions(lanes))
        self._tell_questions(lanes)
        lanes.show_turn(turns.turn)
        lanes.refresh()
        lanes.outdated.connect(turns.give_up)
