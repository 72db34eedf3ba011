"""The actions on the setting of a window: declared once, for buttons, menu and keys."""

from collections.abc import Callable

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu

from inspector.gui.parts.texts import control_text, tooltip
from inspector.gui.table.view import ArrayTableView

ACTS = (
    ("apply", "Apply", "A", "Decide by the setting of the selected window, as one step that can be undone"),
    ("pin", "Pin and apply", "P", "Pin what is shown now as the baseline to compare with, and apply the setting"),
    ("keep", "Keep", "K", "Keep the setting among the snapshots, and change nothing else"),
    ("command", "Copy", "C", "Copy the command line that assembles with this setting"),
)
"""The name, words, key in the table, and description of each."""


def advice_menu(table: ArrayTableView, act: Callable[[str], object], can: Callable[[str], bool]) -> QMenu:
    """Return the context menu of the table of windows: `act` gets a name of `ACTS`, `can` tells which are enabled."""
    menu = QMenu(parent=table)
    menu.setObjectName("recommend_menu")
    menu.setToolTipsVisible(True)
    for name, words, key, help_ in ACTS:
        action = menu.addAction(control_text(words))
        action.setObjectName(f"menu:{name}")
        action.setShortcut(QKeySequence(key))
        action.setShortcutVisibleInContextMenu(True)
        action.setToolTip(tooltip(help_))
        action.setEnabled(can(name))
        action.triggered.connect(lambda _checked=False, name=name: act(name))
    menu.addSeparator()
    table.add_copying(menu)
    menu.addSeparator()
    columns = table.column_menu(menu)
    menu.addMenu(columns)
    return menu
