"""Rectangles of windows and docks, fitted to the current screens."""

from PySide6.QtCore import QEvent, QObject, QRect, QSize
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QDialog

from inspector.gui.layout import Rectangle

TITLE_BAR = 32
"""Pixels left for the title above a newly placed window; its height is not known in advance."""
FRAME = 4
"""Pixels beside and below a newly placed window, for its frame."""


def rectangle_of(geometry: QRect) -> Rectangle:
    """Return a geometry of Qt as a value."""
    return Rectangle(geometry.left(), geometry.top(), geometry.width(), geometry.height())


def on_screen(place: Rectangle) -> QRect:
    """Return the place, shrunk and moved as far as necessary to fit on the nearest screen.

    A place that already fits stays: a window was there, perhaps under a title lower than `TITLE_BAR`.
    """
    wanted = QRect(place.left, place.top, place.width, place.height)
    screen = QGuiApplication.screenAt(wanted.center()) or QGuiApplication.primaryScreen()
    if screen.availableGeometry().contains(wanted):
        return wanted
    room = _room(screen)
    wanted.setSize(wanted.size().boundedTo(room.size()))
    wanted.moveLeft(max(room.left(), min(wanted.left(), room.right() - wanted.width() + 1)))
    wanted.moveTop(max(room.top(), min(wanted.top(), room.bottom() - wanted.height() + 1)))
    return wanted


def fitted(size: QSize, screen: QScreen) -> QSize:
    """Return the size, limited to the room on a screen."""
    return size.boundedTo(_room(screen).adjusted(FRAME, 0, -FRAME, -2 * FRAME).size())


class FittingDialogs(QObject):
    """Fits dialogs to their screen: Qt's own file dialogs would be higher than a laptop's.

    They are watched from when they are polished, and their preferred size is known when they are shown.
    """

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit a dialog before Qt places it."""
        if event.type() == QEvent.Type.Show and isinstance(watched, QDialog):
            watched.resize(fitted(watched.size(), watched.screen()))
        return super().eventFilter(watched, event)


def _room(screen: QScreen) -> QRect:
    return screen.availableGeometry().adjusted(0, TITLE_BAR, 0, 0)
