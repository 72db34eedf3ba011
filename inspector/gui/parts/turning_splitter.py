"""A splitter that lays its parts below each other where they have no room side by side."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget


class TurningSplitter(QSplitter):
    """Parts side by side; it is as narrow as the widest of them may be. Either way has the sizes it was left with."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setChildrenCollapsible(False)
        self._left: list[int] = []

    def minimumSizeHint(self) -> QSize:
        """The widest part; how high it is depends on how the parts lie now."""
        widths = [part.width() for part in self._least()]
        return QSize(max(widths, default=0), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Turn where the parts need it, and back."""
        least = self._least()
        wanted = sum(part.width() for part in least) + self.handleWidth() * max(len(least) - 1, 0)
        fits = event.size().width() >= wanted
        if fits == (self.orientation() == Qt.Orientation.Vertical):
            before, self._left = self._left, self.sizes()
            self.setOrientation(Qt.Orientation.Horizontal if fits else Qt.Orientation.Vertical)
            if before:
                self.setSizes(before)
        super().resizeEvent(event)

    def _least(self) -> list[QSize]:
        parts = [part for place in range(self.count()) if (part := self.widget(place)) and not part.isHidden()]
        return [part.minimumSizeHint().expandedTo(part.minimumSize()) for part in parts]
