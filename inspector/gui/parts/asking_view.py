"""A view of slowly computed contents, requested only while visible and at rest."""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QWidget

REST_MILLISECONDS = 300
"""How long nothing must change before visible contents are requested again."""


class AskingView(QWidget):
    """Requests its contents when it comes into sight and a moment after `refresh`, never while invisible.

    The contents are stale from `refresh` until the view is told otherwise. Subclasses define by `_ask` how to request
    them, and by `_dim` how to show that they are outdated. `outdated` reports that a running computation is outdated as
    well.
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
        """Whether it can be seen: Qt counts a panel behind another tab as visible, but its visible region is empty."""
        return self.isVisible() and not self.visibleRegion().isEmpty()

    @property
    def is_waiting(self) -> bool:
        """Whether contents are needed but not yet requested."""
        return self._stale and not self._asked

    def refresh(self) -> None:
        """Mark the contents as outdated. They are requested again after a moment, or when this comes into sight."""
        self._stale, self._asked = True, False
        self.outdated.emit()
        self._dim()
        if self.is_in_sight:
            self._rest.start()

    def showEvent(self, event: QShowEvent) -> None:
        """Request missing contents."""
        super().showEvent(event)
        self._ask_in_sight()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Request missing contents: nothing else reports coming to the front of other tabs."""
        super().paintEvent(event)
        if self.is_waiting and not self._rest.isActive():
            self._at_once.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Request nothing while hidden."""
        super().hideEvent(event)
        self._rest.stop()

    def _ask_in_sight(self) -> None:
        if self.is_waiting and self.is_in_sight:
            self._asked = True
            self._ask()

    def _ask(self) -> None:
        """Request the contents, or show that there is nothing to request."""

    def _dim(self) -> None:
        """Show the contents as outdated."""
