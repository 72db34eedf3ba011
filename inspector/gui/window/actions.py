"""The actions of the window, declared once for menus, keys and tests."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from inspector.gui.icons import line_icon
from inspector.gui.parts.texts import tooltip, words_of_control
from inspector.pages.snippets import SYSTEMS


@dataclass(frozen=True, slots=True)
class Declared:
    """An action: its name, text, keys and menu. A name starting with - is a separator.

    Exactly one action of each `group` is chosen. An action that `yields` leaves its keys to the focused widget, and
    gets them only if they have no use there.
    """

    name: str
    text: str = ""
    keys: str = ""
    menu: str = ""
    group: str = ""
    tip: str = ""
    yields: bool = False
    icon: str = ""


EXPORT, COPY = "&File ▸ E&xport", "&Edit ▸ Copy &settings as"
PAGES = "&View ▸ Pa&ges"
"""Submenus."""


ICON = "icon_name"
"""The property with the name of the icon of an action, "" for none."""
NOTHING_OPEN = "Nothing is open."
WHY_NOT = "why_not"
"""The property with the reason why an action is disabled, if known."""


def copy_action(system: str) -> str:
    """Return the name of the action that copies the settings for a system."""
    return f"copy_for_{system}"


ACTIONS = (
    Declared(
        "open", "&Open…", "Ctrl+O", "&File", tip="Open saved chats, memories, cards or workspaces.", icon="folder-open"
    ),
    Declared("add", "&Add…", "Ctrl+Shift+O", "&File", tip="Open files beside what is open."),
    Declared("open_folder", "Open &folder…", "", "&File"),
    Declared("open_sample", "Open the &samples", "", "&File"),
    Declared("open_tour", "Open &tour…", "", "&File", tip="Captions, values and turns, shown step by step."),
    Declared("reload", "&Reload", "F5", "&File", tip="Read the opened files again."),
    Declared("repair", "Re&pair broken files", "", "&File", tip="Read broken JSON, guessing what is missing."),
    Declared("columns", "Col&umns of a table…", "", "&File", tip="Name the columns of a table of messages."),
    Declared("record", "Recor&d…", "", "&File", tip="Record what an application sends to a model server."),
    Declared("recover", "Reco&ver…", "", "&File", tip="Unsaved work that no window has open."),
    Declared("-opened", menu="&File"),
    Declared("clear_recent", "Clear recent files", "", "&File", tip="Forget what was opened; the files stay."),
    Declared("-recent", menu="&File"),
    Declared("save", "&Save inspection…", "Ctrl+S", "&File", tip="Save the open files, the settings and the baseline."),
    Declared("save_as", "Save &inspection as…", "", "&File", tip="Under another name; the earlier file stays."),
    Declared(
        "save_workspace", "Save &workspace as…", "Ctrl+Shift+S", "&File", tip="Everything open as one native file."
    ),
    Declared("save_scenario", "Save se&ttings as…", "", "&File"),
    Declared(
        "export",
        "&Report…",
        "Ctrl+E",
        EXPORT,
        tip="One page with all of it, or Markdown, JSON and more.",
        icon="download",
    ),
    Declared("export_redacted", "Report &without texts…", "", EXPORT, tip="Hash and length in place of each text."),
    Declared("export_table", "&Table of items…", "", EXPORT, tip="As CSV, with tabs, or as JSON."),
    Declared("export_bar", "&Bar…", "", EXPORT, tip="As a picture or a drawing, the baseline above it."),
    Declared("export_plot", "P&lot…", "", EXPORT, tip="The plot in view, as a picture or a drawing."),
    Declared("export_prompt", "&Prompt…", "", EXPORT, tip="As text, or as a request: OpenAI, Anthropic, Ollama."),
    Declared("export_chat", "&Chat…", "", EXPORT, tip="As OpenAI, Anthropic, ShareGPT or SillyTavern."),
    Declared(
        "export_archive", "Report of &all chats…", "", EXPORT, tip="One page about the chats looked at in Archive."
    ),
    Declared("-quit", menu="&File"),
    Declared("quit", "&Quit", "Ctrl+Q", "&File"),
    Declared("undo", "&Undo", "Ctrl+Z", "&Edit", icon="undo-2"),
    Declared("redo", "&Redo", "Ctrl+Shift+Z", "&Edit", icon="redo-2"),
    Declared("-copy", menu="&Edit"),
    Declared(
        "paste",
        "&Paste",
        "Ctrl+V",
        "&Edit",
        tip="Add a chat, or files, from the clipboard.",
        yields=True,
        icon="clipboard-paste",
    ),
    Declared("copy_picture", "Copy &picture", "", "&Edit", tip="The window as a picture on the clipboard."),
    Declared("copy_command", "Copy as co&mmand", "", "&Edit", tip="The command line that gives the same assembly."),
    *(Declared(copy_action(name), title, "", COPY, tip="On the clipboard.") for name, title in SYSTEMS.items()),
    Declared("-find", menu="&Edit"),
    Declared("find", "&Filter items", "Ctrl+F", "&Edit"),
    Declared(
        "search",
        "&Search texts…",
        "Ctrl+Shift+F",
        "&Edit",
        tip="Messages, memories and lore of all that is open.",
    ),
    Declared(
        "palette",
        "Search or r&un…",
        "Ctrl+K",
        "&Edit",
        tip="Commands, pages, settings, items, chats and texts.",
        icon="search",
    ),
    Declared("pin", "&Pin or unpin the item", "", "&Prompt", tip="P in the table", icon="pin"),
    Declared("exclude", "&Leave the item out, or take it in", "", "&Prompt", tip="X in the table", icon="ban"),
    Declared("must_survive", "&Must stay, or need not", "", "&Prompt", tip="M in the table", icon="shield-check"),
    Declared("need", "This &question needs these items", "", "&Prompt", tip="Q in the table"),
    Declared("note", "&Note on the item…", "", "&Prompt", tip="N in the table"),
    Declared(
        "keep", "What would &keep these?…", "Ctrl+Shift+K", "&Prompt", tip="Changes that would keep what is dropped."
    ),
    Declared("-play", menu="&Prompt"),
    Declared("play", "Pla&y or pause the turns", "Space", "&Prompt", tip="The conversation as it went.", yields=True),
    Declared(
        "next_drop",
        "Go to the next &drop",
        "Ctrl+.",
        "&Prompt",
        tip="The next turn at which something falls.",
        icon="crosshair",
    ),
    Declared("-servers", menu="&Prompt"),
    Declared("servers", "Local &servers…", "", "&Prompt", tip="Find model servers, their windows and their counts."),
    Declared(
        "update_models", "&Update model table…", "", "&Prompt", tip="New models, windows and prices from a listing."
    ),
    Declared("-reset", menu="&Prompt"),
    Declared("clear_marks", "&Clear pins and items left out", "", "&Prompt"),
    Declared("reset", "&Reset settings", "", "&Prompt", tip="Back to the values of the preset."),
    Declared(
        "pin_baseline",
        "Set &baseline",
        "B",
        "&Compare",
        tip="Compare everything that follows with this.",
        icon="bookmark",
    ),
    Declared("clear_baseline", "&Clear the baseline", "", "&Compare"),
    Declared(
        "swap",
        "S&wap baseline and now",
        "S",
        "&Compare",
        tip="Back to the baseline; the current state takes its place.",
        icon="arrow-right-left",
    ),
    Declared("-changes", menu="&Compare"),
    Declared("comparison", "C&hanges from the baseline", "Ctrl+D", "&Compare", tip="What came in, what left."),
    Declared(
        "recorded", "Compare with what was recor&ded", "", "&Compare", tip="What the file says became of each message."
    ),
    Declared(
        "keep_snapshot",
        "&Keep a snapshot…",
        "Ctrl+Shift+D",
        "&Compare",
        tip="Name the current state, to come back to it.",
        icon="camera",
    ),
    Declared("snapshots", "&Snapshots", "", "&Compare", tip="Settings that you kept under a name."),
    Declared("shootout", "Settings side b&y side", "", "&Compare", tip="The same chat under many policies and models."),
    Declared("tokenizers", "Compare &tokenizers", "", "&Compare", tip="The same chat counted by many tokenizers."),
    Declared("recommend", "&Recommend settings", "", "&Compare", tip="Those that keep most of what questions need."),
    Declared("next_change", "&Next change", "]", "&Compare"),
    Declared("previous_change", "&Previous change", "[", "&Compare"),
    Declared("choose_chat", "Choose a c&hat…", "Ctrl+P", "&View", tip="All open chats, found by title or file."),
    Declared("all_files", "All &files…", "", "&View", tip="All that is open: files, branches, speakers and the rest."),
    Declared("totals", "&Where the tokens are", "Esc", "&View", tip="Select no item, show the totals.", yields=True),
    Declared("show_problems", "Show the &findings", "", "&View", tip="All there is to know about files and prompt."),
    Declared("reveal_secrets", "Show or &mask secrets", "", "&View", tip="Keys and tokens in files, masked at first."),
    Declared("-perspective", menu="&View"),
    Declared(
        "inspect", "&Inspect", "Ctrl+Alt+1", "&View", "perspective", "Why is this not in the prompt?", icon="table-2"
    ),
    Declared(
        "compare", "&Compare", "Ctrl+Alt+2", "&View", "perspective", "What differs between settings?", icon="columns-2"
    ),
    Declared(
        "tune",
        "&Tune",
        "Ctrl+Alt+3",
        "&View",
        "perspective",
        "Which setting should I ship?",
        icon="sliders-horizontal",
    ),
    Declared(
        "replay",
        "&Replay",
        "Ctrl+Alt+4",
        "&View",
        "perspective",
        "What happens over the whole conversation?",
        icon="history",
    ),
    Declared(
        "archive", "&Archive", "Ctrl+Alt+5", "&View", "perspective", "What do all my chats look like?", icon="archive"
    ),
    Declared(
        "present",
        "&Present",
        "Ctrl+Alt+6",
        "&View",
        "perspective",
        "One sentence, one bar, turn by turn, to show to others.",
        icon="presentation",
    ),
    Declared("full_screen", "Present on the &whole screen", "F11", "&View", tip="Esc leaves."),
    Declared("-pages", menu=PAGES),
    Declared("-columns", menu="&View"),
    Declared("left_column", "&Left column", "Ctrl+B", "&View", tip="Sources and settings.", icon="panel-left"),
    Declared("right_column", "Ri&ght column", "Ctrl+J", "&View", tip="Details of the selection.", icon="panel-right"),
    Declared("tour_next", "Next step of the tour", "Ctrl+PgDown", "&View"),
    Declared("tour_back", "Previous step of the tour", "Ctrl+PgUp", "&View"),
    Declared("-legend", menu="&View"),
    Declared("legend", "&Legend of the bar", "L", "&View", tip="Every part with its tokens and limit.", yields=True),
    Declared("compact_rows", "Compact ro&ws", "", "&View", tip="More rows of a table at once."),
    Declared("-zoom", menu="&View"),
    Declared("zoom_in", "Larger text", "Ctrl++", "&View"),
    Declared("zoom_out", "Smaller text", "Ctrl+-", "&View"),
    Declared("zoom_reset", "Normal text size", "Ctrl+0", "&View"),
    Declared("-theme", menu="&View"),
    Declared("theme_system", "Colours of the &system", "", "&View", "theme", "The theme of the system."),
    Declared("theme_light", "&Light colours", "", "&View", "theme", "The light theme."),
    Declared("theme_dark", "&Dark colours", "", "&View", "theme", "The dark theme."),
    Declared("-layout", menu="&View"),
    Declared("reset_layout", "&Reset the layout", "", "&View"),
    Declared("explain", "&Explain the item", "F1", "&Help"),
    Declared("keys", "&Keys", "", "&Help", tip="Every shortcut as it is set."),
    Declared("reference", "&Reference", "", "&Help", tip="Policies, parameters, reasons, findings, formats and more."),
    Declared("-tours", menu="&Help"),
    Declared("first_tour", "Tour: the &window in one minute", "", "&Help", tip="The bar, the items, the settings."),
    Declared("tour_birthday", "Tour: why did it forget my &birthday?", "", "&Help", tip="Turn by turn, on a sample."),
    Declared("tour_policies", "Tour: the same chat under &five policies", "", "&Help", tip="One by one, on a sample."),
    Declared("-about", menu="&Help"),
    Declared("show_log", "Where cache and log &lie", "", "&Help"),
    Declared("about", "&About Prompt Inspector", "", "&Help"),
)

MENUS = ("&File", "&Edit", "&Prompt", "&Compare", "&View", "&Help")

_YIELDING = Qt.ShortcutContext.WidgetShortcut
"""The shortcut's widget is the window itself, which never has the focus while a widget in it has."""


def make_actions(window: QMainWindow, slots: Mapping[str, Callable[[], object]]) -> dict[str, QAction]:
    """Make every declared action in its menu, with the object name `action:NAME`, connected to the slot of its name."""
    menus = {name: window.menuBar().addMenu(name) for name in MENUS}  # submenus follow where first named
    made: dict[str, QAction] = {}
    groups: dict[str, QActionGroup] = {}
    for declared in ACTIONS:
        if declared.menu not in menus:
            outer, _, title = declared.menu.partition(" ▸ ")
            menus[declared.menu] = menus[outer].addMenu(title)
        menu = menus[declared.menu]
        if declared.name.startswith("-"):
            made[declared.name] = menu.addSeparator()
            continue
        action = QAction(declared.text, window, checkable=bool(declared.group))
        if declared.group:
            groups.setdefault(declared.group, QActionGroup(window)).addAction(action)
        action.setObjectName(f"action:{declared.name}")
        action.setStatusTip(declared.tip)
        action.setProperty(ICON, declared.icon)
        if declared.keys:
            action.setShortcut(QKeySequence(declared.keys))
        if declared.yields:
            action.setShortcutContext(_YIELDING)
        action.triggered.connect(lambda _=False, slot=slots[declared.name]: slot())
        menu.addAction(action)
        made[declared.name] = action
    draw_icons(made.values())
    menus[COPY].setToolTipsVisible(True)  # they say why an entry is disabled; the status line is easily missed
    return made


def draw_icons(actions: Iterable[QAction]) -> None:
    """Give actions their icons in the colours of the current theme."""
    for action in actions:
        if name := action.property(ICON):
            action.setIcon(line_icon(name))


def allow(action: QAction, why_not: str) -> None:
    """Enable an action, or disable it with the reason `why_not` ("": enable)."""
    if action.isEnabled() == (not why_not) and action.property(WHY_NOT) == why_not:
        return
    action.setProperty(WHY_NOT, why_not)  # first: buttons read it when told of the change
    action.setEnabled(not why_not)
    action.setToolTip(tooltip(why_not or action.statusTip()))


def is_yielding(action: QAction) -> bool:
    """Return whether an action leaves its keys to the focused widget."""
    return action.shortcutContext() == _YIELDING


def yielding_action(actions: Iterable[QAction], event: QKeyEvent) -> QAction | None:
    """Return the yielding action for the keys of an event left unused by the focused widget, if any."""
    keys = QKeySequence(event.keyCombination())
    found = (action for action in actions if is_yielding(action) and keys in action.shortcuts())
    return next(found, None)


def menu_named(window: QMainWindow, name: str) -> QMenu:
    """Return the submenu with a declared name, such as `PAGES`."""
    outer, _, title = name.partition(" ▸ ")
    above = next(action.menu() for action in window.menuBar().actions() if action.text() == outer)
    assert isinstance(above, QMenu)
    found = next(action.menu() for action in above.actions() if action.text() == title)
    assert isinstance(found, QMenu)
    return found


def menu_actions(window: QMainWindow) -> Iterator[tuple[str, QAction]]:
    """Yield every action in the menus, in their order, with the title of its menu."""
    for menu in window.menuBar().actions():
        yield from _actions_of(menu.menu(), words_of_control(menu.text()))


def keys_text(keys: Iterable[QKeySequence]) -> str:
    """Return keys in readable form, such as Ctrl+K."""
    return ", ".join(one.toString(QKeySequence.SequenceFormat.NativeText) for one in keys)


def _actions_of(menu: object, title: str) -> Iterator[tuple[str, QAction]]:
    for action in menu.actions() if isinstance(menu, QMenu) else ():
        if action.menu() is not None:
            yield from _actions_of(action.menu(), f"{title} ▸ {words_of_control(action.text())}")
        elif action.text() and not action.isSeparator():
            yield title, action
