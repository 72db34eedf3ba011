"""The screen of the snapshots: scenarios named by the user, to return to and to compare."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.edits import take_over
from inspector.assembly.scenario import DEFAULT_POLICY, Scenario
from inspector.assembly.scenario_records import followed, record
from inspector.assembly.snapshots import (
    keep_snapshot,
    move_snapshot,
    note_snapshot,
    remove_snapshot,
    rename_snapshot,
    snapshot_named,
)
from inspector.gui.screens.screen import Screen

if TYPE_CHECKING:
    from inspector.gui.screens.snapshots.view import SnapshotsView


class SnapshotsScreen(Screen["SnapshotsView"]):
    """The list of snapshots, and beside it the differences between those chosen and now."""

    name, title, perspectives = "snapshots", "Snapshots", ("compare",)

    def slots(self) -> Mapping[str, Callable[[], object]]:
        return {"keep_snapshot": self._ask_for_name}

    def show_workspace(self) -> None:
        """Forget the answers of the workspace before."""
        self.view.show_snapshots(self.host.session.snapshots)
        self.view.show_side_by_side(None)
        self.view.refresh()

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Compare again when decisions changed."""
        if before is None or after is None or before.assembly is not after.assembly:
            self.view.refresh()

    def _make(self, parent: QWidget) -> "SnapshotsView":
        from inspector.gui.screens.snapshots.view import SnapshotsView

        host, view, session = self.host, SnapshotsView(parent), self.host.session
        session.snapshots_changed.connect(lambda: view.show_snapshots(session.snapshots))
        view.requested.connect(self._request)
        view.outdated.connect(lambda: session.tasks.cancel("snapshots"))
        view.keep_requested.connect(self._ask_for_name)
        view.note_requested.connect(self._ask_for_note)
        view.restore_requested.connect(self._restore)
        view.renamed.connect(lambda name, new: session.change_snapshots(rename_snapshot, name, new))
        view.remove_requested.connect(lambda name: session.change_snapshots(remove_snapshot, name))
        view.move_requested.connect(lambda name, by: session.change_snapshots(move_snapshot, name, by))
        view.row_selected.connect(host.select)
        return view

    def _request(self, names: Sequence[str]) -> None:
        from inspector.analysis.snapshots import snapshot_sides

        session, show = self.host.session, self.view.show_side_by_side
        make = partial(snapshot_sides, names=names, snapshots=session.snapshots)
        if len(names) < 2 or not session.ask(self.name, make, show, awaited=True):
            show(None)

    def _ask_for_name(self) -> None:
        """Ask for a name for the current state, and keep it as a snapshot."""
        from inspector.gui.parts.text_dialog import TextDialog

        session = self.host.session
        if session.answer is None:
            return
        scenario = record(session.pipeline, session.scenario)
        first = session.undo_stack.undoText() or scenario.policy or DEFAULT_POLICY

        def keep(name: str) -> None:
            session.change_snapshots(keep_snapshot, name or first, scenario)
            self.host.show_screen(self.name)
            self.view.choose(session.snapshots[-1].name)

        TextDialog("Keep as snapshot", first, keep, self.view, lines=False).open()

    def _ask_for_note(self, name: str) -> None:
        from inspector.gui.parts.text_dialog import TextDialog

        session = self.host.session
        note = snapshot_named(session.snapshots, name).note
        take = lambda text: session.change_snapshots(note_snapshot, name, text)  # noqa: E731 - of this snapshot
        TextDialog(f"Note on snapshot {name}", note, take, self.view, lines=True).open()

    def _restore(self, name: str) -> None:
        session = self.host.session
        found = followed(session.pipeline, snapshot_named(session.snapshots, name).scenario)
        scenario = without_new_endpoint(found, session.scenario)
        session.edit(take_over, scenario, f"Restore snapshot {name}")
        if scenario is not found:
            self.host.say("The snapshot asks a server for summaries; choose that in the panel Summaries to send texts.")


def without_new_endpoint(scenario: Scenario, now: Scenario) -> Scenario:
    """Return a scenario without its request for a server's summaries, unless now has it too: chats are sent only on
    demand.
    """
    is_new = scenario.summaries == "endpoint" and now.summaries != "endpoint"
    return replace(scenario, summaries=None) if is_new else scenario
