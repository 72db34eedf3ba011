"""Points as files: their dots are drawn, and are no pictures of a few coarse pixels."""

import numpy as np
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector.gui.plots.exporting import plot_picture
from inspector.gui.plots.points import Points, PointsPlot
from inspector.gui.theme import apply_theme


def test_a_drawing_of_points_holds_no_pictures(qtbot: QtBot, qapp: QApplication) -> None:
    apply_theme(qapp, "light")
    plot = PointsPlot("Test", "recall in %")
    qtbot.addWidget(plot)
    plot.resize(400, 300)
    places, unknown = np.arange(6, dtype=np.float64), np.full(6, np.nan)
    points = Points(places, places * 10, unknown, unknown, np.repeat([0, 1], 3), ("ratio", "naive"))
    plot.show_points(points, (0.0, 6.0), (0.0, 100.0))
    plot.show()
    qtbot.waitExposed(plot)
    plot.mark(1)
    drawing = plot_picture([plot], ".svg").decode()
    assert ">naive</text>" in drawing
    assert "<image" not in drawing
