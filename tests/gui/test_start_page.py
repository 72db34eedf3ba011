"""The page of a window in which nothing is open: three ways to begin, recent and unsaved work, and three tours."""

import shutil
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from inspector.gui.help.first_tour import Bubble
from inspector.gui.main_window import MainWindow
from inspector.gui.remembered.window_state import WindowState
from inspector.gui.screens.start.cards import RecentRow
from inspector.gui.screens.start.view import StartView, day_of
from inspector.model import Workspace
from inspector.resources import first_sample, samples_folder

Opened = Callable[..., MainWindow]


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    file = tmp_path / "chat.json"
    file.write_text('[{"role": "user", "content": "hello"}]')
    return file


def page(window: MainWindow) -> StartView:
    found = window.findChild(StartView)
    assert found is not None
    return found


def part(window: MainWindow, name: str) -> QWidget:
    found = window.findChild(QWidget, name)
    assert found is not None, name
    return found


def shows_start(window: MainWindow) -> bool:
    found = window.findChild(StartView)
    return found is not None and found.isVisible()


def is_on(window: MainWindow, name: str) -> bool:
    action = window.findChild(QAction, f"action:{name}")
    assert action is not None
    return action.isEnabled()


def test_nothing_but_the_page_stands_below_the_tool_bar_while_nothing_is_open(opened: Opened) -> None:
    window = opened()
    assert shows_start(window)
    for name in ("budget_bar", "decision_table", "policy_picker"):
        assert not part(window, name).isVisible()
    assert part(window, "tool_bar").isVisible()
    assert page(window).width() == window.width()


def test_the_sample_has_the_focus_and_enter_opens_it_with_its_scenario(opened: Opened, qtbot: QtBot) -> None:
    window = opened()
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is page(window).cards[0])
    qtbot.keyClick(page(window).cards[0], Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.answer is not None and window.session.is_ready)
    assert not shows_start(window)
    assert part(window, "decision_table").isVisible()
    assert window.session.scenario.context_window == 12_288
    assert window.focusWidget() is window, "no table has taken the focus, which would select its first row"
    assert "companion.scenario.yaml" in window.statusBar().currentMessage()


def test_what_needs_a_prompt_is_off_and_says_why(opened: Opened, chat: Path, qtbot: QtBot) -> None:
    window = opened()
    for name in ("pin_baseline", "keep_snapshot", "export", "left_column", "right_column", "full_screen"):
        assert not is_on(window, name)
        assert "Nothing is open" in part(window, f"tool:{name}").toolTip()
    for name in ("open", "palette", "inspect", "archive"):
        assert is_on(window, name)
    window.open_paths([str(chat)])
    qtbot.waitUntil(lambda: window.session.answer is not None)
    assert all(is_on(window, name) for name in ("pin_baseline", "left_column", "full_screen"))


def test_a_started_window_without_files_keeps_its_page_and_offers_nothing_for_a_prompt(
    opened: Opened, qtbot: QtBot
) -> None:
    window = opened()
    window.session.show_workspace(Workspace())  # as where no work is found to go on with
    qtbot.waitUntil(lambda: window.session.answer is not None and window.session.is_ready)
    assert shows_start(window)
    for name in ("pin_baseline", "keep_snapshot", "export", "totals", "find", "shootout", "copy_for_langchain"):
        action = window.findChild(QAction, f"action:{name}")
        assert action is None or not action.isEnabled(), name
    assert "Offline" in said(window)
    assert "$" not in said(window)
    for key in (Qt.Key.Key_Escape, Qt.Key.Key_B, Qt.Key.Key_2):
        control = Qt.KeyboardModifier.ControlModifier if key == Qt.Key.Key_2 else Qt.KeyboardModifier.NoModifier
        qtbot.keyClick(window, key, control)
    assert shows_start(window)
    assert not window.isWindowModified()


def said(window: MainWindow) -> str:
    """Return all words of the status line."""
    return " ".join(label.text() for label in window.statusBar().findChildren(QLabel) if label.isVisible())


def test_the_status_line_says_what_can_be_opened_and_counted(opened: Opened, chat: Path, qtbot: QtBot) -> None:
    window = opened()
    words = [label.text() for label in window.statusBar().findChildren(QLabel)]
    assert any("formats" in word and "models" in word and word.endswith("Offline") for word in words), words
    window.open_paths([str(chat)])
    qtbot.waitUntil(lambda: window.session.answer is not None)
    words = [label.text() for label in window.statusBar().findChildren(QLabel)]
    assert not any("formats" in word for word in words)


def test_a_pasted_chat_is_opened(opened: Opened, qtbot: QtBot) -> None:
    window = opened()
    QGuiApplication.clipboard().setText('[{"role": "user", "content": "pasted"}]')
    qtbot.mouseClick(page(window).cards[2], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.answer is not None)
    assert not shows_start(window)


def test_a_screen_that_is_asked_for_comes_into_sight_and_a_perspective_leads_back(opened: Opened) -> None:
    window = opened()
    window.show_screen("recommend")
    assert not shows_start(window)
    assert window.screens["recommend"].is_visible
    window.do("archive")
    assert shows_start(window)


def test_a_file_that_cannot_be_opened_leaves_the_page_with_the_reason_above_it(
    opened: Opened, qtbot: QtBot, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('[{"role": "user"')
    window = opened(broken)
    qtbot.waitUntil(lambda: shows_start(window))
    banner = part(window, "banner")
    assert banner.isVisible()
    assert banner.mapTo(window, banner.rect().bottomLeft()).y() < page(window).mapTo(window, page(window).pos()).y() + 1


def test_closing_all_shows_it_again(opened: Opened, chat: Path, qtbot: QtBot) -> None:
    window = opened(chat)
    assert not shows_start(window)
    window.session.show_workspace(Workspace())
    qtbot.waitUntil(lambda: shows_start(window))


def test_recent_files_say_what_they_are_and_open(opened: Opened, chat: Path, qtbot: QtBot) -> None:
    opened(chat, state=WindowState())
    qtbot.waitUntil(lambda: bool(WindowState().recent))
    window = opened(state=WindowState())
    row = page(window).findChild(RecentRow)
    assert row is not None
    assert (row.name, row.about) == ("chat.json", "1 message, OpenAI messages")
    assert row.when.startswith("today")
    qtbot.mouseClick(row, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.answer is not None)


def test_recent_files_are_forgotten(opened: Opened, chat: Path, qtbot: QtBot) -> None:
    state = WindowState()
    state.add_recent([str(chat)], "1 message")
    window = opened(state=state)
    clear = part(window, "start:clear")
    assert clear.isVisible()
    qtbot.mouseClick(clear, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not clear.isVisible())
    assert not WindowState().recent
    assert WindowState().about([str(chat)]) is None


def test_times_are_told_as_a_user_would(opened: Opened) -> None:
    now = datetime(2026, 11, 26, 12, 0)
    told = {
        timedelta(hours=1): "today, 11:00",
        timedelta(days=1): "yesterday, 12:00",
        timedelta(days=2): f"{now - timedelta(days=2):%A}, 12:00",
        timedelta(days=40): f"{17} {now - timedelta(days=40):%b}",
        timedelta(days=400): f"{22} {now - timedelta(days=400):%b} 2025",
    }
    assert {ago: day_of(now - ago, now) for ago in told} == told


@pytest.mark.parametrize("size", [(1600, 1000), (1280, 720), (800, 500), (2560, 1440)])
def test_every_card_lies_in_the_page_whatever_the_size(opened: Opened, size: tuple[int, int]) -> None:
    window = opened(size=size)
    inside = page(window).widget()
    assert inside is not None
    cards = [*page(window).cards, *page(window).tours]
    for card in cards:
        place = card.rect().translated(card.mapTo(inside, card.rect().topLeft()))
        assert inside.rect().contains(place)
        assert card.height() >= 24
    places = [card.mapTo(inside, card.rect().topLeft()) for card in cards]
    assert len({(place.x(), place.y()) for place in places}) == len(cards)


def test_the_first_tour_opens_its_sample_and_speaks_of_what_is_on_screen(opened: Opened, qtbot: QtBot) -> None:
    window = opened()
    qtbot.mouseClick(page(window).tours[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.findChild(Bubble) is not None)
    assert window.session.paths == (str(first_sample()),)
    assert window.session.answer is not None


def test_a_folder_of_many_chats_leads_to_the_archive_and_a_file_to_inspect(
    opened: Opened, qtbot: QtBot, tmp_path: Path
) -> None:
    folder = tmp_path / "chats"
    folder.mkdir()
    for number in range(21):
        (folder / f"{number}.json").write_text('[{"role": "user", "content": "hello"}]')
    window = opened()
    window.open_paths([str(folder)])
    qtbot.waitUntil(lambda: window.screens["conversations"].is_visible)
    window.open_paths([str(folder / "3.json")])
    qtbot.waitUntil(lambda: window.screens["decisions"].is_visible)


def test_from_another_perspective_a_file_leads_nowhere(opened: Opened, qtbot: QtBot, chat: Path) -> None:
    window = opened(first_sample())
    window.do("tune")
    window.open_paths([str(chat)])
    qtbot.waitUntil(lambda: window.session.paths == (str(chat),) and window.session.is_ready)
    assert not window.screens["decisions"].is_visible


def test_a_folder_of_few_chats_leads_to_inspect(opened: Opened, qtbot: QtBot, tmp_path: Path, chat: Path) -> None:
    folder = tmp_path / "few"
    folder.mkdir()
    shutil.copy(chat, folder / "a.json")
    window = opened()
    window.open_paths([str(folder)])
    qtbot.waitUntil(lambda: window.session.answer is not None)
    assert window.screens["decisions"].is_visible


def test_samples_named_by_their_folder_or_by_file_have_their_scenario(opened: Opened) -> None:
    window = opened(samples_folder() / "developer.workspace.yaml")
    assert window.session.scenario_file.endswith("developer.scenario.yaml")
    other = opened(samples_folder() / "developer.workspace.yaml", scenario=samples_folder() / "companion.scenario.yaml")
    assert other.session.scenario_file.endswith("companion.scenario.yaml")
