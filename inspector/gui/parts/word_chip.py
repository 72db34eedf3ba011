"""Chips: a few words on a coloured, rounded ground, and such chips that can be pressed."""

from typing import Literal

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector.gui.parts.texts import one_line, tooltip
from inspector.gui.theme import give_font, scaled, theme

ChipTone = Literal["good", "warning", "error", "plain"]
_HEIGHT, _PADDING = 24, 10


class WordChip(QWidget):
    """A few words. `pressed` is emitted by a click, Return or Space on a chip that `acts`."""

    pressed = Signal()

    def __init__(self, name: str, acts: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._words, self._tone, self._acts = "", "plain", acts
        give_font(self, "secondary")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        if acts:
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self.setCursor(Qt.CursorShape.PointingHandCursor)

    def text(self) -> str:
        """Return the words."""
        return self._words

    def say(self, words: str, tone: ChipTone = "plain", tip: str = "") -> None:
        """Show these words."""
        self._words, self._tone = one_line(words), tone
        self.setAccessibleName(self._words)
        self.setToolTip(tooltip(tip))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return room for the words."""
        wide = self.fontMetrics().horizontalAdvance(self._words) + 2 * scaled(_PADDING)
        return QSize(wide, scaled(_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        """Return the whole size: half a word would say nothing."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground and the words."""
        ink, ground = self._colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme().accent if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        place = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(place, place.height() / 2, place.height() / 2)
        painter.setPen(ink)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._words)
        painter.end()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Press a chip that acts."""
        if (
            self._acts
            and event.button() == Qt.MouseButton.LeftButton
            and self.rect().contains(event.position().toPoint())
        ):
            self.pressed.emit()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press a chip that acts."""
        if self._acts and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.pressed.emit()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()

    def _colors(self) -> tuple[QColor, QColor]:
        look = theme()
        if self._tone == "good":
            return look.good, look.good_soft
        if self._tone == "warning":
            return look.warning, look.warning_soft
        if self._tone == "error":
            return look.error, look.error_soft
        return self.palette().color(QPalette.ColorRole.WindowText), look.hover
