"""The buttons of the start page."""

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector.gui.bar.small_bar import Parts, paint_small_bar
from inspector.gui.parts.card import ICON, RADIUS, RIGHT, Card, paint_icon, write
from inspector.gui.parts.texts import one_line, tooltip
from inspector.gui.theme import named_font, scaled, theme

CARD, TOUR, ROW, NOTE, DROP = 64, 116, 34, 36, 64
"""The heights of the design."""
_PADDING, _BAR = 16, 18


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
        paint_icon(painter, self._icon, padding, middle, look.text)
        keys = self._paint_keys(painter)
        left = padding + scaled(ICON) + scaled(14)
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
        self.setToolTip(tooltip(tip))
        self.name, self.about, self.when = one_line(name), about, when

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, look, whole = QPainter(self), theme(), self.rect()
        self.paint_ground(painter, look.base, None)
        inner = scaled(8)
        paint_icon(painter, "file-text", inner, whole.height() // 2, look.muted_text)
        room = whole.adjusted(inner + scaled(ICON) + scaled(8), 0, -inner, 0)
        used = write(painter, room, self.when, "secondary", look.muted_text, RIGHT)
        room.adjust(0, 0, -used - scaled(12), 0)
        used = write(painter, room, self.name, "name", look.text)
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
        paint_icon(painter, "history", inner, whole.height() // 2, ink)
        room = whole.adjusted(inner + scaled(ICON) + scaled(8), 0, -inner, 0)
        used = write(painter, room, "Recover", "title", ink, RIGHT)
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
        paint_icon(painter, "play", row.left(), row.center().y() + 1, ink)
        write(painter, row.adjusted(scaled(ICON) + scaled(6), 0, 0, 0), self._length, "name", ink)
        painter.end()


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
        icon = scaled(ICON) + scaled(10)
        left = (whole.width() - width - icon) // 2
        paint_icon(painter, "download", left, whole.height() // 2, look.second_text)
        write(painter, whole.adjusted(left + icon, 0, 0, 0), self.WORDS, "name", look.second_text)
        painter.end()
