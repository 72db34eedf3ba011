"""A line of text, painted: no widget changes its text or its size while the turns go by."""

from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector.gui.parts.texts import one_line, tooltip
from inspector.gui.theme import UNIT, named_font, theme


class PaintedLine(QWidget):
    """Strong words followed by others in the second ink, elided where they are too long. Both are the tooltip.

    `reserve` keeps the room for a text, so that what stands beside never moves.
    """

    def __init__(self, name: str, parent: QWidget | None = None, is_right: bool = False) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._strong = self._rest = self._reserved = ""
        self._is_right = is_right

    def say(self, strong: str, rest: str = "") -> None:
        """Show other words."""
        if (strong, rest) != (self._strong, self._rest):
            self._strong, self._rest = one_line(strong), one_line(rest)
            self.setAccessibleDescription(self.text())
            self.setToolTip(tooltip(self.text()))
            self.update()

    def text(self) -> str:
        """Return all words."""
        return " ".join(filter(None, (self._strong, self._rest)))

    def reserve(self, text: str) -> None:
        """Keep room for this text."""
        if text != self._reserved:
            self._reserved = text
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        width = QFontMetricsF(_fonts()[0]).horizontalAdvance(self._reserved)
        return QSize(round(width) + UNIT, self.fontMetrics().height() + UNIT)

    def minimumSizeHint(self) -> QSize:
        """Return a minimum without any width: what is too long is elided."""
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, look = QPainter(self), theme()
        fonts = _fonts()
        strong, rest = map(QFontMetricsF, fonts)
        first = strong.elidedText(self._strong, Qt.TextElideMode.ElideRight, self.width())
        gap = UNIT if self._strong and self._rest else 0
        used = strong.horizontalAdvance(first) + gap
        second = rest.elidedText(self._rest, Qt.TextElideMode.ElideRight, max(self.width() - used, 0))
        left = self.width() - used - rest.horizontalAdvance(second) if self._is_right else 0.0
        down = (self.height() + strong.capHeight()) / 2
        for font, ink, text, x in (
            (fonts[0], look.text, first, left),
            (fonts[1], look.second_text, second, left + used),
        ):
            painter.setFont(font)
            painter.setPen(ink)
            painter.drawText(QPointF(x, down), text)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.updateGeometry()
            self.update()


def _fonts() -> tuple[QFont, QFont]:
    rest = named_font("name")
    rest.setWeight(QFont.Weight.Normal)
    return named_font("title"), rest
