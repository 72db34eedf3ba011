"""The next message: a draft, not sent yet, to see which items it would push out."""

from math import ceil

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, QTimer, Signal
from PySide6.QtGui import QFont, QTextLayout
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from inspector.gui.parts.caption import heading
from inspector.gui.parts.parameter_slider import new_gesture
from inspector.gui.parts.reading_pane import put_text
from inspector.gui.theme import UNIT

PAUSE_MILLISECONDS = 250
_LINES = 3
_WRITE = "Write the next user message to see what it would push out…"
_KEPT = "At an earlier turn it does not exist yet. What you wrote is kept for the last turn."
_LATER = "At an earlier turn there is none. It can be written at the last turn."


class DraftBox(QWidget):
    """Three lines of text. `written` carries the text after a short pause, and the gesture of this visit."""

    written = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.edit = QPlainTextEdit(self)
        self.edit.setObjectName("draft_edit")
        self.edit.setAccessibleName("Next message")
        self.edit.setPlaceholderText(_WRITE)
        self.edit.setTabChangesFocus(True)
        self._fit()
        self.edit.installEventFilter(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(UNIT)
        column.addWidget(heading("Next message"))
        column.addWidget(self.edit)
        self._gesture = new_gesture("draft")
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MILLISECONDS)
        self._pause.timeout.connect(self._tell)
        self.edit.textChanged.connect(self._pause.start)

    def show_draft(self, text: str, exists: bool = True) -> None:
        """Show the text of the scenario, unless the user is typing; nothing is emitted.

        At a turn without a draft, the box is disabled and says where a draft can be written.
        """
        if self._pause.isActive():
            return
        self.edit.setEnabled(exists)
        self.edit.setPlaceholderText(_WRITE if exists else _KEPT if text else _LATER)
        shown = text if exists else ""
        if shown != self.edit.toPlainText():
            with QSignalBlocker(self.edit):
                put_text(self.edit, shown)

    def _fit(self) -> None:
        """Set the height to whole lines, without the bottom margin, which would show the top of a further line."""
        above = int(self.edit.document().documentMargin())
        self.edit.setFixedHeight(ceil(_LINES * _line_height(self.edit.font())) + above + 2 * self.edit.frameWidth())

    def _tell(self) -> None:
        self._pause.stop()
        self.written.emit(self.edit.toPlainText(), self._gesture)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the text size; begin a gesture when the focus comes, and emit pending text when it leaves."""
        if watched is self.edit and event.type() == QEvent.Type.FontChange:
            self._fit()
        elif watched is self.edit and event.type() == QEvent.Type.FocusIn:
            self._gesture = new_gesture("draft")
        elif watched is self.edit and event.type() == QEvent.Type.FocusOut and self._pause.isActive():
            self._tell()
        return super().eventFilter(watched, event)


def _line_height(font: QFont) -> float:
    """Return the height of a line of text, more than the font's where its parts are rounded up."""
    layout = QTextLayout("x", font)
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    return line.height()
