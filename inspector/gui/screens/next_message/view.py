"""The next message: a title with its tokens, and a few lines of text below."""

from math import ceil

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QTextLayout
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from inspector.figures import counted
from inspector.gui.parts.labels import heading
from inspector.gui.parts.low_window import LowWindow
from inspector.gui.parts.reading_pane import put_text
from inspector.gui.parts.row_parts import SecondText
from inspector.gui.parts.slider import new_gesture
from inspector.gui.theme import UNIT

PAUSE_MILLISECONDS = 250
LINES, LINES_IN_LOW_WINDOW, MOST_LINES = 3, 1, 6
"""The lines of the box at rest, and at most while it has the focus."""
WRITE = "What the user would write next"
KEPT = "At an earlier turn it does not exist yet. What you wrote is kept for the last turn."
LATER = "At an earlier turn there is none. It can be written at the last turn."


class NextMessageView(QWidget):
    """The box grows with its text while it has the focus. `written` carries the text after a short pause, and the
    gesture of this visit.
    """

    written = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("next_message_panel")
        self._tokens = SecondText("", self)
        self._tokens.setObjectName("next_message_tokens")
        self.edit = QPlainTextEdit(self)
        self.edit.setObjectName("draft_edit")
        self.edit.setAccessibleName("Next message")
        self.edit.setPlaceholderText(WRITE)
        self.edit.setTabChangesFocus(True)
        self.edit.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.edit.installEventFilter(self)
        self._lay_out()
        self._low = LowWindow(self)
        self._low.changed.connect(lambda _: self._fit())
        self._gesture = new_gesture("draft")
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MILLISECONDS)
        self._pause.timeout.connect(self._tell)
        self.edit.textChanged.connect(self._pause.start)
        self.edit.textChanged.connect(self._fit)
        self._fit()

    def show_draft(self, text: str, exists: bool = True) -> None:
        """Show the text of the scenario, unless the user is typing; nothing is emitted.

        At a turn without a next message, the box is disabled and says where one can be written.
        """
        if self._pause.isActive():
            return
        self.edit.setEnabled(exists)
        self.edit.setPlaceholderText(WRITE if exists else KEPT if text else LATER)
        shown = text if exists else ""
        if shown != self.edit.toPlainText():
            with QSignalBlocker(self.edit):
                put_text(self.edit, shown)
            self._fit()

    def show_tokens(self, tokens: int | None, exact: bool = True) -> None:
        """Show the tokens of the text, None if it is not part of the prompt."""
        self._tokens.setText("" if tokens is None else counted(tokens, "token", estimated=not exact))

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(heading("Next message", self), 1)
        head.addWidget(self._tokens)
        column = QVBoxLayout(self)
        column.setContentsMargins(4 * UNIT, 2 * UNIT, 3 * UNIT, 3 * UNIT)
        column.setSpacing(UNIT + UNIT // 2)
        column.addLayout(head)
        column.addWidget(self.edit)

    def _fit(self) -> None:
        """Set the height to whole lines, without the bottom margin, which would show the top of a further line."""
        lines = LINES_IN_LOW_WINDOW if self._low.is_low else LINES
        in_use, policy = self.edit.hasFocus(), Qt.ScrollBarPolicy
        self.edit.setVerticalScrollBarPolicy(policy.ScrollBarAsNeeded if in_use else policy.ScrollBarAlwaysOff)
        if in_use:
            lines = max(lines, min(self._lines_of_text(), MOST_LINES))
        above = int(self.edit.document().documentMargin())
        frame = self.edit.contentsMargins().top() + self.edit.contentsMargins().bottom()
        height = ceil(lines * _line_height(self.edit.font())) + above + max(frame, 2 * self.edit.frameWidth())
        if height != self.edit.height() or self.edit.minimumHeight() != height:
            self.edit.setFixedHeight(height)

    def _lines_of_text(self) -> int:
        """Return the lines of the text, as broken in the box; at least as many as matter."""
        found, block = 0, self.edit.document().firstBlock()
        while block.isValid() and found < MOST_LINES:
            found += max(1, block.layout().lineCount())
            block = block.next()
        return found

    def _tell(self) -> None:
        self._pause.stop()
        self.written.emit(self.edit.toPlainText(), self._gesture)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the text size; begin a gesture when the focus comes, and emit pending text when it leaves."""
        if watched is not self.edit:
            return super().eventFilter(watched, event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()
        elif event.type() == QEvent.Type.FocusIn:
            self._gesture = new_gesture("draft")
            QTimer.singleShot(0, self, self._fit)  # it has the focus after this event
        elif event.type() == QEvent.Type.FocusOut:
            QTimer.singleShot(0, self, self._fit)
            if self._pause.isActive():
                self._tell()
        return super().eventFilter(watched, event)


def _line_height(font: QFont) -> float:
    """Return the height of a line of text, more than the font's where its parts are rounded up."""
    layout = QTextLayout("x", font)
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    return line.height()
