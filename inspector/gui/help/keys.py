"""Help ▸ Keys: every key of the window, both current shortcuts and the keys of its parts while they have the focus.

Shortcuts are read from the actions and shortcuts themselves; each part declares its own keys beside the code for them.
"""

from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QMainWindow, QVBoxLayout, QWidget

from inspector.gui.bar import view as budget
from inspector.gui.parts import search_list, slider, text_dialog, turn_slider
from inspector.gui.parts.choice_model import ChoiceColumn
from inspector.gui.parts.choices import Choice
from inspector.gui.parts.focus_ring import KeyUse, use_of
from inspector.gui.parts.search_list import SearchList
from inspector.gui.parts.texts import window_title, words_of_control
from inspector.gui.plots import heat, plot, points, turn_plot
from inspector.gui.remembered.window_state import fitted
from inspector.gui.screens.decisions import filter_line
from inspector.gui.screens.decisions import view as decisions
from inspector.gui.screens.findings import view as findings
from inspector.gui.screens.present import view as present
from inspector.gui.screens.recommend import menu as recommend
from inspector.gui.screens.settings import view as settings
from inspector.gui.screens.side_by_side import table as side_table
from inspector.gui.screens.snapshots import listing
from inspector.gui.screens.sources import conversation_list, source_list
from inspector.gui.screens.survival import plot as survival
from inspector.gui.search import box
from inspector.gui.table import column_arrangement
from inspector.gui.table import view as table
from inspector.gui.theme import PANEL_MARGIN, UNIT
from inspector.gui.token_text import text
from inspector.gui.window.actions import keys_text, menu_actions

SIZE = QSize(264 * UNIT, 140 * UNIT)
COLUMNS = (
    ChoiceColumn("Action"),
    ChoiceColumn("Keys", 20, least=16),
    ChoiceColumn("Where", 18, least=12),
    ChoiceColumn("More"),
)
PAGES = "Pages"
ELSEWHERE = "Elsewhere"
PARTS: Mapping[str, Sequence[KeyUse]] = {
    "Item table": decisions.KEYS,
    "Tables": table.KEYS,
    "Columns of tables": column_arrangement.KEYS,
    "Filter": filter_line.KEYS,
    "Findings": findings.KEYS,
    "Budget bar": budget.KEYS,
    "Turn slider": turn_slider.KEYS,
    "Sliders of values": (*slider.KEYS, *settings.KEYS),
    "Sources": source_list.KEYS,
    "All files": conversation_list.KEYS,
    "Tokens of a text": text.KEYS,
    "Search or run": box.KEYS,
    "Pickers": search_list.KEYS,
    "Side by side": side_table.KEYS,
    "Snapshots": listing.KEYS,
    "Notes": text_dialog.KEYS,
    "Plots": plot.KEYS,
    "Lanes of the replay": turn_plot.KEYS,
    "Present": present.KEYS,
    "Lines of recall": points.KEYS,
    "Two settings": heat.KEYS,
    "Which items flip": survival.KEYS,
    "Recommended settings": recommend.KEYS,
}
"""The keys of parts of the window while they have the focus, by the part's common name."""


def key_list(window: QMainWindow) -> Iterator[Choice]:
    """Yield everything with keys, in order: menus, pages, the rest, parts."""
    listed: list[QAction] = []
    for menu, action in menu_actions(window):
        listed.append(action)
        if action.shortcuts():
            yield _line(words_of_control(action.text()), keys_text(action.shortcuts()), menu, action.statusTip())
    shortcuts = window.findChildren(QShortcut)
    for shortcut in shortcuts:
        kind, _, number = shortcut.objectName().partition(":")
        if kind == "page":
            yield _line(f"Page {number} of the perspective; again: into it", keys_text([shortcut.key()]), PAGES)
    for action in window.findChildren(QAction):
        if action.shortcuts() and action not in listed:
            yield _line(words_of_control(action.text()), keys_text(action.shortcuts()), ELSEWHERE, action.statusTip())
    for shortcut in shortcuts:
        place = shortcut.parent()
        if not shortcut.objectName().startswith("page:") and isinstance(place, QWidget):
            yield _line(use_of(shortcut), keys_text([shortcut.key()]), ELSEWHERE, place.accessibleName())
    for part, uses in PARTS.items():
        for use in uses:
            yield _line(use.title, keys_text(map(QKeySequence, use.keys.split(", "))), part)


def _line(title: str, keys: str, menu: str, more: str = "") -> Choice:
    return Choice(f"{menu}:{title}:{keys}", (title, keys, menu, more), tip=f"{title}\n{more}" if more else title)


class KeysDialog(QDialog):
    """The list of keys, in a dialog that stays open during work."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.setObjectName("keys_dialog")
        self.setWindowTitle(window_title("Keys"))
        self.resize(fitted(SIZE, window.screen()))
        self.found = SearchList("keys", COLUMNS, self, headings=True)
        self.found.describe("Find a key or an action")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN)
        layout.addWidget(self.found)

    def open_list(self) -> None:
        """Show the current keys."""
        self.found.show_choices(list(key_list(self._window)))
        self.show()
        self.raise_()
        self.activateWindow()
        self.found.setFocus()
