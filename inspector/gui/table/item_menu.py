"""The context menu of items in a table: the actions for the selected items. It only reports the request."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from inspector.assembly.alternatives import Alternative, alternatives_of
from inspector.assembly.columns import Bool, Fate, Kind, Section, State, phrase, section_title, word
from inspector.assembly.decisions import Assembly
from inspector.assembly.items import DRAFT
from inspector.assembly.message_class import OVERRIDES, MessageClass, class_of, class_words, is_overridden
from inspector.figures import counted
from inspector.gui.parts.texts import control_text, one_line
from inspector.gui.table.filter import Filter
from inspector.gui.table.view import ArrayTableView
from inspector.model import Message
from inspector.tables import first_line

ChooseAlternative = Callable[[str, Alternative], object]
"""Takes the id of the conversation, and the chosen alternative."""
MOST_ENTRIES = 40
TEXT_CODE_POINTS = 60


def alternatives_menu(parent: QWidget, assembly: Assembly, row: int, choose: ChooseAlternative) -> QMenu | None:
    """Return a menu of all versions of a message, itself included, or None if it has no others or is no message."""
    conversation, thing = assembly.candidates.items.conversation, assembly.candidates.things[row]
    if conversation is None or conversation.tree is None or not isinstance(thing, Message):
        return None
    found = alternatives_of(conversation.tree, thing.id)
    if not found:
        return None
    menu = QMenu("Alternatives", parent)
    menu.setObjectName("menu:alternatives")
    for number, one in enumerate(found[:MOST_ENTRIES]):
        action = menu.addAction(control_text(f"{number + 1:,} of {len(found):,}: {_entry(one)}"))
        action.setObjectName(f"menu:alternative:{number + 1}")
        action.setCheckable(True)
        action.setChecked(one.message.id == thing.id)
        if one.message.id != thing.id:
            action.triggered.connect(lambda _checked=False, one=one: choose(conversation.id, one))
    if len(found) > MOST_ENTRIES:
        more = f"… and {len(found) - MOST_ENTRIES:,} more, below the conversation"
        menu.addAction(control_text(more)).setEnabled(False)
    return menu


def _entry(one: Alternative) -> str:
    text = one_line(first_line(one.message.content), TEXT_CODE_POINTS) or one.message.id
    return f"{text} ({counted(one.after, 'message')} after it)" if one.after else f"{text} (the last message)"


Choose = Callable[[MessageClass | None], object]


def class_menu(
    parent: QWidget, assembly: Assembly, rows: Sequence[int], overrides: Mapping[str, Mapping[str, Any]], choose: Choose
) -> QMenu | None:
    """Return a menu for these rows, or None unless the policy classifies and all rows are messages of the file.

    `overrides` are those of the scenario. `choose` takes the class, or None to remove the user's choice.
    """
    if assembly.classes is None or not all(_can_be_classified(assembly, row) for row in rows):
        return None
    menu = QMenu("Class", parent)
    menu.setObjectName("menu:class")
    ids = assembly.candidates.ids
    said = [is_overridden(overrides, ids[row]) for row in rows]
    classes = {class_of(assembly, row) for row in rows}
    for kind in OVERRIDES:
        action = menu.addAction(control_text(class_words(kind).capitalize()))
        action.setObjectName(f"menu:class:{word(kind)}")
        action.setCheckable(True)
        action.setChecked(all(said) and classes == {kind})
        action.triggered.connect(lambda _checked=False, kind=kind: choose(kind))
    menu.addSeparator()
    back = menu.addAction("As the file or the rules say")
    back.setObjectName("menu:class:reset")
    back.setEnabled(any(said))
    back.triggered.connect(lambda _checked=False: choose(None))
    return menu


def _can_be_classified(assembly: Assembly, row: int) -> bool:
    candidates = assembly.candidates
    return candidates.kind[row] == Kind.MESSAGE and candidates.items.plain_ids[row] != DRAFT


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
    _add(menu, "menu:exclude", "Include" if all_excluded else "Leave out", exclude, "X")
    all_marked = bool(must_survive[list(rows)].all())
    _add(menu, "menu:must_survive", "Need not stay" if all_marked else "Must stay", mark, "M")
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
    _add(menu, "menu:filter_action", f"Show only {phrase(fate)} items", lambda: filter_by(by_action))
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
