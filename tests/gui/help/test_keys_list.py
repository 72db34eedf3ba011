"""Help ▸ Keys lists what is set, not what somebody wrote down."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from inspector.gui.help.keys import KeysDialog
from inspector.gui.main_window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def open_keys(window: MainWindow) -> KeysDialog:
    window.do("keys")
    dialog = window.findChild(QDialog, "keys_dialog")
    assert isinstance(dialog, KeysDialog)
    return dialog


def listed(dialog: KeysDialog) -> dict[str, str]:
    return {keys: title for title, keys, *_ in (choice.cells for choice in dialog.found.choices())}


def test_every_key_of_actions_and_panels_is_listed_once(companion: MainWindow) -> None:
    dialog = open_keys(companion)
    actions = [action for action in companion.findChildren(QAction) if action.shortcuts()]
    shortcuts = companion.findChildren(QShortcut)
    assert len(dialog.found.choices()) == len(actions) + len(shortcuts)
    keys = {key.toString() for action in actions for key in action.shortcuts()}
    keys |= {shortcut.key().toString() for shortcut in shortcuts}
    assert set(listed(dialog)) == keys
    assert all(listed(dialog).values())
    assert listed(dialog)["Ctrl+K"] == "Find a command…"
    assert listed(dialog)["Esc"] == "Where the tokens are"
    dialog.close()


def test_a_key_that_was_set_anew_is_shown(companion: MainWindow, qtbot: QtBot) -> None:
    action = companion.findChild(QAction, "action:export")
    assert action is not None
    action.setShortcut(QKeySequence("Ctrl+Alt+Y"))
    dialog = open_keys(companion)
    qtbot.keyClicks(dialog.found.line, "alt+y")
    assert listed(dialog) == {"Ctrl+Alt+Y": "Export…"}
    qtbot.keyClick(dialog.found.line, Qt.Key.Key_Return)
    assert dialog.isVisible()
    qtbot.keyClick(dialog.found.line, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
