"""A guard against the mouse wheel: scrolling past a control in a panel must not change it."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QWidget


class WheelGuard(QObject):
    """Keeps wheel events from the controls it guards, and leaves them to their scroll area."""

    def guard(self, control: QWidget) -> None:
        """Guard a control, and prevent it from taking the focus by the wheel."""
        control.installEventFilter(self)
        if control.focusPolicy() == Qt.FocusPolicy.WheelFocus:
            control.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stop wheel events and mark them as ignored, so that Qt offers them to the parent."""
        if event.type() == QEvent.Type.Wheel:
            event.ignore()
            return True
        return super().eventFilter(watched, event)
