"""The path of the focus through a window, and the roles of its own widgets for screen readers."""

from collections.abc import Mapping
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAbstractScrollArea, QAccessibleWidget, QWidget

ROLES: Mapping[str, QAccessible.Role] = {
    "BudgetBar": QAccessible.Role.Chart,
    "FallList": QAccessible.Role.List,
    "Plot": QAccessible.Role.Chart,
    "PresentView": QAccessible.Role.Pane,
}
"""The roles of self-painted widgets, by class; Qt knows those of its own."""


def can_be_seen(widget: QWidget) -> bool:
    """Return whether a widget lies inside all its parents, or can be scrolled into view."""
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
    """Make Tab visit these parts in turn. By default, Qt puts the widget made last at the end of its window."""
    stops = [stop for part in parts for stop in stops_in(part)]
    for before, after in pairwise(stops):
        QWidget.setTabOrder(before, after)


def stops_in(part: QWidget) -> list[QWidget]:
    """Return the focusable widgets in a part of a window, in the order in which they were added.

    Qt's own chain is of no use: PySide treats each widget in it as owned by the previous one and deletes them together.
    """
    widgets = (each for each in part.findChildren(QWidget) if each.window() is part.window())
    return [each for each in widgets if each.focusPolicy() != Qt.FocusPolicy.NoFocus and each.focusProxy() is None]


class Entrance(QObject):
    """Moves the focus into a part of a window as soon as a widget there takes it, unless the focus went elsewhere.

    The part may have just come to the front, or may still be loading its contents.
    """

    def __init__(self, part: QWidget) -> None:
        super().__init__(part)
        self._part, self._before = part, part.window().focusWidget()
        part.installEventFilter(self)
        QTimer.singleShot(0, self, self._enter)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Try again: another page of the part may be visible."""
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
            first.setFocus(Qt.FocusReason.ActiveWindowFocusReason)  # for this reason tables select no row


def first_stop(part: QWidget) -> QWidget | None:
    """Return the first focusable widget of a part of a window, from top to bottom and left to right."""
    stops = (stop for stop in stops_in(part) if stop.focusPolicy() & Qt.FocusPolicy.TabFocus)
    seen = [stop for stop in stops if stop.isEnabled() and can_be_seen(stop)]
    corners = {stop: (stop.mapTo(part, stop.rect().center()).y(), stop.mapTo(part, QPoint()).x()) for stop in seen}
    return min(seen, key=lambda stop: corners[stop], default=None)


def name_roles() -> None:
    """Register the roles of the program's own widgets with Qt, once."""
    if not _Told.is_told:
        _Told.is_told = True
        QAccessible.installFactory(_interface)


class _Told:
    """Whether the roles are registered."""

    is_told = False


def _interface(kind: str, thing: QObject) -> QAccessibleInterface | None:
    role = ROLES.get(kind)
    return QAccessibleWidget(thing, role) if role is not None and isinstance(thing, QWidget) else None
