"""The list of all conversations: found by words, sorted by when they were, opened item by item."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QTableView, QToolButton
from pytestqt.qtbot import QtBot

from inspector.assembly.columns import Fate
from inspector.assembly.edits import choose_conversation, use_window
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.conversations.view import NOTHING_YET, ConversationsView
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


def looked_at(window: MainWindow, qtbot: QtBot) -> list[list[str]]:
    """The cells of the table once every conversation has its figures."""
    qtbot.waitUntil(lambda: bool(view(window).topics), timeout=30_000)
    table = view(window).table
    keys = [column.key for column in table.array_model.columns]
    places = [keys.index(key) for key in ("tokens", "prompt", "dropped", "findings", "recall")]
    model = table.model()
    return [[model.index(row, place).data() for place in places] for row in range(model.rowCount())]


def test_every_conversation_has_the_figures_that_the_window_shows_of_it(archive: MainWindow, qtbot: QtBot) -> None:
    found = looked_at(archive, qtbot)
    session = archive.session
    for row, conversation in enumerate(session.workspace.conversations):
        session.edit(choose_conversation, session.workspace, conversation.id)
        qtbot.waitUntil(lambda: session.is_ready, timeout=30_000)
        answer = session.answer
        assert answer is not None
        dropped = int(answer.assembly.fate_counts[Fate.DROPPED])
        assert found[row][1:4] == [f"{answer.ledger.total:,}", f"{dropped:,}", f"{len(answer.findings)}"]


def test_only_a_conversation_with_questions_has_a_recall(archive: MainWindow, qtbot: QtBot) -> None:
    recalls = [row[4] for row in looked_at(archive, qtbot)]
    assert recalls[0].endswith("%")
    assert set(recalls[1:]) == {""}


def test_topics_are_told_below_and_chosen_by_key(archive: MainWindow, qtbot: QtBot) -> None:
    looked_at(archive, qtbot)
    shown = view(archive)
    assert "573 messages" in shown.page.toPlainText()
    for name, words in (("lengths", "Tokens by role"), ("left out", "Tokens left out"), ("scripts", "Latin")):
        button = next(
            one for one in shown.switch.findChildren(QToolButton) if one.accessibleName().endswith(f": {name}")
        )
        button.setFocus()
        qtbot.keyClick(button, Qt.Key.Key_Space)
        assert words in shown.page.toPlainText()


def test_another_setting_is_looked_at_again(archive: MainWindow, qtbot: QtBot) -> None:
    before = looked_at(archive, qtbot)
    archive.session.edit(use_window, 3_000)
    qtbot.waitUntil(lambda: not view(archive).is_current)
    qtbot.waitUntil(lambda: view(archive).is_current, timeout=30_000)
    after = looked_at(archive, qtbot)
    assert [row[0] for row in after] == [row[0] for row in before]
    assert [row[1] for row in after] != [row[1] for row in before]


def test_what_was_looked_at_goes_with_what_was_open(archive: MainWindow, qtbot: QtBot) -> None:
    looked_at(archive, qtbot)
    archive.open_paths([str(samples_folder() / "developer.workspace.yaml")])
    qtbot.waitUntil(lambda: archive.session.is_ready and len(cells(view(archive).table)) == 1)
    found = looked_at(archive, qtbot)
    assert len(found) == 1
    assert "92 messages" in view(archive).page.toPlainText()


def test_until_all_were_looked_at_the_page_says_what_will_be_there(archive: MainWindow) -> None:
    shown = view(archive)
    shown.show_conversations(archive.session.workspace.conversations)
    assert shown.page.toPlainText() == NOTHING_YET
    shown.show_conversations(())
    assert shown.page.toPlainText() == ""
