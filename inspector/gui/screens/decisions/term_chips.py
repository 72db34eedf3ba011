"""The filter as chips: each condition of the filter line is a chip that can be closed."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QWidget

from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.plain_text import control_text, tooltip
from inspector.gui.table.filter import Filter, Term
from inspector.gui.theme import UNIT

LONGEST = 32
"""The most code points in a chip; the tooltip has the rest."""
CLOSE = "✕"


class TermChips(QWidget):
    """The conditions from left to right, as many as fit, and the number of the rest.

    `closed` carries the condition whose chip was clicked.
    """

    closed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._filter = Filter()
        self._chips: list[QToolButton] = []
        self._more = PlainLabel()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(UNIT, 0, 0, 0)
        self._row.setSpacing(UNIT)
        self._row.addStretch(1)
        self._row.addWidget(self._more)

    def minimumSizeHint(self) -> QSize:
        """Return a width of 0, so that chips never make the window wider."""
        return QSize(0, super().minimumSizeHint().height())

    def show_filter(self, shown: Filter) -> None:
        """Show the conditions of this filter."""
        if shown == self._filter:
            return
        self._filter = shown
        for chip in self._chips:
            self._row.removeWidget(chip)
            chip.hide()  # without a parent it would be a window for a moment and take the focus
            chip.setObjectName("")
            chip.deleteLater()
        self._chips = [self._chip(term) for term in shown.terms]
        for place, chip in enumerate(self._chips):
            self._row.insertWidget(place, chip)
        self._make_room()

    def _chip(self, term: Term) -> QToolButton:
        words = self._filter.text[term.start : term.stop]
        chip = QToolButton(self)
        chip.setObjectName(f"term_chip:{term.name}")
        chip.setText(f"{control_text(words, LONGEST)} {CLOSE}")
        chip.setToolTip(tooltip(f"Shown is only what matches {words}. Click to take that out of the filter."))
        chip.setAccessibleName(f"Take {words} out of the filter")
        chip.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        chip.clicked.connect(lambda: self.closed.emit(term))
        return chip

    def _make_room(self) -> None:
        """Hide the chips beyond the width, and show their number."""
        room = self.width() - UNIT - self._more.fontMetrics().horizontalAdvance("+88")
        hidden = 0
        for chip in self._chips:
            room -= chip.sizeHint().width() + UNIT
            chip.setVisible(room >= 0)
            hidden += room < 0
        self._more.setText(f"+{hidden}" if hidden else "")
        self._more.setVisible(bool(hidden))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()
