"""The chip for the rules of the file's program: it leads to them, and back."""

from PySide6.QtWidgets import QWidget

from inspector.assembly.own_policy import OwnPolicy, is_in_use
from inspector.assembly.scenario import Scenario
from inspector.gui.parts.chip import ElidedChip
from inspector.gui.parts.texts import tooltip


class OwnChip(ElidedChip):
    """On while the rules of the file's program are in use; hidden if these are not known."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("own_policy", "", "Rules of the file's program", parent)
        self.hide()

    def show_own(self, own: OwnPolicy | None, scenario: Scenario, back: str) -> None:
        """Offer the rules of a program or, while they are in use, the policy before, titled `back`."""
        self.setVisible(own is not None)
        if own is None:
            return
        used = is_in_use(scenario, own)
        self.setChecked(used)
        self.say(f"{own.words} · back to {back}" if used else f"Use {own.words}")
        nearest = " It does not publish its rules; these are the nearest ones." if own.is_approximate else ""
        self.setToolTip(tooltip(f"{self.text()}\nThis file is of {own.program}.{nearest}"))
