"""A table of unknown columns: the banner asks what they hold, and it opens so, now and whenever it is opened."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from inspector.gui.columns.dialog import ColumnsDialog
from inspector.gui.main_window import MainWindow
from inspector.settings import own_tables_file

TEXT = "Nr;Absender;Nachricht\n1;Anna;Hallo\n2;Berta;Na du\n3;Carl;hm\n"
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "talk.csv"
    path.write_text(TEXT)
    return path


def dialog_of(window: MainWindow, qtbot: QtBot) -> ColumnsDialog:
    qtbot.waitUntil(lambda: any(one.isVisible() for one in window.findChildren(ColumnsDialog)))
    return window.findChildren(ColumnsDialog)[-1]


def open_button(dialog: ColumnsDialog) -> QPushButton:
    return dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)


def choose(dialog: ColumnsDialog, part: str, name: str) -> None:
    """As a person does with the keyboard: the first letters of the column."""
    box = dialog.choices[part]
    box.setFocus()
    QTest.keyClicks(box, name[:2])
    assert box.currentText() == name


def test_the_banner_asks_and_the_table_opens_now_and_again(
    qtbot: QtBot, opened: Callable[..., MainWindow], table: Path
) -> None:
    window = opened(table)
    session = window.session
    assert not session.workspace.sources
    button = window.findChild(QPushButton, "banner:columns")
    assert button is not None
    assert button.isVisible()
    qtbot.mouseClick(button, LEFT)
    dialog = dialog_of(window, qtbot)
    said = dialog.rows.item(0, 2)
    assert said is not None
    assert said.text() == "Hallo"
    assert not open_button(dialog).isEnabled()
    choose(dialog, "text", "Nachricht")
    choose(dialog, "speaker", "Absender")
    choose(dialog, "id", "Nr")
    qtbot.mouseClick(open_button(dialog), LEFT)
    qtbot.waitUntil(lambda: bool(session.workspace.sources) and session.is_ready)
    assert [message.id for message in session.workspace.conversations[0].messages] == ["1", "2", "3"]
    assert not button.isVisible()
    assert own_tables_file().exists()
    again = opened(table)
    assert [source.format for source in again.session.workspace.sources] == ["chat_table"]
    assert table.read_text() == TEXT


def test_a_file_that_is_open_is_asked_about_by_the_menu_and_read_again(
    qtbot: QtBot, opened: Callable[..., MainWindow], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "talk.csv"
    path.write_text("role,content,remark\nuser,Hi,secret\nassistant,Ho,\n")
    window = opened(path)
    session = window.session
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    window.do("columns")
    dialog = dialog_of(window, qtbot)
    assert dialog.chosen == {"text": "content", "role": "role"}
    choose(dialog, "text", "remark")
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    said = lambda: [one.content for talk in session.workspace.conversations for one in talk.messages]  # noqa: E731
    qtbot.waitUntil(lambda: said() == ["secret"] and session.is_ready)


def test_what_cannot_be_written_is_said_in_the_dialog(
    qtbot: QtBot, opened: Callable[..., MainWindow], table: Path
) -> None:
    own_tables_file().parent.mkdir(parents=True, exist_ok=True)
    own_tables_file().write_text("text: a\n")
    window = opened(table)
    window.do("columns")
    dialog = dialog_of(window, qtbot)
    choose(dialog, "text", "Nachricht")
    choose(dialog, "speaker", "Absender")
    qtbot.mouseClick(open_button(dialog), LEFT)
    qtbot.waitUntil(lambda: not window.session.tasks.is_writing)
    assert dialog.isVisible()
    assert "expected a list of layouts" in dialog.complaint
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)


def test_a_file_that_is_no_table_is_said(
    qtbot: QtBot, opened: Callable[..., MainWindow], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Once upon a time.\n")
    window = opened()
    said: list[str] = []
    monkeypatch.setattr(window, "say", said.append)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    window.do("columns")
    qtbot.waitUntil(lambda: bool(said))
    assert said == ["a.txt is not a table of text (CSV, TSV) with the names of its columns in the first line"]
