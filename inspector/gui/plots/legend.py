"""The legend of a plot or of bars: swatches with their words, in as many lines as its width needs."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Protocol

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector.drawings import drawing
from inspector.drawings.colors import Shade
from inspector.gui.plots.looks import Look
from inspector.gui.theme import GAP, UNIT, give_font, theme

_SWATCH = 11


class Key(Protocol):
    """An explanation of the colours of a plot: on the screen beside it, in a file below it."""

    def font(self) -> QFont:
        """Return the font of the text."""
        ...

    def heightForWidth(self, arg__1: int, /) -> int:
        """Return the height of its lines in this width."""
        ...

    def draw(self, painter: QPainter, width: int) -> None:
        """Paint it in this width."""
        ...


Entry = tuple[str, Callable[[], QColor], bool]
"""A word, its colour in the current theme, and whether the swatch is hatched."""


def entries_of(legend: Sequence[drawing.Entry]) -> list[Entry]:
    """Return the legend of a drawing, in the colours of the theme in force."""
    return [(entry.words, partial(_color, entry.tone), entry.hatched) for entry in legend]


def _color(tone: Shade) -> QColor:
    return theme().color(tone)


class Legend(QWidget):
    """The meaning of colours; hidden if they have none. It reads the colours while painting, so that none is
    outdated.
    """

    def __init__(self, title: str = "Legend", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = title
        self._entries: tuple[Entry, ...] = ()
        give_font(self, "secondary")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Minimum)  # fixed, it would be one line high

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Explain these colours."""
        before, words = self._words, [word for word, _, _ in entries]
        self._entries = tuple(entries)
        self.update()
        if words != before:
            self.setAccessibleName(f"{self._title}: {', '.join(words)}" if words else "")
            self.setVisible(bool(words))
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(sum(map(self._width_of, self._words)), self._line)

    def minimumSizeHint(self) -> QSize:
        """Return the width of the widest entry: a legend is never cut, but continues in another line."""
        return QSize(max(map(self._width_of, self._words), default=0), self._line)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return max((place.bottom() + 1 for place in self._places(width)), default=0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the swatches and their words."""
        painter = QPainter(self)
        self.draw(painter, self.width())
        painter.end()

    def draw(self, painter: QPainter, width: int) -> None:
        """Paint the entries in this width, here or in a file."""
        for (word, color, hatched), place in zip(self._entries, self._places(width), strict=True):
            swatch = QRectF(place.left(), place.top() + (place.height() - _SWATCH) // 2, _SWATCH, _SWATCH)
            look = Look(color())
            painter.setPen(Qt.PenStyle.NoPen)
            (look.hatch if hatched else look.fill)(painter, [swatch])
            painter.setPen(theme().muted_text)
            painter.drawText(place.adjusted(_SWATCH + UNIT, 0, 0, 0), int(Qt.AlignmentFlag.AlignVCenter), word)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of the text."""
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()
        super().changeEvent(event)

    @property
    def _words(self) -> list[str]:
        return [word for word, _, _ in self._entries]

    @property
    def _line(self) -> int:
        return self.fontMetrics().height() + UNIT

    def _places(self, width: int) -> Iterator[QRect]:
        """Yield the place of each entry in this width: beside the previous entry, or at the beginning of another
        line.
        """
        left, top, height = 0, 0, self._line
        for word in self._words:
            wanted = self._width_of(word)
            if left and left + wanted > width:
                left, top = 0, top + height
            yield QRect(left, top, wanted, height)
            left += wanted

    def _width_of(self, word: str) -> int:
        return _SWATCH + UNIT + self.fontMetrics().horizontalAdvance(word) + GAP
