"""A scroll bar that keeps its room, and shows nothing while there is nothing to scroll."""

from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QScrollBar


class QuietScrollBar(QScrollBar):
    """A bar without a handle while everything is in sight."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the handle only if it can be moved."""
        if self.maximum() > self.minimum():
            super().paintEvent(event)
