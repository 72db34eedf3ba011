"""Parts side by side or below each other with a hairline between them."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QWidget

from inspector.gui.theme import theme

_GRIP = 5


class Hairlines(QSplitter):
    """Parts with a hairline between them that can be dragged."""

    def __init__(self, orientation: Qt.Orientation, parent: QWidget | None = None) -> None:
        super().__init__(orientation, parent)
        self.setHandleWidth(_GRIP)
        self.setChildrenCollapsible(False)

    def createHandle(self) -> QSplitterHandle:
        """Return a handle that paints a hairline."""
        return _Handle(self.orientation(), self)


class _Handle(QSplitterHandle):
    """A hairline on the grounds of its neighbours, wider for the mouse than for the eye."""

    def paintEvent(self, _: QPaintEvent) -> None:
        painter, look, place = QPainter(self), theme(), self.rect()
        painter.fillRect(place, look.base)
        if self.orientation() == Qt.Orientation.Vertical:
            painter.fillRect(QRect(0, place.height() // 2, place.width(), 1), look.border)
        else:
            painter.fillRect(QRect(place.width() // 2, 0, 1, place.height()), look.border)
