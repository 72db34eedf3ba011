"""A plot under mouse and keys: zoom, moves, clicks and steps; axes that write whole numbers; pixels of both themes."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QWheelEvent
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from inspector.drawings.colors import DARK, Role, Shade
from inspector.drawings.drawing import Axis, Bars, Drawing, Mark, MarkLook, Row, from_zero
from inspector.drawings.svg import svg
from inspector.gui.plots.axes import DrawnAxis
from inspector.gui.plots.exporting import plot_image, plot_picture
from inspector.gui.plots.looks import Look
from inspector.gui.plots.marks import MarkLine
from inspector.gui.plots.plot import WHOLE, Plot
from inspector.gui.theme import apply_theme, named_font, theme

RED, BLUE = Shade(Role.DROPPED), Shade(Role.ACCENT)


def drawn(count: int, height: float = 10) -> Drawing:
    """Bars of a height: the first half red and hatched, the other blue and solid."""
    left, high = np.arange(count, dtype=np.float64), np.full(count, height)
    half = np.where(np.arange(count) < count // 2, 0.0, high)
    bars = Bars(left, left + 1, high, half, (np.arange(count) >= count // 2).astype(np.uint8), (RED, BLUE))
    return Drawing("A <test>", (Row("height", bars, from_zero(height), 200),), Axis(0.0, float(count)))


@pytest.fixture
def plot(qtbot: QtBot, qapp: QApplication) -> Iterator[Plot]:
    """A plot of 100 bars of height 10."""
    apply_theme(qapp, "light")
    made = Plot("Test")
    qtbot.addWidget(made)
    made.show_drawing(drawn(100))
    made.resize(800, 300)
    with qtbot.waitExposed(made):
        made.show()
    yield made
    apply_theme(qapp, "light")


def pixel_of(plot: Plot, place: float) -> QPoint:
    """Where a place of the axis is in the middle of the plot, in pixels of the widget."""
    box = plot.rows[0].getViewBox()
    return box.mapViewToScene(QPointF(place, 5)).toPoint()


def color_at(plot: Plot, place: float) -> QColor:
    """The colour that stands there; of a hatched area that between its lines."""
    image, middle = plot.grab().toImage(), pixel_of(plot, place)
    around = [QColor(image.pixelColor(middle + QPoint(0, step))) for step in range(8)]
    return max(around, key=lambda color: sum(other == color for other in around))


def wheel(plot: Plot, turn: QPoint, at: QPoint, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> bool:
    """Turn the wheel over the plot; whether it was taken."""
    place = QPointF(at)
    moved = QWheelEvent(
        place, plot.viewport().mapToGlobal(place), QPoint(), turn, Qt.MouseButton.NoButton, keys,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(plot.viewport(), moved)
    return moved.isAccepted()


def drag(qtbot: QtBot, plot: Plot, start: QPoint, end: QPoint) -> None:
    qtbot.mousePress(plot.viewport(), Qt.MouseButton.LeftButton, pos=start)
    for step in range(1, 6):
        qtbot.mouseMove(plot.viewport(), start + (end - start) * step / 5)
    qtbot.mouseRelease(plot.viewport(), Qt.MouseButton.LeftButton, pos=end)


def test_what_counts_is_solid_and_the_rest_is_pale_in_both_themes(plot: Plot, qapp: QApplication) -> None:
    grounds = set()
    for name in ("light", "dark"):
        apply_theme(qapp, name)
        assert color_at(plot, 75.5) == theme().color(BLUE)
        assert color_at(plot, 25.5).name() == Look(theme().color(RED)).ground.name()
        corner = plot.grab().toImage().pixelColor(2, 2)
        assert corner == theme().base
        grounds.add((corner.name(), color_at(plot, 25.5).name()))
    assert len(grounds) == 2


def test_ctrl_and_the_wheel_zoom_at_the_mouse(plot: Plot) -> None:
    at = pixel_of(plot, 30)
    assert wheel(plot, QPoint(0, 120), at, Qt.KeyboardModifier.ControlModifier)
    first, end = plot.in_sight
    assert end - first == pytest.approx(80)
    assert pixel_of(plot, 30).x() == pytest.approx(at.x(), abs=1)
    assert wheel(plot, QPoint(0, -1200), at, Qt.KeyboardModifier.ControlModifier)
    assert plot.in_sight == plot.whole


def test_the_wheel_alone_is_left_to_whoever_scrolls(plot: Plot) -> None:
    assert not wheel(plot, QPoint(0, 120), pixel_of(plot, 30))
    assert plot.in_sight == plot.whole


def test_a_drag_moves_what_is_zoomed_and_a_double_click_shows_everything(plot: Plot, qtbot: QtBot) -> None:
    plot.zoom(4, pixel_of(plot, 50).x())
    before = plot.in_sight
    heard: list[float] = []
    plot.chosen.connect(heard.append)
    drag(qtbot, plot, QPoint(500, 150), QPoint(300, 150))
    assert plot.in_sight[0] > before[0]
    assert plot.in_sight[1] - plot.in_sight[0] == pytest.approx(before[1] - before[0])
    drag(qtbot, plot, QPoint(100, 150), QPoint(9000, 150))
    assert plot.in_sight[0] == 0
    assert heard == []
    qtbot.mouseDClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(400, 150))
    assert plot.in_sight == plot.whole


def test_the_tilt_of_the_wheel_moves(plot: Plot) -> None:
    plot.zoom(4, pixel_of(plot, 0).x())
    assert wheel(plot, QPoint(-120, 0), pixel_of(plot, 10))
    assert plot.in_sight == pytest.approx((2.5, 27.5))


def test_a_click_chooses_and_the_mouse_points(plot: Plot, qtbot: QtBot) -> None:
    chosen: list[float] = []
    pointed: list[float | None] = []
    plot.chosen.connect(chosen.append)
    plot.pointed.connect(pointed.append)
    at = pixel_of(plot, 40)
    qtbot.mouseMove(plot.viewport(), at)
    qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    qtbot.mouseClick(plot.viewport(), Qt.MouseButton.RightButton, pos=at)
    assert chosen == [at.x()]
    assert pointed[0] == at.x()
    assert plot.place_of(at.x()) == pytest.approx(40, abs=0.2)


def test_keys_step_and_all_others_are_for_the_window(plot: Plot, qtbot: QtBot) -> None:
    steps: list[int] = []
    plot.stepped.connect(steps.append)
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_B):
        qtbot.keyClick(plot, key)
    qtbot.keyClick(plot, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    assert steps == [-1, 1, -WHOLE, WHOLE]


def test_what_is_beyond_the_edge_comes_into_sight(plot: Plot) -> None:
    plot.zoom(10, pixel_of(plot, 0).x())
    plot.bring_into_sight(4, 5)
    assert plot.in_sight == pytest.approx((0, 10))
    plot.bring_into_sight(49, 50)
    assert plot.in_sight == pytest.approx((40, 50))
    plot.bring_into_sight(20, 21)
    assert plot.in_sight == pytest.approx((20, 30))


def test_a_hundred_thousand_bars_paint_no_more_areas_than_pixels(
    plot: Plot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted: list[QRectF] = []

    def count(look: Look, painter: QPainter, areas: list[QRectF]) -> None:
        painted.extend(areas)

    monkeypatch.setattr(Look, "fill", count)
    monkeypatch.setattr(Look, "hatch", count)
    plot.show_drawing(drawn(100_000))
    qapp.processEvents()
    painted.clear()
    plot.viewport().repaint()
    assert 100 < len(painted) <= 2 * plot.width()


def test_axes_write_whole_numbers_with_their_thousands_apart(qtbot: QtBot) -> None:
    axis = DrawnAxis("left")
    assert axis.tickStrings([0, 1500, 12000], 1, 500) == ["0", "1,500", "12,000"]
    assert all(step >= 1 for step, _ in axis.tickValues(0, 2.1, 400))
    few = [value for _, values in DrawnAxis("bottom").tickValues(-0.5, 2.5, 900) for value in values]
    assert few == [0, 1, 2], "each of three places, however far apart they are"


def test_files_hold_the_plot(plot: Plot) -> None:
    image = QImage.fromData(plot_picture([plot], ".PNG"))
    assert image.size() == plot.size() * 2
    assert image.pixelColor(pixel_of(plot, 75.5) * 2) == theme().color(BLUE)
    assert image == plot_image(plot)
    assert plot_picture([plot], ".svg") == svg([drawn(100)])
    with pytest.raises(ValueError, match=r"\.png or \.svg"):
        plot_picture([plot], ".gif")


def test_a_drawing_in_a_file_has_the_theme_of_the_window(plot: Plot, qapp: QApplication) -> None:
    apply_theme(qapp, "dark")
    assert plot_picture([plot], ".svg") == svg([drawn(100)], DARK)


def test_numbers_of_a_low_upright_axis_do_not_lie_over_each_other(qapp: QApplication) -> None:
    axis, line = DrawnAxis("left"), QFontMetricsF(named_font("caption")).height()
    for pixels in (20.0, 30.0, 60.0, 200.0):
        values = sorted(value for _, level in axis.tickValues(0.0, 7_000.0, pixels) for value in level)
        apart = [(after - before) * pixels / 7_000 for before, after in pairwise(values)]
        assert len(values) > 1, pixels
        assert all(gap >= line - 0.5 for gap in apart), pixels
    assert len(axis.tickValues(0.0, 7_000.0, 200.0)) > 1


def test_a_title_wider_than_its_row_ends_before_the_edge(plot: Plot) -> None:
    def edge() -> QImage:
        QApplication.processEvents()
        frame = plot.mapFromScene(plot.rows[0].getViewBox().sceneBoundingRect()).boundingRect()
        return plot.grab(QRect(frame.right() - 6, frame.top(), 6, 20)).toImage()

    plot.titles[0].say("")
    bare = edge()
    plot.titles[0].say("how many messages back the prompt reaches " * 6)
    assert edge() == bare


def test_a_plot_makes_no_menu_that_would_outlive_it(plot: Plot) -> None:
    menus = [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, QMenu)]
    Plot("Another", rows=2).deleteLater()
    assert [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, QMenu)] == menus


def written(plot: Plot) -> list[bool]:
    """Whether the words of each mark are written; none of those written lies over another."""
    lines = [item for item in plot.rows[0].items if isinstance(item, MarkLine) and item.place is not None]
    plates = [line.written_at(line.sceneTransform()) for line in lines]
    there = [plate for plate in plates if plate is not None]
    assert not any(one.intersects(other) for number, one in enumerate(there) for other in there[:number])
    return [plate is not None for plate in plates]


def test_words_of_a_mark_give_way_to_those_before_it(plot: Plot) -> None:
    """In a narrow plot the second is a line only, in a wide one it has words again; a mark without words stays one."""
    marks = [(10, "First drop, turn 10"), (12, ""), (30, "Compacted, turn 30"), (90, "Last, turn 90")]
    named = tuple(Mark(place, words, MarkLook.EVENT) for place, words in marks)
    plot.show_drawing(replace(drawn(100), marks=named))
    for width, expected in ((1200, [True, False, True, True]), (420, [True, False, False, True])) * 2:
        plot.resize(width, 300)
        plot.grab()
        assert written(plot) == expected
    plot.show_drawing(replace(drawn(100), marks=named[2:]))
    plot.grab()
    assert written(plot) == [True, True], "the words that they gave way to are gone"
