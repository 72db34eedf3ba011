"""One painter for each kind of series: it paints the values of a drawing on a row of a plot."""

import pyqtgraph as pg

from inspector.drawings.series import Bars, Cells, Points, Series, Stack, Stretches
from inspector.gui.plots.bars import BarsPainter
from inspector.gui.plots.cells import CellsPainter
from inspector.gui.plots.lines import PointsPainter
from inspector.gui.plots.stretches import StretchesPainter

Painter = BarsPainter | PointsPainter | StretchesPainter | CellsPainter


def painter_on(row: pg.PlotItem, series: Series) -> Painter:
    """The painter of such a series on a row."""
    match series:
        case Bars():
            return BarsPainter(row)
        case Points():
            return PointsPainter(row)
        case Stretches():
            return StretchesPainter(row)
        case Cells():
            return CellsPainter(row)
        case Stack():
            raise TypeError("the window has a bar of its own for a stack")


def paint(painter: Painter, series: Series) -> None:
    """Have a painter show another series of its kind."""
    match painter, series:
        case BarsPainter(), Bars():
            painter.show_series(series)
        case PointsPainter(), Points():
            painter.show_series(series)
        case StretchesPainter(), Stretches():
            painter.show_series(series)
        case CellsPainter(), Cells():
            painter.show_series(series)
        case _:
            raise TypeError(f"{type(painter).__name__} paints no {type(series).__name__}")
