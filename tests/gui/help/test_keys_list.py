"""Help ▸ Keys lists what is set, not what somebody wrote down."""

import pytest
from PySide6.QtCore import QEvent, QKeyCombination, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

from inspector.gui.help.keys import ELSEWHERE, PARTS, SIZE, KeysDialog
from inspector.gui.main_window import MainWindow
from inspector.gui.theme import UNIT

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def open_keys(window: MainWindow) -> KeysDialog:
    window.do("keys")
    dialog = window.findChild(QDialog, "keys_dialog")
    assert isinstance(dialog, KeysDialog)
    return dialog


def listed(dialog: KeysDialog) -> dict[str, str]:
    """What is set, by its keys: what parts of the window take while they have the focus is left out."""
    cells = (choice.cells for choice in dialog.found.choices())
    return {keys: title for title, keys, where, *_ in cells if where not in PARTS}


def bar_takes(bar: QWidget, key: QKeyCombination) -> bool:
    event = QKeyEvent(QEvent.Type.KeyPress, key.key(), key.keyboardModifiers())
    QApplication.sendEvent(bar, event)
    return event.isAccepted()


def test_the_keys_of_the_bar_are_those_that_it_takes(companion: MainWindow) -> None:
    bar = companion.screens["budget"].view.bar
    said = {key for use in PARTS["Budget bar"] for key in use.keys.split(", ")}
    plain = [getattr(Qt.Key, name) for name in dir(Qt.Key) if name.startswith("Key_") and len(name) == len("Key_A")]
    moving = [Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End]
    others = [Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_Plus, Qt.Key.Key_Minus, Qt.Key.Key_Equal]
    tried = [QKeyCombination(key) for key in (*plain, *moving, *others)]
    tried += [QKeyCombination(Qt.KeyboardModifier.ControlModifier, key) for key in moving[:4]]
    bar_takes(bar, QKeyCombination(Qt.Key.Key_Home))
    of_window = {key.toString() for action in companion.findChildren(QAction) for key in action.shortcuts()} - said
    assert {QKeySequence(key).toString() for key in tried if bar_takes(bar, key)} - of_window == said


def test_every_letter_that_the_item_table_takes_is_listed(companion: MainWindow) -> None:
    view = companion.screens["decisions"].view
    companion.select(0)
    menu = view.menu()
    shown = {action.shortcut().toString() for action in menu.actions()} - {""}
    menu.close()
    said = {key for part in ("Item table", "Tables") for use in PARTS[part] for key in use.keys.split(", ")}
    assert {"P", "X", "M", "N", "Q"} <= shown
    assert shown <= said


def test_the_keys_of_tables_are_listed(companion: MainWindow) -> None:
    dialog = open_keys(companion)
    lines = [choice.cells for choice in dialog.found.choices()]
    keys = {
        one for _, all_keys, where, *_ in lines if where in ("Tables", "Item table") for one in all_keys.split(", ")
    }
    assert {"J", "K", "Ctrl+C", "Ctrl+Shift+C", "P", "X", "Return"} <= keys
    dialog.close()


def test_every_key_of_actions_and_panels_is_listed_once(companion: MainWindow) -> None:
    dialog = open_keys(companion)
    actions = [action for action in companion.findChildren(QAction) if action.shortcuts()]
    shortcuts = companion.findChildren(QShortcut)
    of_parts = [use for uses in PARTS.values() for use in uses]
    assert len(dialog.found.choices()) == len(actions) + len(shortcuts) + len(of_parts)
    keys = {key.toString() for action in actions for key in action.shortcuts()}
    keys |= {shortcut.key().toString() for shortcut in shortcuts}
    assert set(listed(dialog)) == keys
    assert all(listed(dialog).values())
    assert listed(dialog)["Ctrl+K"] == "Search or run…"
    assert listed(dialog)["Esc"] == "Where the tokens are"
    dialog.close()


def test_a_key_that_was_set_anew_is_shown(companion: MainWindow, qtbot: QtBot) -> None:
    action = companion.findChild(QAction, "action:export")
    assert action is not None
    action.setShortcut(QKeySequence("Ctrl+Alt+Y"))
    dialog = open_keys(companion)
    qtbot.keyClicks(dialog.found.line, "alt+y")
    assert listed(dialog) == {"Ctrl+Alt+Y": "Report…"}
    qtbot.keyClick(dialog.found.line, Qt.Key.Key_Return)
    assert dialog.isVisible()
    qtbot.keyClick(dialog.found.line, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_what_search_pickers_and_snapshots_take_is_listed(companion: MainWindow) -> None:
    dialog = open_keys(companion)
    keys: dict[str, set[str]] = {}
    for choice in dialog.found.choices():
        keys.setdefault(choice.cells[2], set()).update(choice.cells[1].split(", "))
    assert keys["Search or run"] == keys["Pickers"] == {"Return", "Down", "Up", "PgDown", "PgUp", "Esc"}
    assert {"N", "F2", "Del", "Alt+Up"} <= keys["Snapshots"]
    dialog.close()


def test_a_key_of_a_list_says_what_it_does_and_where(companion: MainWindow) -> None:
    dialog = open_keys(companion)
    found = {choice.cells[1]: choice.cells for choice in dialog.found.choices() if choice.cells[2] == ELSEWHERE}
    assert (found["Del"][0], found["Del"][3]) == ("Remove from what is open", "Sources")
    dialog.close()


def test_what_a_key_does_is_never_cut_off(companion: MainWindow) -> None:
    dialog = open_keys(companion)
    dialog.resize(SIZE)
    room, metrics = dialog.found.list.columnWidth(0) - 4 * UNIT, dialog.found.list.fontMetrics()
    titles = [choice.title for choice in dialog.found.choices()]
    assert [title for title in titles if metrics.horizontalAdvance(title) > room] == []
    dialog.close()


def test_keys_are_read_whole_in_a_narrow_window(companion: MainWindow) -> None:
    dialog = open_keys(companion)
    dialog.resize(620, 320)  # as on a laptop at 200 %
    QApplication.processEvents()
    shown = dialog.found.list
    room = shown.columnWidth(1) - 4 * UNIT
    words = [choice.cells[1] for choice in dialog.found.choices()]
    whole = [each for each in words if shown.fontMetrics().horizontalAdvance(each) <= room]
    assert len(whole) > 0.9 * len(words)
