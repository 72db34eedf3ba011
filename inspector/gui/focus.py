"""The way of the keyboard through a window, and what its own widgets are to a screen reader."""

from collections.abc import Callable, Mapping
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAbstractScrollArea, QAccessibleWidget, QApplication, QWidget

ROLES: Mapping[str, QAccessible.Role] = {
    "BudgetBar": QAccessible.Role.Chart,
    "Plot": QAccessible.Role.Chart,
}
"""The roles of widgets that paint themselves, by class; Qt knows those of its own."""


def next_in_sight(step: Callable[[bool], bool], forward: bool) -> bool:
    """Let Qt take the focus on, past what cannot be seen: docks behind other tabs count as visible to it."""
    passed: list[QWidget] = []
    while step(forward):
        widget = QApplication.focusWidget()
        if widget is None or can_be_seen(widget) or widget in passed:
            return True
        passed.append(widget)
    return False


def can_be_seen(widget: QWidget) -> bool:
    """Whether a widget lies inside all that holds it, or can be scrolled there."""
    place = QRect(QPoint(), widget.size())
    while not widget.isWindow():
        holder = widget.parentWidget()
        if holder is None or not widget.isVisible():
            return False
        area = holder.parentWidget()
        if isinstance(area, QAbstractScrollArea) and area.viewport() is holder:
            place = QRect(QPoint(), area.size())
            widget = area
            continue
        place = place.translated(widget.pos()) & holder.rect()
        if place.isEmpty():
            return False
        widget = holder
    return True


def lead_through(*parts: QWidget) -> None:
    """Let Tab go through these parts one after another: to Qt, what is made last is last in its window."""
    stops = [stop for part in parts for stop in stops_in(part)]
    for before, after in pairwise(stops):
        QWidget.setTabOrder(before, after)


def stops_in(part: QWidget) -> list[QWidget]:
    """What takes the keyboard in a part of a window, in the order in which it was put there.

    Not by Qt's own chain: PySide takes each widget of it to belong to the one before, and to be gone with that.
    """
    widgets = (each for each in part.findChildren(QWidget) if each.window() is part.window())
    return [each for each in widgets if each.focusPolicy() != Qt.FocusPolicy.NoFocus and each.focusProxy() is None]


class Entrance(QObject):
    """Leads the keyboard into a part of a window as soon as something there takes it, unless it went elsewhere.

    The part may have just come to the front, or still be looking for what it is to show.
    """

    def __init__(self, part: QWidget) -> None:
        super().__init__(part)
        self._part, self._before = part, part.window().focusWidget()
        part.installEventFilter(self)
        QTimer.singleShot(0, self, self._enter)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Another page of the part may be seen."""
        if event.type() == QEvent.Type.LayoutRequest:
            QTimer.singleShot(0, self, self._enter)
        return False

    def _enter(self) -> None:
        first = None
        if self._part.window().focusWidget() is self._before:
            first = first_stop(self._part)
            if first is None:
                return
        self._part.removeEventFilter(self)
        self.deleteLater()
        if first is not None and not (self._before and self._part.isAncestorOf(self._before)):
            first.setFocus(Qt.FocusReason.ActiveWindowFocusReason)  # no table selects its first row by that


def first_stop(part: QWidget) -> QWidget | None:
    """What takes the keyboard first in a part of a window, from above and in its line from the left."""
    stops = (stop for stop in stops_in(part) if stop.focusPolicy() & Qt.FocusPolicy.TabFocus)
    seen = [stop for stop in stops if stop.isEnabled() and can_be_seen(stop)]
    corners = {stop: (stop.mapTo(part, stop.rect().center()).y(), stop.mapTo(part, QPoint()).x()) for stop in seen}
    return min(seen, key=lambda stop: corners[stop], default=None)


def name_roles() -> None:
    """Tell Qt the roles of the program's own widgets, once."""
    if not _Told.is_told:
        _Told.is_told = True
        QAccessible.installFactory(_interface)


class _Told:
    """Whether Qt knows the roles."""

    is_told = False


def _interface(kind: str, thing: QObject) -> QAccessibleInterface | None:
    role = ROLES.get(kind)
    return QAccessibleWidget(thing, role) if role is not None and isinstance(thing, QWidget) else None
