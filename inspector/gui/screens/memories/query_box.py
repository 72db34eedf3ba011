"""The query that ranks memories: typed here, otherwise the newest user message."""

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, QTimer, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from inspector.gui.parts.buttons import IconButton
from inspector.gui.parts.number_field import paint_outline
from inspector.gui.parts.slider import new_gesture
from inspector.gui.parts.texts import first_line, tooltip
from inspector.gui.theme import UNIT

PAUSE_MILLISECONDS = 200
_SHOWN_CODE_POINTS = 300
NO_QUERY = "Type what memories are compared with"


class _Line(QLineEdit):
    """A line of text with a visible outline."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        paint_outline(self)


class QueryBox(QWidget):
    """A line of text. `asked` carries the query after a short pause, None for the default, and the gesture.

    Everything typed between gaining and losing focus is a single gesture.
    """

    asked = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.edit = _Line()
        self.edit.setObjectName("memory_query")
        self.edit.setAccessibleName("Query that memories are ranked for")
        self.edit.installEventFilter(self)
        self.reset_button = IconButton("rotate-ccw", "Rank for the newest user message again", quiet=True)
        self.reset_button.setObjectName("memory_query:reset")
        self.reset_button.clicked.connect(self._reset)
        self.reset_button.setEnabled(False)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(UNIT)
        row.addWidget(self.edit, 1)
        row.addWidget(self.reset_button)
        self._gesture = new_gesture("query")
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MILLISECONDS)
        self._pause.timeout.connect(self._ask)
        self.edit.textEdited.connect(lambda _: self._pause.start())
        self.edit.returnPressed.connect(self._ask)

    def show_query(self, query: str | None, in_use: str) -> None:
        """Show the query of a scenario; None for the default, which is `in_use`. Nothing is emitted.

        Text being typed is left alone.
        """
        self.reset_button.setEnabled(query is not None)
        if query is None:
            words = first_line(in_use, _SHOWN_CODE_POINTS)
            if (words or NO_QUERY) != self.edit.placeholderText():
                self.edit.setPlaceholderText(words or NO_QUERY)
                self.edit.setToolTip(tooltip(f"The newest user message: {words}" if words else NO_QUERY))
        if not self._pause.isActive() and (query or "") != self.edit.text():
            with QSignalBlocker(self.edit):
                self.edit.setText(query or "")

    def _ask(self) -> None:
        self._pause.stop()
        self.asked.emit(self.edit.text() or None, self._gesture)

    def _reset(self) -> None:
        self._pause.stop()
        self.edit.clear()
        self.asked.emit(None, "")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Begin a gesture when the focus comes; when it leaves, emit the pending text before the next action."""
        if watched is self.edit and event.type() == QEvent.Type.FocusIn:
            self._gesture = new_gesture("query")
        elif watched is self.edit and event.type() == QEvent.Type.FocusOut and self._pause.isActive():
            self._ask()
        return super().eventFilter(watched, event)
