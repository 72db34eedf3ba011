"""Room: a place for a view that may become smaller than the view wants to be."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from inspector.gui.theme import UNIT

LEAST = QSize(40 * UNIT, 20 * UNIT)


class Room(QScrollArea):
    """Gives a view all the room that there is; where that is less than the view needs, the view can be scrolled.

    Without it a dock would claim what its view needs, and docks that claim more than a window has lie over each other.
    `made_in` makes the view in the place that it is given, or gives one that was made elsewhere.
    """

    def __init__(self, made_in: Callable[[QWidget], QWidget], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self._view = made_in(self.viewport())
        self.setWidget(self._view)

    def sizeHint(self) -> QSize:
        """What the view would like to have."""
        return self._view.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """A few words of the view."""
        return LEAST
