"""A view of something that takes work to make: it asks for it only while somebody looks, and when nothing changes."""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QWidget

REST_MILLISECONDS = 300
"""How long nothing has to change before what is in sight is asked for again."""


class AskingView(QWidget):
    """Asks when it comes into sight and a moment after `refresh`; never while nobody can see it.

    What it shows is stale from `refresh` until it is told that it is fresh. A view says in `_ask` how it asks, and in
    `_dim` how it shows that this is a picture of before. `outdated` tells that what is being made is of before as well.
    """

    outdated = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stale = True
        self._asked = False
        self._rest = QTimer(self, singleShot=True, interval=REST_MILLISECONDS)
        self._at_once = QTimer(self, singleShot=True, interval=0)
        for timer in (self._rest, self._at_once):
            timer.timeout.connect(self._ask_in_sight)

    @property
    def is_in_sight(self) -> bool:
        """Whether somebody can see it: a panel behind another tab is visible to Qt, and has no region to be seen."""
        return self.isVisible() and not self.visibleRegion().isEmpty()

    @property
    def is_waiting(self) -> bool:
        """Whether there is something to ask for that was not asked for yet."""
        return self._stale and not self._asked

    def refresh(self) -> None:
        """Say that what is shown is of before: it is asked for again after a moment, or when this comes into sight."""
        self._stale, self._asked = True, False
        self.outdated.emit()
        self._dim()
        if self.is_in_sight:
            self._rest.start()

    def showEvent(self, event: QShowEvent) -> None:
        """Ask for what is not known yet."""
        super().showEvent(event)
        self._ask_in_sight()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ask for what is not known yet: coming to the front of other tabs is told by nothing else."""
        super().paintEvent(event)
        if self.is_waiting and not self._rest.isActive():
            self._at_once.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Ask for nothing while nobody looks."""
        super().hideEvent(event)
        self._rest.stop()

    def _ask_in_sight(self) -> None:
        if self.is_waiting and self.is_in_sight:
            self._asked = True
            self._ask()

    def _ask(self) -> None:
        """Ask for what is to be shown; a view without anything to ask for shows that."""

    def _dim(self) -> None:
        """Show what is there as a picture of before."""
