"""Text for the last row of a hall: as large as fits, in pixels of the screen."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QFontInfo, QFontMetricsF, QPainter, QPaintEvent, QTextLayout
from PySide6.QtWidgets import QApplication, QWidget

from inspector.gui.parts.texts import excerpt, tooltip
from inspector.gui.theme import named_font, theme

_LEADING = 1.22
_LEAST = 20


def stage_font(pixels: float, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """Return the font of all text in another size."""
    font = QFont(QApplication.font())
    font.setPixelSize(max(round(pixels), 1))
    font.setWeight(weight)
    return font


def least_pixels(unit: float) -> float:
    """Return the size of the smallest text of the page, at least that of a caption; `unit` is its scale."""
    return max(_LEAST * unit, QFontInfo(named_font("caption")).pixelSize())


class StageText(QWidget):
    """A text in the largest of its sizes in which it fits its place; in the smallest, it ends in an ellipsis.

    Its place and sizes come from the view, so that no other text moves when it changes.
    """

    def __init__(
        self,
        name: str,
        parent: QWidget,
        weight: QFont.Weight = QFont.Weight.Normal,
        alignment: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
        is_second: bool = True,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._text = ""
        self._sizes: Sequence[float] = (20,)
        self._weight, self._alignment, self._is_second = weight, alignment, is_second

    def say(self, text: str) -> None:
        """Show another text."""
        shown = excerpt(text).replace("\n", " ")
        if shown != self._text:
            self._text = shown
            self.setAccessibleDescription(shown)
            self.setToolTip(tooltip(shown if self.is_cut else ""))
            self.update()

    def text(self) -> str:
        """Return the text."""
        return self._text

    def set_sizes(self, *pixels: float) -> None:
        """Take other sizes, from the largest to the smallest."""
        if pixels != self._sizes:
            self._sizes = pixels
            self.update()

    @property
    def is_cut(self) -> bool:
        """Whether there is no room for all of the text even in the smallest size."""
        return not self._fits(self._sizes[-1])

    @property
    def shown_pixels(self) -> float:
        """The size in which it is shown."""
        return next((size for size in self._sizes if self._fits(size)), self._sizes[-1])

    def _lines(self, font: QFont) -> list[str]:
        layout, found = QTextLayout(self._text, font), list[str]()
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(self.width(), 1))
            found.append(layout.text()[line.textStart() : line.textStart() + line.textLength()])
        layout.endLayout()
        return found

    def _room(self, size: float) -> int:
        """Return how many lines of a size there is room for."""
        return max(int((self.height() + 1) / (size * _LEADING)), 1)

    def _fits(self, size: float) -> bool:
        lines = self._lines(stage_font(size, self._weight))
        return len(lines) <= self._room(size)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the lines in the middle of the place."""
        size = self.shown_pixels
        font, painter, look = stage_font(size, self._weight), QPainter(self), theme()
        metrics, lines, room = QFontMetricsF(font), self._lines(font), self._room(size)
        if len(lines) > room:
            rest = "".join(lines[room - 1 :])
            lines = [*lines[: room - 1], metrics.elidedText(rest, Qt.TextElideMode.ElideRight, self.width())]
        painter.setFont(font)
        painter.setPen(look.second_text if self._is_second else look.text)
        top = (self.height() - size * _LEADING * len(lines)) / 2
        for number, line in enumerate(lines):
            words = line.rstrip()
            spare = self.width() - metrics.horizontalAdvance(words)
            left = spare if self._alignment == Qt.AlignmentFlag.AlignRight else 0.0
            middle = top + size * _LEADING * (number + 0.5)
            painter.drawText(QPointF(left, middle + metrics.capHeight() / 2), words)
        painter.end()
