"""Room: a place that may be smaller than its view needs."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from inspector.gui.theme import UNIT

LEAST = QSize(40 * UNIT, 20 * UNIT)


class Room(QScrollArea):
    """Gives a view all available room, and makes it scroll if that is too little.

    Without it, a page would claim the needs of its view, and parts that claim more than the window has would overlap.
    `made_in` makes the view in the given place, or returns an existing one.
    """

    def __init__(self, made_in: Callable[[QWidget], QWidget], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self._view = made_in(self.viewport())
        self.setWidget(self._view)
        self.viewport().setAutoFillBackground(False)
        self._view.setAutoFillBackground(False)  # the ground is that of the region around it

    def sizeHint(self) -> QSize:
        """Return the preferred size of the view."""
        return self._view.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """Return room for a few words of the view."""
        return LEAST
