"""Present: captions in plain words, a spotlight, tours from the first step to the last and back, the full screen."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from inspector.analysis.tour import Tour, baseline_at, read_tour, scenario_at, spotlight_at
from inspector.assembly.edits import go_to_turn, set_value
from inspector.assembly.scenario_file import read_scenario
from inspector.assembly.scenario_records import record
from inspector.assembly.scenario_values import no_kind
from inspector.gui.app import take_screenshot
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.present import NOTHING_FELL
from inspector.gui.screens.present.view import StageView
from inspector.resources import samples_folder
from tests.examples import cases

Open = Callable[..., MainWindow]
ACTIONS = {"birthday": "tour_birthday", "policies": "tour_policies"}


def stage_of(window: MainWindow) -> StageView:
    view = window.screens["stage"].view
    assert isinstance(view, StageView)
    return view


def tour_of(name: str) -> Tour:
    return read_tour(samples_folder() / f"{name}.tour.yaml")[0]


def is_at(window: MainWindow, tour: Tour, number: int) -> bool:
    said = stage_of(window).title.text() == f"{tour.title}  ·  step {number + 1} of {len(tour.steps)}"
    return said and window.session.is_ready


def check_step(window: MainWindow, tour: Tour, number: int) -> None:
    """The window shows what a step says, and nothing else."""
    session, stage = window.session, stage_of(window)
    start, _ = read_scenario(tour.scenario, no_kind)
    assert session.scenario == scenario_at(tour, start, number)
    assert stage.caption.text() == tour.steps[number].caption
    before = baseline_at(tour, start, number)
    assert session.baseline_scenario == (before and record(session.pipeline, before))
    assert stage.sides.text().startswith("Above: ") == (before is not None)
    item = spotlight_at(tour, number)
    assert bool(stage.spotlight.text()) == bool(item)
    answer = session.answer
    assert answer is not None
    assert answer.assembly.error is None
    assert window.row == (int(answer.assembly.candidates.rows_named([item])[0]) if item else None)


@pytest.mark.parametrize("name", ["birthday", "policies"])
def test_a_tour_runs_from_its_beginning_to_its_end_and_back(opened: Open, qtbot: QtBot, name: str) -> None:
    window, tour = opened(), tour_of(name)
    window.do(ACTIONS[name])
    qtbot.waitUntil(lambda: is_at(window, tour, 0))
    check_step(window, tour, 0)
    for number in range(1, len(tour.steps)):
        QTest.keyClick(window, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda number=number: is_at(window, tour, number))
        check_step(window, tour, number)
    assert not stage_of(window).on.isEnabled()
    stage_of(window).back.click()
    qtbot.waitUntil(lambda: is_at(window, tour, len(tour.steps) - 2))
    check_step(window, tour, len(tour.steps) - 2)
    stage_of(window).end.click()
    assert stage_of(window).title.text() == "Turn by turn"
    assert not stage_of(window).end.isEnabled()


def test_a_tour_of_a_file_opens_what_it_is_about(opened: Open, qtbot: QtBot) -> None:
    window, tour = opened(), tour_of("birthday")
    window.give_tour(str(samples_folder() / "birthday.tour.yaml"))
    qtbot.waitUntil(lambda: is_at(window, tour, 0))
    assert window.session.paths == tour.open


@pytest.mark.parametrize("way", ["open_paths", "add_paths"])
def test_a_tour_that_is_opened_like_any_file_is_given(companion: MainWindow, qtbot: QtBot, way: str) -> None:
    tour = tour_of("policies")
    getattr(companion._files, way)([str(samples_folder() / "policies.tour.yaml")])
    qtbot.waitUntil(lambda: is_at(companion, tour, 0))
    check_step(companion, tour, 0)
    assert companion.session.paths == tour.open


def test_the_picture_of_a_tour_shows_its_first_step(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    file, tour, shown = str(samples_folder() / "birthday.tour.yaml"), tour_of("birthday"), list[bool]()
    grab = MainWindow.grab
    monkeypatch.setattr(MainWindow, "grab", lambda window: (shown.append(is_at(window, tour, 0)), grab(window))[1])
    assert take_screenshot([], None, "png", (1000, 700), "light", tour=file).content
    assert shown == [True]


def test_opening_something_else_ends_the_tour(opened: Open, qtbot: QtBot) -> None:
    window, tour = opened(), tour_of("birthday")
    window.give_tour(str(samples_folder() / "birthday.tour.yaml"))
    qtbot.waitUntil(lambda: is_at(window, tour, 0))
    window.open_paths([str(samples_folder() / "developer.workspace.yaml")])
    qtbot.waitUntil(lambda: window.session.paths != tour.open and window.session.is_ready)
    assert stage_of(window).title.text() == "Turn by turn"


def test_a_file_that_is_no_tour_is_said_and_leaves_what_is_open(
    companion: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    file = tmp_path / "some.tour.yaml"
    file.write_text("title: T\nopen: [a]\nsteps: []\n", "utf-8")
    before = companion.session.paths
    with qtbot.waitSignal(companion.session.problem_reported) as told:
        companion.give_tour(str(file))
    assert told.args is not None
    assert told.args[0].place == "$.steps"
    assert companion.session.paths == before


@pytest.mark.parametrize("name", cases(["birthday", "policies"], ["birthday"]))
@pytest.mark.parametrize(("size", "whole"), [(QSize(1280, 680), True), (QSize(800, 460), False)])
def test_nothing_that_a_tour_says_is_cut_off(opened: Open, qtbot: QtBot, name: str, size: QSize, whole: bool) -> None:
    window, tour = opened(), tour_of(name)
    window.resize(size)
    window.do(ACTIONS[name])
    for number in range(len(tour.steps)):
        qtbot.waitUntil(lambda number=number: is_at(window, tour, number))
        stage = stage_of(window)
        assert window.width() == size.width()
        for line in (stage.caption, stage.spotlight):
            room = QRect(0, 0, line.width(), 10 * line.height())
            needed = line.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, line.text())
            assert needed.height() < line.height() + line.fontMetrics().lineSpacing() / 2, line.text()
        if whole:
            assert stage.sides.fontMetrics().horizontalAdvance(stage.sides.text()) <= stage.sides.width()
        window.do("tour_next")


def test_what_falls_is_said_in_plain_words_without_a_tour(companion: MainWindow, qtbot: QtBot) -> None:
    companion.do("present")
    session, stage = companion.session, stage_of(companion)
    session.edit(go_to_turn, 60)
    qtbot.waitUntil(lambda: session.is_ready)
    companion.do("next_drop")
    qtbot.waitUntil(lambda: session.scenario.at != 60 and session.is_ready)
    assert stage.caption.text() != NOTHING_FELL
    assert any(words in stage.caption.text() for words in ("no longer fits", "no longer in the prompt", "from now on"))


def test_the_selected_item_stands_in_the_spotlight(companion: MainWindow) -> None:
    companion.do("present")
    assembly = companion.session.assembly
    assert assembly is not None
    companion.select(int(assembly.candidates.rows_named(["m118"])[0]))
    assert stage_of(companion).spotlight.text().startswith("Spotlight: Message 119, ")
    companion.select(None)
    assert not stage_of(companion).spotlight.text()


def test_nothing_moves_when_the_caption_changes(companion: MainWindow) -> None:
    companion.do("present")
    stage = stage_of(companion)
    places = [button.geometry() for button in (stage.back, stage.on, stage.end, stage.full)]
    height = stage.height()
    stage.say("long words " * 60)
    stage.show_item("an item")
    stage.say("short")
    assert [button.geometry() for button in (stage.back, stage.on, stage.end, stage.full)] == places
    assert stage.height() == height


def test_the_full_screen_comes_and_goes(companion: MainWindow, qtbot: QtBot) -> None:
    action = companion.findChild(QAction, "action:full_screen")
    assert isinstance(action, QAction)
    action.trigger()
    qtbot.waitUntil(companion.isFullScreen)
    companion.do("present")
    stage_of(companion).full.click()
    qtbot.waitUntil(lambda: not companion.isFullScreen())


def test_a_maximized_window_is_maximized_again_after_the_full_screen(companion: MainWindow, qtbot: QtBot) -> None:
    companion.showMaximized()
    qtbot.waitUntil(companion.isMaximized)
    for full in (True, False):
        QTest.keyClick(companion, Qt.Key.Key_F11)
        qtbot.waitUntil(lambda full=full: companion.isFullScreen() == full)
    assert companion.isMaximized()


def test_what_becomes_known_of_the_texts_is_no_step(opened: Open) -> None:
    folder = samples_folder()
    window = opened(folder / "companion.workspace.yaml", scenario=folder / "companion.scenario.yaml")
    assert stage_of(window).caption.text() == NOTHING_FELL


def test_the_space_bar_plays_and_enter_presses_where_a_button_of_the_stage_has_the_keyboard(
    companion: MainWindow, qtbot: QtBot
) -> None:
    tour = tour_of("policies")
    companion.do(ACTIONS["policies"])
    qtbot.waitUntil(lambda: is_at(companion, tour, 0))
    button, player = stage_of(companion).on, companion.screens["turns"].view.player
    companion.activateWindow()
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert player.is_playing
    player.pause()
    qtbot.keyClick(button, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: is_at(companion, tour, 1))


def test_before_and_after_are_named_by_what_differs(companion: MainWindow, qtbot: QtBot) -> None:
    companion.do("present")
    companion.session.pin_baseline()
    qtbot.waitUntil(lambda: stage_of(companion).sides.text() == "Above: the baseline  ·  below: the same")
    companion.session.edit(set_value, "min_exchanges", 7)
    qtbot.waitUntil(lambda: companion.session.is_ready)
    assert stage_of(companion).sides.text() == "Above: min exchanges 3  ·  below: min exchanges 7"
    companion.session.edit(go_to_turn, 100)
    qtbot.waitUntil(lambda: companion.session.is_ready)
    assert stage_of(companion).sides.text() == "Above: now  ·  below: turn 100"
