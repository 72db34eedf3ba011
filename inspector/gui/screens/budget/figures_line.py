"""The line of figures, painted: no widget changes its text while a slider moves."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector.gui.parts.texts import tooltip
from inspector.gui.screens.budget.figures import Line, Run, text_of
from inspector.gui.theme import named_font, scaled, theme

_APART = 24
"""Pixels between groups."""
_DIMMED = 0.6


class FiguresLine(QWidget):
    """Shows the longest of several lines that fits."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("prompt_figures")
        self.setAccessibleName("Figures of the prompt")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._lines: Sequence[Line] = ()
        self._dimmed = False

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Show one of these lines, from the longest to the shortest."""
        if lines != self._lines:
            self._lines = lines
            whole = text_of(lines[0]) if lines else ""
            self.setAccessibleDescription(whole)
            self.setToolTip(tooltip(whole))
            self.update()

    def dim(self, dimmed: bool) -> None:
        """Show the figures as those of the last good answer, or as current again."""
        if dimmed != self._dimmed:
            self._dimmed = dimmed
            self.update()

    @property
    def shown(self) -> Line:
        """The line that fits, else the shortest."""
        fitting = (line for line in self._lines if self._width_of(line) <= self.width())
        return next(fitting, self._lines[-1] if self._lines else ())

    def _width_of(self, line: Line) -> float:
        widths = (_metrics(run).horizontalAdvance(run.text) for group in line for run in group)
        return sum(widths) + scaled(_APART) * (len(line) - 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint all runs on the line of the largest, which is in the middle of the height."""
        painter, look = QPainter(self), theme()
        inks = {"text": look.text, "second": look.second_text, "good": look.good, "error": look.error}
        painter.setOpacity(_DIMMED if self._dimmed else 1.0)
        large = QFontMetricsF(named_font("large"))
        left, down = 0.0, (self.height() + large.capHeight()) / 2
        for group in self.shown:
            for run in group:
                painter.setFont(_font(run))
                painter.setPen(inks[run.ink])
                painter.drawText(QPointF(left, down), run.text)
                left += _metrics(run).horizontalAdvance(run.text)
            left += scaled(_APART)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.update()
        super().changeEvent(event)


def _font(run: Run) -> QFont:
    if run.large:
        return named_font("large")
    font = named_font("name")
    font.setWeight(QFont.Weight.DemiBold if run.strong else QFont.Weight.Normal)
    return font


def _metrics(run: Run) -> QFontMetricsF:
    return QFontMetricsF(_font(run))
