"""Undo: one command for every change of the scenario; the changes of one gesture are one step."""

from collections.abc import Callable

from PySide6.QtGui import QUndoCommand

from inspector.assembly.scenario import Scenario
from inspector.gui.parts.visible_text import one_line

_COMMAND_ID = 1
LABEL_CODE_POINTS = 80
"""How much of what can be undone is written in the menu."""


class ChangeScenario(QUndoCommand):
    """From one scenario to another. Commands of the same gesture (press to release) merge into one step."""

    def __init__(
        self, before: Scenario, after: Scenario, label: str, gesture: str, apply: Callable[[Scenario], None]
    ) -> None:
        super().__init__(one_line(label, LABEL_CODE_POINTS))  # Qt reads more than one line in another way
        self._before = before
        self._after = after
        self._gesture = gesture
        self._apply = apply

    def id(self) -> int:
        """All changes of the scenario may merge."""
        return _COMMAND_ID

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take in a later change of the same gesture."""
        if not isinstance(other, ChangeScenario) or not self._gesture or other._gesture != self._gesture:
            return False
        self._after = other._after
        self.setText(other.text())
        self.setObsolete(self._after == self._before)
        return True

    def redo(self) -> None:
        """Apply the later scenario."""
        self._apply(self._after)

    def undo(self) -> None:
        """Apply the earlier scenario."""
        self._apply(self._before)
