"""The screen of the shoot-out: a conversation under many policies."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.edits import use_policy
from inspector.assembly.shootout import Contender
from inspector.gui.screens.screen import Screen
from inspector.plugins import policies

if TYPE_CHECKING:
    from inspector.gui.screens.shootout.view import ShootoutView


class ShootoutScreen(Screen["ShootoutView"]):
    """A row for each item, a column for each policy."""

    name, title, perspectives = "shootout", "Shoot-out", ("compare",)

    def show_workspace(self) -> None:
        """Forget the items of the workspace before."""
        self.view.show_shootout(None)

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Request a new shoot-out when decisions changed."""
        if before is None or after is None or before.assembly is not after.assembly:
            self.view.refresh()

    def show_row(self) -> None:
        """Select the item selected elsewhere."""
        if self.host.row is not None:
            self.view.select_row(self.host.row)

    def _request(self, pairs: Sequence[tuple[str, str]]) -> None:
        from inspector.analysis.snapshots import shootouts

        make = partial(shootouts, contenders=[Contender(*pair) for pair in pairs])
        if not self.host.session.ask(self.name, make, self.view.show_shootout, awaited=True):
            self.view.show_shootout(None)

    def _make(self, parent: QWidget) -> "ShootoutView":
        from inspector.gui.screens.shootout.view import ShootoutView

        host, view = self.host, ShootoutView(parent)
        view.set_policies(policies()[0], host.session.presets)
        host.session.presets_changed.connect(lambda: view.set_policies(policies()[0], host.session.presets))
        view.requested.connect(self._request)
        view.outdated.connect(lambda: host.session.tasks.cancel("shootout"))
        view.row_selected.connect(host.select)
        view.policy_requested.connect(partial(host.session.edit, use_policy))
        return view
