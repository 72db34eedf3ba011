"""The turn bar: which turn of the conversation is being replayed. It knows numbers only, no messages."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QSlider, QToolButton, QWidget

from inspector.figures import figures
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.plain_text import tooltip
from inspector.gui.theme import PANEL_MARGIN, UNIT

_PAGES = 20


class _TurnSlider(QSlider):
    """A slider that the wheel does not move, so that scrolling past it changes nothing."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to whoever scrolls."""
        event.ignore()


class TurnBar(QWidget):
    """◀ ▶, a slider from 0 to all messages, and the turn in words. At the end the conversation is whole.

    `turn_changed(at, gesture)`: how many messages exist, None for all; `gesture` is the same non-empty text from the
    press to the release of a drag, "" for a single step.
    """

    turn_changed = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._drags = 0
        self._gesture = ""
        self._back = self._button("◀", "Previous turn", -1)
        self._on = self._button("▶", "Next turn", 1)
        self._slider = _TurnSlider(Qt.Orientation.Horizontal)
        self._slider.setObjectName("turn_slider")
        self._slider.setAccessibleName("Turn to replay")
        self._slider.setToolTip(tooltip("Replay the conversation: Left, Right, Home and End move by turns"))
        self._slider.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._slider.sliderPressed.connect(self._begin_drag)
        self._slider.sliderReleased.connect(self._end_drag)
        self._slider.valueChanged.connect(self._tell)
        self._label = PlainLabel()
        self._label.setAccessibleName("Turn shown")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(PANEL_MARGIN, UNIT, PANEL_MARGIN, UNIT)
        layout.setSpacing(UNIT)
        for widget in (self._back, self._on, self._slider, self._label):
            layout.addWidget(widget, 1 if widget is self._slider else 0)
        self.show_turn(None, 0)

    def show_turn(self, at: int | None, count: int) -> None:
        """Show that the first `at` of `count` messages exist, None for all of them. Emits nothing."""
        value = count if at is None else min(max(at, 0), count)
        with QSignalBlocker(self._slider):
            self._slider.setRange(0, count)
            self._slider.setPageStep(max(1, count // _PAGES))
            self._slider.setValue(value)
        self._describe(value)

    def _button(self, arrow: str, name: str, step: int) -> QToolButton:
        button = QToolButton(autoRaise=True)
        button.setText(arrow)
        button.setAccessibleName(name)
        button.setToolTip(tooltip(name))
        button.setAutoRepeat(True)
        button.clicked.connect(lambda: self._slider.setValue(self._slider.value() + step))
        return button

    def _begin_drag(self) -> None:
        self._drags += 1
        self._gesture = f"turn {self._drags}"

    def _end_drag(self) -> None:
        self._gesture = ""

    def _tell(self, value: int) -> None:
        self._describe(value)
        self.turn_changed.emit(None if value == self._slider.maximum() else value, self._gesture)

    def _describe(self, value: int) -> None:
        count = self._slider.maximum()
        self.setEnabled(count > 0)
        self._label.setText(f"turn {figures(value)} of {figures(count)}" if count else "no turns yet")
        widest = self._label.fontMetrics().horizontalAdvance(f"turn {figures(count)} of {figures(count)}")
        self._label.setMinimumWidth(widest)
        self._back.setEnabled(value > 0)
        self._on.setEnabled(value < count)
