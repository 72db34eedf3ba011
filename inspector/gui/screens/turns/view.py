"""The turn bar: the replayed turn of the conversation, and its time."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSlider, QToolButton, QWidget

from inspector.figures import figures
from inspector.gui.parts.focus_ring import KeyUse
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.slider import bring_knob_to
from inspector.gui.parts.texts import tooltip
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT
from inspector.model import Message

SPEEDS = (1, 2, 4, 10, 30)
"""Turns a second; each appears at once, without animation."""
_SECOND = 1_000


class Player(QObject):
    """Plays from a turn to the last. `stepped(turn)` is emitted for each, `playing_changed(playing)` at start and
    stop.
    """

    stepped = Signal(int)
    playing_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._turn, self._last = 0, 0
        self._timer = QTimer(self, interval=_SECOND // SPEEDS[1])
        self._timer.timeout.connect(self._step)

    @property
    def is_playing(self) -> bool:
        """Whether it is playing."""
        return self._timer.isActive()

    def stand_at(self, turn: int, last: int) -> None:
        """Set the current turn and the last."""
        self._turn, self._last = turn, last
        if not last:
            self.pause()

    def set_speed(self, turns_a_second: int) -> None:
        """Set the speed, even while playing."""
        self._timer.setInterval(_SECOND // turns_a_second)

    def play(self) -> None:
        """Start playing; from the beginning if the current turn is the last."""
        if self._last and not self.is_playing:
            if self._turn >= self._last:
                self._turn = 0
            self._timer.start()
            self.playing_changed.emit(True)
            self._step()

    def pause(self) -> None:
        """Stop at the current turn."""
        if self.is_playing:
            self._timer.stop()
            self.playing_changed.emit(False)

    def toggle(self) -> None:
        """Play, or pause."""
        (self.pause if self.is_playing else self.play)()

    def _step(self) -> None:
        if self._turn < self._last:
            self._turn += 1
            self.stepped.emit(self._turn)
        if self._turn >= self._last:
            self.pause()


KEYS = (
    KeyUse("One turn on or back", "Right, Left, Up, Down"),
    KeyUse("Some turns on or back", "PgUp, PgDown"),
    KeyUse("First or last turn", "Home, End"),
)
LEAST_SLIDER = 20 * UNIT
"""The least width of a usable slider, in pixels; the dates at its ends are hidden if they leave it less."""
_PAGES = 20
_DAY, _MINUTE = "%Y-%m-%d", "%Y-%m-%d %H:%M"


class _TurnSlider(QSlider):
    """A slider not moved by the wheel, so that scrolling past it changes nothing; a click moves the knob to its
    place.
    """

    pressed, released = Signal(), Signal()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a drag; beside the knob, the knob first moves to the place."""
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self.pressed.emit()
        bring_knob_to(self, event.position().toPoint())
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self.released.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the scrolling parent."""
        event.ignore()


class TurnBar(QWidget):
    """◀ ▶, a slider from 0 to all messages between its dates, and the turn in words with the time of its last message.
    At the end the conversation is whole.

    `turn_changed(at, gesture)`: the number of messages that exist, None for all; `gesture` is the same non-empty text
    from the press to the release of a drag, or while it plays, "" for a single step. `next_drop_requested` asks for the
    next turn at which an item falls.
    """

    turn_changed = Signal(object, str)
    next_drop_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._drags = 0
        self._gesture = ""
        self._messages: Sequence[Message] = ()
        self.player = Player(self)
        self.player.stepped.connect(self._play_turn)
        self.player.playing_changed.connect(self._show_playing)
        self._make_player_controls()
        self._back = self._button("◀", "Previous turn", -1)
        self._on = self._button("▶", "Next turn", 1)
        self._slider = _TurnSlider(Qt.Orientation.Horizontal)
        self._slider.setObjectName("turn_slider")
        self._slider.setAccessibleName("Turn to replay")
        self._slider.setToolTip(
            tooltip("Replay the conversation as it was then: Left, Right, Home and End move by turns")
        )
        self._slider.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._slider.pressed.connect(self._begin_drag)
        self._slider.released.connect(self._end_drag)
        self._slider.valueChanged.connect(self._tell)
        self._label = PlainLabel()
        self._label.setAccessibleName("Turn shown")
        self._first, self._last = PlainLabel(), PlainLabel()
        self._first.setAccessibleName("Date of the first message")
        self._last.setAccessibleName("Date of the last message")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(PANEL_MARGIN, UNIT, PANEL_MARGIN, UNIT)
        layout.setSpacing(UNIT)
        controls = (self._back, self.play_button, self._on, self.speed, self.next_drop)
        for widget in (*controls, self._first, self._slider, self._last, self._label):
            layout.addWidget(widget, 1 if widget is self._slider else 0)
        layout.insertSpacing(layout.indexOf(self._label), GAP)
        self._others = (*controls, self._label)
        self.show_turn(None, ())

    def show_turn(self, at: int | None, messages: Sequence[Message]) -> None:
        """Show that the first `at` of these messages exist, None for all of them. Emits nothing."""
        count = len(messages)
        if messages is not self._messages:
            self._messages = messages
            for label, number in ((self._first, 1), (self._last, count)):
                label.setText(self._time(number, _DAY))
        value = count if at is None else min(max(at, 0), count)
        with QSignalBlocker(self._slider):
            self._slider.setRange(0, count)
            self._slider.setPageStep(max(1, count // _PAGES))
            self._slider.setValue(value)
        self._describe(value)
        self.player.stand_at(value, count)

    def event(self, event: QEvent) -> bool:
        """Show or hide the dates when the bar or a part of it changes size."""
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self._fit_dates()
        return super().event(event)

    def _fit_dates(self) -> None:
        others = sum(max(part.sizeHint().width(), part.minimumWidth()) for part in self._others)
        dates = self._first.sizeHint().width() + self._last.sizeHint().width()
        gaps = 2 * PANEL_MARGIN + GAP + UNIT * (len(self._others) + 3)
        has_room = self.width() - others - dates - gaps >= LEAST_SLIDER
        self._first.setVisible(has_room)
        self._last.setVisible(has_room)

    def _button(self, arrow: str, name: str, step: int) -> QToolButton:
        button = QToolButton(autoRaise=True)
        button.setText(arrow)
        button.setAccessibleName(name)
        button.setToolTip(tooltip(name))
        button.setAutoRepeat(True)
        button.clicked.connect(lambda: self._slider.setValue(self._slider.value() + step))
        return button

    def _make_player_controls(self) -> None:
        self.play_button, self.next_drop = QToolButton(autoRaise=True), QToolButton(autoRaise=True)
        self.play_button.setObjectName("play_turns")
        self.play_button.clicked.connect(lambda _checked=False: self.player.toggle())
        self._show_playing(False)
        self.play_button.setFixedWidth(self.play_button.sizeHint().width() + UNIT)
        self.next_drop.setText("Next drop")
        self.next_drop.setAccessibleName("Go to the next turn at which something falls")
        self.next_drop.setToolTip(tooltip("Go to the next turn at which something falls out of the prompt"))
        self.next_drop.clicked.connect(lambda _checked=False: self.next_drop_requested.emit())
        self.speed = QComboBox()
        self.speed.setObjectName("turn_speed")
        self.speed.setAccessibleName("Speed of playing")
        self.speed.setToolTip(tooltip("How many turns a second are played"))
        self.speed.addItems([f"{speed} / s" for speed in SPEEDS])
        self.speed.setCurrentIndex(1)
        self.speed.currentIndexChanged.connect(lambda place: self.player.set_speed(SPEEDS[place]))

    def _show_playing(self, playing: bool) -> None:
        name = "Pause" if playing else "Play"
        self.play_button.setText(name)
        self.play_button.setAccessibleName(f"{name} the turns")
        self.play_button.setToolTip(tooltip(f"{name} the conversation turn by turn"))
        if playing:
            self._begin_drag()
        else:
            self._end_drag()

    def _play_turn(self, turn: int) -> None:
        """Show a turn while playing; a whole run is undone in a single step."""
        self._slider.setValue(turn)

    def _begin_drag(self) -> None:
        self._drags += 1
        self._gesture = f"turn {self._drags}"

    def _end_drag(self) -> None:
        self._gesture = ""

    def _tell(self, value: int) -> None:
        self._describe(value)
        self.player.stand_at(value, self._slider.maximum())
        self.turn_changed.emit(None if value == self._slider.maximum() else value, self._gesture)

    def _describe(self, value: int) -> None:
        count = self._slider.maximum()
        self.setEnabled(count > 0)
        said = self._time(value, _MINUTE)
        self._label.setText(
            f"turn {figures(value)} of {figures(count)}{said and f', {said}'}" if count else "no turns yet"
        )
        has_times = bool(self._first.text() or self._last.text())
        widest = f"turn {figures(count)} of {figures(count)}{', 0000-00-00 00:00' if has_times else ''}"
        self._label.setMinimumWidth(self._label.fontMetrics().horizontalAdvance(widest))
        self._back.setEnabled(value > 0)
        self._on.setEnabled(value < count)

    def _time(self, number: int, form: str) -> str:
        """Return the time of the message of this number, counted from 1; "" if there is no such message or it has no
        time.
        """
        time = self._messages[number - 1].time if 0 < number <= len(self._messages) else None
        return f"{time:{form}}" if time else ""
