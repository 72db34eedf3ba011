"""The buttons of the start page. They paint themselves, which is cheaper than rules of style."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from inspector.gui.bar.painting import part_brush
from inspector.gui.icons import drawn_icon
from inspector.gui.parts.bar_picture import BarPart
from inspector.gui.parts.texts import one_line, tooltip
from inspector.gui.theme import FontName, named_font, scaled, theme

CARD, TOUR, ROW, NOTE, DROP = 64, 122, 34, 36, 84
"""The heights of the design."""
RADIUS = 10
_ICON, _PADDING = 18, 16
_BAR, _BAR_RADIUS = 18, 3
_PRESSING = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
Parts = Sequence[tuple[BarPart, int]]
"""The parts of a small bar with their tokens."""


class Card(QAbstractButton):
    """A button of this page: pressed by Enter and Space, with hover and focus. Its `height` is that of the design."""

    def __init__(self, name: str, words: str, height: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setAccessibleDescription(words)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._height = height

    def sizeHint(self) -> QSize:
        return QSize(scaled(200), scaled(self._height))

    def minimumSizeHint(self) -> QSize:
        return QSize(scaled(120), scaled(self._height))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press it with Enter, too."""
        if event.key() in _PRESSING:
            self.click()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.updateGeometry()
            self.update()

    def paint_ground(self, painter: QPainter, ground: QColor, edge: QColor | None) -> None:
        """Paint the rounded ground, and the ring of the focus."""
        look = theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.hasFocus():
            edge, width = look.accent, 2.0
        else:
            width = 1.0
        painter.setPen(QPen(edge, width) if edge is not None else Qt.PenStyle.NoPen)
        painter.setBrush(look.accent_soft if self.isDown() else look.hover if self.underMouse() else ground)
        inset = width / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), RADIUS, RADIUS)


def write(
    painter: QPainter, place: QRect, text: str, font: FontName, ink: QColor, side: Qt.AlignmentFlag = _LEFT
) -> int:
    """Write a line in a place, cut with an ellipsis if too long. Returns its width."""
    painter.setFont(named_font(font))
    metrics = QFontMetrics(painter.font())
    shown = metrics.elidedText(one_line(text), Qt.TextElideMode.ElideRight, place.width())
    painter.setPen(ink)
    painter.drawText(place, int(side), shown)
    return metrics.horizontalAdvance(shown)


def _icon(painter: QPainter, name: str, left: int, middle: int, ink: QColor) -> None:
    size = scaled(_ICON)
    painter.drawPixmap(QPointF(left, middle - size / 2), drawn_icon(name, size, ink))


class ActionCard(Card):
    """A large action: icon, name, a line below it, and its key at the right."""

    def __init__(self, icon: str, name: str, words: str, keys: str, parent: QWidget | None = None) -> None:
        super().__init__(name, words, CARD, parent)
        self.setText(name)
        self.setToolTip(tooltip(f"{name} ({keys})"))
        self._icon, self._words, self._keys = icon, words, keys

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, look, whole = QPainter(self), theme(), self.rect()
        self.paint_ground(painter, look.button, look.border)
        padding, middle = scaled(_PADDING), whole.height() // 2
        _icon(painter, self._icon, padding, middle, look.text)
        keys = self._paint_keys(painter)
        left = padding + scaled(_ICON) + scaled(14)
        line = scaled(18)
        words = QRect(left, middle - line, keys - left - padding, line)
        write(painter, words, self.text(), "title", look.text)
        write(painter, words.translated(0, line + 1), self._words, "secondary", look.second_text)
        painter.end()

    def _paint_keys(self, painter: QPainter) -> int:
        """Paint the key as a cap; return its left end."""
        look, metrics = theme(), QFontMetrics(named_font("caption"))
        width, height = metrics.horizontalAdvance(self._keys) + scaled(10), metrics.height() + scaled(4)
        cap = QRect(self.width() - scaled(_PADDING) - width, (self.height() - height) // 2, width, height)
        painter.setPen(look.border)
        painter.setBrush(look.window)
        painter.drawRoundedRect(cap, 4, 4)
        write(painter, cap, self._keys, "caption", look.second_text, Qt.AlignmentFlag.AlignCenter)
        return cap.left()


class RecentRow(Card):
    """A recent opening: its name, its contents, and its last time at the right."""

    def __init__(self, name: str, about: str, when: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(f"Open {one_line(name)}", ", ".join(filter(None, (about, when))), ROW, parent)
        self.setText(one_line(name))
        self.setToolTip(tooltip(tip))
        self.about, self.when = about, when

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, look, whole = QPainter(self), theme(), self.rect()
        self.paint_ground(painter, look.base, None)
        inner = scaled(8)
        _icon(painter, "file-text", inner, whole.height() // 2, look.muted_text)
        room = whole.adjusted(inner + scaled(_ICON) + scaled(8), 0, -inner, 0)
        used = write(painter, room, self.when, "secondary", look.muted_text, _RIGHT)
        room.adjust(0, 0, -used - scaled(12), 0)
        used = write(painter, room, self.text(), "name", look.text)
        room.adjust(used + scaled(10), 0, 0, 0)
        if room.width() > scaled(40):
            write(painter, room, self.about, "secondary", look.muted_text)
        painter.end()


class UnsavedNote(Card):
    """Unsaved work, and the word that recovers it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Recover unsaved work", "", NOTE, parent)
        self.setObjectName("start:recover")

    def say(self, words: str, tip: str) -> None:
        """Show a sentence about the work."""
        self.setText(words)
        self.setAccessibleDescription(words)
        self.setToolTip(tooltip(tip))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, look, whole = QPainter(self), theme(), self.rect()
        self.paint_ground(painter, look.warning_soft, None)
        inner = scaled(12)
        ink = look.text if self.isDown() or self.underMouse() else look.warning
        _icon(painter, "history", inner, whole.height() // 2, ink)
        room = whole.adjusted(inner + scaled(_ICON) + scaled(8), 0, -inner, 0)
        used = write(painter, room, "Recover", "title", ink, _RIGHT)
        write(painter, room.adjusted(0, 0, -used - inner, 0), self.text(), "name", look.text)
        painter.end()


class TourCard(Card):
    """A tour: a small bar, its name, a sentence, and how long it takes."""

    def __init__(
        self, name: str, words: str, length: str, parts: Parts, window: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(f"Tour: {name}", f"{words} {length}.", TOUR, parent)
        self.setText(name)
        self.setToolTip(tooltip(f"{name}\n{words}"))
        self._words, self._length, self._parts, self._window = words, length, parts, window

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, look = QPainter(self), theme()
        self.paint_ground(painter, look.button, look.border)
        padding, line = scaled(_PADDING), scaled(18)
        bar = QRect(padding, padding, self.width() - 2 * padding, scaled(_BAR))
        paint_small_bar(painter, bar, self._parts, self._window)
        row = QRect(padding, bar.bottom() + scaled(10), bar.width(), line)
        write(painter, row, self.text(), "title", look.text)
        row.translate(0, line + 1)
        write(painter, row, self._words, "secondary", look.second_text)
        row.translate(0, line + scaled(6))
        ink = look.text if self.isDown() or self.underMouse() else look.accent
        _icon(painter, "play", row.left(), row.center().y() + 1, ink)
        write(painter, row.adjusted(scaled(_ICON) + scaled(6), 0, 0, 0), self._length, "name", ink)
        painter.end()


def paint_small_bar(painter: QPainter, bar: QRect, parts: Parts, window: int) -> None:
    """Paint parts of a window in their fills, and the outline of the window."""
    look, path = theme(), QPainterPath()
    path.addRoundedRect(QRectF(bar), _BAR_RADIUS, _BAR_RADIUS)
    painter.save()
    painter.setClipPath(path)
    start = 0
    for part, tokens in parts:
        left, right = (bar.left() + round(bar.width() * place / window) for place in (start, start + tokens))
        painter.fillRect(QRect(left, bar.top(), max(right - left - 1, 1), bar.height()), part_brush(part))
        start += tokens
    painter.restore()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(look.border, 1))
    painter.drawRoundedRect(QRectF(bar).adjusted(0.5, 0.5, -0.5, -0.5), _BAR_RADIUS, _BAR_RADIUS)


class DropZone(QWidget):
    """Says that files may be dropped; the whole window takes them."""

    WORDS = "or drop files and folders anywhere"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.WORDS)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(scaled(200), scaled(DROP))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, look, whole = QPainter(self), theme(), self.rect()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(look.outline, 1, Qt.PenStyle.DashLine))
        painter.drawRoundedRect(QRectF(whole).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        width = QFontMetrics(named_font("name")).horizontalAdvance(self.WORDS)
        icon = scaled(_ICON) + scaled(10)
        left = (whole.width() - width - icon) // 2
        _icon(painter, "download", left, whole.height() // 2, look.second_text)
        write(painter, whole.adjusted(left + icon, 0, 0, 0), self.WORDS, "name", look.second_text)
        painter.end()
