"""The legend: its colours are those of the theme of now, and it goes on in another line where it has no room."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from inspector.gui.plots.legend import Entry, Legend
from inspector.gui.theme import apply_theme, theme

WORDS = ("kept", "summarized", "dropped")


@pytest.fixture
def legend(qtbot: QtBot, qapp: QApplication) -> Iterator[Legend]:
    apply_theme(qapp, "dark")
    pane = QWidget()
    qtbot.addWidget(pane)
    pane.resize(600, 100)
    made = Legend(parent=pane)
    with qtbot.waitExposed(pane):
        pane.show()
    yield made
    apply_theme(qapp, "light")


def entries(*words: str) -> list[Entry]:
    return [(word, lambda: theme().accent, False) for word in words]


def colours_of(legend: Legend) -> set[str]:
    image = legend.grab().toImage()
    return {QColor(image.pixel(x, y)).name() for x in range(image.width()) for y in range(image.height())}


def test_it_is_painted_in_the_colours_of_the_theme_of_now(legend: Legend, qapp: QApplication) -> None:
    legend.show_entries(entries(*WORDS))
    legend.resize(legend.sizeHint())
    assert theme().accent.name() in colours_of(legend)
    dark = theme().accent.name()
    apply_theme(qapp, "light")
    assert theme().accent.name() != dark
    assert theme().accent.name() in colours_of(legend)
    assert dark not in colours_of(legend)


def test_it_goes_on_in_another_line_and_is_as_narrow_as_its_widest_entry(legend: Legend) -> None:
    legend.show_entries(entries(*WORDS))
    whole, least = legend.sizeHint(), legend.minimumSizeHint()
    assert legend.heightForWidth(whole.width()) == whole.height()
    assert legend.heightForWidth(whole.width() - 1) == 2 * whole.height()
    assert legend.heightForWidth(least.width()) == 3 * whole.height()
    assert least.width() < whole.width() / 2
    legend.resize(least.width(), 3 * whole.height())
    assert theme().accent.name() in colours_of(legend)


def test_it_is_there_while_there_is_something_to_explain(legend: Legend) -> None:
    legend.show_entries(entries(*WORDS))
    assert legend.isVisible()
    assert legend.accessibleName() == "Legend: kept, summarized, dropped"
    legend.show_entries([])
    assert not legend.isVisible()
    assert legend.accessibleName() == ""
