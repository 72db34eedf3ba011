"""The keys of a popup with a text field: from its opening until it closes, the field receives all of them.

A window system may give the popup the focus with a delay, and until then keys of the window would act on the work:
single letters pin, exclude and note.
"""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget


def keys_into(line: QLineEdit, window: QWidget) -> None:
    """Send the keys of a window, and of its focused widget, to a text field, until its popup is hidden."""
    _KeysInto(line, window)


class _KeysInto(QObject):
    """The event filter for one opening of the popup."""

    def __init__(self, line: QLineEdit, window: QWidget) -> None:
        super().__init__(line)
        self._line, self._is_over = line, False
        for watched in filter(None, (line.window(), window, window.focusWidget())):
            watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Type the keys behind the popup, and let none of them trigger an action."""
        if watched is self._line.window():
            if event.type() == QEvent.Type.Hide:
                self._is_over = True
                self.deleteLater()
            return False
        if self._is_over:
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyPress:
            QApplication.sendEvent(self._line, event)
            return True
        return False
