"""The panel of the shoot-out: one conversation under many policies."""

from typing import TYPE_CHECKING

from inspector.assembly.answer import Answer
from inspector.assembly.presets import load_presets
from inspector.gui.screens.screen import Panel
from inspector.plugins import policies

if TYPE_CHECKING:
    from inspector.gui.screens.shootout.view import ShootoutView


class ShootoutPanel(Panel["ShootoutView"]):
    """A row for each item, a column for each policy."""

    name, title = "shootout", "Shoot-out"

    def show_workspace(self) -> None:
        """Forget the items of before."""
        self.view.show_shootout(None)

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Ask again where something was decided in another way."""
        if before is None or after is None or before.assembly is not after.assembly:
            self.view.refresh()

    def show_row(self) -> None:
        """Select the item that is selected elsewhere."""
        if self.window.row is not None and self.view.isVisible():
            self.view.select_row(self.window.row)

    def _make(self) -> "ShootoutView":
        from inspector.gui.screens.shootout.view import ShootoutView

        window, view = self.window, ShootoutView(self.window)
        view.set_policies(policies()[0], load_presets())
        view.requested.connect(window.session.shoot_out)
        window.session.shootout_made.connect(view.show_shootout)
        view.row_selected.connect(window.select_everywhere)
        view.policy_requested.connect(window.commands.use_policy)
        return view
