"""Panes: side by side if there is room, else one above the other."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from inspector.gui.parts.hairlines import Hairlines

BESIDE = 32
"""Width in lines of text. With less, panes are one above the other."""


def has_room_beside(view: QWidget) -> bool:
    """Return whether a view is wide enough for panes side by side."""
    return view.width() >= BESIDE * view.fontMetrics().lineSpacing()


class Panes(Hairlines):
    """A splitter that turns with its width. Its least width is that of its widest pane."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._shares: tuple[int, ...] = ()

    def share(self, *shares: int) -> None:
        """Give the panes these shares of the room, now and whenever they turn."""
        self._shares = shares
        room = self.width() if self.orientation() == Qt.Orientation.Horizontal else self.height()
        self.setSizes([room * part // sum(shares) for part in shares])

    def minimumSizeHint(self) -> QSize:
        """Return a minimum with the width of panes above each other."""
        panes = filter(None, map(self.widget, range(self.count())))
        return QSize(
            max((pane.minimumSizeHint().width() for pane in panes), default=0), super().minimumSizeHint().height()
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        direction = Qt.Orientation.Horizontal if has_room_beside(self) else Qt.Orientation.Vertical
        is_turned = direction != self.orientation()
        if is_turned:
            self.setOrientation(direction)
        super().resizeEvent(event)
        if is_turned and self._shares:
            self.share(*self._shares)
