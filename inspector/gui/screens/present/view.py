"""The page for an audience: a sentence, the large bar, what just fell out, and the turns; during a tour, its steps.

Every step appears at once: nothing moves, so it suits users who ask the system for less motion, too. All sizes are in
units of a page 1,600 pixels wide, and scale with the window.
"""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QPainter, QPaintEvent, QPalette, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QToolButton, QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.cost import prompt_cost
from inspector.figures import dollars, figures
from inspector.gui.bar.layout import AROUND, BarSize
from inspector.gui.bar.legend import LegendLine
from inspector.gui.bar.view import BudgetBar
from inspector.gui.icons import drawn_icon
from inspector.gui.parts.focus_ring import KeyUse
from inspector.gui.parts.texts import tooltip
from inspector.gui.parts.turn_slider import TurnSlider
from inspector.gui.screens.present.fall_list import FallList
from inspector.gui.screens.present.stage_text import StageText, least_pixels
from inspector.gui.theme import OFF_OPACITY, theme

KEYS = (
    KeyUse("Play or pause", "Space"),
    KeyUse("Next drop", "N"),
    KeyUse("One turn on or back", "Right, Left"),
    KeyUse("First or last turn", "Home, End"),
    KeyUse("Step of the tour", "1, 2, 3, 4, 5, 6, 7, 8, 9"),
    KeyUse("Next or previous item of the list", "Down, Up"),
    KeyUse("Leave", "Esc"),
)
HINT = "Space plays, N next drop, Esc leaves"
_WIDE, _HIGH = 1600, 900
_MARGIN, _BAR, _LABEL, _BUTTON = 56, 132, 24, 60
_SECOND, _HEAD_TOP, _FIGURE, _SENTENCE = 22, 36, 380, (44, 36, 30, 26, 22)
_SENTENCE_HIGH, _TOLD_HIGH = 74, 132
"""The height of the sentence, and of the caption of a tour."""
_TARGET = 26
"""The least size of a button in pixels of the screen."""


class StageButton(QToolButton):
    """An icon pressed by Enter; the space bar plays the turns wherever the focus is. `is_round` is a filled circle."""

    def __init__(self, icon: str, name: str, parent: QWidget, is_round: bool = False) -> None:
        super().__init__(parent)
        self._icon, self._is_round = icon, is_round
        self.setAutoRaise(True)
        self.say(name)

    def say(self, name: str) -> None:
        """Take another name."""
        self.setAccessibleName(name)
        self.setToolTip(tooltip(name))

    def show_icon(self, icon: str) -> None:
        """Show another icon."""
        if icon != self._icon:
            self._icon = icon
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the icon, on a ground while the mouse is on it, or on its circle."""
        painter, look, place = QPainter(self), theme(), QRectF(self.rect())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if self._is_round or self.isDown() or self.underMouse():
            painter.setBrush(look.accent if self._is_round else look.accent_soft if self.isDown() else look.hover)
            radius = place.height() / 2 if self._is_round else place.height() / 6
            painter.drawRoundedRect(place, radius, radius)
        if not self.isEnabled():
            painter.setOpacity(OFF_OPACITY)
        side = round(place.height() * 0.44)
        inside = QRect(0, 0, side, side)
        inside.moveCenter(self.rect().center())
        painter.drawPixmap(inside, drawn_icon(self._icon, side, look.on_accent if self._is_round else look.second_text))
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            event.ignore()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)


@dataclass(frozen=True)
class Step:
    """The step of a tour, counted from 0, and its title; without steps there is no tour."""

    title: str = ""
    number: int = 0
    steps: int = 0


class PresentView(QWidget):
    """The page shows values and emits wishes.

    `stepped(by)` asks for the next (1) or the previous (-1) step of the tour, `step_chosen(number)` for one of them,
    counted from 0, `ended` to end the tour. `turned(turn, gesture)` asks for a turn, `play_requested` to play or pause,
    `drop_requested` for the next drop, `left` to leave, `full_screen_requested` to enter or leave the full screen.
    """

    stepped = Signal(int)
    step_chosen = Signal(int)
    ended = Signal()
    turned = Signal(int, str)
    play_requested = Signal()
    drop_requested = Signal()
    left = Signal()
    full_screen_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("stage")
        self.setAccessibleName("Presentation")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self._step, self._turn = Step(), ""
        self._make_texts()
        self._make_bar()
        self.falling = FallList(self)
        self._make_buttons()
        self.show_tour("", 0, 0)

    # What is shown

    def show_tour(self, title: str, number: int, steps: int) -> None:
        """Show the title and the step, counted from 0; without steps there is no tour."""
        self._step = Step(title, number, steps)
        self.back.setEnabled(bool(steps) and number > 0)
        self.on.setEnabled(number < steps - 1)
        self.end.setEnabled(bool(steps))
        for button in (self.back, self.on, self.end):
            button.setVisible(bool(steps))
        self.hint.say("" if steps else HINT)
        self._say_title()
        self._lay_out()

    def say(self, caption: str) -> None:
        """Show a sentence."""
        self.caption.say(caption)

    def show_item(self, words: str) -> None:
        """Show the fate of the item in the spotlight, or the reason of a fall; "" for none."""
        self.spotlight.say(words)

    def show_turn(self, turn: int, last: int, time: str) -> None:
        """Show a turn of so many, with the time of its last message, "" where it is not known."""
        self.slider.show_turn(turn, last)
        self._turn = f"Turn {figures(turn)} of {figures(last)}{time and f', {time}'}" if last else ""
        self._say_title()

    def show_playing(self, playing: bool) -> None:
        """Show whether the turns are playing."""
        self.play.show_icon("pause" if playing else "play")
        self.play.say("Pause the turns" if playing else "Play the turns")

    def show_answer(self, answer: Answer | None, baseline: Answer | None) -> None:
        """Show the bar of an answer below that of its baseline, and its figure."""
        had_baseline = self.bar.baseline is not None
        self.bar.show_answer(answer, baseline)
        picture = self.bar.picture
        self.legend.show_picture(picture, self.bar.unnamed)
        self.figure.say(figures(picture.total, picture.estimated) if picture else "")
        self.window_words.say(f"of {figures(picture.window)} tokens{_price(answer)}" if picture else "")
        if had_baseline != (self.bar.baseline is not None):
            self._lay_out()

    def show_sides(self, before: str, after: str) -> None:
        """Show the meaning of the thin bar above and the bar below; nothing if `before` is ""."""
        self.sides.say(f"Above: {before}  ·  below: {after}" if before else "")

    def _say_title(self) -> None:
        step = self._step
        told = f"{step.title}  ·  step {step.number + 1} of {step.steps}" if step.steps else ""
        self.title.say("  ·  ".join(filter(None, (told, self._turn))))

    # Parts

    def _make_texts(self) -> None:
        right = Qt.AlignmentFlag.AlignRight
        bold = QFont.Weight.DemiBold
        self.title = StageText("What is shown", self)
        self.caption = StageText("What happens", self, bold, is_second=False)
        self.figure = StageText("Tokens in the prompt", self, bold, right, is_second=False)
        self.window_words = StageText("The window", self, alignment=right)
        self.sides = StageText("Before and after", self)
        self.spotlight = StageText("The item in the spotlight", self)
        self.hint = StageText("Keys", self, alignment=right)

    def _make_bar(self) -> None:
        self.bar, self.legend = BudgetBar(self), LegendLine(self)
        self.bar.setObjectName("present_bar")
        self.legend.setObjectName("present_legend")
        self.bar.compare(True)
        self.bar.installEventFilter(self)
        self.legend.hovered.connect(self.bar.light)

    def _make_buttons(self) -> None:
        self.play = StageButton("play", "Play the turns", self, is_round=True)
        self.slider = TurnSlider("present_turn_slider", self)
        self.slider.turned.connect(self.turned)
        self.back = self._button("chevron-left", "Previous step of the tour", lambda: self.stepped.emit(-1))
        self.on = self._button("chevron-right", "Next step of the tour", lambda: self.stepped.emit(1))
        self.end = self._button("ban", "End the tour", self.ended.emit)
        self.full = self._button("maximize", "Full screen, or back (F11)", self.full_screen_requested.emit)
        self.leave = self._button("x", "Leave the presentation (Esc)", self.left.emit)
        self.play.clicked.connect(lambda _checked=False: self.play_requested.emit())

    def _button(self, icon: str, name: str, act: Callable[[], object]) -> StageButton:
        button = StageButton(icon, name, self)
        button.clicked.connect(lambda _checked=False: act())
        return button

    # Places

    @property
    def unit(self) -> float:
        """The pixels of a pixel of the design."""
        return max(min(self.width() / _WIDE, self.height() / _HIGH), 0.1)

    def sizeHint(self) -> QSize:
        return QSize(_WIDE, _HIGH)

    def minimumSizeHint(self) -> QSize:
        """Return a small minimum: everything scales."""
        return QSize(_WIDE // 4, _HIGH // 4)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self) -> None:
        """Place everything; only the size of the window, a tour and a baseline change places."""
        unit = self.unit
        self._size_texts(unit)
        width, height = self.width() / unit, self.height() / unit
        top = self._lay_head(unit, width)
        top = self._lay_bar(unit, width, top)
        foot = height - _MARGIN + 20 - _BUTTON
        self._put(self.falling, _MARGIN, top, width - 2 * _MARGIN, foot - 24 - top)
        self.falling.set_unit(unit)
        self._lay_foot(unit, width, foot)
        self.legend.show_picture(self.bar.picture, self.bar.unnamed)

    def _size_texts(self, unit: float) -> None:
        for text in (self.title, self.window_words):
            text.set_sizes(_SECOND * unit)
        least = least_pixels(unit)
        for text in (self.sides, self.hint):
            text.set_sizes(least)
        self.spotlight.set_sizes(max(_SECOND * unit, least), least)
        self.figure.set_sizes(56 * unit)
        self.caption.set_sizes(*(size * unit for size in _SENTENCE))
        size = BarSize(round(_BAR * unit), round(_LABEL * unit))
        self.bar.set_size(size)
        self.legend.set_size(BarSize(size.height, round(least)))
        self.slider.set_scale(1.6 * unit)

    def _lay_head(self, unit: float, width: float) -> float:
        """Place the sentence and the figure; return where they end."""
        left, right, high = _MARGIN, width - _MARGIN, _TOLD_HIGH if self._step.steps else _SENTENCE_HIGH
        self._put(self.title, left, _HEAD_TOP, right - left - _FIGURE, 30)
        self._put(self.caption, left, _HEAD_TOP + 30, right - left - _FIGURE, high)
        self._put(self.figure, right - _FIGURE + 20, _HEAD_TOP, _FIGURE - 20, 66)
        self._put(self.window_words, right - _FIGURE + 20, _HEAD_TOP + 66, _FIGURE - 20, 30)
        return _HEAD_TOP + 30 + high + 20

    def _lay_bar(self, unit: float, width: float, top: float) -> float:
        """Place the bar, its legend and the spotlight; return where they end."""
        inner = width - 2 * _MARGIN
        around = AROUND / unit
        self._put(self.bar, _MARGIN - around, top - around, inner + 2 * around, self.bar.sizeHint().height() / unit)
        below = top + self.bar.sizeHint().height() / unit - 2 * around + 8
        self._put(self.legend, _MARGIN, below, inner, 32)
        self._put(self.sides, _MARGIN, below + 34, inner, 28)
        below += 30 if self.bar.baseline is not None else 0
        spot = 58 if self._step.steps else 30
        self._put(self.spotlight, _MARGIN, below + 38, inner, spot)
        return below + 38 + spot + 8

    def _lay_foot(self, unit: float, width: float, foot: float) -> None:
        """Place the play button, the slider, the hint or the steps of the tour, and the way out."""
        right, side, middle = width - _MARGIN, max(44.0, _TARGET / unit), foot + _BUTTON / 2
        for button in (self.leave, self.full):
            right -= side
            self._put(button, right, middle - side / 2, side, side)
        buttons = (self.end, self.on, self.back) if self._step.steps else ()
        right -= 12
        for button in buttons:
            right -= side
            self._put(button, right, middle - side / 2, side, side)
        if not buttons:
            right -= 360
            self._put(self.hint, right, foot, 352, _BUTTON)
        self._put(self.play, _MARGIN, foot, _BUTTON, _BUTTON)
        left = _MARGIN + _BUTTON + 16
        self._put(self.slider, left, middle - 24, right - 20 - left, 48)

    def _put(self, part: QWidget, left: float, top: float, width: float, height: float) -> None:
        unit = self.unit
        part.setGeometry(QRectF(left * unit, top * unit, max(width, 1) * unit, max(height, 1) * unit).toRect())

    # Keys

    def showEvent(self, event: QShowEvent) -> None:
        """Take the focus, so that the keys of the page work at once."""
        super().showEvent(event)
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """N goes to the next drop, a digit to a step of the tour, and arrows, Home and End to other turns."""
        key, slider = Qt.Key(event.key()), self.slider
        turns = {
            Qt.Key.Key_Right: slider.value() + 1,
            Qt.Key.Key_Left: slider.value() - 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: slider.maximum(),
        }
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif key in turns and slider.maximum():
            self.turned.emit(min(max(turns[key], 0), slider.maximum()), "")
        elif key == Qt.Key.Key_N:
            self.drop_requested.emit()
        elif Qt.Key.Key_1 <= key <= Qt.Key.Key_9 and self._step.steps:
            self.step_chosen.emit(key - Qt.Key.Key_1)
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Play with the space bar while the bar has the focus, too."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Space:
            self.play_requested.emit()
            return True
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "leave"):
            self._lay_out()


def _price(answer: Answer | None) -> str:
    """Return the cost of the prompt, or "" without a prompt or a known price."""
    if answer is None or answer.assembly.error is not None:
        return ""
    cost = prompt_cost(answer.model.row, answer.ledger.total)
    return "" if cost is None else f", {dollars(cost, answer.ledger.estimated)}"
