"""The menu of a table's columns: which are shown, and with keys their order and widths. It stays open in use."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QWidget

from inspector.gui.parts.key_uses import KeyUse
from inspector.gui.parts.plain_text import control_text, tooltip
from inspector.gui.table.column_arrangement import ColumnArrangement

HINT = "Space shows or hides, Ctrl with an arrow moves, + and − size"
KEYS = (
    KeyUse("Show or hide the column", "Space, Return"),
    KeyUse("Move it", "Ctrl+Up, Ctrl+Down"),
    KeyUse("Make it wider or narrower", "+, -"),
)
_MOVES = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}
_SIZES = {Qt.Key.Key_Plus: 1, Qt.Key.Key_Equal: 1, Qt.Key.Key_Minus: -1}


class ColumnMenu(QMenu):
    """An entry for every column, from left to right, and an entry to reset them. `changed` reports every change."""

    changed = Signal()

    def __init__(self, columns: ColumnArrangement, parent: QWidget | None = None) -> None:
        super().__init__("Columns", parent)
        self.setObjectName("column_menu")
        self.setToolTipsVisible(True)
        self._columns = columns
        self._fill()

    def _fill(self) -> None:
        for column in self._columns.in_order():
            has_something = self._columns.has_something(column)
            note = "" if has_something else " (nothing here)"
            entry = self.addAction(control_text(f"{column.title}{note}"))
            entry.setObjectName(f"column:{column.key}")
            entry.setData(column.key)
            entry.setToolTip(tooltip(column.help))
            entry.setCheckable(True)
            entry.setChecked(self._columns.is_shown(column.key))
            entry.setEnabled(has_something and self._columns.may_go(column))
            entry.toggled.connect(lambda checked, key=column.key: self._choose(key, checked))
        self.addSeparator()
        reset = self.addAction("Reset columns")
        reset.setObjectName("column_menu:reset")
        reset.triggered.connect(self._reset)
        keys = self.addAction(control_text(HINT))
        keys.setEnabled(False)

    def _choose(self, key: str, is_shown: bool) -> None:
        self._columns.choose(key, is_shown)
        self.changed.emit()

    def _reset(self) -> None:
        self._columns.reset()
        self.changed.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Keep the menu open after a click on a column."""
        entry = self.actionAt(event.position().toPoint())
        if not self._toggle(entry):
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space and Enter show or hide, Ctrl with an arrow moves, + and − size; other keys have their usual effect."""
        key, entry = Qt.Key(event.key()), self.activeAction()
        name = entry.data() if entry is not None else None
        if key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._toggle(entry):
            return
        if name and event.modifiers() & Qt.KeyboardModifier.ControlModifier and key in _MOVES:
            self._columns.move_past(name, _MOVES[key])
            self._refill(name)
        elif name and key in _SIZES:
            self._columns.widen(name, _SIZES[key])
            self.changed.emit()
        else:
            super().keyPressEvent(event)

    def _toggle(self, entry: QAction | None) -> bool:
        """Show or hide the column of this entry. Returns whether the entry allows it."""
        if entry is None or not entry.isCheckable() or not entry.isEnabled():
            return False
        entry.toggle()
        return True

    def _refill(self, name: str) -> None:
        """Show the entries in their new order, and stay at the moved one."""
        self.clear()
        self._fill()
        moved = next(entry for entry in self.actions() if entry.data() == name)
        self.setActiveAction(moved)
        self.changed.emit()
