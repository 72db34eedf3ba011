"""Undo: one command for every change of a value; the changes of one gesture are one step."""

from collections.abc import Callable
from itertools import count
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoCommand, QUndoStack

from inspector.gui.parts.visible_text import one_line

Value = TypeVar("Value")

LABEL_CODE_POINTS = 80
"""How much of what can be undone is written in the menu."""


class Change(QUndoCommand, Generic[Value]):
    """From one scenario, or other value of the session, to another.

    `gesture` is what it is a part of (press to release), "" for a step of its own. A value not `in_files` is
    written to none and modifies nothing.
    """

    def __init__(
        self,
        before: Value,
        after: Value,
        label: str,
        gesture: str,
        apply: Callable[[Value], None],
        in_files: bool = True,
    ) -> None:
        super().__init__(one_line(label, LABEL_CODE_POINTS))  # Qt reads more than one line in another way
        self._before = before
        self._after = after
        self._gesture = gesture
        self._apply = apply
        self.in_files = in_files
        self.begins = self.ends = 0

    def take_in(self, later: "Change[Any]") -> bool:
        """Become one step with a later change of the same gesture. Returns whether it is of the same."""
        if not self._gesture or later._gesture != self._gesture:
            return False
        self._after = later._after
        self.ends = later.ends
        self.setText(later.text())
        self.setObsolete(self._after == self._before)
        return True

    def redo(self) -> None:
        """Apply the later value."""
        self._apply(self._after)

    def undo(self) -> None:
        """Apply the earlier value."""
        self._apply(self._before)


class Steps(QUndoStack):
    """The steps that can be undone, and which of all states since the beginning is the current one.

    Each state of what files hold has a number, to which undoing and redoing come back. Qt marks one state as clean, but
    such a mark can only be put where one is: it does not go back to where it was before a file could not be written.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._numbers = count(1)
        self._first, self._era = 0, 0

    @property
    def state(self) -> tuple[int, int]:
        """What the current state is called."""
        return self._era, self._number

    @property
    def _number(self) -> int:
        following = self.command(0)
        before = self.command(self.index() - 1) if self.index() else None
        if isinstance(before, Change):
            return before.ends
        return following.begins if isinstance(following, Change) else self._first

    def begin(self) -> None:
        """Forget all steps and all states."""
        self._first = next(self._numbers)
        self.clear()

    def leave_states(self) -> None:
        """What is beside the steps is another: no undoing comes back to a state of before."""
        self._era += 1

    def do(self, change: Change[Any], apart_from: tuple[int, int] | None) -> None:
        """Do a change, as one step with the last where both are of the same gesture; a step back to its start is none.

        A state that must be come back to, `apart_from`, is none of a gesture's. Qt would merge changes by itself, but
        PySide never lets go of a command that was merged into another one.
        """
        at_end = self.index() == self.count() and self.state != apart_from
        last = self.command(self.index() - 1) if at_end else None
        change.begins = self._number
        change.ends = next(self._numbers) if change.in_files else change.begins
        if not isinstance(last, Change) or not last.take_in(change):
            self.push(change)
        elif last.isObsolete():
            self.undo()  # takes an obsolete step off
        else:
            change.redo()
            self.indexChanged.emit(self.index())
