"""Own presets in the real window: values are saved under a name, picked and removed, with mouse and keys."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QDialog, QLabel, QLineEdit, QMenu, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from inspector.assembly import own_presets
from inspector.assembly.edits import set_parameters
from inspector.assembly.policy import Policy
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.word_chip import WordChip
from inspector.gui.session.own_presets import save_values
from inspector.resources import samples_folder
from inspector.settings import own_presets_file

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(opened: Callable[..., MainWindow], qtbot: QtBot, companion_alone: Path) -> MainWindow:
    """On a sample, with one value tuned."""
    made = opened(companion_alone)
    made.session.edit(set_parameters, {"min_exchanges": 7})
    settle(made, qtbot)
    return made


def settle(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.session.is_ready)


def preset_picker(window: MainWindow) -> QComboBox:
    picker = window.findChild(QComboBox, "preset_picker")
    assert picker is not None
    return picker


def open_menu(window: MainWindow, qtbot: QtBot) -> QMenu:
    button = window.findChild(QToolButton, "preset_menu")
    assert button is not None
    qtbot.mouseClick(button, LEFT)
    menu = window.findChild(QMenu, "preset_actions")
    assert menu is not None
    qtbot.waitUntil(menu.isVisible)
    return menu


def choose(menu: QMenu, words: str, qtbot: QtBot) -> None:
    action: QAction = next(action for action in menu.actions() if action.text().startswith(words))
    qtbot.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())


def ask_for_name(window: MainWindow, qtbot: QtBot) -> QDialog:
    choose(open_menu(window, qtbot), "Save values", qtbot)
    dialog = window.findChild(QDialog, "preset_dialog")
    assert dialog is not None
    qtbot.waitUntil(dialog.isVisible)
    return dialog


def name_field(dialog: QDialog) -> QLineEdit:
    field = dialog.findChild(QLineEdit, "preset_name")
    assert field is not None
    return field


def type_name(dialog: QDialog, name: str, qtbot: QtBot) -> None:
    field = name_field(dialog)
    qtbot.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(field, Qt.Key.Key_Delete)
    qtbot.keyClicks(field, name)


def save_button(dialog: QDialog) -> QPushButton:
    return next(one for one in dialog.findChildren(QPushButton) if one.text() in ("Save", "Replace"))


def said(dialog: QDialog) -> str:
    return " ".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())


def save_as(window: MainWindow, name: str, qtbot: QtBot) -> None:
    dialog = ask_for_name(window, qtbot)
    type_name(dialog, name, qtbot)
    qtbot.keyClick(name_field(dialog), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.findChild(QDialog, "preset_dialog") is None)
    settle(window, qtbot)


def names_in(picker: QComboBox) -> list[str]:
    return [picker.itemText(index) for index in range(picker.count())]


def value_in(window: MainWindow, name: str) -> object:
    policy: Policy | None = window.session.policy
    return getattr(policy, name)


def test_values_are_saved_under_a_name_and_the_scenario_uses_it(window: MainWindow, qtbot: QtBot) -> None:
    before = window.session.scenario
    dialog = ask_for_name(window, qtbot)
    assert name_field(dialog).text() == "my document"
    assert name_field(dialog).selectedText() == "my document"
    type_name(dialog, "evenings", qtbot)
    qtbot.mouseClick(save_button(dialog), LEFT)
    qtbot.waitUntil(lambda: window.findChild(QDialog, "preset_dialog") is None)
    settle(window, qtbot)
    scenario = window.session.scenario
    assert (scenario.preset, dict(scenario.parameters)) == ("evenings", {})
    assert value_in(window, "min_exchanges") == 7
    picker = preset_picker(window)
    assert picker.currentText() == "evenings"
    assert names_in(picker)[-2:] == ["Your own", "evenings"]
    modified = window.findChild(WordChip, "modified_hint")
    assert modified is not None
    assert modified.isHidden()
    assert window.session.undo_stack.undoText() == "Save preset evenings"
    window.session.undo_stack.undo()
    settle(window, qtbot)
    assert window.session.scenario == before
    assert "evenings" in own_presets_file().read_text("utf-8"), "undo takes no saved preset away"


def test_it_is_picked_by_key_past_the_heading_and_keeps_what_is_tuned_in_it(window: MainWindow, qtbot: QtBot) -> None:
    save_as(window, "evenings", qtbot)
    window.session.edit(set_parameters, {"min_exchanges": 9})
    settle(window, qtbot)
    picker = preset_picker(window)
    qtbot.keyClick(picker, Qt.Key.Key_Up)
    settle(window, qtbot)
    assert window.session.scenario.preset == "chorus-2026.01"
    qtbot.keyClick(picker, Qt.Key.Key_Down)
    settle(window, qtbot)
    assert window.session.scenario.preset == "evenings"
    assert value_in(window, "min_exchanges") == 9


def test_names_that_cannot_be_are_refused_with_the_reason_beside_them(window: MainWindow, qtbot: QtBot) -> None:
    dialog = ask_for_name(window, qtbot)
    for name, reason in (("", "A preset needs a name."), ("Long chat", "comes with the program"), ("a/b", "no slash")):
        type_name(dialog, name, qtbot)
        assert reason in said(dialog)
        assert not save_button(dialog).isEnabled()
        qtbot.keyClick(name_field(dialog), Qt.Key.Key_Return)
        assert dialog.isVisible()
    qtbot.keyClick(name_field(dialog), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.findChild(QDialog, "preset_dialog") is None)
    assert not own_presets_file().exists()


def test_replacing_says_so_and_keeps_the_version_before(window: MainWindow, qtbot: QtBot) -> None:
    save_as(window, "evenings", qtbot)
    window.session.edit(set_parameters, {"min_exchanges": 9})
    settle(window, qtbot)
    dialog = ask_for_name(window, qtbot)
    assert name_field(dialog).text() == "evenings 2"
    type_name(dialog, "evenings", qtbot)
    assert "Replaces your preset of this name" in said(dialog)
    assert save_button(dialog).text() == "Replace"
    qtbot.mouseClick(save_button(dialog), LEFT)
    settle(window, qtbot)
    assert window.session.scenario.parameters == {}
    assert value_in(window, "min_exchanges") == 9
    assert "min_exchanges: 7" in own_presets_file().with_name("presets.yaml.before").read_text("utf-8")


def test_a_removed_preset_leaves_its_values_and_undo_brings_it_back(window: MainWindow, qtbot: QtBot) -> None:
    save_as(window, "evenings", qtbot)
    total = window.session.answer.ledger.total  # type: ignore[union-attr]
    refused: list[str] = []
    window.session.assembly_changed.connect(lambda before, after: refused.append(window.session.trouble))
    menu = open_menu(window, qtbot)
    qtbot.keyClick(menu, Qt.Key.Key_Down)
    qtbot.keyClick(menu, Qt.Key.Key_Down)
    qtbot.keyClick(menu, Qt.Key.Key_Return)
    settle(window, qtbot)
    scenario = window.session.scenario
    assert (scenario.preset, dict(scenario.parameters)) == (None, {"min_exchanges": 7})
    assert window.session.answer.ledger.total == total  # type: ignore[union-attr]
    assert "evenings" not in names_in(preset_picker(window))
    assert "Your own" not in names_in(preset_picker(window))
    assert "evenings" not in own_presets_file().read_text("utf-8")
    window.session.undo_stack.undo()
    settle(window, qtbot)
    assert window.session.trouble == ""
    assert preset_picker(window).currentText() == "evenings"
    assert "evenings" in own_presets_file().read_text("utf-8")
    window.session.undo_stack.redo()
    settle(window, qtbot)
    assert "evenings" not in own_presets_file().read_text("utf-8")
    assert set(refused) == {""}, "at no moment the scenario names a preset that is not there"


def test_a_baseline_under_a_removed_preset_stays_what_it_was(window: MainWindow, qtbot: QtBot) -> None:
    save_as(window, "evenings", qtbot)
    window.session.pin_baseline()
    before = window.session.baseline_answer
    assert before is not None
    choose(open_menu(window, qtbot), "Remove preset", qtbot)
    settle(window, qtbot)
    after = window.session.baseline_answer
    assert after is not None
    assert (after.scenario.preset, after.ledger.total) == ("evenings", before.ledger.total)
    assert window.session.trouble == ""


def test_shipped_presets_cannot_be_removed(window: MainWindow, qtbot: QtBot) -> None:
    menu = open_menu(window, qtbot)
    remove = menu.actions()[1]
    assert (remove.text(), remove.isEnabled()) == ("Remove preset", False)
    qtbot.keyClick(menu, Qt.Key.Key_Escape)


def test_what_another_window_saved_meanwhile_stays_and_is_offered(window: MainWindow, qtbot: QtBot) -> None:
    own_presets.save_preset(own_presets_file(), "ratio", "theirs", {"parameters": {}}, [])
    save_as(window, "mine", qtbot)
    assert names_in(preset_picker(window))[-3:] == ["Your own", "theirs", "mine"]


def test_a_preset_that_somebody_else_removed_is_told_and_the_last_good_answer_stays(
    window: MainWindow, qtbot: QtBot
) -> None:
    save_as(window, "evenings", qtbot)
    own_presets.remove_preset(own_presets_file(), "ratio", "evenings", [])
    window.do("reload")
    settle(window, qtbot)
    assert "evenings is not a preset of ratio; there are" in window.session.trouble
    window.session.use_policy("ratio", "document")
    settle(window, qtbot)
    assert window.session.trouble == ""


def test_a_damaged_file_refuses_and_stays_as_it_is(window: MainWindow, qtbot: QtBot) -> None:
    file = own_presets_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("ratio: [}\n")
    dialog = ask_for_name(window, qtbot)
    qtbot.keyClick(name_field(dialog), Qt.Key.Key_Return)
    assert dialog.isVisible()
    assert f"{file}: line 1" in said(dialog)
    assert "Fix this first" in said(dialog)
    qtbot.keyClick(name_field(dialog), Qt.Key.Key_Escape)
    assert file.read_text() == "ratio: [}\n"
    assert dict(window.session.scenario.parameters) == {"min_exchanges": 7}


def test_a_window_opens_on_a_damaged_file_and_says_so(opened: Callable[..., MainWindow], qtbot: QtBot) -> None:
    file = own_presets_file()
    file.parent.mkdir(parents=True)
    file.write_text("ratio: {mine: {parameters: {min_exchanges: -1}}, good: {}}\n")
    window = opened()
    told: list[str] = []
    window.session.problem_reported.connect(lambda problem: told.append(str(problem)))
    window.open_paths([str(samples_folder() / "companion.workspace.yaml")])
    settle(window, qtbot)
    assert any("$.ratio.mine.parameters.min_exchanges: must be 0 or more" in line for line in told)
    assert names_in(preset_picker(window))[-1] == "good"


def test_a_value_that_the_opened_file_names_as_well_stays_the_persons(
    opened: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    """What a file names goes before presets, so that the preset alone would bring the file's value back."""
    chat = tmp_path / "chat.workspace.yaml"
    chat.write_text(
        "format: prompt-inspector/workspace@1\n"
        "conversations: [{id: c, parameters: {min_exchanges: 2}, messages: [{id: m, role: user, content: Hi}]}]\n"
    )
    window = opened(chat)
    window.session.edit(set_parameters, {"min_exchanges": 7, "memory_candidates": 9})
    settle(window, qtbot)
    assert save_values(window.session, "evenings") == ""
    settle(window, qtbot)
    assert window.session.scenario.parameters == {"min_exchanges": 7}
    assert (value_in(window, "min_exchanges"), value_in(window, "memory_candidates")) == (7, 9)


def test_values_that_are_refused_are_not_saved(window: MainWindow, qtbot: QtBot) -> None:
    window.session.edit(set_parameters, {"memory_share": 0.9})
    settle(window, qtbot)
    assert "sum to 1" in save_values(window.session, "evenings")
    assert not own_presets_file().exists()


def test_own_presets_are_offered_side_by_side_and_the_columns_stay(window: MainWindow, qtbot: QtBot) -> None:
    window.show_screen("side_by_side")
    settle(window, qtbot)
    view = window.screens["side_by_side"].view
    before = window.session.compared.columns
    save_as(window, "evenings", qtbot)
    assert "policy:ratio/evenings" in [choice.key for choice in view._choices()]
    assert window.session.compared.columns == before
