"""A splitter that puts its parts below each other if there is no room side by side."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from inspector.gui.parts.hairlines import Hairlines


class TurningSplitter(Hairlines):
    """Parts side by side, at least as wide as the widest of them. Each direction keeps its own sizes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._left: list[int] = []

    def minimumSizeHint(self) -> QSize:
        """Return the width of the widest part; the height depends on the current direction."""
        widths = [part.width() for part in self._least()]
        return QSize(max(widths, default=0), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Turn if the parts need it, and turn back."""
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
