"""The user's columns of tables, restored when a table is made."""

from functools import partial

from PySide6.QtWidgets import QWidget

from inspector.assembly.side_choice import SideChoice
from inspector.gui.remembered.window_state import WindowState
from inspector.gui.table.column_arrangement import AS_DECLARED, ColumnChoice
from inspector.gui.table.view import ArrayTableView


class RememberedColumns:
    """The user's arrangement of each table's columns, by the table's name. Without a state, nothing is kept."""

    def __init__(self, state: WindowState | None) -> None:
        self._state = state

    def join(self, view: QWidget) -> None:
        """Restore the columns of every table in a view, and remember further changes."""
        if self._state is None:
            return
        for table in view.findChildren(ArrayTableView):
            name = table.objectName()
            if (choice := self._state.columns(name)) != AS_DECLARED:
                table.take_choice(choice)
            table.columns_arranged.connect(partial(self._keep, name))

    @property
    def sides(self) -> tuple[SideChoice, ...] | None:
        """The settings that the user last set side by side, None for no choice."""
        return None if self._state is None else self._state.sides

    def keep_sides(self, choices: tuple[SideChoice, ...]) -> None:
        """Remember what is set side by side."""
        if self._state is not None:
            self._state.sides = choices

    def _keep(self, name: str, choice: ColumnChoice) -> None:
        if self._state is not None:
            self._state.keep_columns(name, choice)


class LatelyUsed:
    """Keys such as `action:open` or `model:gpt-4o`. Without a state they are known until the window closes."""

    def __init__(self, state: WindowState | None) -> None:
        self._state = state
        self._keys: list[str] = list(state.used) if state else []

    @property
    def keys(self) -> list[str]:
        """The keys, newest first."""
        return self._keys

    def add(self, key: str) -> None:
        """Record a choice."""
        if self._keys[:1] != [key]:
            self._keys = [key, *(other for other in self._keys if other != key)]
            if self._state is not None:
                self._state.add_used(key)
