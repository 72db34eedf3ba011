"""The edges between docks, dragged with the mouse as a person does."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow


def dock_of(window: QMainWindow, name: str) -> QDockWidget:
    """The dock of a screen."""
    found = window.findChild(QDockWidget, f"{name}_dock")
    assert isinstance(found, QDockWidget), name
    return found


def drag_edge(window: QMainWindow, name: str, edge: Qt.Edge, by: int) -> None:
    """Drag the edge of a dock by so many pixels, to the right or downwards."""
    place, is_upright = dock_of(window, name).geometry(), edge in (Qt.Edge.LeftEdge, Qt.Edge.RightEdge)
    start = {
        Qt.Edge.LeftEdge: QPoint(place.left() - 2, place.center().y()),
        Qt.Edge.RightEdge: QPoint(place.right() + 2, place.center().y()),
        Qt.Edge.TopEdge: QPoint(place.center().x(), place.top() - 2),
        Qt.Edge.BottomEdge: QPoint(place.center().x(), place.bottom() + 2),
    }[edge]
    end = start + (QPoint(by, 0) if is_upright else QPoint(0, by))
    QTest.mousePress(window, Qt.MouseButton.LeftButton, pos=start)
    for pos in (start + (end - start) / 2, end):
        QTest.mouseMove(window, pos)
        QApplication.processEvents()
    QTest.mouseRelease(window, Qt.MouseButton.LeftButton, pos=end)
    QApplication.processEvents()
