"""The ring around what has the keyboard once somebody went there by keys: the mark of the style alone is too faint.

Fields of one line have none: they have a cursor, and an outline of their own.
"""

import shiboken6
from PySide6.QtCore import QEvent, QObject, QRectF, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QRegion, Qt
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
"""How far it stands out of a control; it lies inside of lists, tables and pages, which go up to the edge."""
_WIDTH = 2.0


class FocusRing(QFocusFrame):
    """Follows a widget wherever it goes, above everything in its window; the mouse goes through it.

    `around` is the widget, or None. PySide takes a widget that Qt's `setWidget` gets, and one that its `widget` gives,
    for a child of the ring, and its wrapper for dead as soon as the ring goes with a dialog. So nothing asks for
    `widget`, and after `setWidget` the widget is given back to its parent.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("focus_ring")
        self.around: QWidget | None = None
        self._style = _RingStyle()
        self.setStyle(self._style)

    def surround(self, widget: QWidget | None) -> None:
        """Lie around a widget, or with None around nothing, unseen."""
        self.around = widget  # before Qt asks the style how the ring lies
        self.setWidget(widget)  # type: ignore[arg-type]
        if widget is not None and not widget.isWindow():
            widget.setParent(widget.parentWidget())

    def event(self, event: QEvent) -> bool:
        """Leave open what it is around, also where it lies inside of an edge: there Qt would mask nothing at all.

        PySide tells this class of its resizing here only.
        """
        taken = super().event(event)
        if event.type() == QEvent.Type.Resize:
            inside = self.rect().adjusted(_AROUND, _AROUND, -_AROUND, -_AROUND)
            self.setMask(QRegion(self.rect()) - QRegion(inside))
        return taken

    def paintEvent(self, event: QPaintEvent) -> None:
        """A line in the accent, on a ground of its own that parts it from what it lies on."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), theme().window)
        painter.setPen(QPen(theme().accent, _WIDTH))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), UNIT / 2, UNIT / 2)
        painter.end()


class KeyboardFocus(QObject):
    """Puts the ring around what has the focus in a window and its dialogs, as long as keys lead there.

    Qt notes that of the keys that move the focus inside a window. Keys that lead from one to another are noted here,
    such as the one that opens or ends a dialog.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._ring: FocusRing | None = None
        self._inside: QWidget | None = None
        self._was_key = False
        self._following = QTimer(self, interval=0, singleShot=True)  # once it has been scrolled into sight
        self._following.timeout.connect(self._follow)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._following.start)

    @property
    def ringed(self) -> QWidget | None:
        """What the ring is around; None where there is none."""
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
        """The focus is in this window, and was maybe in another one before."""
        if inside is self._inside:
            return
        if self._was_key and self._inside is not None:
            inside.setAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
        self._inside, place = inside, inside.windowHandle()
        place.removeEventFilter(self)
        place.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note whether a window was given a key last, or a button of the mouse."""
        if event.type() in (QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress):
            self._was_key = event.type() == QEvent.Type.KeyPress
        return super().eventFilter(watched, event)

    def _ring_of(self, widget: QWidget) -> FocusRing:
        """The ring; it went with the panel or dialog that it was in where that is gone."""
        if self._ring is None or not shiboken6.isValid(self._ring):
            self._ring = FocusRing(widget.window())
        return self._ring


class _RingStyle(QProxyStyle):
    """How the frame lies: above the widget, and around it or inside of its edge. It masks itself."""

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
    """The window that a widget belongs to in the end: dialogs and floating panels have one above them."""
    window = widget.window()
    while (above := window.parentWidget()) is not None:
        window = above.window()
    return window


def _by_keys(widget: QWidget) -> bool:
    return widget.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)


def _is_written_in(widget: QWidget) -> bool:
    """Whether it is a field of one line, in which a cursor says where the keyboard is."""
    if isinstance(widget, QComboBox):
        return widget.isEditable()
    return isinstance(widget, QLineEdit | QAbstractSpinBox)
