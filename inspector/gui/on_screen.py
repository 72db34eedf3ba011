"""Rectangles of windows and docks, held on the screens that are there now."""

from PySide6.QtCore import QRect
from PySide6.QtGui import QGuiApplication

from inspector.gui.layout import Rectangle


def rectangle_of(geometry: QRect) -> Rectangle:
    """A geometry of Qt as a value."""
    return Rectangle(geometry.left(), geometry.top(), geometry.width(), geometry.height())


def on_screen(place: Rectangle) -> QRect:
    """The place, made as small and moved as far as it takes to lie whole on the screen that is nearest to it."""
    wanted = QRect(place.left, place.top, place.width, place.height)
    screen = QGuiApplication.screenAt(wanted.center()) or QGuiApplication.primaryScreen()
    room = screen.availableGeometry()
    wanted.setSize(wanted.size().boundedTo(room.size()))
    wanted.moveLeft(max(room.left(), min(wanted.left(), room.right() - wanted.width() + 1)))
    wanted.moveTop(max(room.top(), min(wanted.top(), room.bottom() - wanted.height() + 1)))
    return wanted
