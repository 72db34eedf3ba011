"""The overlay on the window while files are dragged over it, with the effect of dropping them."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from inspector.gui.theme import GAP, UNIT, named_font, theme

_COVER = 0.82
_FRAME = 2


class DropOverlay(QWidget):
    """Covers its parent; the mouse passes through it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._covered = parent
        self.setObjectName("drop_overlay")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.sentence = ""
        self.hide()

    def say(self, sentence: str) -> None:
        """Show the overlay with this sentence."""
        if sentence != self.sentence:
            self.sentence = sentence
            self.setAccessibleName(sentence)
            self.update()
        self.setGeometry(self._covered.rect())
        self.raise_()
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a veil over the window, a frame inside it, and the sentence in the middle."""
        current = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        veil = QColor(current.window)
        veil.setAlphaF(_COVER)
        painter.fillRect(self.rect(), veil)
        painter.setPen(QPen(current.accent, _FRAME, Qt.PenStyle.DashLine))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(GAP, GAP, -GAP, -GAP), UNIT, UNIT)
        font = named_font("title")
        font.setPointSizeF(font.pointSizeF() * 1.5)
        painter.setFont(font)
        words = QRectF(painter.boundingRect(self.rect(), Qt.AlignmentFlag.AlignCenter, self.sentence))
        painter.setPen(current.border)
        painter.setBrush(current.base)
        painter.drawRoundedRect(words.adjusted(-2 * GAP, -GAP, 2 * GAP, GAP), UNIT, UNIT)
        painter.setPen(current.text)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.sentence)
        painter.end()
