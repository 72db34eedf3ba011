"""The user's columns of tables, restored when a table is made."""

from functools import partial

from PySide6.QtWidgets import QWidget

from inspector.gui.table.column_choice import AS_DECLARED, ColumnChoice
from inspector.gui.table.view import ArrayTableView
from inspector.gui.window_state import WindowState


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

    def _keep(self, name: str, choice: ColumnChoice) -> None:
        if self._state is not None:
            self._state.keep_columns(name, choice)
