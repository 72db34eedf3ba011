"""Undo: a command for every change of a value; the changes of a gesture form one step."""

from collections.abc import Callable
from itertools import count
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence, QUndoCommand, QUndoStack
from PySide6.QtWidgets import QAbstractSpinBox, QLineEdit, QPlainTextEdit, QWidget

from inspector.gui.parts.texts import one_line

Value = TypeVar("Value")

LABEL_CODE_POINTS = 80
"""The longest label of a step in the menu."""


class Change(QUndoCommand, Generic[Value]):
    """A change of the scenario, or another value of the session.

    `gesture` names the gesture it belongs to (press to release), "" for a step of its own. Without `in_files`, the
    value is not written to any file and modifies nothing.
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
        super().__init__(one_line(label, LABEL_CODE_POINTS))  # Qt interprets further lines differently
        self._before = before
        self._after = after
        self._gesture = gesture
        self._apply = apply
        self.in_files = in_files
        self.begins = self.ends = 0

    def take_in(self, later: "Change[Any]") -> bool:
        """Merge a later change of the same gesture. Returns whether it belongs to the same."""
        if not self._gesture or later._gesture != self._gesture:
            return False
        self._after = later._after
        self.ends = later.ends
        self.setText(later.text())
        self.setObsolete(self._after == self._before)
        return True

    def redo(self) -> None:
        self._apply(self._after)

    def undo(self) -> None:
        self._apply(self._before)


class Steps(QUndoStack):
    """The undoable steps, and the current state among all states since the beginning.

    Each state of the file contents has a number, to which undo and redo return. Qt can mark a state as clean, but only
    the current one: after a file could not be written, the mark cannot be moved back.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._numbers = count(1)
        self._first, self._era = 0, 0

    @property
    def state(self) -> tuple[int, int]:
        """The number of the current state."""
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
        """Make all earlier states unreachable, because values outside the steps have changed."""
        self._era += 1

    def do(self, change: Change[Any], apart_from: tuple[int, int] | None) -> None:
        """Apply a change, merged with the last step if of the same gesture. A step back to its start is removed.

        The state `apart_from` must stay reachable, so no gesture merges across it. Qt could merge changes itself, but
        PySide never releases a merged command.
        """
        at_end = self.index() == self.count() and self.state != apart_from
        last = self.command(self.index() - 1) if at_end else None
        change.begins = self._number
        change.ends = next(self._numbers) if change.in_files else change.begins
        if not isinstance(last, Change) or not last.take_in(change):
            self.push(change)
        elif last.isObsolete():
            self.undo()  # removes an obsolete step
        else:
            change.redo()
            self.indexChanged.emit(self.index())


class YieldingUndo(QObject):
    """Watches the focused text field. By itself, it would take the keys and do nothing."""

    def watch(self, before: QWidget | None, now: QWidget | None) -> None:
        """Watch the newly focused widget if it is a text field."""
        if before is not None:
            before.removeEventFilter(self)
        if isinstance(now, QLineEdit | QAbstractSpinBox | QPlainTextEdit):
            now.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave the keys to the window if the field has no use for them."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and _has_no_use(watched, event)
        ):
            event.ignore()
            return True
        return super().eventFilter(watched, event)


def _has_no_use(field: QObject, event: QKeyEvent) -> bool:
    """Return whether a key is for undo or redo, and the field has nothing to undo or redo."""
    if isinstance(field, QAbstractSpinBox):
        field = field.lineEdit()
    text = field.document() if isinstance(field, QPlainTextEdit) else field
    if event.matches(QKeySequence.StandardKey.Undo):
        return not text.isUndoAvailable()  # type: ignore[attr-defined]
    return event.matches(QKeySequence.StandardKey.Redo) and not text.isRedoAvailable()  # type: ignore[attr-defined]
