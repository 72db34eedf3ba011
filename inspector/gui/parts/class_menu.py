"""The menu of classes: the user's own classification of messages, overriding the file and the rules."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtWidgets import QMenu, QWidget

from inspector.assembly.columns import Kind, word
from inspector.assembly.decisions import Assembly
from inspector.assembly.items import DRAFT
from inspector.assembly.message_class import OVERRIDES, MessageClass, class_of, class_words, is_overridden
from inspector.gui.parts.plain_text import control_text

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
