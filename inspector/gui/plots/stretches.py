"""Stretches on a row: a picture of the numbers in sight, as many as there is room for."""

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF

from inspector.drawings.series import I64, Stretches
from inspector.gui.theme import theme

COLUMNS, MANY = 400, 20_000
"""So many numbers are drawn at once, half as many where there are many items."""


class StretchesPainter:
    """A picture of items from top to bottom; it is drawn again when other numbers come into sight."""

    def __init__(self, row: pg.PlotItem) -> None:
        self._stretches: Stretches | None = None
        self.picture: pg.ImageItem = pg.ImageItem(axisOrder="row-major")
        self._box = row.getViewBox()
        self._box.invertY(True)
        row.addItem(self.picture, ignoreBounds=True)
        self._box.sigXRangeChanged.connect(self._draw)

    def show_series(self, stretches: Stretches) -> None:
        """Show these items."""
        self._stretches = stretches
        self.picture.setVisible(len(stretches) > 0)
        self.restyle()
        self._draw()

    def restyle(self) -> None:
        """Take the colours of the theme."""
        if self._stretches is not None:
            colors = [theme().color(tone).getRgb() for tone in self._stretches.tones]
            self.picture.setLookupTable(np.array(colors, np.uint8))

    def _draw(self) -> None:
        stretches = self._stretches
        if stretches is None or not len(stretches):
            return
        left, right = self._box.viewRange()[0]
        first, last = max(round(left + 0.5), int(stretches.begins[0])), round(right - 0.5)
        count = COLUMNS if len(stretches) <= MANY else COLUMNS // 2
        numbers: I64 = np.unique(np.linspace(first, max(first, last), count).round().astype(np.int64))
        step = 1.0 if len(numbers) < 2 else (numbers[-1] - numbers[0]) / (len(numbers) - 1)
        levels = (0, len(stretches.tones))
        self.picture.setImage(stretches.grid(numbers), autoLevels=False, levels=levels)
        self.picture.setRect(QRectF(numbers[0] - step / 2, 0, step * len(numbers), len(stretches)))
