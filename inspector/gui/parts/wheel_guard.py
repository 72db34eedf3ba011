"""A guard against wheels: a control inside a scrolled panel must not change because somebody scrolled past it."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QWidget


class WheelGuard(QObject):
    """Lets no wheel event reach the controls it guards; what they ignore, their scroll area takes."""

    def guard(self, control: QWidget) -> None:
        """Guard one control, and let no wheel give it the focus."""
        control.installEventFilter(self)
        if control.focusPolicy() == Qt.FocusPolicy.WheelFocus:
            control.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stop wheels and mark them as not taken, so that Qt offers them to the parent."""
        if event.type() == QEvent.Type.Wheel:
            event.ignore()
            return True
        return super().eventFilter(watched, event)
