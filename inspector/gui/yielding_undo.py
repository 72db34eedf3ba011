"""Ctrl+Z in a field of text: it takes back what was typed there, and where there is nothing, the last step."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractSpinBox, QLineEdit, QPlainTextEdit, QWidget


class YieldingUndo(QObject):
    """Watches whatever field of text has the focus. By itself such a field takes the keys, and then does nothing."""

    def watch(self, before: QWidget | None, now: QWidget | None) -> None:
        """The focus has gone from one widget to another."""
        if before is not None:
            before.removeEventFilter(self)
        if isinstance(now, QLineEdit | QAbstractSpinBox | QPlainTextEdit):
            now.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave the keys to the window where the field has no use for them."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and _has_no_use(watched, event)
        ):
            event.ignore()
            return True
        return super().eventFilter(watched, event)


def _has_no_use(field: QObject, event: QKeyEvent) -> bool:
    """Whether a key is for undoing or redoing, and the field has nothing of that."""
    if isinstance(field, QAbstractSpinBox):
        field = field.lineEdit()
    text = field.document() if isinstance(field, QPlainTextEdit) else field
    if event.matches(QKeySequence.StandardKey.Undo):
        return not text.isUndoAvailable()  # type: ignore[attr-defined]
    return event.matches(QKeySequence.StandardKey.Redo) and not text.isRedoAvailable()  # type: ignore[attr-defined]
