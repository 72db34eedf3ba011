"""The context menu of items in a table: the actions for the selected items. It only reports the request."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenu

from inspector.assembly.columns import Bool, Fate, Section, State, phrase, section_title, word
from inspector.assembly.decisions import Assembly
from inspector.gui.parts.class_menu import Choose, class_menu
from inspector.gui.parts.plain_text import control_text
from inspector.gui.table.alternatives_menu import ChooseAlternative, alternatives_menu
from inspector.gui.table.filter import Filter
from inspector.gui.table.view import ArrayTableView

Done = Callable[[], object]


def decision_menu(
    table: ArrayTableView,
    assembly: Assembly,
    rows: Sequence[int],
    pin: Done,
    exclude: Done,
    mark: Done,
    note: Done,
    filter_by: Callable[[str], object],
    shown: Filter,
    overrides: Mapping[str, Mapping[str, Any]],
    classify: Choose,
    must_survive: Bool,
    need: Done | None = None,
    show_alternative: ChooseAlternative | None = None,
) -> QMenu:
    """Return a menu for the selected rows of a table. The first gives section and action; `filter_by` takes a line.

    `overrides` are those of the scenario, `must_survive` marks candidates; `classify` takes the new class of the rows,
    None for their own. `show_alternative` takes another version of a message selected alone.
    """
    menu = QMenu(parent=table)
    candidates, first = assembly.candidates, rows[0]
    section, fate = Section(int(assembly.section[first])), Fate(int(assembly.fate[first]))
    all_pinned = bool(candidates.pinned[list(rows)].all())
    all_excluded = bool((candidates.state[list(rows)] == State.EXCLUDED).all())
    _add(menu, "menu:pin", "Unpin" if all_pinned else "Pin", pin, "P")
    _add(menu, "menu:exclude", "Include" if all_excluded else "Exclude", exclude, "X")
    all_marked = bool(must_survive[list(rows)].all())
    _add(menu, "menu:must_survive", "Need not survive" if all_marked else "Must survive", mark, "M")
    if need is not None:
        _add(menu, "menu:need", "This question needs these", need, "Q")
    _add(menu, "menu:note", "Note…", note, "N")
    if (classes := class_menu(menu, assembly, rows, overrides, classify)) is not None:
        menu.addMenu(classes)
    if show_alternative is not None and len(rows) == 1:
        alternatives = alternatives_menu(menu, assembly, first, show_alternative)
        if alternatives is not None:
            menu.addMenu(alternatives)
    menu.addSeparator()
    table.add_copying(menu)
    ids = "\n".join(candidates.ids[row] for row in rows)
    _add(menu, "menu:copy_id", "Copy id", lambda: QGuiApplication.clipboard().setText(ids))
    menu.addSeparator()
    by_section = shown.replacing("section", word(section))
    _add(menu, "menu:filter_section", f"Show only {section_title(section)}", lambda: filter_by(by_section))
    by_action = shown.replacing("action", word(fate))
    _add(menu, "menu:filter_action", f"Show only what is {phrase(fate)}", lambda: filter_by(by_action))
    menu.addSeparator()
    columns = table.column_menu(menu)
    menu.addMenu(columns)
    return menu


def _add(menu: QMenu, name: str, title: str, done: Done, key: str = "") -> None:
    action = menu.addAction(control_text(title))
    action.setObjectName(name)
    if key:
        action.setShortcut(QKeySequence(key))
        action.setShortcutVisibleInContextMenu(True)
    action.triggered.connect(lambda _checked=False: done())
