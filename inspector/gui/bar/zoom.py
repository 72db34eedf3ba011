"""A bar that is zoomed and moved by mouse and keys."""

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from inspector.gui.parts.bar_picture import BarZoom

NOTCH_FACTOR = 1.25
"""The tokens in sight change by this factor for each notch of the wheel."""
_KEY_FACTOR = NOTCH_FACTOR**2
_NOTCH = 120
_STEP = 0.25
"""The share of the stretch in sight by which a key moves it; a notch of the wheel moves half as much."""
_CONTROL = Qt.KeyboardModifier.ControlModifier
_SHIFT = Qt.KeyboardModifier.ShiftModifier


class ZoomableBar(QWidget):
    """A bar that can be zoomed and moved by mouse and keys; emits `looked_at` when the stretch in sight changes."""

    looked_at = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.zoom = BarZoom.all_of(1)
        self._used = 0
        self._pressed: QPoint | None = None
        self._dragged_from: BarZoom | None = None

    def take_length(self, whole: int, used: int) -> None:
        """Set the length of the bar and the part in use, in tokens; the stretch in sight is kept as far as possible."""
        self.zoom, self._used = self.zoom.of(whole), used

    def token_at(self, x: float) -> float:
        """Return the token at a pixel of this widget."""
        raise NotImplementedError

    def middle_of_choice(self) -> float | None:
        """Return the token about which keys zoom, None without a selection."""
        return None

    def look_at(self, zoom: BarZoom) -> None:
        """Show this stretch of the bar."""
        if zoom != self.zoom:
            self.zoom = zoom
            self.looked_at.emit()
            self.update()

    def show_all(self) -> None:
        """Show the whole bar."""
        self.look_at(BarZoom.all_of(self.zoom.whole))

    def fit_or_show_all(self) -> None:
        """Show the part in use; if it is in sight already, the whole bar."""
        fitted = self.zoom.fitted(self._used)
        self.look_at(BarZoom.all_of(self.zoom.whole) if self.zoom == fitted or not self._used else fitted)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember the place: a click or a drag begins."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position().toPoint()

    def drag_to(self, event: QMouseEvent) -> bool:
        """Return whether the mouse is held down; if so, a zoomed bar moves along with it."""
        if self._pressed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return False
        place = event.position().toPoint()
        is_far = abs(place.x() - self._pressed.x()) >= QApplication.startDragDistance()
        if self._dragged_from is None and is_far and not self.zoom.is_whole:
            self._dragged_from = self.zoom
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        if self._dragged_from is not None:
            tokens = self.token_at(self._pressed.x()) - self.token_at(place.x())
            self.look_at(self._dragged_from.moved(tokens))
        return True

    def end_drag(self, event: QMouseEvent) -> QPoint | None:
        """Return the place of the press after a click; None after a drag."""
        if event.button() != Qt.MouseButton.LeftButton:
            return None
        pressed, was_dragged = self._pressed, self._dragged_from is not None
        self._pressed = self._dragged_from = None
        return None if was_dragged else pressed

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show the part in use, or the whole again."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = None
            self.fit_or_show_all()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the mouse with Ctrl; move sideways, or with Shift; otherwise leave the event to the parent."""
        turned, aside = event.angleDelta().y(), event.angleDelta().x()
        if event.modifiers() & _CONTROL:
            factor = NOTCH_FACTOR ** (-(turned or aside) / _NOTCH)
            self.look_at(self.zoom.scaled(factor, self.token_at(event.position().x())))
        elif aside or event.modifiers() & _SHIFT:
            self.look_at(self.zoom.moved(-(aside or turned) / _NOTCH * _STEP / 2 * self.zoom.tokens))
        else:
            event.ignore()
            return
        event.accept()

    def zoom_by_key(self, event: QKeyEvent) -> bool:
        """Zoom or move by +, −, 0, F or Ctrl with an arrow; return whether the key did so."""
        key, zoom = Qt.Key(event.key()), self.zoom
        if event.modifiers() & _CONTROL:
            steps = {Qt.Key.Key_Right: _STEP, Qt.Key.Key_Left: -_STEP}.get(key)
            if steps is None:
                return False
            self.look_at(zoom.moved(zoom.tokens * steps))
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.look_at(zoom.scaled(1 / _KEY_FACTOR, self._middle()))
        elif key == Qt.Key.Key_Minus:
            self.look_at(zoom.scaled(_KEY_FACTOR, self._middle()))
        elif key == Qt.Key.Key_0:
            self.show_all()
        elif key == Qt.Key.Key_F:
            self.fit_or_show_all()
        else:
            return False
        return True

    def _middle(self) -> float:
        chosen = self.middle_of_choice()
        is_in_sight = chosen is not None and self.zoom.first <= chosen <= self.zoom.last
        return chosen if chosen is not None and is_in_sight else self.zoom.first + self.zoom.tokens / 2
