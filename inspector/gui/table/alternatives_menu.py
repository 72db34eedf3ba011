"""The menu of alternatives: other versions of a message in the file, to show in its place."""

from collections.abc import Callable

from PySide6.QtWidgets import QMenu, QWidget

from inspector.assembly.alternatives import Alternative, alternatives_of
from inspector.assembly.decisions import Assembly
from inspector.figures import counted
from inspector.gui.parts.plain_text import control_text
from inspector.gui.parts.visible_text import one_line
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
