"""The screen of the policy: every control of a scenario."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.presets import load_presets
from inspector.gui.screens.screen import Controls, Screen
from inspector.plugins import policies

if TYPE_CHECKING:
    from inspector.gui.screens.policy.view import PolicyPanel


class PolicyScreen(Screen["PolicyPanel"]):
    """Model, policy, preset and parameters."""

    name, title, area, at_once = "policy", "Policy", "right", True

    def show_controls(self, controls: Controls) -> None:
        """Show a scenario in all controls."""
        scenario, host = controls.scenario, self.host
        if scenario.model:
            host.used.add(f"model:{scenario.model}")
        self.view.show_setting(scenario, controls.policy, controls.case.model, host.session.answer, host.used.keys)

    def _make(self, parent: QWidget) -> "PolicyPanel":
        from inspector.gui.screens.policy.view import PolicyPanel

        view = PolicyPanel(parent)
        view.set_policies(policies()[0], load_presets())
        session = self.host.session
        view.changed.connect(lambda verb, terms, gesture: session.drag(gesture, verb, *terms))
        return view
