"""The stage: a caption in large type, the item in the spotlight, before and after, and the steps of a tour.

Every step appears at once: nothing moves, so it suits users who ask the system for less motion, too.
"""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPalette
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from inspector.gui.parts.labels import Hint, PlainLabel
from inspector.gui.parts.texts import tooltip
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT, give_font

CAPTION_LINES = SPOTLIGHT_LINES = 2
"""The lines of both: enough for their texts even in a window of 800 pixels."""


class StageButton(QToolButton):
    """A button pressed by Enter; the space bar plays the turns wherever the focus is."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            event.ignore()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)


class StageView(QWidget):
    """The stage shows words and emits wishes. `stepped(by)` asks for the next (1) or the previous (-1) step of the
    tour, `ended` to end it, `full_screen_requested` to enter or leave the full screen.
    """

    stepped = Signal(int)
    ended = Signal()
    full_screen_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("stage")
        self.title = PlainLabel()
        self.title.setAccessibleName("What is shown")
        self.caption = self._line("stage", CAPTION_LINES)
        self.spotlight = self._line("title", SPOTLIGHT_LINES)
        self.sides = self._line("secondary", 1)
        self.back = self._button("◀", "Previous step of the tour", lambda: self.stepped.emit(-1))
        self.on = self._button("▶", "Next step of the tour", lambda: self.stepped.emit(1))
        self.end = self._button("End the tour", "End the tour", self.ended.emit)
        self.full = self._button("Full screen", "Full screen, or back (F11)", self.full_screen_requested.emit)
        self._head, self._is_flat = QHBoxLayout(), False
        self._step, self._sides = ("", 0, 0), ""
        self._lay_out()
        self.show_tour("", 0, 0)

    def show_tour(self, title: str, number: int, steps: int) -> None:
        """Show the title and the step, counted from 0; without steps there is no tour."""
        self._step = title, number, steps
        self._show_head()
        self.back.setEnabled(bool(steps) and number > 0)
        self.on.setEnabled(number < steps - 1)
        self.end.setEnabled(bool(steps))

    def set_flat(self, flat: bool) -> None:
        """Use small type, with the spotlight beside the buttons, or large type with it below."""
        if flat == self._is_flat:
            return
        self._is_flat = flat
        give_font(self.caption, "title" if flat else "stage")
        give_font(self.spotlight, "secondary" if flat else "title")
        for line in (self.caption, self.spotlight):
            self._layout.removeWidget(line)
        if flat:
            self._layout.insertWidget(0, self.caption)
            self._head.insertWidget(0, self.spotlight, 1)
        else:
            self._head.removeWidget(self.spotlight)
            self._layout.addWidget(self.caption)
            self._layout.addWidget(self.spotlight)
        self._head.setStretchFactor(self.sides, 0 if flat else 1)
        self._head.setSpacing(UNIT if flat else GAP)
        self._show_head()

    def _show_head(self) -> None:
        """Show the words beside the buttons; a flat stage has room only for the step."""
        title, number, steps = self._step
        place = f"step {number + 1} of {steps}" if steps else ""
        if self._is_flat:
            self.title.setText(place)
        else:
            self.title.setText(f"{title}  ·  {place}" if steps else "Turn by turn")
        self.sides.say("" if self._is_flat else self._sides)

    def say(self, caption: str) -> None:
        """Show a caption."""
        self.caption.say(caption)

    def show_item(self, words: str) -> None:
        """Show the fate of the item in the spotlight; "" for none."""
        self.spotlight.say(words)

    def show_sides(self, before: str, after: str) -> None:
        """Show the meaning of the thin bar above and the bar below; nothing if `before` is ""."""
        self._sides = f"Above: {before}  ·  below: {after}" if before else ""
        self._show_head()

    def _line(self, font: str, lines: int) -> Hint:
        line = Hint(lines=lines)
        give_font(line, font)  # type: ignore[arg-type]
        line.setForegroundRole(QPalette.ColorRole.WindowText)
        return line

    def _button(self, text: str, name: str, act: object) -> QToolButton:
        button = StageButton(autoRaise=True)
        button.setText(text)
        button.setAccessibleName(name)
        button.setToolTip(tooltip(name))
        button.clicked.connect(lambda _checked=False: act())  # type: ignore[operator]
        return button

    def _lay_out(self) -> None:
        head = self._head
        head.setSpacing(GAP)
        head.addWidget(self.title)
        head.addWidget(self.sides, 1)
        for button in (self.back, self.on, self.end, self.full):
            head.addWidget(button)
        layout = self._layout = QVBoxLayout(self)
        layout.setContentsMargins(PANEL_MARGIN, UNIT, PANEL_MARGIN, UNIT)
        layout.setSpacing(UNIT)
        layout.addLayout(head)
        for line in (self.caption, self.spotlight):
            layout.addWidget(line)
