"""What is copied from a table: rows as a table for editors and spreadsheets, and their texts."""

import pytest
from answers import answer_of, message, pipeline_for
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from inspector.gui.screens.decisions.view import DecisionView

TEXTS = ["Hello there", "=1+1", "a\tb \u202ereversed", "<b>bold</b> & more\nsecond line"]


@pytest.fixture
def view(qtbot: QtBot) -> DecisionView:
    made = DecisionView()
    qtbot.addWidget(made)
    made.resize(1100, 400)
    with qtbot.waitExposed(made):
        made.show()
    made.show_answer(answer_of(pipeline_for([message(at, text) for at, text in enumerate(TEXTS)]), 400))
    return made


def copied_lines(qtbot: QtBot, view: DecisionView) -> list[list[str]]:
    view.table.selectAll()
    qtbot.keyClick(view.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    return [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]


def test_all_selected_rows_are_copied_as_they_stand(qtbot: QtBot, view: DecisionView) -> None:
    lines = copied_lines(qtbot, view)
    columns = view.table.array_model.columns
    assert lines[0] == [columns[section].title for section in view.table.columns.sections_shown()]
    assert len(lines) == 1 + len(TEXTS)
    assert {len(line) for line in lines} == {len(lines[0])}
    texts = [line[lines[0].index("Text")] for line in lines[1:]]
    assert texts == ["Hello there", "'=1+1", "a⟦U+0009⟧b ⟦RLO⟧reversed", "<b>bold</b> & more"]


def test_a_spreadsheet_gets_a_table_in_which_no_text_is_a_command(qtbot: QtBot, view: DecisionView) -> None:
    copied_lines(qtbot, view)
    html = QGuiApplication.clipboard().mimeData().html()
    assert html.count("<tr>") == 1 + len(TEXTS)
    assert "&lt;b&gt;bold&lt;/b&gt; &amp; more" in html
    assert ">&#x27;=1+1<" in html


def test_hidden_columns_are_not_copied(qtbot: QtBot, view: DecisionView) -> None:
    view.table.columns.choose("reason", False)
    view.table.columns.move_past("tokens", -1)
    titles = copied_lines(qtbot, view)[0]
    assert "Why" not in titles
    assert titles.index("Tokens") < titles.index("Text")


def test_texts_are_copied_whole(qtbot: QtBot, view: DecisionView) -> None:
    view.table.selectAll()
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(view.table, Qt.Key.Key_C, both)
    assert QGuiApplication.clipboard().text() == "\n\n".join(TEXTS)


def test_nothing_selected_leaves_the_clipboard_alone(qtbot: QtBot, view: DecisionView) -> None:
    QGuiApplication.clipboard().setText("mine")
    view.table.select_nothing()
    qtbot.keyClick(view.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "mine"
