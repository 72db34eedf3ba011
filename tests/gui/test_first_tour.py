"""The first tour: four bubbles over what is on screen, from the start page or the menu, never unasked."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QRect, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from inspector.gui.help.first_tour import STOPS, Bubble, nearest_edge
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.banner import Banner
from inspector.gui.parts.drop_overlay import DropOverlay
from inspector.gui.remembered.window_state import WindowState

Opened = Callable[..., MainWindow]


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    file = tmp_path / "chat.json"
    file.write_text('[{"role": "user", "content": "hello"}]')
    return file


def bubble_of(window: MainWindow) -> Bubble | None:
    bubble = window.findChild(Bubble)
    return bubble if bubble is not None and bubble.isVisible() else None


def welcomed(opened: Opened, file: Path, size: tuple[int, int] = (1600, 1000)) -> MainWindow:
    """A window on a file that was asked for the tour."""
    window = opened(file, state=WindowState(), size=size)
    window.do("first_tour")
    return window


def shown(qtbot: QtBot, window: MainWindow) -> Bubble:
    qtbot.waitUntil(lambda: bubble_of(window) is not None)
    bubble = bubble_of(window)
    assert bubble is not None
    return bubble


def places(window: MainWindow) -> Iterator[QRect]:
    for name in ("budget_bar", "decision_table", "policy_picker", "tool_bar"):
        widget = window.findChild(QWidget, name)
        assert widget is not None
        yield QRect(widget.mapTo(window, QPoint()), widget.size())


def test_it_leaves_keyboard_and_window_as_they_are(qtbot: QtBot, opened: Opened, chat: Path) -> None:
    window = welcomed(opened, chat)
    bubble = shown(qtbot, window)
    before, focus = list(places(window)), QApplication.focusWidget()
    for number in range(len(STOPS)):
        assert bubble_of(window) is bubble
        assert window.rect().contains(bubble.geometry())
        assert bubble.accessibleName().endswith(f"{number + 1} of {len(STOPS)}")
        assert QApplication.focusWidget() is focus
        assert list(places(window)) == before
        qtbot.mouseClick(bubble.next_button, Qt.MouseButton.LeftButton)
    assert bubble_of(window) is None


def test_it_never_comes_unasked(qtbot: QtBot, opened: Opened, chat: Path) -> None:
    window = opened(state=WindowState())
    assert bubble_of(window) is None
    window.open_paths([str(chat)])
    qtbot.waitUntil(lambda: window.session.is_ready and window.session.answer is not None)
    assert bubble_of(window) is None


def test_esc_ends_it_wherever_the_keyboard_is(qtbot: QtBot, opened: Opened, chat: Path) -> None:
    window = welcomed(opened, chat)
    shown(qtbot, window)
    table = window.findChild(QWidget, "decision_table")
    assert table is not None
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Escape)
    assert bubble_of(window) is None


def test_the_menu_gives_it_again_from_its_beginning(qtbot: QtBot, opened: Opened, chat: Path) -> None:
    window = opened(chat)
    assert bubble_of(window) is None
    action = window.findChild(QAction, "action:first_tour")
    assert action is not None
    action.trigger()
    bubble = shown(qtbot, window)
    for button in bubble.findChildren(QPushButton):
        assert button.focusPolicy() == Qt.FocusPolicy.TabFocus
    bubble.next_button.setFocus()
    qtbot.keyClick(bubble.next_button, Qt.Key.Key_Space)
    assert bubble.accessibleName().startswith(STOPS[1].title)
    action.trigger()
    assert shown(qtbot, window).accessibleName().startswith(STOPS[0].title)


@pytest.mark.parametrize("size", [(720, 440), (632, 331)])
def test_in_a_small_window_every_bubble_lies_in_it(
    qtbot: QtBot, opened: Opened, chat: Path, size: tuple[int, int]
) -> None:
    window = welcomed(opened, chat, size=size)
    window.setMinimumSize(*size)  # as on a laptop at 200 %
    window.resize(*size)
    bubble = shown(qtbot, window)
    for stop in STOPS:
        assert window.rect().contains(bubble.geometry())
        target = window.findChild(QWidget, stop.target)
        assert target is not None
        place = QRect(target.mapTo(window, QPoint()), target.size())
        over = bubble.geometry() & place
        assert over.width() * over.height() < place.width() * place.height() / 4, f"{stop.title}: it hides that"
        window.resize(900, 600)
        assert window.rect().contains(bubble.geometry())
        window.resize(*size)
        bubble.next_wanted.emit()


@pytest.mark.parametrize("size", [(1600, 1000), (1280, 696), (800, 476)])
def test_it_leaves_the_banner_free(
    qtbot: QtBot, opened: Opened, chat: Path, tmp_path: Path, size: tuple[int, int]
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('[{"role": "user"')
    window = opened(chat, broken, state=WindowState(), size=size)
    window.do("first_tour")
    bubble = shown(qtbot, window)
    qtbot.waitUntil(lambda: (found := window.findChild(Banner)) is not None and found.isVisible())
    banner = window.findChild(Banner)
    assert banner is not None
    for stop in STOPS:
        place = QRect(banner.mapTo(window, QPoint()), banner.size())
        qtbot.waitUntil(lambda place=place: not bubble.geometry().intersects(place))
        assert window.rect().contains(bubble.geometry()), stop.title
        qtbot.mouseClick(bubble.next_button, Qt.MouseButton.LeftButton)


def test_it_lies_above_the_pages_of_another_perspective(qtbot: QtBot, opened: Opened, chat: Path) -> None:
    window = welcomed(opened, chat)
    bubble = shown(qtbot, window)
    for name in ("tune", "archive", "present", "inspect"):
        action = window.findChild(QAction, f"action:{name}")
        assert action is not None
        action.trigger()
        qtbot.waitUntil(lambda: window.childAt(bubble.geometry().center()) in (bubble, *bubble.findChildren(QWidget)))
        assert window.rect().contains(bubble.geometry())


def test_it_lies_below_what_dropping_files_would_do(qtbot: QtBot, opened: Opened, chat: Path) -> None:
    window = welcomed(opened, chat)
    bubble = shown(qtbot, window)
    files, place, copy = QMimeData(), QPoint(9, 9), Qt.DropAction.CopyAction
    files.setUrls([QUrl.fromLocalFile(str(chat))])
    window.dragEnterEvent(
        QDragEnterEvent(place, copy, files, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    )
    overlay = window.findChild(DropOverlay)
    assert overlay is not None
    for change in (lambda: None, lambda: window.resize(1200, 800), bubble.next_wanted.emit, bubble.place):
        change()
        assert overlay.isVisible()
        assert bubble.isVisible()
        assert window.children().index(overlay) > window.children().index(bubble)  # painted later


def test_the_next_tab_reaches_its_buttons(qtbot: QtBot, opened: Opened, chat: Path) -> None:
    window = opened(chat)
    window.activateWindow()
    table = window.findChild(QWidget, "decision_table")
    action = window.findChild(QAction, "action:first_tour")
    assert table is not None
    assert action is not None
    table.setFocus()
    action.trigger()
    bubble = shown(qtbot, window)
    reached: list[QWidget | None] = [QApplication.focusWidget()]
    for _ in range(2):
        qtbot.keyClick(reached[-1] or window, Qt.Key.Key_Tab)
        reached.append(QApplication.focusWidget())
    assert reached == [table, bubble.end_button, bubble.next_button]


def test_enter_goes_through_it_where_the_keyboard_is_nowhere_yet(qtbot: QtBot, opened: Opened, chat: Path) -> None:
    window = welcomed(opened, chat)
    window.activateWindow()
    bubble = shown(qtbot, window)
    for stop in STOPS:
        assert bubble.accessibleName().startswith(stop.title)
        qtbot.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Return)
    assert bubble_of(window) is None


@pytest.mark.parametrize(("own", "tip"), [(QRect(0, 0, 300, 100), 299), (QRect(340, 0, 300, 100), 340)])
def test_a_bubble_that_lies_over_an_edge_of_its_target_points_at_it(own: QRect, tip: int) -> None:
    """In the smallest windows there is no place beside a wide panel."""
    target = QRect(280, 0, 320, 100) if own.left() == 0 else QRect(0, 0, 360, 100)
    assert nearest_edge(own, target).x() == tip
