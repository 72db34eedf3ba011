"""The text of tokens for screen readers: a document whose value is the current token."""

from collections.abc import Callable
from typing import Any

from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QAccessibleWidget, QWidget

_Describe = Callable[[Any], str]
_described: dict[type[QWidget], _Describe] = {}


class _Reader(QAccessibleWidget):
    """A widget as a document."""

    def __init__(self, widget: QWidget, describe: _Describe) -> None:
        super().__init__(widget, QAccessible.Role.Document)
        self._describe = describe

    def text(self, kind: QAccessible.Text) -> str:
        """Return the current token as the value; name and description are the widget's own."""
        widget = self.object()
        if kind == QAccessible.Text.Value and isinstance(widget, QWidget):
            return self._describe(widget)
        return super().text(kind)


def read_aloud(kind: type[QWidget], describe: _Describe) -> None:
    """Expose widgets of a kind as documents whose value `describe` returns."""
    if not _described:
        QAccessible.installFactory(_make)
    _described[kind] = describe


def tell_readers(widget: QWidget) -> None:
    """Announce a new current token."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleEvent(widget, QAccessible.Event.ValueChanged))


def _make(_key: str, widget: Any) -> _Reader | None:
    describe = _described.get(type(widget))
    return None if describe is None else _Reader(widget, describe)
