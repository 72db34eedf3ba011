"""The legend of a plot: swatches with their words, in one line."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector.gui.plots.looks import Look
from inspector.gui.theme import GAP, UNIT, give_font, theme

_SWATCH = 11
Entry = tuple[str, Look, bool]


class Legend(QWidget):
    """Entries of a word, a look, and whether the swatch is hatched."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[Entry, ...] = ()
        give_font(self, "small")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Explain these looks."""
        self._entries = tuple(entries)
        self.setAccessibleName("Legend: " + ", ".join(word for word, _, _ in entries))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """All entries side by side."""
        metrics = self.fontMetrics()
        words = sum(metrics.horizontalAdvance(word) + _SWATCH + UNIT + GAP for word, _, _ in self._entries)
        return QSize(words, metrics.height() + UNIT)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the swatches and their words."""
        painter, left, metrics = QPainter(self), 0, self.fontMetrics()
        for word, look, hatched in self._entries:
            swatch = QRectF(left, (self.height() - _SWATCH) // 2, _SWATCH, _SWATCH)
            painter.setPen(Qt.PenStyle.NoPen)
            (look.hatch if hatched else look.fill)(painter, [swatch])
            painter.setPen(theme().muted_text)
            left += _SWATCH + UNIT
            place = QRectF(left, 0, metrics.horizontalAdvance(word) + 1, self.height())
            painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter), word)
            left += metrics.horizontalAdvance(word) + GAP

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of the text."""
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()
        super().changeEvent(event)
