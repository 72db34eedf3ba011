"""The ring around the focused widget after keyboard navigation: the style's own mark is too faint.

Single-line fields have none: they have a cursor, and an outline of their own.
"""

from typing import NamedTuple

import shiboken6
from PySide6.QtCore import QEvent, QObject, QRectF, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QRegion, QShortcut, Qt
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFocusFrame,
    QLineEdit,
    QProxyStyle,
    QStyle,
    QStyleHintReturn,
    QStyleOption,
    QWidget,
)

from inspector.gui.theme import UNIT, theme

_AROUND = 3
"""The distance outside a control. The ring is inside lists, tables and pages, which extend up to the edge."""
_WIDTH = 2.0


class FocusRing(QFocusFrame):
    """Follows a widget everywhere, above everything in its window; the mouse passes through it.

    `around` is the widget, or None. PySide treats a widget passed to Qt's `setWidget`, or returned by its `widget`, as
    a child of the ring, and its wrapper as dead once the ring is destroyed with a dialog. So `widget` is never called,
    and after `setWidget` the widget is returned to its parent.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("focus_ring")
        self.around: QWidget | None = None
        self._style = _RingStyle()
        self.setStyle(self._style)

    def surround(self, widget: QWidget | None) -> None:
        """Surround a widget, or hide with None."""
        self.around = widget  # before Qt asks the style for the ring's geometry
        self.setWidget(widget)  # type: ignore[arg-type]
        if widget is not None and not widget.isWindow():
            widget.setParent(widget.parentWidget())

    def event(self, event: QEvent) -> bool:
        """Leave the inside of the ring open, even within the edge of a widget, where Qt would mask nothing.

        PySide reports a resize to this class only here.
        """
        taken = super().event(event)
        if event.type() == QEvent.Type.Resize:
            inside = self.rect().adjusted(_AROUND, _AROUND, -_AROUND, -_AROUND)
            self.setMask(QRegion(self.rect()) - QRegion(inside))
        return taken

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a line in the accent, on a ground of its own to set it off from the widget."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), theme().window)
        painter.setPen(QPen(theme().accent, _WIDTH))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), UNIT / 2, UNIT / 2)
        painter.end()


class KeyboardFocus(QObject):
    """Puts the ring around the focused widget of a window and its dialogs, as long as the user navigates by keys.

    Qt records such keys within a window. Keys that lead from one window to another, such as those that open or end a
    dialog, are recorded here.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._ring: FocusRing | None = None
        self._inside: QWidget | None = None
        self._was_key = False
        self._following = QTimer(self, interval=0, singleShot=True)  # after scrolling into sight
        self._following.timeout.connect(self._follow)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._following.start)

    @property
    def ringed(self) -> QWidget | None:
        """The surrounded widget, or None."""
        return self._ring.around if self._ring is not None and shiboken6.isValid(self._ring) else None

    def _follow(self) -> None:
        now = QApplication.focusWidget()
        if now is not None and _owner(now) is self._window:
            self._enter(now.window())
        if now is not None and _owner(now) is self._window and _by_keys(now) and not _is_written_in(now):
            self._ring_of(now).surround(now)
        elif self.ringed is not None and self._ring is not None:
            self._ring.surround(None)

    def _enter(self, inside: QWidget) -> None:
        """Handle a focus in this window, perhaps coming from another."""
        if inside is self._inside:
            return
        if self._was_key and self._inside is not None:
            inside.setAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
        self._inside, place = inside, inside.windowHandle()
        place.removeEventFilter(self)
        place.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Record whether the last input to a window was a key or a mouse button."""
        if event.type() in (QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress):
            self._was_key = event.type() == QEvent.Type.KeyPress
        return super().eventFilter(watched, event)

    def _ring_of(self, widget: QWidget) -> FocusRing:
        """Return the ring, made again if it was destroyed with its panel or dialog."""
        if self._ring is None or not shiboken6.isValid(self._ring):
            self._ring = FocusRing(widget.window())
        return self._ring


class _RingStyle(QProxyStyle):
    """The geometry of the frame: above the widget, around it or inside its edge. The frame masks itself."""

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returnData: QStyleHintReturn | None = None,  # noqa: N803
    ) -> int:
        if hint == QStyle.StyleHint.SH_FocusFrame_AboveWidget:
            return 1
        if hint == QStyle.StyleHint.SH_FocusFrame_Mask:
            return 0
        return super().styleHint(hint, option, widget, returnData)

    def pixelMetric(
        self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        if metric in (QStyle.PixelMetric.PM_FocusFrameHMargin, QStyle.PixelMetric.PM_FocusFrameVMargin):
            inside = isinstance(widget, FocusRing) and isinstance(widget.around, QAbstractScrollArea)
            return 0 if inside else _AROUND
        return super().pixelMetric(metric, option, widget)


def _owner(widget: QWidget) -> QWidget:
    """Return the main window of a widget, above dialogs and floating panels."""
    window = widget.window()
    while (above := window.parentWidget()) is not None:
        window = above.window()
    return window


def _by_keys(widget: QWidget) -> bool:
    return widget.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)


def _is_written_in(widget: QWidget) -> bool:
    """Return whether it is a single-line field, whose cursor shows the focus."""
    if isinstance(widget, QComboBox):
        return widget.isEditable()
    return isinstance(widget, QLineEdit | QAbstractSpinBox)


class KeyUse(NamedTuple):
    """The effect of keys, and the keys in Qt's notation (`Ctrl+C`); alternatives are separated by a comma and a space.

    Keys with opposite effects may share an entry.
    """

    title: str
    keys: str


_USE = "use"


def set_use(shortcut: QShortcut, use: str) -> None:
    """Set the description of a widget's shortcut."""
    shortcut.setProperty(_USE, use)


def use_of(shortcut: QShortcut) -> str:
    """Return the description of a shortcut, or ""."""
    return shortcut.property(_USE) or ""


def keys_into(line: QLineEdit, window: QWidget) -> None:
    """Send the keys of a window, and of its focused widget, to a text field, until its popup is hidden."""
    _KeysInto(line, window)


class _KeysInto(QObject):
    """The event filter for one opening of the popup."""

    def __init__(self, line: QLineEdit, window: QWidget) -> None:
        super().__init__(line)
        self._line, self._is_over = line, False
        for watched in filter(None, (line.window(), window, window.focusWidget())):
            watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Type the keys behind the popup, and let none of them trigger an action."""
        if watched is self._line.window():
            if event.type() == QEvent.Type.Hide:
                self._is_over = True
                self.deleteLater()
            return False
        if self._is_over:
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyPress:
            QApplication.sendEvent(self._line, event)
            return True
        return False
