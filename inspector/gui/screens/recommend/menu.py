"""The actions on a setting of the table: declared once, for buttons, menus and keys."""

from collections.abc import Callable

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from inspector.gui.parts.focus_ring import KeyUse
from inspector.gui.parts.texts import control_text, tooltip

ACTS = (
    ("apply", "Apply", "A", "Decide by this setting, as one step that can be undone"),
    (
        "compare",
        "Apply, compare to now",
        "N",
        "Set the current policy at this window and reply as the baseline, and apply this setting",
    ),
    ("preset", "Save as preset…", "P", "Apply this setting, and save it as a preset of its policy"),
    ("keep", "Keep as a snapshot", "K", "Keep this setting among the snapshots, and change nothing else"),
    ("command", "Copy as a command", "C", "Copy the command line that assembles with this setting"),
)
"""The name, words, key in the table, and description of each."""
KEYS = tuple(KeyUse(words.removesuffix("…"), key) for _, words, key, _ in ACTS)
BUTTONS = ("apply", "compare", "preset")
"""The actions with a button of their own; the rest are behind it in a menu."""


def fill_menu(menu: QMenu, names: tuple[str, ...], act: Callable[[str], object], can: Callable[[str], bool]) -> None:
    """Add entries for these actions of `ACTS`: `act` gets a name, `can` tells which are enabled."""
    menu.setToolTipsVisible(True)
    for name, words, key, help_ in ACTS:
        if name in names:
            action = menu.addAction(control_text(words))
            action.setObjectName(f"menu:{name}")
            action.setShortcut(QKeySequence(key))
            action.setShortcutVisibleInContextMenu(True)
            action.setToolTip(tooltip(help_))
            action.setEnabled(can(name))
            action.triggered.connect(lambda _checked=False, name=name: act(name))


def setting_menu(
    parent: QWidget, names: tuple[str, ...], act: Callable[[str], object], can: Callable[[str], bool]
) -> QMenu:
    """Return a menu of actions on a setting."""
    menu = QMenu(parent=parent)
    menu.setObjectName("recommend_menu")
    fill_menu(menu, names, act, can)
    return menu
