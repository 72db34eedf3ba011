"""The look of bars: a fill for the part that counts, a pale hatch for the rest, in the colours of the theme."""

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter

from inspector.drawings.colors import PALE, STRIPES
from inspector.gui.palettes import blended
from inspector.gui.theme import theme

_CAP = 1.0
_ROOM_FOR_LINES = 6


@dataclass(frozen=True, eq=False)
class Look:
    """A colour for filled areas, and for hatched areas with a pale ground of the same colour.

    Without `lines` there is only the ground under the cap: an area under a line.
    """

    color: QColor
    lines: bool = True

    @property
    def ground(self) -> QColor:
        """The colour between the lines of the hatch."""
        return blended(self.color, theme().base, PALE)

    def fill(self, painter: QPainter, areas: list[QRectF]) -> None:
        """Paint solid areas."""
        painter.setBrush(self.color)
        painter.drawRects(areas)

    def hatch(self, painter: QPainter, areas: list[QRectF]) -> None:
        """Paint pale areas with a cap, and lines across areas wide enough to show them."""
        painter.setBrush(self.ground)
        painter.drawRects(areas)
        wide = [area for area in areas if self.lines and area.width() >= _ROOM_FOR_LINES]
        painter.setBrushOrigin(QPoint(0, 0))
        painter.setBrush(QBrush(blended(self.color, theme().base, STRIPES), Qt.BrushStyle.BDiagPattern))
        painter.drawRects(wide)
        painter.setBrush(self.color)
        painter.drawRects([QRectF(area.left(), area.top(), area.width(), _CAP) for area in areas])
