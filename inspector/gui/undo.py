"""Undo: one command for every change of a value; the changes of one gesture are one step."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from PySide6.QtGui import QUndoCommand, QUndoStack

from inspector.gui.parts.visible_text import one_line

Value = TypeVar("Value")

LABEL_CODE_POINTS = 80
"""How much of what can be undone is written in the menu."""


class Change(QUndoCommand, Generic[Value]):
    """From one scenario, or other value of the session, to another.

    `gesture` is what it is a part of (press to release), "" for a step of its own.
    """

    def __init__(self, before: Value, after: Value, label: str, gesture: str, apply: Callable[[Value], None]) -> None:
        super().__init__(one_line(label, LABEL_CODE_POINTS))  # Qt reads more than one line in another way
        self._before = before
        self._after = after
        self._gesture = gesture
        self._apply = apply

    def take_in(self, later: "Change[Any]") -> bool:
        """Become one step with a later change of the same gesture. Returns whether it is of the same."""
        if not self._gesture or later._gesture != self._gesture:
            return False
        self._after = later._after
        self.setText(later.text())
        self.setObsolete(self._after == self._before)
        return True

    def redo(self) -> None:
        """Apply the later value."""
        self._apply(self._after)

    def undo(self) -> None:
        """Apply the earlier value."""
        self._apply(self._before)


def do_step(stack: QUndoStack, change: Change[Any]) -> None:
    """Do a change, as one step with the last where both are of the same gesture; a step back to its start is none.

    Qt would merge them by itself, but PySide never lets go of a command that was merged into another one.
    """
    last = stack.command(stack.index() - 1) if stack.index() == stack.count() and not stack.isClean() else None
    if not isinstance(last, Change) or not last.take_in(change):
        stack.push(change)
    elif last.isObsolete():
        stack.undo()  # takes an obsolete step off
    else:
        change.redo()
        stack.indexChanged.emit(stack.index())
