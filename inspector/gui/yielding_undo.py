"""Ctrl+Z in a text field: it undoes typing, or, if there is none, the last step."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractSpinBox, QLineEdit, QPlainTextEdit, QWidget


class YieldingUndo(QObject):
    """Watches the focused text field. By itself, it would take the keys and do nothing."""

    def watch(self, before: QWidget | None, now: QWidget | None) -> None:
        """Watch the newly focused widget if it is a text field."""
        if before is not None:
            before.removeEventFilter(self)
        if isinstance(now, QLineEdit | QAbstractSpinBox | QPlainTextEdit):
            now.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave the keys to the window if the field has no use for them."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and _has_no_use(watched, event)
        ):
            event.ignore()
            return True
        return super().eventFilter(watched, event)


def _has_no_use(field: QObject, event: QKeyEvent) -> bool:
    """Return whether a key is for undo or redo, and the field has nothing to undo or redo."""
    if isinstance(field, QAbstractSpinBox):
        field = field.lineEdit()
    text = field.document() if isinstance(field, QPlainTextEdit) else field
    if event.matches(QKeySequence.StandardKey.Undo):
        return not text.isUndoAvailable()  # type: ignore[attr-defined]
    return event.matches(QKeySequence.StandardKey.Redo) and not text.isRedoAvailable()  # type: ignore[attr-defined]
