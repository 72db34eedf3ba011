"""Rectangles of windows and docks, held on the screens that are there now."""

from PySide6.QtCore import QEvent, QObject, QRect, QSize
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QDialog

from inspector.gui.layout import Rectangle

TITLE_BAR = 32
"""Pixels left for the title above a window in a new place; nobody tells its height beforehand."""
FRAME = 4
"""Pixels beside and below a window that is placed for the first time, for its frame."""


def rectangle_of(geometry: QRect) -> Rectangle:
    """A geometry of Qt as a value."""
    return Rectangle(geometry.left(), geometry.top(), geometry.width(), geometry.height())


def on_screen(place: Rectangle) -> QRect:
    """The place, made as small and moved as far as it takes to lie whole on the screen that is nearest to it.

    A place whole on it stays: a window lay there, under a title perhaps lower than `TITLE_BAR`.
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
    """The size, or as much of it as there is room for on a screen."""
    return size.boundedTo(_room(screen).adjusted(FRAME, 0, -FRAME, -2 * FRAME).size())


class FittingDialogs(QObject):
    """Holds dialogs on the screen that they are shown on: Qt's own for files would be higher than a laptop's.

    It watches them from when they are polished; what size they like to have is known when they are shown.
    """

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Before Qt finds a place for it."""
        if event.type() == QEvent.Type.Show and isinstance(watched, QDialog):
            watched.resize(fitted(watched.size(), watched.screen()))
        return super().eventFilter(watched, event)


def _room(screen: QScreen) -> QRect:
    return screen.availableGeometry().adjusted(0, TITLE_BAR, 0, 0)
