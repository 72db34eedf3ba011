"""The list of snapshots below the current state, with check marks for those shown side by side."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from inspector.analysis.snapshots import NOW, NOW_TITLE
from inspector.assembly.snapshots import MOST_SIDE_BY_SIDE, Snapshots
from inspector.gui.parts.focus_ring import KeyUse
from inspector.gui.parts.texts import tooltip
from inspector.gui.theme import ROW_HEIGHT

KEYS = (
    KeyUse("Restore the snapshot", "Return"),
    KeyUse("Set it beside others, or take it away", "Space"),
    KeyUse("Rename", "F2"),
    KeyUse("Write a note on it", "N"),
    KeyUse("Move it up or down", "Alt+Up, Alt+Down"),
    KeyUse("Remove", "Del"),
)
_NAME = Qt.ItemDataRole.UserRole
_CHECKED, _UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked
_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable


class _NameDelegate(QStyledItemDelegate):
    """A delegate that names the field for screen readers."""

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        field = super().createEditor(parent, option, index)
        field.setAccessibleName("Name of the snapshot")
        return field


class NameList(QListWidget):
    """The current state and the snapshots. Names are edited in place (F2); Space checks entries to show side by side.

    Signals carry names of snapshots: `renamed(name, other)`, `restore_requested` (Enter), `remove_requested` (Delete),
    `note_requested` (N), `move_requested(name, by)` (Alt with an arrow). `choice_changed`: the check marks or the
    current entry changed.
    """

    renamed = Signal(str, str)
    restore_requested = Signal(str)
    remove_requested = Signal(str)
    note_requested = Signal(str)
    move_requested = Signal(str, int)
    choice_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("snapshot_list")
        self.setAccessibleName("Snapshots")
        self.setFrameShape(QListWidget.Shape.NoFrame)
        self.setItemDelegate(_NameDelegate(self))
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self._checked: list[str] = [NOW]
        self.itemChanged.connect(self._take_change)
        self.currentRowChanged.connect(lambda _: self.choice_changed.emit())
        self.itemDoubleClicked.connect(lambda item: self._tell(self.restore_requested, item))
        self.show_snapshots(())

    @property
    def current_name(self) -> str:
        """The current snapshot, "" for the current state."""
        item = self.currentItem()
        return item.data(_NAME) if item is not None else NOW

    @property
    def side_by_side(self) -> tuple[str, ...]:
        """The names to show side by side, in the order of the list: the checked, or if fewer than two, the current and
        now.
        """
        names = [self.item(row).data(_NAME) for row in range(self.count())]
        chosen = [*self._checked] if len(self._checked) > 1 else [*self._checked, self.current_name, NOW]
        return tuple(name for name in names if name in chosen)

    def show_snapshots(self, snapshots: Snapshots) -> None:
        """List these; the current snapshot stays current by its name, otherwise by its place."""
        before, row = self.current_name, max(self.currentRow(), 0)
        listed = [self.item(place).data(_NAME) for place in range(self.count())]
        new_names = _renamed(listed, [NOW, *(one.name for one in snapshots)])
        checked = [new_names.get(name, name) for name in self._checked]
        self._checked = [name for name in checked if name in (NOW, *(one.name for one in snapshots))]
        with QSignalBlocker(self):
            self.clear()
            self._add(NOW, NOW_TITLE, "What is now", _FLAGS)
            for one in snapshots:
                self._add(one.name, one.name, one.note, _FLAGS | Qt.ItemFlag.ItemIsEditable)
            names = [self.item(place).data(_NAME) for place in range(self.count())]
            self.setCurrentRow(names.index(before) if before in names else min(row, len(names) - 1))
        self.choice_changed.emit()

    def choose(self, name: str) -> None:
        """Make a snapshot current."""
        for row in range(self.count()):
            if self.item(row).data(_NAME) == name:
                self.setCurrentRow(row)

    def _add(self, name: str, title: str, note: str, flags: Qt.ItemFlag) -> None:
        item = QListWidgetItem(title)
        item.setFlags(flags)
        item.setData(_NAME, name)
        item.setToolTip(tooltip(note))
        item.setSizeHint(QSize(0, ROW_HEIGHT))
        item.setCheckState(_CHECKED if name in self._checked else _UNCHECKED)
        self.addItem(item)

    def _take_change(self, item: QListWidgetItem) -> None:
        name, is_checked = item.data(_NAME), item.checkState() == _CHECKED
        if is_checked != (name in self._checked):
            self._check(name, is_checked)
        elif name and item.text() != name:
            self.renamed.emit(name, item.text())
            self._write_names()

    def _check(self, name: str, is_checked: bool) -> None:
        """Check or uncheck a name; beyond the most allowed, the name checked first is unchecked."""
        others = [one for one in self._checked if one != name]
        self._checked = ([*others, name] if is_checked else others)[-MOST_SIDE_BY_SIDE:]
        self._write_names()
        self.choice_changed.emit()

    def _write_names(self) -> None:
        """Write names and marks again, replacing a name that was typed but refused."""
        with QSignalBlocker(self):
            for row in range(self.count()):
                item = self.item(row)
                item.setText(item.data(_NAME) or NOW_TITLE)
                item.setCheckState(_CHECKED if item.data(_NAME) in self._checked else _UNCHECKED)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Act on the current snapshot by Enter, Delete, N, and Alt with an arrow; letters do not search.

        Keys left over by the field of a name, such as the Enter that ends it, do nothing.
        """
        if self.state() == self.State.EditingState:
            super().keyPressEvent(event)
            return
        key, item = event.key(), self.currentItem()
        by = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(key)) if self._has_alt(event) else None
        if by is not None:
            if item is not None and item.data(_NAME):
                self.move_requested.emit(item.data(_NAME), by)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._tell(self.restore_requested, item)
        elif key == Qt.Key.Key_Delete:
            self._tell(self.remove_requested, item)
        elif key == Qt.Key.Key_N and not event.modifiers():
            self._tell(self.note_requested, item)
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Do nothing: letters are shortcuts here."""

    @staticmethod
    def _has_alt(event: QKeyEvent) -> bool:
        return bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)

    @staticmethod
    def _tell(signal: object, item: QListWidgetItem | None) -> None:
        if item is not None and item.data(_NAME):
            signal.emit(item.data(_NAME))  # type: ignore[attr-defined]

    def edit_name(self) -> None:
        """Start editing the name of the current snapshot."""
        if self.current_name:
            self.setFocus()
            self.edit(self._index())

    def _index(self) -> QModelIndex:
        return self.model().index(self.currentRow(), 0)


def _renamed(before: Sequence[str], after: Sequence[str]) -> dict[str, str]:
    """Return the new name by the old, if a single snapshot was renamed and all others kept their places; else
    nothing.
    """
    if len(before) != len(after):
        return {}
    others = {old: new for old, new in zip(before, after, strict=True) if old != new}
    return others if len(others) == 1 else {}
