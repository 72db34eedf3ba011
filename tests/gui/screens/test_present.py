"""Present: captions in plain words, a spotlight, tours from the first step to the last and back, the full screen."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from inspector.analysis.replay.words import heavy_turns
from inspector.analysis.tour import Tour, baseline_at, read_tour, scenario_at, spotlight_at
from inspector.assembly.edits import go_to_turn, set_value
from inspector.assembly.scenario_file import read_scenario
from inspector.assembly.scenario_records import record
from inspector.assembly.scenario_values import no_kind
from inspector.gui.app import take_screenshot
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.present import NOTHING_FELL
from inspector.gui.screens.present.stage_text import StageText
from inspector.gui.screens.present.view import PresentView, StageButton
from inspector.resources import samples_folder
from inspector.tables import short_time
from tests.examples import cases

Open = Callable[..., MainWindow]
ACTIONS = {"birthday": "tour_birthday", "policies": "tour_policies"}


def stage_of(window: MainWindow) -> PresentView:
    view = window.screens["present"].view
    assert isinstance(view, PresentView)
    return view


def tour_of(name: str) -> Tour:
    return read_tour(samples_folder() / f"{name}.tour.yaml")[0]


def is_at(window: MainWindow, tour: Tour, number: int) -> bool:
    said = stage_of(window).title.text().startswith(f"{tour.title}  ·  step {number + 1} of {len(tour.steps)}  ·  ")
    return said and window.session.is_ready


def turn_words(window: MainWindow) -> str:
    messages = window.session.answer.case.chosen.parts.messages  # type: ignore[union-attr]
    turn = window.turns.turn
    time = messages[turn - 1].time
    assert time is not None
    return f"Turn {turn} of {len(messages)}, {short_time(time)}"


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
    assert stage_of(window).title.text() == turn_words(window)
    assert not stage_of(window).end.isVisible()


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


@pytest.mark.parametrize("page", ["survival", "lasting"])
def test_the_picture_of_a_page_shows_what_is_computed_for_it(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file, shown = str(samples_folder() / "wall-of-text.workspace.yaml"), list[bool]()
    grab = MainWindow.grab

    def look(window: MainWindow) -> QPixmap:
        view = window.screens[page].view
        shown.append(view.survived is not None if page == "survival" else bool(view.found and view.found[0].is_whole))
        return grab(window)

    monkeypatch.setattr(MainWindow, "grab", look)
    assert take_screenshot([file], None, "png", (1000, 700), "light", first=(None, page)).content
    assert shown == [True]


def test_opening_something_else_ends_the_tour(opened: Open, qtbot: QtBot) -> None:
    window, tour = opened(), tour_of("birthday")
    window.give_tour(str(samples_folder() / "birthday.tour.yaml"))
    qtbot.waitUntil(lambda: is_at(window, tour, 0))
    window.open_paths([str(samples_folder() / "developer.workspace.yaml")])
    qtbot.waitUntil(lambda: window.session.paths != tour.open and window.session.is_ready)
    assert "step" not in stage_of(window).title.text()


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
@pytest.mark.parametrize("size", [QSize(1600, 1000), QSize(1280, 720), QSize(800, 500)])
def test_nothing_that_a_tour_says_is_cut_off(opened: Open, qtbot: QtBot, name: str, size: QSize) -> None:
    window, tour = opened(), tour_of(name)
    window.resize(size)
    window.do(ACTIONS[name])
    for number in range(len(tour.steps)):
        qtbot.waitUntil(lambda number=number: is_at(window, tour, number))
        stage = stage_of(window)
        assert window.width() == size.width()
        for line in (stage.title, stage.caption, stage.spotlight, stage.sides, stage.figure, stage.window_words):
            assert not line.is_cut, line.text()
        assert stage.caption.shown_pixels >= 26 * stage.unit
        window.do("tour_next")


@pytest.mark.parametrize("size", [QSize(1600, 1000), QSize(1280, 720), QSize(2560, 1440), QSize(800, 500)])
def test_everything_scales_with_the_screen_and_nothing_is_small(
    companion: MainWindow, qtbot: QtBot, size: QSize
) -> None:
    companion.resize(size)
    companion.do("present")
    stage = stage_of(companion)
    qtbot.waitUntil(lambda: stage.size() == size)  # without chrome
    unit = min(size.width() / 1600, size.height() / 900)
    assert stage.unit == pytest.approx(unit)
    for text in stage.findChildren(StageText):
        assert min(text._sizes) >= 19.9 * unit
    assert stage.bar.span_of(stage.bar.picture.segments[0]).height() == round(132 * unit)  # type: ignore[union-attr]
    assert stage.falling.shown_rows
    assert all(button.width() >= 24 for button in stage.findChildren(StageButton) if button.isVisible())
    inside = [part for part in stage.findChildren(QWidget) if part.parent() is stage and part.isVisible()]
    assert all(stage.rect().contains(part.geometry()) for part in inside)


def test_what_falls_is_said_in_few_words_and_the_reason_below(companion: MainWindow, qtbot: QtBot) -> None:
    companion.do("present")
    session, stage = companion.session, stage_of(companion)
    session.edit(go_to_turn, 60)
    qtbot.waitUntil(lambda: session.is_ready)
    qtbot.keyClick(stage, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: session.scenario.at != 60 and session.is_ready)
    assert any(words in stage.caption.text() for words in ("out of the prompt.", "from now on."))
    said = ("no longer fits", "no longer in the prompt", "from now on")
    assert any(words in (stage.spotlight.text() or stage.caption.text()) for words in said)
    assert stage.spotlight.text() != stage.caption.text(), "said once"
    assert stage.title.text() == turn_words(companion)


def test_the_selected_item_stands_in_the_spotlight(companion: MainWindow) -> None:
    companion.do("present")
    assembly = companion.session.assembly
    assert assembly is not None
    companion.select(int(assembly.candidates.rows_named(["m118"])[0]))
    assert stage_of(companion).spotlight.text().startswith("Spotlight: Message 119, ")
    companion.select(None)
    assert not stage_of(companion).spotlight.text()


def test_nothing_moves_when_the_texts_change(companion: MainWindow) -> None:
    companion.do("present")
    stage = stage_of(companion)
    parts = [part for part in stage.findChildren(QWidget) if part.parent() is stage]
    places = [part.geometry() for part in parts]
    stage.say("long words " * 60)
    assert stage.caption.is_cut
    stage.show_item("an item")
    stage.say("short")
    assert [part.geometry() for part in parts] == places


def test_the_full_screen_comes_and_goes(companion: MainWindow, qtbot: QtBot) -> None:
    action = companion.findChild(QAction, "action:full_screen")
    assert isinstance(action, QAction)
    action.trigger()
    qtbot.waitUntil(companion.isFullScreen)
    stage_of(companion).full.click()
    qtbot.waitUntil(lambda: not companion.isFullScreen())
    companion.do("present")
    stage_of(companion).leave.click()
    assert companion._arrangement.perspective == "inspect"


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
    button, player = stage_of(companion).on, companion.turns.player
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
    assert stage_of(companion).sides.text() == "Above: newest always kept 3  ·  below: newest always kept 7"
    companion.session.edit(go_to_turn, 100)
    qtbot.waitUntil(lambda: companion.session.is_ready)
    assert stage_of(companion).sides.text() == "Above: now  ·  below: turn 100"


def test_arrows_go_through_the_turns_and_digits_through_the_steps_of_a_tour(opened: Open, qtbot: QtBot) -> None:
    window, tour = opened(), tour_of("birthday")
    window.do(ACTIONS["birthday"])
    qtbot.waitUntil(lambda: is_at(window, tour, 0))
    stage = stage_of(window)
    qtbot.keyClick(stage, Qt.Key.Key_4)
    qtbot.waitUntil(lambda: is_at(window, tour, 3))
    check_step(window, tour, 3)
    qtbot.keyClick(stage, Qt.Key.Key_9)
    assert is_at(window, tour, 3), "there is no ninth step"
    turn = window.turns.turn
    for key, expected in ((Qt.Key.Key_Left, turn - 1), (Qt.Key.Key_Right, turn), (Qt.Key.Key_End, 337)):
        qtbot.keyClick(stage, key)
        assert window.turns.turn == expected
    qtbot.keyClick(stage, Qt.Key.Key_Escape)
    assert window._arrangement.perspective != "present"
    qtbot.waitUntil(lambda: window.session.is_ready)


def test_the_keys_of_the_page_work_at_once_and_space_plays_on_the_bar_too(companion: MainWindow, qtbot: QtBot) -> None:
    companion.activateWindow()
    companion.do("present")
    stage = stage_of(companion)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is stage)
    stage.bar.setFocus()
    qtbot.keyClick(stage.bar, Qt.Key.Key_Right)
    qtbot.keyClick(stage.bar, Qt.Key.Key_Space)
    assert companion.turns.player.is_playing
    assert stage.play.accessibleName() == "Pause the turns"
    stage.play.click()
    assert not companion.turns.player.is_playing


def test_turns_at_which_much_falls_are_marked_once_they_are_known(companion: MainWindow, qtbot: QtBot) -> None:
    companion.do("present")
    slider = stage_of(companion).slider
    qtbot.waitUntil(lambda: len(slider._marks) > 0 and not companion.session.tasks.is_running("replay"))
    (found,) = companion.turns.found
    assert slider._marks.tolist() == heavy_turns(found).tolist()


def test_the_legend_names_only_what_has_no_name_in_the_bar(companion: MainWindow) -> None:
    companion.do("present")
    QApplication.processEvents()
    stage = stage_of(companion)
    listed = {entry.part.word for entry in stage.legend._entries()}
    assert listed - {"full"} == set(stage.bar.unnamed)
    assert "history" not in listed
    assert "system" in listed


@pytest.mark.parametrize("size", [(792, 457), (632, 331)])
def test_a_low_window_presents_rows_of_what_fell(opened: Open, qtbot: QtBot, size: tuple[int, int]) -> None:
    window = opened(
        samples_folder() / "companion.workspace.yaml",
        scenario=samples_folder() / "companion.scenario.yaml",
        size=(792, 457),
    )
    window.do("present")
    window.setMinimumSize(*size)  # as on a laptop at 200 %
    window.resize(*size)
    view = window.screens["present"].view
    assert isinstance(view, PresentView)
    qtbot.waitUntil(lambda: (view.width(), view.height()) == size)
    assert len(view.falling.shown_rows) >= 5
