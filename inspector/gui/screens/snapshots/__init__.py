"""The screen of the snapshots: scenarios named by the user, to return to and to compare."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.edits import take_over
from inspector.assembly.policy import policy_title
from inspector.assembly.scenario import DEFAULT_POLICY, Scenario
from inspector.assembly.scenario_records import followed
from inspector.assembly.side_choice import NOW, SideChoice, without_new_endpoint
from inspector.assembly.snapshots import (
    move_snapshot,
    note_snapshot,
    remove_snapshot,
    rename_snapshot,
    snapshot_named,
)
from inspector.gui.screens.screen import Screen
from inspector.gui.session.keeping import keep
from inspector.plugins import policies

if TYPE_CHECKING:
    from inspector.gui.screens.snapshots.view import SnapshotsView


def _title(scenario: Scenario) -> str:
    """Return the title of the policy of a scenario."""
    name = scenario.policy or DEFAULT_POLICY
    return policy_title(name, policies()[0].get(name))


class SnapshotsScreen(Screen["SnapshotsView"]):
    """The list of snapshots, each with its prompt beside now."""

    name, title, perspectives = "snapshots", "Snapshots", ("compare",)

    def slots(self) -> Mapping[str, Callable[[], object]]:
        return {"keep_snapshot": self._ask_for_name}

    def count(self, answer: Answer | None) -> str:
        """Return the number of snapshots."""
        number = len(self.host.session.snapshots)
        return f"{number:,}" if number else ""

    def show_workspace(self) -> None:
        """Forget the answers of the workspace before."""
        self.view.show_sides(None)
        self._list()

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Ask again when decisions changed."""
        if before is None or after is None or before.assembly is not after.assembly:
            self.view.refresh()

    def _list(self) -> None:
        session = self.host.session
        beside = {one.name for one in session.compared.chosen(policies()[0]) if one.kind == "snapshot"}
        self.view.show_snapshots(session.snapshots, beside)
        self.view.refresh()

    def _make(self, parent: QWidget) -> "SnapshotsView":
        from inspector.gui.screens.snapshots.view import SnapshotsView

        session, view = self.host.session, SnapshotsView(parent)
        session.snapshots_changed.connect(lambda: self.tell(self._list))
        session.compared.columns_changed.connect(lambda: self.tell(self._list))
        view.requested.connect(self._request)
        view.outdated.connect(lambda: session.tasks.cancel(self.name))
        view.keep_requested.connect(self._ask_for_name)
        view.note_requested.connect(self._ask_for_note)
        view.restore_requested.connect(self._restore)
        view.compare_requested.connect(self._compare)
        view.checked.connect(self._set_beside)
        view.renamed.connect(self._rename)
        view.remove_requested.connect(lambda name: session.change_snapshots(remove_snapshot, name))
        view.move_requested.connect(lambda name, by: session.change_snapshots(move_snapshot, name, by))
        return view

    def _request(self) -> None:
        from inspector.analysis.sides import sides_of

        session = self.host.session
        choices = [NOW, *(SideChoice("snapshot", one.name) for one in session.snapshots)]
        make = partial(sides_of, choices=choices, beside=session.beside)
        if len(choices) == 1 or not session.ask(self.name, make, self.view.show_sides, awaited=True):
            self.view.show_sides(None)

    def _compare(self, name: str) -> None:
        self.host.session.compared.compare(SideChoice("snapshot", name), NOW)
        self.host.show_screen("changes")

    def _set_beside(self, name: str, wanted: bool) -> None:
        """Give a snapshot a column side by side, or take it away."""
        compared, choice = self.host.session.compared, SideChoice("snapshot", name)
        others = [one for one in compared.chosen(policies()[0]) if one != choice]
        compared.set_columns([*others, choice] if wanted else others)
        self.host.columns.keep_sides(tuple(compared.columns or ()))

    def _rename(self, name: str, new: str) -> None:
        """Rename a snapshot, also among the columns side by side."""
        session = self.host.session
        place = next((n for n, one in enumerate(session.snapshots) if one.name == name), None)
        session.change_snapshots(rename_snapshot, name, new)
        old = SideChoice("snapshot", name)
        if place is not None and session.compared.columns is not None:
            now = SideChoice("snapshot", session.snapshots[place].name)
            session.compared.set_columns([now if one == old else one for one in session.compared.columns])

    def _ask_for_name(self) -> None:
        """Ask for a name for the current state, and keep it as a snapshot."""
        from inspector.gui.parts.text_dialog import TextDialog

        session = self.host.session
        if session.answer is None:
            return
        scenario = session.scenario
        first = session.undo_stack.undoText() or _title(scenario)

        def take(name: str) -> None:
            kept = keep(session, name or first, scenario)
            self.host.show_screen(self.name)
            self.view.choose(kept)

        TextDialog("Keep a snapshot", first, take, self.view, lines=False).open()

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
        session.edit(take_over, scenario, f"Use snapshot {name}")
        if scenario is not found:
            self.host.say("The snapshot asks a server for summaries; choose that on the page Summaries to send texts.")
