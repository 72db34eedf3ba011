"""A popup for choosing by typing, used by the pickers."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from inspector.gui.parts.choice_model import ChoiceColumn
from inspector.gui.parts.choices import Choice
from inspector.gui.parts.focus_ring import keys_into
from inspector.gui.parts.labels import Hint
from inspector.gui.parts.search_list import SearchList
from inspector.gui.theme import UNIT, row_height, theme

LINES = 14
_AROUND = 4 * UNIT
"""The margin between the popup and the edges of window and screen."""


class Chooser(QFrame):
    """Opens over a window and closes on a choice, on Escape and on a click elsewhere.

    `chosen` carries the choice, after `closed`. With `foot_lines`, the description of the marked choice stands whole
    below the list.
    """

    chosen = Signal(object)
    closed = Signal()

    def __init__(
        self,
        name: str,
        words: str,
        columns: Sequence[ChoiceColumn],
        parent: QWidget,
        headings: bool = False,
        takes_typed: bool = False,
        foot_lines: int = 0,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName(name)
        self.setAccessibleName(words)
        self._headings = headings
        self.found = SearchList(name, columns, self, headings, takes_typed)
        self.found.describe(words)
        self.found.chosen.connect(self._take)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(UNIT, 2 * UNIT, UNIT, UNIT)
        layout.addWidget(self.found)
        if foot_lines:
            foot, row = Hint(self, lines=foot_lines), QHBoxLayout()
            row.setContentsMargins(2 * UNIT, UNIT, 2 * UNIT, UNIT)
            row.addWidget(foot)
            self.found.current_changed.connect(lambda choice: foot.say(_told(choice)))
            layout.addLayout(row)
        self.setFocusProxy(self.found)

    def open_over(self, window: QWidget, place: QRect, choices: Sequence[Choice], query: str = "") -> None:
        """Open with the top left corner and the width of a place, inside window and screen.

        `place` is in pixels of the window; without a height, that of the choices is taken.
        """
        corner = window.mapToGlobal(QPoint())
        seen = window.screen().availableGeometry() | QRect(corner, window.size())
        inside = seen.adjusted(_AROUND, _AROUND, -_AROUND, -_AROUND)
        wanted_size = QSize(place.width(), place.height() or self._height(len(choices)))
        size = wanted_size.boundedTo(inside.size())
        wanted = corner + place.topLeft()
        left = max(inside.left(), min(wanted.x(), inside.right() + 1 - size.width()))
        top = max(inside.top(), min(wanted.y(), inside.bottom() + 1 - size.height()))
        self.setGeometry(QRect(QPoint(left, top), size))
        self.found.show_choices(choices, query)
        keys_into(self.found.line, window)
        self.show()
        self.found.line.setFocus(Qt.FocusReason.PopupFocusReason)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint an edge that is visible in both themes."""
        painter = QPainter(self)
        painter.setPen(theme().outline)
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Report the closing, whatever its cause."""
        super().hideEvent(event)
        self.closed.emit()

    def _height(self, choices: int) -> int:
        lines = (min(choices, LINES) + self._headings) * row_height(self.found.list)
        return lines + self.found.line.sizeHint().height() + 5 * UNIT

    def _take(self, choice: Choice) -> None:
        self.close()  # first, so that the choice acts on the window
        self.chosen.emit(choice)


def _told(choice: Choice | None) -> str:
    return " · ".join(choice.tip.split("\n")) if choice is not None else ""
