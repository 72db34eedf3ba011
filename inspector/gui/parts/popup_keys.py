"""The keys of a popup into which text is typed: from when it opens until it closes, all of them are for its line.

A window system may give the popup the keyboard only a moment later, and keys of the window until then would act on the
work: single letters pin, exclude and note.
"""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget


def keys_into(line: QLineEdit, window: QWidget) -> None:
    """Type the keys of a window, and of its focused widget, into a line, until the popup of the line is hidden."""
    _KeysInto(line, window)


class _KeysInto(QObject):
    """The filter of one opening of the popup."""

    def __init__(self, line: QLineEdit, window: QWidget) -> None:
        super().__init__(line)
        self._line, self._is_over = line, False
        for watched in filter(None, (line.window(), window, window.focusWidget())):
            watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys behind the popup are typed, and none is the key of an action."""
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
