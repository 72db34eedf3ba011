"""The actions of the window: declared once, for menus, keys and tests."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow


@dataclass(frozen=True, slots=True)
class Declared:
    """An action: its name, text, keys and menu. A name that begins with - is a separator."""

    name: str
    text: str = ""
    keys: str = ""
    menu: str = ""
    checkable: bool = False
    tip: str = ""


ACTIONS = (
    Declared("open", "&Open…", "Ctrl+O", "&File", tip="Open saved chats, memories, cards or workspaces."),
    Declared("open_folder", "Open &folder…", "Ctrl+Shift+O", "&File"),
    Declared("open_sample", "Open the &samples", "", "&File"),
    Declared("reload", "&Reload", "Ctrl+R", "&File", tip="Read the opened files again."),
    Declared("recover", "Reco&ver…", "", "&File", tip="Unsaved work that no window has open."),
    Declared("-recent", menu="&File"),
    Declared("save", "&Save inspection…", "Ctrl+S", "&File", tip="Save what is open, the scenario and the baseline."),
    Declared(
        "save_workspace", "Save &workspace as…", "Ctrl+Shift+S", "&File", tip="Everything open as one native file."
    ),
    Declared("save_scenario", "Save s&cenario as…", "", "&File"),
    Declared("export", "&Export…", "Ctrl+E", "&File", tip="The assembly as JSON, CSV, Markdown, HTML or text."),
    Declared("-quit", menu="&File"),
    Declared("quit", "&Quit", "Ctrl+Q", "&File"),
    Declared("undo", "&Undo", "Ctrl+Z", "&Edit"),
    Declared("redo", "&Redo", "Ctrl+Shift+Z", "&Edit"),
    Declared("-copy", menu="&Edit"),
    Declared("copy_picture", "Copy &picture", "", "&Edit", tip="The window as a picture on the clipboard."),
    Declared("copy_command", "Copy as co&mmand", "", "&Edit", tip="The command line that gives the same assembly."),
    Declared("-find", menu="&Edit"),
    Declared("find", "&Filter items", "Ctrl+F", "&Edit"),
    Declared("pin", "&Pin or unpin the item", "", "&Scenario", tip="P in the table"),
    Declared("exclude", "&Exclude or include the item", "", "&Scenario", tip="X in the table"),
    Declared("-servers", menu="&Scenario"),
    Declared("servers", "Find local &servers…", "", "&Scenario", tip="Ask local model servers for their context."),
    Declared("-reset", menu="&Scenario"),
    Declared("clear_marks", "&Clear pins and exclusions", "", "&Scenario"),
    Declared("reset", "&Reset parameters", "", "&Scenario", tip="Back to the values of the preset."),
    Declared("pin_baseline", "Pin as &baseline", "B", "&Compare", tip="Compare everything that follows with this."),
    Declared("clear_baseline", "&Clear the baseline", "", "&Compare"),
    Declared("swap_baseline", "&Go back to the baseline's scenario", "", "&Compare"),
    Declared("-changes", menu="&Compare"),
    Declared("comparison", "&Show the comparison", "Ctrl+D", "&Compare"),
    Declared("shootout", "Compare &policies", "", "&Compare", tip="The same conversation under many policies."),
    Declared("tokenizers", "Compare &tokenizers", "", "&Compare", tip="The same conversation counted by many."),
    Declared("next_change", "&Next change", "]", "&Compare"),
    Declared("previous_change", "&Previous change", "[", "&Compare"),
    Declared("zoom_in", "Larger text", "Ctrl++", "&View"),
    Declared("zoom_out", "Smaller text", "Ctrl+-", "&View"),
    Declared("zoom_reset", "Normal text size", "Ctrl+0", "&View"),
    Declared("-theme", menu="&View"),
    Declared("theme_system", "Colours of the &system", "", "&View", checkable=True),
    Declared("theme_light", "&Light colours", "", "&View", checkable=True),
    Declared("theme_dark", "&Dark colours", "", "&View", checkable=True),
    Declared("-layout", menu="&View"),
    Declared("reset_layout", "&Reset the layout", "", "&View"),
    Declared("explain", "&Explain the item", "F1", "&Help"),
    Declared("show_log", "Where cache and log &lie", "", "&Help"),
    Declared("about", "&About Prompt Inspector", "", "&Help"),
)

MENUS = ("&File", "&Edit", "&Scenario", "&Compare", "&View", "&Help")


def make_actions(window: QMainWindow, slots: Mapping[str, Callable[[], object]]) -> dict[str, QAction]:
    """Make every declared action, in its menu, with the object name `action:NAME`, joined to the slot of its name."""
    menus = {name: window.menuBar().addMenu(name) for name in MENUS}
    made: dict[str, QAction] = {}
    for declared in ACTIONS:
        menu = menus[declared.menu]
        if declared.name.startswith("-"):
            made[declared.name] = menu.addSeparator()
            continue
        action = QAction(declared.text, window, checkable=declared.checkable)
        action.setObjectName(f"action:{declared.name}")
        action.setStatusTip(declared.tip)
        if declared.keys:
            action.setShortcut(QKeySequence(declared.keys))
        action.triggered.connect(lambda _=False, slot=slots[declared.name]: slot())
        menu.addAction(action)
        made[declared.name] = action
    return made
