"""A dialog for a text: a name on one line, or a note on several. It reports an accepted text; Escape discards it."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from inspector.gui.parts.focus_ring import KeyUse
from inspector.gui.parts.texts import tooltip, window_title
from inspector.gui.theme import UNIT

KEYS = (KeyUse("Keep the note as written", "Ctrl+Return"),)
_CONTROL = Qt.KeyboardModifier.ControlModifier
_WIDTH = 90 * UNIT
_NOTE_HEIGHT = 36 * UNIT


class NoteEdit(QPlainTextEdit):
    """A field of several lines. Ctrl+Enter finishes the text."""

    written = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Finish on Ctrl+Enter; Enter alone begins another line."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and event.modifiers() & _CONTROL:
            self.written.emit()
        else:
            super().keyPressEvent(event)


class TextDialog(QDialog):
    """A field with the present text, all of it selected. On acceptance, `take` is called with the contents.

    In a field of several lines Enter begins another, and Ctrl+Enter accepts.
    """

    def __init__(self, title: str, text: str, take: Callable[[str], object], parent: QWidget, lines: bool) -> None:
        super().__init__(parent)
        self.setObjectName("text_dialog")
        self.setWindowTitle(window_title(title))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._take = take
        self.field: QLineEdit | NoteEdit = NoteEdit(text, self) if lines else QLineEdit(text, self)
        self.field.setObjectName("text_field")
        self.field.setAccessibleName(title)
        self.field.selectAll()
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, parent=self
        )
        if isinstance(self.field, NoteEdit):
            self.field.setTabChangesFocus(True)
            self.field.setFixedHeight(_NOTE_HEIGHT)
            self.field.written.connect(self.accept)
            buttons.button(QDialogButtonBox.StandardButton.Ok).setToolTip(tooltip("Ctrl+Enter"))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.field)
        layout.addWidget(buttons)
        self.setMinimumWidth(_WIDTH)
        self.field.setFocus()

    @property
    def text(self) -> str:
        """The contents of the field."""
        return self.field.toPlainText() if isinstance(self.field, NoteEdit) else self.field.text()

    def accept(self) -> None:
        """Take the contents."""
        self._take(self.text)
        super().accept()
