"""The list of snapshots below now: name, when, bar, tokens, difference, note."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from inspector.assembly.compare import changed_count
from inspector.assembly.side_by_side import Side
from inspector.assembly.snapshots import Snapshots
from inspector.assembly.when import day_text
from inspector.figures import counted, figures, signed
from inspector.gui.parts.bar_picture import BarPicture, bar_picture
from inspector.gui.parts.focus_ring import KeyUse
from inspector.gui.parts.small_bar import HEIGHT, paint_small_bar
from inspector.gui.parts.texts import first_line, one_line, tooltip
from inspector.gui.theme import scaled, theme

KEYS = (
    KeyUse("Use the snapshot", "Return"),
    KeyUse("Show it side by side with others, or no more", "Space"),
    KeyUse("Rename", "F2"),
    KeyUse("Write a note on it", "N"),
    KeyUse("Move it up or down", "Alt+Up, Alt+Down"),
    KeyUse("Delete", "Del"),
)
NOW_TITLE, SAME = "Now", "as now"
TITLES = ("Snapshot", "When", "Prompt", "Tokens", "Difference", "Note")
NAME, WHEN, BAR, TOKENS, DIFFERENCE, NOTE = range(len(TITLES))
_WIDTHS = {NAME: 220, WHEN: 150, BAR: 300, TOKENS: 80, DIFFERENCE: 150}
_ROW = 34
_NAME = Qt.ItemDataRole.UserRole
_CHECKED, _UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked
_USUAL = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class SnapshotList(QTreeWidget):
    """Now and the snapshots. Names are edited in place (F2); Space checks what has a column side by side.

    Signals carry names of snapshots: `renamed(name, other)`, `restore_requested` (Enter), `remove_requested` (Delete),
    `note_requested` (N), `move_requested(name, by)` (Alt with an arrow), `checked(name, whether)`.
    """

    renamed = Signal(str, str)
    restore_requested = Signal(str)
    remove_requested = Signal(str)
    note_requested = Signal(str)
    move_requested = Signal(str, int)
    checked = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("snapshot_list")
        self.setAccessibleName("Snapshots")
        self.setFrameShape(QTreeWidget.Shape.NoFrame)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setHeaderLabels(TITLES)
        self.headerItem().setTextAlignment(TOKENS, _RIGHT)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self._cells = _Cells(self)
        self.setItemDelegate(self._cells)
        for column, width in _WIDTHS.items():
            self.setColumnWidth(column, scaled(width))
        self.header().setSectionResizeMode(BAR, QHeaderView.ResizeMode.Stretch)
        self.header().setStretchLastSection(False)
        self.setColumnWidth(NOTE, scaled(220))
        self.itemChanged.connect(self._take_change)
        self.itemDoubleClicked.connect(lambda item: self._tell(self.restore_requested, item))
        self._beside: Collection[str] = ()
        self._sides: Mapping[str, Side] = {}
        self._listed: Snapshots = ()

    @property
    def current_name(self) -> str:
        """The current snapshot, "" for now."""
        item = self.currentItem()
        return item.data(NAME, _NAME) if item is not None else ""

    @property
    def names(self) -> list[str]:
        """The names in their order, "" for now."""
        return [self.topLevelItem(row).data(NAME, _NAME) for row in range(self.topLevelItemCount())]  # type: ignore[union-attr]

    def show_snapshots(self, snapshots: Snapshots, beside: Collection[str]) -> None:
        """List these, with those side by side checked; the current one stays current by its name, else by its place."""
        before, row = self.current_name, max(self.currentIndex().row(), 0)
        self._listed, self._beside = snapshots, beside
        with QSignalBlocker(self):
            self.clear()
            self._add("", NOW_TITLE, "", "", _USUAL)
            for one in snapshots:
                flags = _USUAL | Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsUserCheckable
                self._add(one.name, one.name, _when(one.kept_at), one.note, flags)
        names = self.names
        self._go(names.index(before) if before in names else min(row, len(names) - 1))
        self.show_sides(list(self._sides.values()))

    def show_sides(self, sides: Sequence[Side]) -> None:
        """Show bars, tokens and differences; the first side is now."""
        self._sides = {side.key.partition(":")[2]: side for side in sides}
        pictures = {
            name: bar_picture(side.answer) for name, side in self._sides.items() if side.answer.assembly.error is None
        }
        self._cells.show_pictures(pictures)
        with QSignalBlocker(self):
            for row, name in enumerate(self.names):
                self._write_figures(self.topLevelItem(row), name)
        self.viewport().update()

    def _write_figures(self, item: QTreeWidgetItem | None, name: str) -> None:
        side, now = self._sides.get(name), self._sides.get("")
        if item is None or side is None or now is None:
            return
        outcome = side.outcome
        item.setText(TOKENS, figures(outcome.total, outcome.estimated) if outcome.made else "no prompt")
        item.setTextAlignment(TOKENS, _RIGHT)
        told = bar_picture(side.answer).description if outcome.made else ""
        item.setData(BAR, Qt.ItemDataRole.ToolTipRole, tooltip(told))
        if name and outcome.made and now.outcome.made:
            changed = changed_count(now.answer.assembly, side.answer.assembly)
            difference = signed(outcome.total - now.outcome.total, outcome.estimated or now.outcome.estimated)
            same = not changed and outcome.total == now.outcome.total
            item.setText(DIFFERENCE, SAME if same else f"{difference}, {counted(changed, 'item')}")

    def choose(self, name: str) -> None:
        """Make a snapshot current."""
        if name in self.names:
            self._go(self.names.index(name))

    def edit_name(self) -> None:
        """Start editing the name of the current snapshot."""
        item = self.currentItem()
        if item is not None and self.current_name:
            self.setFocus()
            self.editItem(item, NAME)

    def _go(self, row: int) -> None:
        if (item := self.topLevelItem(row)) is not None:
            self.setCurrentItem(item, NAME)

    def _add(self, name: str, title: str, when: str, note: str, flags: Qt.ItemFlag) -> None:
        item = QTreeWidgetItem(self, [one_line(title), when, "", "", "", first_line(note)])
        item.setFlags(flags)
        item.setData(NAME, _NAME, name)
        for column in (NAME, NOTE):
            item.setData(column, Qt.ItemDataRole.ToolTipRole, tooltip(note))
        if name:
            item.setCheckState(NAME, _CHECKED if name in self._beside else _UNCHECKED)

    def _take_change(self, item: QTreeWidgetItem, column: int) -> None:
        name = item.data(NAME, _NAME)
        if not name or column != NAME:
            return
        is_checked = item.checkState(NAME) == _CHECKED
        if is_checked != (name in self._beside):
            self.checked.emit(name, is_checked)
        elif item.text(NAME) != one_line(name):
            self.renamed.emit(name, item.text(NAME))
            with QSignalBlocker(self):
                item.setText(NAME, one_line(name))  # until it is accepted

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Act on the current snapshot by Enter, Delete, N, and Alt with an arrow; letters do not search.

        Keys left over by the field of a name, such as the Enter that ends it, do nothing.
        """
        if self.state() == self.State.EditingState:
            super().keyPressEvent(event)
            return
        key, item = event.key(), self.currentItem()
        has_alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        by = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(key)) if has_alt else None
        if by is not None:
            if self.current_name:
                self.move_requested.emit(self.current_name, by)
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
    def _tell(signal: object, item: QTreeWidgetItem | None) -> None:
        if item is not None and item.data(NAME, _NAME):
            signal.emit(item.data(NAME, _NAME))  # type: ignore[attr-defined]


def _when(kept_at: str) -> str:
    """Return a time as users read it, "" for none."""
    try:
        time = datetime.fromisoformat(kept_at)
    except ValueError:
        return ""
    return f"{day_text(time)} {time:%Y, %H:%M}"


_INSET = 4
"""What lacks in Qt's own margin of a cell to that of the titles."""
_SHOWN_BY_GROUND = QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_HasFocus


def _inset(option: QStyleOptionViewItem) -> QStyleOptionViewItem:
    """Return the option of a cell with the margin of the titles."""
    inner = QStyleOptionViewItem(option)
    inner.rect = option.rect.adjusted(_INSET, 0, -_INSET, 0)  # type: ignore[attr-defined]
    return inner


class _Cells(QStyledItemDelegate):
    """Cells with hairlines below, small bars on one scale, and a named field for names."""

    def __init__(self, parent: SnapshotList) -> None:
        super().__init__(parent)
        self._pictures: Mapping[str, BarPicture] = {}
        self._scale = 1

    def show_pictures(self, pictures: Mapping[str, BarPicture]) -> None:
        """Take the bars, by name."""
        self._pictures = pictures
        self._scale = max((picture.scale for picture in pictures.values()), default=1)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint a cell on the flat ground of a selection, its hairline, and the bar."""
        inner = _inset(option)
        place = QRect(option.rect)  # type: ignore[attr-defined]
        if inner.state & QStyle.StateFlag.State_Selected:  # type: ignore[attr-defined]
            painter.fillRect(place, theme().selected)
            inner.state &= ~_SHOWN_BY_GROUND  # type: ignore[attr-defined]
        super().paint(painter, inner, index)
        painter.fillRect(place.left(), place.bottom(), place.width(), 1, theme().border)
        name = index.model().index(index.row(), NAME).data(_NAME)
        if index.column() == BAR and (picture := self._pictures.get(name)) is not None:
            height = scaled(HEIGHT + 2)
            top = place.top() + (place.height() - height) / 2
            paint_small_bar(painter, QRectF(place.left() + 8, top, place.width() - 16, height), picture, self._scale)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(super().sizeHint(option, index).width(), scaled(_ROW))

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        """Take clicks on the box where it is painted."""
        return super().editorEvent(event, model, _inset(option), index)

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        """Return a field for a name; nothing else is edited in place."""
        field = super().createEditor(parent, option, index)
        field.setAccessibleName("Name of the snapshot")
        return field
