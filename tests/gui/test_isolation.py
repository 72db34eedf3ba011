"""A screen that fails is covered and says so; every other one goes on, and it comes back by itself or when asked."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector.assembly.answer import Answer
from inspector.assembly.edits import use_window
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.asking_view import FailurePane
from inspector.gui.screens import screen_classes
from inspector.gui.screens.screen import Screen
from inspector.resources import samples_folder
from tests.gui.tips import tip_text

NAMES = tuple(kind.name for kind in screen_classes() if kind.area != "start")
"""All but the page of a window with nothing open."""
SAMPLE = samples_folder() / "companion.workspace.yaml"


class Told:
    """Counts what each screen is told, and lets one of them fail at it."""

    def __init__(self, window: MainWindow, patch: pytest.MonkeyPatch) -> None:
        self.answers = dict.fromkeys(NAMES, 0)
        self.failing = ""
        for screen in (window.screens[name] for name in NAMES):
            patch.setattr(screen, "show_answer", self._watched(screen, screen.show_answer))

    def _watched(
        self, screen: Screen, show: Callable[[Answer | None, Answer | None], None]
    ) -> Callable[[Answer | None, Answer | None], None]:
        def watched(before: Answer | None, after: Answer | None) -> None:
            if screen.name == self.failing:
                raise RuntimeError(f"{screen.name} is broken")
            show(before, after)
            self.answers[screen.name] += 1

        return watched


def pane_of(screen: Screen) -> FailurePane | None:
    place = screen.view.parentWidget()
    return place.findChild(FailurePane) if place is not None else None


@pytest.fixture
def full(opened: Callable[..., MainWindow], qtbot: QtBot) -> MainWindow:
    """A window in which every screen was seen."""
    window = opened(SAMPLE)
    for name in NAMES:
        window.show_screen(name)
        QApplication.processEvents()
    window.do("inspect")
    assert all(window.screens[name].is_made for name in NAMES)
    return window


def test_each_screen_may_fail_and_the_others_are_told(
    full: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = Told(full, monkeypatch)
    for number, name in enumerate(NAMES):
        told.failing, before, screen = name, dict(told.answers), full.screens[name]
        with qtbot.captureExceptions() as raised:
            full.session.edit(use_window, 3_000 + number)
            qtbot.waitUntil(lambda: full.session.is_ready)
        assert [str(error) for _, error, _ in raised] == [f"{name} is broken"], "it is logged once"
        silent = {other for other in NAMES if told.answers[other] == before[other]}
        assert silent == {name}
        pane = pane_of(screen)
        assert pane is not None
        assert pane.geometry() == screen.view.geometry()
        told.failing = ""
        pane.reload_button.click()
        assert not screen.has_failed
        assert told.answers[name] == before[name] + 1, "it shows what there is now"
        qtbot.waitUntil(lambda screen=screen: pane_of(screen) is None)


def test_one_that_still_fails_stays_covered_until_something_else_is_opened(
    full: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = Told(full, monkeypatch)
    told.failing, screen = "findings", full.screens["findings"]
    with qtbot.captureExceptions() as raised:
        for window in (3_000, 4_000):
            full.session.edit(use_window, window)
            qtbot.waitUntil(lambda: full.session.is_ready)
        assert len(raised) == 1, "it is told nothing more"
        pane = pane_of(screen)
        assert pane is not None
        pane.reload_button.click()
        QApplication.processEvents()
        assert screen.has_failed
        assert len(raised) == 2
    told.failing = ""
    full.open_paths([str(samples_folder() / "developer.workspace.yaml")])
    qtbot.waitUntil(lambda: full.session.is_ready)
    assert not screen.has_failed


def test_the_pane_gives_what_a_report_needs(full: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told(full, monkeypatch)
    told.failing = "decisions"
    full.screens["decisions"].view.table.setFocus(Qt.FocusReason.OtherFocusReason)
    with qtbot.captureExceptions():
        full.session.edit(use_window, 3_000)
        qtbot.waitUntil(lambda: full.session.is_ready)
    pane = pane_of(full.screens["decisions"])
    assert pane is not None
    assert pane.reload_button.hasFocus(), "the keys of the table must not act on what cannot be seen"
    pane.copy_button.click()
    details = QGuiApplication.clipboard().text()
    assert "Prompt Inspector" in details
    assert "RuntimeError: decisions is broken" in details
    assert tip_text(pane.words.toolTip()) == "RuntimeError: decisions is broken"


def test_views_that_cannot_be_made_are_made_later(
    opened: Callable[..., MainWindow], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Screen, parent: object) -> None:
        raise RuntimeError(f"{self.name} cannot be made")

    with monkeypatch.context() as patch:
        for kind in (kind for kind in screen_classes() if kind.name in NAMES):
            patch.setattr(kind, "_make", fail)
        with qtbot.captureExceptions() as raised:
            window = opened(SAMPLE)
            for name in NAMES:
                window.show_screen(name)
                QApplication.processEvents()
            window.session.edit(use_window, 3_000)
            qtbot.waitUntil(lambda: window.session.is_ready)
    assert {str(error) for _, error, _ in raised} == {f"{name} cannot be made" for name in NAMES}
    for screen in (window.screens[name] for name in NAMES):
        assert screen.has_failed
        screen.reload()
        assert not screen.has_failed
        window.do(screen.perspectives[0])  # a header is shown by no name
        window.show_screen(screen.name)
        QApplication.processEvents()
        assert screen.is_visible
    window.session.edit(use_window, 4_000)
    qtbot.waitUntil(lambda: window.session.is_ready)
