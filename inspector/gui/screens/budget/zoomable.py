"""A bar that zooms: by wheel, double click and drag, and by keys. What it shows is not known here."""

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from inspector.gui.parts.bar_zoom import BarZoom

NOTCH_FACTOR = 1.25
"""How many times as much one notch of the wheel shows."""
_KEY_FACTOR = NOTCH_FACTOR**2
_NOTCH = 120
_STEP = 0.25
"""The part of what is in sight that a key moves by; a notch of the wheel half as much."""
_CONTROL = Qt.KeyboardModifier.ControlModifier
_SHIFT = Qt.KeyboardModifier.ShiftModifier


class ZoomableBar(QWidget):
    """The stretch in sight, and how a person changes it. `looked_at` tells that it is another."""

    looked_at = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.zoom = BarZoom.all_of(1)
        self._used = 0
        self._pressed: QPoint | None = None
        self._dragged_from: BarZoom | None = None

    def take_length(self, whole: int, used: int) -> None:
        """The bar stands for so many tokens, of which so many are used; what is in sight stays, as far as it can."""
        self.zoom, self._used = self.zoom.of(whole), used

    def token_at(self, x: float) -> float:
        """The token at a pixel of this widget."""
        raise NotImplementedError

    def middle_of_choice(self) -> float | None:
        """The token that keys zoom about, None where nothing is chosen."""
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
        """Show what is used; where that is shown already, the whole."""
        fitted = self.zoom.fitted(self._used)
        self.look_at(BarZoom.all_of(self.zoom.whole) if self.zoom == fitted or not self._used else fitted)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The beginning of a click, or of a drag."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position().toPoint()

    def drag_to(self, event: QMouseEvent) -> bool:
        """Whether the mouse is held down: where a part is in sight, that moves along with the mouse."""
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
        """Where the mouse was pressed, if that was a click; None after a drag."""
        if event.button() != Qt.MouseButton.LeftButton:
            return None
        pressed, was_dragged = self._pressed, self._dragged_from is not None
        self._pressed = self._dragged_from = None
        return None if was_dragged else pressed

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show what is used, or the whole again."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = None
            self.fit_or_show_all()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """With Ctrl zoom at the mouse; sideways, or with Shift, move. Otherwise the wheel does nothing."""
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
        """Whether a key zooms or moves, which it then did: + and −, 0 and F, Ctrl with an arrow."""
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
