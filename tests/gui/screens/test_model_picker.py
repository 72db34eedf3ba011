"""The model picker: a table of all models, searched by any of their facts, by keys and by the mouse."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit, QTreeView, QWidget
from pytestqt.qtbot import QtBot

from inspector.gui.screens.settings.model_picker import ModelPicker
from inspector.gui.screens.settings.pickers import POPOVER
from inspector.tokens.models.loading import load_models

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def picker(qtbot: QtBot) -> Iterator[ModelPicker]:
    """A picker in a window of its own, with a model in use."""
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1000, 700)
    picker = ModelPicker(window)
    picker.setGeometry(600, 20, 300, 26)
    picker.show_model("gpt-4o", ["model:claude-3-opus", "command:open", "model:gpt-4.1"])
    window.show()
    qtbot.waitExposed(window)
    yield picker
    window.close()


def names(picker: ModelPicker) -> list[str]:
    return [choice.title for choice in picker.chooser.found.choices()]


def line(picker: ModelPicker) -> QLineEdit:
    return picker.chooser.found.line


def chosen(picker: ModelPicker) -> list[str]:
    told: list[str] = []
    picker.chosen.connect(told.append)
    return told


def test_every_model_is_listed_with_its_facts_and_what_was_used_first(picker: ModelPicker, qtbot: QtBot) -> None:
    qtbot.keyClick(picker, Qt.Key.Key_Down)
    assert picker.chooser.isVisible()
    assert names(picker)[:3] == ["gpt-4o", "claude-3-opus", "gpt-4.1"]
    assert set(names(picker)) == {row.name for row in load_models().rows}
    cells = picker.chooser.found.choices()[0].cells
    assert cells == ("gpt-4o", "128,000", "2.50 / 10.00", "o200k_base")
    picker.chooser.close()


@pytest.mark.parametrize("used", [[], ["model:gpt-4o"], ["model:claude-3-opus", "model:gpt-4o"]])
def test_the_model_in_use_is_on_top_and_marked(picker: ModelPicker, qtbot: QtBot, used: list[str]) -> None:
    picker.show_model("gpt-4o", used)
    told = chosen(picker)
    picker.showPopup()
    assert names(picker)[0] == "gpt-4o"
    qtbot.keyClick(line(picker), Qt.Key.Key_Return)
    assert (picker.currentText(), told) == ("gpt-4o", []), "Enter alone changes nothing"


@pytest.mark.parametrize(("words", "wanted"), [("anthropic opus", "claude-3-opus"), ("openai 128,000", "gpt-4o")])
def test_a_model_is_found_by_words_about_it(picker: ModelPicker, qtbot: QtBot, words: str, wanted: str) -> None:
    picker.showPopup()
    qtbot.keyClicks(line(picker), words)
    assert wanted in names(picker)
    assert names(picker)[-1] == words, "what was typed may itself be a name"
    picker.chooser.close()


def test_enter_takes_what_is_marked_and_escape_nothing(picker: ModelPicker, qtbot: QtBot) -> None:
    told = chosen(picker)
    picker.showPopup()
    qtbot.keyClick(line(picker), Qt.Key.Key_Down)
    qtbot.keyClick(line(picker), Qt.Key.Key_Escape)
    assert told == []
    assert not picker.chooser.isVisible()
    picker.showPopup()
    qtbot.keyClick(line(picker), Qt.Key.Key_Down)
    qtbot.keyClick(line(picker), Qt.Key.Key_Return)
    assert told == ["claude-3-opus"]
    assert picker.currentText() == "claude-3-opus"


def test_a_click_on_the_name_opens_and_a_click_on_a_line_takes(picker: ModelPicker, qtbot: QtBot) -> None:
    told = chosen(picker)
    edit = picker.lineEdit()
    assert edit is not None
    qtbot.mouseClick(edit, Qt.MouseButton.LeftButton)
    view = picker.chooser.findChild(QTreeView)
    assert view is not None
    place = view.visualRect(view.model().index(2, 0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert told == ["gpt-4.1"]


def test_what_is_typed_into_the_picker_goes_on_in_the_table(picker: ModelPicker, qtbot: QtBot) -> None:
    told = chosen(picker)
    picker.setFocus()
    qtbot.keyClick(picker, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(picker, "m")
    assert line(picker).text() == "m"
    qtbot.keyClicks(line(picker), "y-own")
    assert names(picker) == ["my-own"]
    qtbot.keyClick(line(picker), Qt.Key.Key_Return)
    assert told == ["my-own"]


def test_typing_after_the_table_was_left_searches_anew(picker: ModelPicker, qtbot: QtBot) -> None:
    picker.window().activateWindow()
    qtbot.mouseClick(picker.lineEdit(), Qt.MouseButton.LeftButton)
    picker.setFocus()
    qtbot.waitUntil(picker.chooser.isVisible)
    qtbot.keyClick(line(picker), Qt.Key.Key_Escape)
    assert not picker.chooser.isVisible()
    qtbot.waitUntil(picker.hasFocus)
    qtbot.keyClick(picker, Qt.Key.Key_C)
    assert line(picker).text() == "c"
    picker.chooser.close()


def test_leaving_the_table_takes_back_what_was_typed(picker: ModelPicker, qtbot: QtBot) -> None:
    told = chosen(picker)
    picker.setFocus()
    qtbot.keyClicks(picker, "x")
    picker.chooser.close()
    assert picker.currentText() == "gpt-4o"
    qtbot.keyClick(picker, Qt.Key.Key_Return)
    assert told == []


def test_the_table_stays_inside_window_or_screen(picker: ModelPicker) -> None:
    picker.showPopup()
    window = picker.window()
    seen = window.screen().availableGeometry().united(window.frameGeometry())
    assert seen.contains(picker.chooser.geometry())
    corner = picker.mapToGlobal(QPoint(0, picker.height()))
    assert picker.chooser.geometry().top() == corner.y() + 1
    assert picker.chooser.geometry().left() <= corner.x(), "it is moved to the left as far as it has to be"
    assert picker.chooser.size() == POPOVER
    picker.chooser.close()
