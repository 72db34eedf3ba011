"""Heat: what is marked and what is best stand beside each other, on one cell, too."""

import re

import numpy as np
import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector.gui.plots.exporting import plot_image, plot_picture
from inspector.gui.plots.heat import Cell, HeatPlot, ShadeScale
from inspector.gui.theme import apply_theme, theme

BEST: Cell = (1, 2)


@pytest.fixture
def heat(qtbot: QtBot, qapp: QApplication) -> HeatPlot:
    apply_theme(qapp, "light")
    made = HeatPlot("Test")
    qtbot.addWidget(made)
    made.resize(400, 300)
    made.show_cells(np.arange(12, dtype=np.float64).reshape(3, 4), "abcd", "xyz", ("across", "up"))
    made.show()
    qtbot.waitExposed(made)
    made.show_marks(None, BEST)
    return made


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


def test_a_drawing_of_cells_is_not_smeared_and_has_the_scale_of_its_shades(heat: HeatPlot) -> None:
    scale = ShadeScale()
    heat.legend = scale
    scale.show_words("0.0 %", "95.8 %")
    drawing = plot_picture([heat], ".svg").decode()
    images = re.findall(r"<image [^>]*>", drawing)
    assert images
    assert all("image-rendering:pixelated" in image for image in images)
    assert drawing.count(">95.8 %</text>") == 1
    plain = heat.height()
    assert plot_image(heat).height() > 2 * plain
    scale.show_words("", "")
    assert plot_image(heat).height() - 2 * plain < 2 * scale.fontMetrics().height()
