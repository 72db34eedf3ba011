"""The lines of the budget bar from top to bottom, in pixels. Each keeps its room even while it is empty."""

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from inspector.assembly.columns import word
from inspector.figures import counted
from inspector.gui.parts.bar_picture import BarPicture, BarZoom, Limit, Loan, Segment
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT

_BEYOND = 2
"""A segment that is cut off continues this many pixels beyond the bar, so its outline shows no end."""
_FAR = 8


@dataclass(frozen=True, slots=True)
class BarScale:
    """The rectangle of the bar and the stretch of tokens across its width."""

    bar: QRect
    zoom: BarZoom

    def x(self, tokens: float) -> int:
        """Return the pixel at the end of this many tokens, possibly outside the bar."""
        return self.bar.left() + round((tokens - self.zoom.first) * self.bar.width() / self.zoom.tokens)

    def tokens_at(self, x: float) -> float:
        """Return the token at a pixel."""
        return self.zoom.first + (x - self.bar.left()) * self.zoom.tokens / self.bar.width()

    def in_sight(self, tokens: float) -> int:
        """Return the pixel of a number of tokens; for far ones, a place a little outside the bar."""
        return min(max(self.x(tokens), self.bar.left() - _FAR), self.bar.right() + _FAR)

    def span(self, segment: Segment, row: QRect) -> QRect:
        """Return the visible rectangle of a segment in a row; a segment with tokens is always visible."""
        left, right = self.x(segment.start), self.x(segment.end)
        right = max(right, left + 2) if segment.tokens else left
        left, right = max(left, self.bar.left() - _BEYOND), min(right, self.bar.right() + 1 + _BEYOND)
        return QRect(left, row.top(), max(right - left, 0), row.height())

    def stretch(self, loan: Loan) -> QRect:
        """Return the visible rectangle of a loan on the bar."""
        first, last = self.bar.left(), self.bar.right()
        left, right = (min(max(self.x(place), first - _FAR), last) for place in (loan.start, loan.end))
        left = min(left, last - 1)
        return QRect(left, self.bar.top(), max(right - left, 2), self.bar.height())

    def ticks(self, picture: BarPicture) -> dict[int, list[Limit]]:
        """Return the visible limits by pixel; sections ending together, such as memories and lore, share a pixel.

        Sections with tokens come first.
        """
        ticks: dict[int, list[Limit]] = {}
        for limit in sorted(picture.limits, key=lambda limit: picture.named(word(limit.section)) is None):
            if self.zoom.first <= limit.end <= self.zoom.last:
                ticks.setdefault(self.x(limit.end), []).append(limit)
        return ticks

    @property
    def sentence(self) -> str:
        """The tokens per pixel, and the range in sight unless it is the whole: `2,000 to 5,200 · 1 px ≈ 3 tokens`."""
        each = self.zoom.tokens / self.bar.width()
        tokens = counted(round(each), "token") if each >= 0.95 else f"{each:.2g} tokens"
        size = f"1 px ≈ {tokens}"
        return size if self.zoom.is_whole else f"{self.zoom.first:,.0f} to {self.zoom.last:,.0f} · {size}"


BASELINE_HEIGHT = 2 * UNIT
LOAN_HEIGHT = 2 * UNIT
"""The height of the lane above the bar for loans."""
BAR_HEIGHT = 7 * UNIT
LARGE_BAR_HEIGHT = 28 * UNIT
_BELOW_BAR = 6


@dataclass(frozen=True, slots=True)
class BarLayout:
    """The rectangles of the bar, its totals (`side_width` wide, beside it), labels and legend in a widget of
    `width`.
    """

    width: int
    side_width: int
    label_height: int
    bar_height: int = BAR_HEIGHT
    has_last_line: bool = True

    @property
    def bar(self) -> QRect:
        """The rectangle of the bar itself."""
        side = self.side_width + GAP if self.side_width else 0
        top = UNIT + BASELINE_HEIGHT + LOAN_HEIGHT
        return QRect(PANEL_MARGIN, top, max(1, self.width - 2 * PANEL_MARGIN - side), self.bar_height)

    @property
    def baseline(self) -> QRect:
        """The thin bar of the baseline above it."""
        return QRect(self.bar.left(), UNIT, self.bar.width(), BASELINE_HEIGHT)

    @property
    def below(self) -> QRect:
        """The line of labels below the bar."""
        return QRect(self.bar.left(), self.bar.bottom() + _BELOW_BAR, self.bar.width(), self.label_height)

    @property
    def last_line(self) -> QRect:
        """The line of the legend and the scale, as wide as the widget; empty without room for it."""
        top = self.below.bottom() + UNIT
        if not self.has_last_line:
            return QRect()
        return QRect(PANEL_MARGIN, top, max(1, self.width - 2 * PANEL_MARGIN), self.label_height + 2)

    @property
    def lost(self) -> QRect:
        """The place of the bell for dropped must-survive items, below the totals."""
        return self.side(self.below.center().y())

    @property
    def height(self) -> int:
        """The height of all lines together."""
        return (self.last_line if self.has_last_line else self.below).bottom() + UNIT

    def side(self, middle: int) -> QRect:
        """Return a line of the totals, centred at this height."""
        height = self.label_height + 2
        return QRect(self.width - PANEL_MARGIN - self.side_width, middle - height // 2, self.side_width, height)

    def scale(self, zoom: BarZoom) -> BarScale:
        """Return the scale of the bar under a zoom."""
        return BarScale(self.bar, zoom)


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
