"""The first tour: four bubbles over what is on screen. They move nothing, and the focus stays where it is.

They lie over the window in turn. Esc ends the tour, and the next Tab reaches their buttons. If nothing has the focus,
Enter continues.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QAccessible, QAccessibleEvent, QKeySequence, QPainter, QPaintEvent, QPen, QPolygon, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QPushButton, QVBoxLayout, QWidget

from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.texts import control_text, tooltip
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT, give_font, theme

_WIDTH = 84 * UNIT
_ARROW = 2 * UNIT
_CORNER = UNIT


@dataclass(frozen=True, slots=True)
class Stop:
    """The text of a bubble, and the object name of its target widget."""

    title: str
    text: str
    target: str


STOPS = (
    Stop(
        "The context window as one bar",
        "What the model is sent, in its order, the room for its reply, and what is free. Point at a part to see its "
        "limit; a click shows its items.",
        "budget_bar",
    ),
    Stop(
        "Every item, and what became of it",
        "In the prompt, summarized, or dropped, and why. Choose one: its text, the reason and what would keep it "
        "appear at the right.",
        "decision_table",
    ),
    Stop(
        "The settings",
        "Model, policy, window and shares. Move a slider, and everything follows; Ctrl+Z takes it back. B sets a "
        "baseline to compare with.",
        "policy_picker",
    ),
    Stop(
        "One question, one place",
        "Compare settings, tune them, replay the chat turn by turn, or survey all your chats. Ctrl+K finds every "
        "command and text.",
        "tool_bar",
    ),
)


class Bubble(QWidget):
    """A bubble over a window. Its buttons emit `next_wanted` and `end_wanted`."""

    next_wanted = Signal()
    end_wanted = Signal()

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window, self._tip = window, QPoint()
        self._target: QWidget | None = None
        self.setObjectName("first_tour")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFixedWidth(_WIDTH)
        self._layout = QVBoxLayout(self)
        self._title, self._text, self._place = PlainLabel(), PlainLabel(wordWrap=True), PlainLabel()
        give_font(self._title, "title")
        self.end_button = self._button("End the tour", self.end_wanted, "Esc")
        self.next_button = self._button("Next", self.next_wanted, "The next bubble")
        self._lay_out()
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        escape.setContext(Qt.ShortcutContext.WindowShortcut)
        escape.activated.connect(self.end_wanted)

    def say(self, stop: Stop, number: int, of: int) -> None:
        """Show a stop beside its target. The focus stays where it is."""
        self._title.setText(stop.title)
        self._text.setText(stop.text)
        self._place.setText(f"{number} of {of}")
        self.next_button.setText("Done" if number == of else "Next")
        self.setAccessibleName(f"{stop.title}, {number} of {of}")
        self.setAccessibleDescription(stop.text)
        self._target = self._window.findChild(QWidget, stop.target)
        self.place()
        self.show()
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def take_keys(self, keyboard: QWidget | None) -> None:
        """Make Tab lead here from the focused widget. If there is none, take the focus."""
        if keyboard is None or keyboard is self._window:
            self.next_button.setFocus()
        else:
            QWidget.setTabOrder(keyboard, self.end_button)
            QWidget.setTabOrder(self.end_button, self.next_button)

    def place(self) -> None:
        """Move beside the target, inside the window and above its contents; to the middle if the target is invisible.

        The banner stays uncovered, because it reports errors.
        """
        room = self._window.rect().adjusted(PANEL_MARGIN, PANEL_MARGIN, -PANEL_MARGIN, -PANEL_MARGIN)
        self.resize(_WIDTH, self._layout.heightForWidth(_WIDTH))
        target = _place_of(self._target, self._window)
        banner = _place_of(self._window.findChild(QWidget, "banner"), self._window) or QRect()
        if target is None:
            own = QRect(QPoint(), self.size())
            own.moveCenter(room.center())
        else:
            own = _beside(target, self.size(), room, banner)
        touches = target is not None and own.adjusted(-1, -1, 1, 1).intersects(target)
        self._tip = nearest_edge(own, target) - own.topLeft() if target and touches else QPoint()
        self.setGeometry(own)
        self.raise_()  # newly shown widgets are above it
        if overlay := self._window.findChild(QWidget, "drop_overlay"):
            self.stackUnder(overlay)  # the overlay for dropping stays above everything
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, body = QPainter(self), self.rect().adjusted(_ARROW, _ARROW, -_ARROW, -_ARROW)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme().accent, 1.5))
        painter.setBrush(theme().base)
        painter.drawRoundedRect(body, _CORNER, _CORNER)
        if not self._tip.isNull():
            painter.drawPolygon(_arrow(body, self._tip))
            painter.setPen(QPen(theme().base, 2))
            arrow = _arrow(body, self._tip)
            painter.drawLine(arrow.at(0), arrow.at(2))
        painter.end()

    def _button(self, text: str, wanted: SignalInstance, tip: str) -> QPushButton:
        button = QPushButton(control_text(text))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click does not move the focus
        button.setAutoDefault(True)  # Enter presses it
        button.setToolTip(tooltip(tip))
        button.clicked.connect(lambda _=False: wanted.emit())
        return button

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(UNIT)
        buttons.addWidget(self._place)
        buttons.addStretch(1)
        buttons.addWidget(self.end_button)
        buttons.addWidget(self.next_button)
        layout = self._layout
        margin = _ARROW + GAP
        layout.setContentsMargins(margin, margin, margin, margin)
        layout.setSpacing(2 * UNIT)
        layout.addWidget(self._title)
        layout.addWidget(self._text)
        layout.addLayout(buttons)


class FirstTour(QObject):
    """Steps through the stops over a window. `ended` reports the end, however it came."""

    ended = Signal()
    _MOVES: ClassVar = (QEvent.Type.Resize, QEvent.Type.LayoutRequest)

    def __init__(self, window: QMainWindow, stops: Sequence[Stop] = STOPS) -> None:
        super().__init__(window)
        self._window, self._stops, self._number = window, stops, 0
        self._bubble: Bubble | None = None

    def begin(self) -> None:
        """Show the first bubble."""
        self.end()
        self._bubble, self._number = Bubble(self._window), 0
        self._bubble.next_wanted.connect(self._go_on)
        self._bubble.end_wanted.connect(self.end)
        self._window.installEventFilter(self)
        self._say()
        self._bubble.take_keys(self._window.focusWidget())

    def end(self) -> None:
        """Remove the bubble."""
        if self._bubble is None:
            return
        self._window.removeEventFilter(self)
        self._bubble.hide()
        self._bubble.deleteLater()
        self._bubble = None
        self.ended.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the bubble's target when the window is laid out again."""
        if self._bubble is not None and event.type() in self._MOVES:
            self._bubble.place()
        return False

    def _go_on(self) -> None:
        self._number += 1
        if self._number == len(self._stops):
            self.end()
        else:
            self._say()

    def _say(self) -> None:
        if self._bubble is not None:
            self._bubble.say(self._stops[self._number], self._number + 1, len(self._stops))


def _place_of(target: QWidget | None, window: QWidget) -> QRect | None:
    """Return the rectangle of a widget in its window, or None if it is not visible."""
    if target is None or target.visibleRegion().isEmpty():
        return None
    return QRect(target.mapTo(window, QPoint()), target.size())


def _beside(target: QRect, size: QSize, room: QRect, spared: QRect) -> QRect:
    """Return the first place of this size inside the room that is below, above, left or right of a target.

    It leaves `spared` uncovered: if there is no such place, it is below `spared`. Failing that, it is the place, moved
    into the room, that hides the least of both.
    """
    middle = target.center()
    box = QRect(QPoint(), size)
    starts: tuple[Callable[[], None], ...] = (
        lambda: box.moveTop(target.bottom()),
        lambda: box.moveBottom(target.top()),
        lambda: box.moveRight(target.left()),
        lambda: box.moveLeft(target.right()),
    )
    places: list[QRect] = []
    for place, start in enumerate(starts):
        box.moveCenter(middle)
        start()
        across, down = _held(box, room, across=True), _held(box, room, across=False)
        held = QRect(QPoint(across, box.top()) if place < 2 else QPoint(box.left(), down), size)
        if room.contains(held) and not held.intersects(spared):
            return held
        places.append(QRect(QPoint(across, down), size))
    below = QRect(QPoint(places[0].left(), spared.bottom() + 1), size)
    if not spared.isNull() and room.contains(below):
        return below
    return min(places, key=lambda place: _hidden(place, target) + _hidden(place, spared))


def _held(box: QRect, room: QRect, *, across: bool) -> int:
    """Return the left (or upper) edge of a box moved into a room."""
    if across:
        return min(max(box.left(), room.left()), room.right() - box.width())
    return min(max(box.top(), room.top()), room.bottom() - box.height())


def _hidden(box: QRect, target: QRect) -> int:
    """Return the pixels of a target covered by a box."""
    over = box & target
    return over.width() * over.height()


def nearest_edge(own: QRect, target: QRect) -> QPoint:
    """Return the point on the bubble's edge nearest to the middle of the target."""
    x = min(max(target.center().x(), own.left() + 4 * _ARROW), own.right() - 4 * _ARROW)
    y = min(max(target.center().y(), own.top() + 4 * _ARROW), own.bottom() - 4 * _ARROW)
    if own.top() >= target.bottom() - 1:
        return QPoint(x, own.top())
    if own.bottom() <= target.top() + 1:
        return QPoint(x, own.bottom())
    return QPoint(own.right() if own.center().x() < target.center().x() else own.left(), y)


def _arrow(body: QRect, tip: QPoint) -> QPolygon:
    """Return the arrow from the edge of the body to its tip, with the tip in the middle."""
    if tip.y() < body.top() or tip.y() > body.bottom():
        edge = body.top() if tip.y() < body.top() else body.bottom()
        return QPolygon([QPoint(tip.x() - _ARROW, edge), tip, QPoint(tip.x() + _ARROW, edge)])
    edge = body.left() if tip.x() < body.left() else body.right()
    return QPolygon([QPoint(edge, tip.y() - _ARROW), tip, QPoint(edge, tip.y() + _ARROW)])
