"""The list of all conversations: found by words, sorted by when they were, opened item by item."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QTableView
from pytestqt.qtbot import QtBot

from inspector.gui.main_window import MainWindow
from inspector.gui.screens.conversations.view import ConversationsView
from inspector.resources import samples_folder


@pytest.fixture
def archive(opened: Callable[..., MainWindow]) -> MainWindow:
    """A window on all samples, in the perspective that lists them."""
    window = opened(samples_folder())
    window.do("archive")
    QApplication.processEvents()
    return window


def view(window: MainWindow) -> ConversationsView:
    found = window.screens["conversations"].view
    assert isinstance(found, ConversationsView)
    return found


def cells(table: QTableView) -> list[list[str]]:
    model = table.model()
    return [[model.index(row, column).data() for column in range(5)] for row in range(model.rowCount())]


def test_every_conversation_has_its_file_its_length_and_its_days(archive: MainWindow) -> None:
    table = view(archive).table
    QAbstractItemModelTester(table.model(), QAbstractItemModelTester.FailureReportingMode.Fatal, table)
    assert len(cells(table)) == len(archive.session.workspace.conversations)
    assert cells(table)[0] == ["● Harbour talks", "companion.workspace.yaml", "337", "2026-02-10", "2026-06-14"]


def test_words_leave_what_has_them_in_title_or_file(archive: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClicks(view(archive).search, "thread companion")
    assert [cell[0] for cell in cells(view(archive).table)] == ["Old thread"]
    qtbot.keyClicks(view(archive).search, " nothing")
    assert cells(view(archive).table) == []


def test_a_click_on_a_heading_sorts(archive: MainWindow, qtbot: QtBot) -> None:
    table = view(archive).table
    header = table.horizontalHeader()
    place = header.sectionViewportPosition(2) + header.sectionSize(2) // 2
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place, 5))
    counts = [int(cell[2]) for cell in cells(table)]
    assert counts == sorted(counts)
    table.sort_by("first")
    days = [cell[3] for cell in cells(table)]
    assert days == sorted(days)


@pytest.mark.parametrize("by_key", [True, False])
def test_a_double_click_or_enter_opens_one(archive: MainWindow, qtbot: QtBot, by_key: bool) -> None:
    table = view(archive).table
    where = table.visualRect(table.model().index(3, 0)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    if by_key:
        qtbot.keyClick(table, Qt.Key.Key_Return)
    else:
        qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert archive.session.scenario.conversation == "tandem-taipei"
    assert archive.screens["decisions"].is_visible
    qtbot.waitUntil(lambda: archive.session.is_ready)
    archive.do("archive")
    assert [cell[0][0] for cell in cells(table)].index("●") == 3


def test_what_is_opened_later_is_listed(archive: MainWindow, qtbot: QtBot) -> None:
    archive.open_paths([str(samples_folder() / "developer.workspace.yaml")])
    qtbot.waitUntil(lambda: archive.session.is_ready and len(cells(view(archive).table)) == 1)


def test_an_empty_list_says_what_to_do(opened: Callable[..., MainWindow]) -> None:
    window = opened()
    window.do("archive")
    QApplication.processEvents()
    assert not view(window).table.isVisible()
