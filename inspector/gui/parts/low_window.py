"""Whether the window of a widget is low, so that what is rarely needed folds."""

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QWidget

LOW = 800
"""Windows of fewer pixels of height are low: a small laptop, or a screen at 200 %."""


class LowWindow(QObject):
    """Watches the window of a widget. `changed` carries whether it is low now: below so many pixels of height."""

    changed = Signal(bool)

    def __init__(self, widget: QWidget, below: int = LOW) -> None:
        super().__init__(widget)
        self._below = below
        self._widget, self._window, self._is_low = widget, widget.window(), False
        widget.installEventFilter(self)
        self._window.installEventFilter(self)

    @property
    def is_low(self) -> bool:
        """Whether the window is low."""
        return self._is_low

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the window, also to another one that the widget is put into."""
        if watched is self._widget and event.type() in (QEvent.Type.Show, QEvent.Type.ParentChange):
            self._follow()
        if watched is self._window and event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._look()
        return super().eventFilter(watched, event)

    def _follow(self) -> None:
        window = self._widget.window()
        if window is not self._window:
            self._window = window
            window.installEventFilter(self)
        self._look()

    def _look(self) -> None:
        is_low = self._window.height() < self._below
        if is_low != self._is_low:
            self._is_low = is_low
            self.changed.emit(is_low)
