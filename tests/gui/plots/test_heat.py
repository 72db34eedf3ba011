"""Heat: what is marked and what is best stand beside each other, on one cell, too."""

import numpy as np
import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector.drawings.drawing import Axis, Cell, Cells, Drawing, Row, Ticks, listed
from inspector.drawings.svg import svg
from inspector.gui.plots.exporting import plot_image, plot_picture
from inspector.gui.plots.heat import HeatPlot, ShadeScale
from inspector.gui.theme import apply_theme, theme

BEST: Cell = (1, 2)


@pytest.fixture
def heat(qtbot: QtBot, qapp: QApplication) -> HeatPlot:
    apply_theme(qapp, "light")
    made = HeatPlot("Test")
    qtbot.addWidget(made)
    made.resize(400, 300)
    made.show_drawing(drawn())
    made.show()
    qtbot.waitExposed(made)
    return made


def drawn() -> Drawing:
    cells = Cells(np.arange(12, dtype=np.float64).reshape(3, 4), "0.0 %", "95.8 %", best=BEST)
    up, across = (
        Axis(-0.5, len(words) - 0.5, Ticks.PLACES, listed(words), title)
        for words, title in (("xyz", "<up>"), ("abcd", "across"))
    )
    return Drawing("Test", (Row("", cells, up, 300),), across)


def dark_pixels(heat: HeatPlot) -> int:
    image: QImage = plot_image(heat)
    ink = theme().text.rgb()
    return sum(image.pixel(x, y) == ink for x in range(image.width()) for y in range(image.height()))


def test_the_best_cell_keeps_its_ring_and_gets_a_frame_when_it_is_marked(heat: HeatPlot) -> None:
    ring = dark_pixels(heat)
    heat.mark((0, 0))
    frame = dark_pixels(heat) - ring
    heat.mark(BEST)
    assert dark_pixels(heat) - ring > 0.9 * frame > 0


def test_an_image_of_cells_has_the_scale_of_their_shades(heat: HeatPlot) -> None:
    scale = ShadeScale()
    heat.legend = scale
    scale.show_words("0.0 %", "95.8 %")
    plain = heat.height()
    assert plot_image(heat).height() > 2 * plain
    scale.show_words("", "")
    assert plot_image(heat).height() - 2 * plain < 2 * scale.fontMetrics().height()


def test_a_drawing_of_cells_is_that_of_the_command(heat: HeatPlot) -> None:
    assert plot_picture([heat], ".svg") == svg([drawn()])
