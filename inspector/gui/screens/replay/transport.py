"""The row that plays the turns: steps, play or pause, the speed, the next drop, the slider, and the turn in words."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QWidget

from inspector.figures import figures
from inspector.gui.icons import drawn_icon, line_icon
from inspector.gui.parts.buttons import IconButton
from inspector.gui.parts.choice_box import ChoiceBox
from inspector.gui.parts.painted_line import PaintedLine
from inspector.gui.parts.texts import control_text, tooltip
from inspector.gui.parts.turn_slider import TurnSlider
from inspector.gui.session.turns import SPEEDS, Player
from inspector.gui.theme import scaled, theme
from inspector.model import Message
from inspector.tables import short_time

HEIGHT = 44
_TARGET = 32
_ALL_WORDS = 960
"""Below this width the way back is an icon, and the turn has no date."""


class Transport(QWidget):
    """`turned(turn, gesture)` carries a turn to go to, the same gesture for all of a drag; `drop_requested` asks for
    the next turn at which something falls.
    """

    turned = Signal(int, str)
    drop_requested = Signal()

    def __init__(self, player: Player, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._player = player
        self._messages: Sequence[Message] = ()
        self.slider = TurnSlider("turn_slider")
        self.slider.turned.connect(self.turned)
        self.label = PaintedLine("Turn shown", is_right=True)
        self._make_steps()
        self._make_player_controls(player)
        self.back = QPushButton()
        self.back.setFlat(True)
        self.back.setObjectName("last_turn")
        self.back.setAccessibleName("Back to the last turn")
        self.back.setToolTip(tooltip("Back to the last turn"))
        self.back.clicked.connect(lambda: self.turned.emit(self.slider.maximum(), ""))
        self._lay_out()
        self._draw()
        self.show_turn(0, ())

    def show_turn(self, turn: int, messages: Sequence[Message]) -> None:
        """Show that so many of these messages exist. Emits nothing."""
        last, is_other = len(messages), messages is not self._messages
        self._messages = messages
        self.slider.show_turn(turn, last)
        if is_other:
            self._reserve()
        self._say(turn)
        self.setEnabled(last > 0)
        for button, is_useful in ((self.first, turn > 0), (self.previous, turn > 0), (self.next, turn < last)):
            button.setEnabled(is_useful)
        self.back.setEnabled(turn < last)

    def sizeHint(self) -> QSize:
        return QSize(scaled(_ALL_WORDS), scaled(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        """Return room for the buttons and a usable slider."""
        return QSize(self._row.minimumSize().width(), scaled(HEIGHT))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave words out where there is no room."""
        super().resizeEvent(event)
        self._reserve()
        self._draw()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and hasattr(self, "back"):
            self._reserve()
            self._draw()

    # Words

    @property
    def _has_words(self) -> bool:
        return self.width() >= scaled(_ALL_WORDS)

    def _say(self, turn: int) -> None:
        last = len(self._messages)
        if not last:
            self.label.say("", "No turns yet")
            return
        time = self._messages[turn - 1].time if turn else None
        said = f", {short_time(time)}" if time and self._has_words else ""
        self.label.say(f"Turn {figures(turn)}", f"of {figures(last)}{said}")

    def _reserve(self) -> None:
        """Keep room for the longest text, so that the slider stays where it is."""
        last = figures(len(self._messages))
        has_times = self._has_words and any(self._messages[end].time for end in (0, -1) if self._messages)
        self.label.reserve(f"Turn {last} of {last}{', 30 Mar 00:00' if has_times else ''}")
        self._say(self.slider.value())

    # Parts

    def _make_steps(self) -> None:
        self.first = self._step("skip-back", "First turn", lambda: 0)
        self.previous = self._step("step-back", "Previous turn", lambda: self.slider.value() - 1)
        self.next = self._step("step-forward", "Next turn", lambda: self.slider.value() + 1)
        for button in (self.previous, self.next):
            button.setAutoRepeat(True)

    def _step(self, icon: str, name: str, turn: Callable[[], int]) -> QToolButton:
        button = IconButton(icon, name)
        button.setFixedSize(_TARGET, _TARGET)
        button.setIconSize(QSize(16, 16))
        button.clicked.connect(lambda: self.turned.emit(turn(), ""))
        return button

    def _make_player_controls(self, player: Player) -> None:
        self.play = QPushButton()
        self.play.setObjectName("play_turns")
        self.play.setProperty("primary", True)
        self.play.clicked.connect(lambda: player.toggle())
        player.playing_changed.connect(lambda _: self._draw())
        self.speed = ChoiceBox()
        self.speed.setObjectName("turn_speed")
        self.speed.setAccessibleName("Speed of playing")
        self.speed.setToolTip(tooltip("How many turns a second are played"))
        self.speed.addItems([f"{speed} turn{'s' if speed > 1 else ''}/s" for speed in SPEEDS])
        self.speed.setCurrentIndex(1)
        self.speed.currentIndexChanged.connect(lambda place: player.set_speed(SPEEDS[place]))
        self.drop = QPushButton(" Next drop")
        self.drop.setObjectName("next_drop")
        self.drop.setAccessibleName("Go to the next turn at which something falls")
        self.drop.setToolTip(tooltip("Go to the next turn at which something falls out of the prompt (Ctrl+.)"))
        self.drop.clicked.connect(lambda: self.drop_requested.emit())

    def _draw(self) -> None:
        """Give the buttons their words and icons; Play and Pause are equally wide."""
        words = "Pause" if self._player.is_playing else "Play"
        self.play.setText(control_text(f" {words}"))
        self.play.setAccessibleName(f"{words} the turns")
        self.play.setToolTip(tooltip(f"{words} the conversation turn by turn (Space)"))
        self.play.setIcon(drawn_icon(words.lower(), 16, theme().on_accent))
        self.play.setFixedWidth(scaled(88))
        self.drop.setIcon(line_icon("crosshair"))
        self.back.setText(" Back to the last turn" if self._has_words else "")
        self.back.setIcon(line_icon("skip-forward"))

    def _lay_out(self) -> None:
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 12, 0)
        row.setSpacing(4)
        for widget in (self.first, self.previous, self.play, self.next):
            row.addWidget(widget)
        for widget in (self.speed, self.drop):
            row.addSpacing(4)
            row.addWidget(widget)
        row.addSpacing(12)
        row.addWidget(self.slider, 1)
        row.addSpacing(12)
        row.addWidget(self.label)
        row.addWidget(self.back)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
