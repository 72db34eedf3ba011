"""The window masks the secrets of files, in every view, until it is told to show them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractListModel, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QLabel, QListView, QTableView, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from inspector import secrets
from inspector.gui.main_window import MainWindow
from inspector.gui.table.view import ArrayTableView
from tests.test_secrets import KEY

ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)
LINE = f"My key is {KEY}"


@pytest.fixture(autouse=True)
def masking(monkeypatch: pytest.MonkeyPatch) -> None:
    """The choice of one test is not that of the next."""
    monkeypatch.setattr(secrets, "_revealed", False)


@pytest.fixture
def chat(tmp_path: Path) -> str:
    path = tmp_path / "chat.json"
    path.write_text(json.dumps([{"role": "user", "content": LINE}, {"role": "assistant", "content": "Noted."}]))
    return str(path)


def shown_texts(window: QWidget) -> str:
    """What labels, text fields and tables of a window show and say in tooltips."""
    found = [text for label in window.findChildren(QLabel) for text in (label.text(), label.toolTip())]
    found += [field.toPlainText() for field in window.findChildren(QTextEdit)]
    for table in window.findChildren(QTableView):
        model = table.model()
        for row in range(model.rowCount()):
            columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount()
            for column in range(columns):
                index = model.index(row, column)
                found += [str(index.data(role)) for role in ROLES]
    return "\n".join(found)


@pytest.mark.parametrize("screen", ["details", "prompt", "sources", "timeline"])
def test_no_view_shows_a_secret_until_it_is_told_to(
    qtbot: QtBot, opened: Callable[..., MainWindow], chat: str, screen: str
) -> None:
    window = opened(chat)
    window.show_screen(screen)
    window.select(0)
    assert KEY[10:] not in shown_texts(window)
    assert f"sk-{secrets.MARK}" in shown_texts(window)
    reveal = window.findChild(QAction, "action:reveal_secrets")
    assert reveal is not None
    reveal.trigger()
    assert KEY in shown_texts(window)
    reveal.trigger()
    assert KEY[10:] not in shown_texts(window)


def test_what_is_copied_from_a_table_is_masked(qtbot: QtBot, opened: Callable[..., MainWindow], chat: str) -> None:
    window = opened(chat)
    table = window.findChild(ArrayTableView, "decision_table")
    assert table is not None
    table.selectAll()
    table.setFocus()
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    for held in (control, control | shift):
        qtbot.keyClick(table, Qt.Key.Key_C, held)
        assert "My key is sk-" in QGuiApplication.clipboard().text()
        assert KEY[10:] not in QGuiApplication.clipboard().text()


def test_the_file_s_secrets_are_a_problem_of_the_window(
    qtbot: QtBot, opened: Callable[..., MainWindow], chat: str
) -> None:
    window = opened(chat)
    (problem,) = window.session.workspace.problems
    assert problem.place == "message m0"
    assert "1 secret" in problem.message


def test_the_findings_tell_of_a_secret_and_lead_to_the_item(
    qtbot: QtBot, opened: Callable[..., MainWindow], chat: str
) -> None:
    window = opened(chat)
    window.show_screen("findings")
    listed = window.findChild(QListView, "findings_list")
    assert isinstance(listed, QListView)
    qtbot.waitUntil(lambda: listed.model().rowCount() > 0)
    rows = [listed.model().index(row, 0) for row in range(listed.model().rowCount())]
    told = next(index for index in rows if "1 item holds 1 secret" in index.data())
    assert KEY[10:] not in str(told.data(Qt.ItemDataRole.ToolTipRole))
    listed.setCurrentIndex(told)
    qtbot.keyClick(listed, Qt.Key.Key_Return)
    assert window.row == 0
