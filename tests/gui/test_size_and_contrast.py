"""Every text of the window can be read: in both themes, in all perspectives and their pages, and on the start page.

No text is smaller than the captions of the type scale, and none has less contrast on its ground than it needs.
"""

from collections.abc import Callable, Iterator

import pytest
from painted_texts import Text, texts_of
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from inspector.assembly.edits import use_window
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.asking_view import AskingView
from inspector.gui.remembered.layout import PERSPECTIVES
from inspector.gui.theme import ThemeName, apply_theme, scaled, theme
from inspector.resources import samples_folder

FILES = ("companion.workspace.yaml", "companion.probes.yaml")
SIZES = ((1600, 1000), (1280, 720), (800, 500))
"""A large and a small screen, and a large one at 200 %."""
CAPTION = 11
"""The size of captions of plots and heads of matrices in pixels, the smallest of the type scale."""
PARTS = {
    *("PlainLabel", "QPushButton", "QToolButton", "ChoiceBox", "QLineEdit", "QPlainTextEdit", "QTextEdit", "QMenuBar"),
    *("ActionCard", "ActionChip", "BarButton", "BudgetBar", "FallList", "FiguresLine", "FindingList", "PageTabs"),
    *("HeatPlot", "PointsPlot", "SurvivalPlot", "TurnPlot", "SideTable", "SourceList", "SpanText", "decision_table"),
}
"""Some of the parts that must have been read, of Qt and of our own."""
STARTS = ("recommend_recall",)
"""The buttons that fill a page that is not filled by being looked at."""


def unreadable(window: QWidget) -> list[str]:
    """What is too small or too faint in a window."""
    return [told(text) for text in texts_of(window) if is_unreadable(text)]


def is_unreadable(text: Text) -> bool:
    return text.painted.pixels < scaled(CAPTION) or text.contrast < text.painted.needed


def told(text: Text) -> str:
    painted = text.painted
    return f"{painted.text!r} of {text.where}: {painted.pixels} px, {text.contrast:.2f} : 1 of {painted.needed} : 1"


class Reader:
    """Goes through a window and reads every page at every size."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self._window, self._qtbot, self.found, self.read = window, qtbot, set[str](), set[str]()

    def rest(self) -> None:
        """Wait until nothing is being worked on, waits to be asked for, or moves."""
        tasks, views = self._window.session.tasks, self._window.findChildren(AskingView)
        self._qtbot.waitUntil(
            lambda: (
                self._window.session.is_ready
                and not tasks.is_running()
                and not any(view.is_in_sight and view.is_waiting for view in views)
            )
        )
        QApplication.processEvents()

    def look(self, where: str) -> None:
        self.rest()
        for text in texts_of(self._window):
            self.read.update(text.where.split())
            if is_unreadable(text):
                self.found.add(f"{where}: {told(text)}")

    def look_at_all_pages(self) -> None:
        for perspective in PERSPECTIVES:
            for name in self._pages_of(perspective):
                self._window.do(perspective)
                self._window.show_screen(name)
                self.rest()
                for button in self._window.findChildren(QPushButton):
                    if button.objectName() in STARTS and button.isVisible():
                        button.click()
                self.look(f"{name} in {perspective}, {self._window.width()} wide")

    def _pages_of(self, perspective: str) -> Iterator[str]:
        for name, screen in self._window.screens.items():
            if screen.area == "page" and perspective in screen.perspectives:
                yield name


@pytest.mark.parametrize("name", ["light", "dark"])
def test_every_text_can_be_read(
    opened: Callable[..., MainWindow], qtbot: QtBot, qapp: QApplication, name: ThemeName
) -> None:
    window = opened()
    apply_theme(qapp, name)
    reader = Reader(window, qtbot)
    reader.look("the start page")
    window.open_paths([str(samples_folder() / file) for file in FILES])
    qtbot.waitUntil(lambda: window.session.is_ready and window.session.answer is not None)
    reader.look("the totals")
    window.do("pin_baseline")
    window.session.edit(use_window, 6_000)
    window.session.flush()
    window.select(30)
    for size in SIZES:
        window.resize(*size)
        reader.look_at_all_pages()
    assert not reader.found, "\n".join(sorted(reader.found))
    assert reader.read >= PARTS


class Drawn(QWidget):
    """A part that paints itself: a text on a ground."""

    def __init__(self, pixels: int, ink: QColor, opacity: float, parent: QWidget) -> None:
        super().__init__(parent)
        self._pixels, self._ink, self._opacity = pixels, ink, opacity
        self.setFixedSize(200, 60)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, font = QPainter(self), self.font()
        font.setPixelSize(self._pixels)
        painter.setFont(font)
        painter.fillRect(self.rect(), theme().base)
        painter.setOpacity(self._opacity)
        painter.setPen(self._ink)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "ill")
        painter.end()


@pytest.mark.parametrize(
    ("pixels", "share", "opacity", "is_wrong"),
    [
        (13, 0.0, 1.0, False),
        (10, 0.0, 1.0, True),
        (13, 0.55, 1.0, True),
        (13, 0.0, 0.5, True),
        (26, 0.5, 1.0, False),
        (26, 0.7, 1.0, True),
    ],
)
def test_a_part_that_paints_a_text_too_small_or_too_faint_is_found(
    qtbot: QtBot, qapp: QApplication, pixels: int, share: float, opacity: float, is_wrong: bool
) -> None:
    apply_theme(qapp, "light")
    window = QWidget()
    qtbot.addWidget(window)
    faint = theme().text.toHsl()
    faint.setHsl(faint.hslHue(), 0, faint.lightness() + int((255 - faint.lightness()) * share))
    Drawn(pixels, faint, opacity, window)
    window.show()
    assert bool(unreadable(window)) == is_wrong, [told(text) for text in texts_of(window)]


def test_labels_and_buttons_are_read_and_what_is_out_of_sight_or_disabled_is_not(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    for text in ("seen", "hidden", "disabled"):
        layout.addWidget(QLabel(text))
    button = QPushButton("pressed")
    button.setStyleSheet(f"color: {theme().hover.name()}")
    layout.addWidget(button)
    window.show()
    hidden, disabled = (window.findChildren(QLabel)[place] for place in (1, 2))
    hidden.hide()
    disabled.setEnabled(False)
    assert sorted(text.painted.text for text in texts_of(window)) == ["pressed", "seen"]
    assert [line.partition(" of ")[0] for line in unreadable(window)] == ["'pressed'"]
