"""The snapshots: their list with its actions, and beside it the differences between those chosen."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from inspector.analysis.snapshots import NOW_TITLE
from inspector.assembly.compare import NO_ROW
from inspector.assembly.side_by_side import SideBySide
from inspector.assembly.snapshots import Snapshots
from inspector.figures import counted
from inspector.gui.parts.asking_view import AskingView
from inspector.gui.parts.labels import ElidedLabel
from inspector.gui.parts.texts import control_text, tooltip
from inspector.gui.parts.turning_splitter import TurningSplitter
from inspector.gui.screens.snapshots.bars import AlignedBars
from inspector.gui.screens.snapshots.model import SideBySideModel
from inspector.gui.screens.snapshots.name_list import NameList
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import GAP, PANEL_MARGIN, UNIT

NOTHING_KEPT = "Keep the current state as a snapshot (Ctrl+Shift+D), change something, and see here what differs."
NOTHING_CHOSEN = "Select a snapshot, or check two to four with the space bar, to set them side by side."
ALL_AGREE = "No setting and no item differs."
_LIST_WIDTH = 70 * UNIT


class SnapshotsView(AskingView):
    """The list, bars and table. The view changes nothing itself. `requested` asks for names side by side, "" for now;
    `row_selected` carries rows of the current answer. The other signals are those of the list, and `keep_requested`.
    """

    requested = Signal(tuple)
    keep_requested = Signal()
    restore_requested = Signal(str)
    renamed = Signal(str, str)
    remove_requested = Signal(str)
    note_requested = Signal(str)
    move_requested = Signal(str, int)
    row_selected = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sides: SideBySide | None = None
        self._has_any = False
        self.names = NameList()
        self.bars = AlignedBars()
        self.summary = ElidedLabel(alignment=Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.summary.setAccessibleName("What differs")
        self._model = SideBySideModel(self)
        self.table = ArrayTableView(self._model)
        self.table.setObjectName("snapshot_table")
        self.table.setAccessibleName("Settings and items that differ")
        self.table.row_selected.connect(self._tell_row)
        self._buttons: dict[str, QToolButton] = {}
        self._lay_out()
        self._connect()
        self.show_side_by_side(None)

    def _connect(self) -> None:
        names = self.names
        # Queued until the editing has ended: renaming fills the list again.
        names.renamed.connect(self.renamed, Qt.ConnectionType.QueuedConnection)
        names.restore_requested.connect(self.restore_requested)
        names.remove_requested.connect(self.remove_requested)
        names.note_requested.connect(self.note_requested)
        names.move_requested.connect(self.move_requested)
        names.choice_changed.connect(self._take_choice)

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(PANEL_MARGIN, PANEL_MARGIN, 0, UNIT)
        column.setSpacing(UNIT)
        column.addWidget(self.names, 1)

        def tell(signal: SignalInstance, *more: int) -> Callable[[], object]:
            return lambda: signal.emit(self.names.current_name, *more)

        for line in (
            (
                ("keep", "Keep now…", "Keep the current state as a snapshot", "Ctrl+Shift+D", self.keep_requested.emit),
                ("restore", "Restore", "Restore the snapshot", "Enter", tell(self.restore_requested)),
                ("rename", "Rename", "Rename the snapshot", "F2", self.names.edit_name),
            ),
            (
                ("note", "Note…", "Write a note on the snapshot", "N", tell(self.note_requested)),
                ("up", "Up", "Move the snapshot up", "Alt+Up", tell(self.move_requested, -1)),
                ("down", "Down", "Move the snapshot down", "Alt+Down", tell(self.move_requested, 1)),
                ("remove", "Remove", "Remove the snapshot", "Delete", tell(self.remove_requested)),
            ),
        ):
            row = QHBoxLayout()
            row.setSpacing(UNIT)
            for name, title, words, key, done in line:
                row.addWidget(self._button(name, title, words, key, done))
            column.addLayout(row)
        right = QWidget()
        layout = QVBoxLayout(right)
        layout.setContentsMargins(0, PANEL_MARGIN, 0, 0)
        layout.setSpacing(UNIT)
        self.summary.setContentsMargins(PANEL_MARGIN, 0, PANEL_MARGIN, 0)
        for part in (self.summary, self.bars):
            layout.addWidget(part)
        layout.addWidget(self.table, 1)
        split = TurningSplitter()
        split.addWidget(left)
        split.addWidget(right)
        split.setStretchFactor(0, 1)
        split.setStretchFactor(1, 3)
        split.setSizes([_LIST_WIDTH, 3 * _LIST_WIDTH])
        whole = QHBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(GAP)
        whole.addWidget(split)

    def _button(self, name: str, title: str, words: str, key: str, done: Callable[[], object]) -> QToolButton:
        button = QToolButton()
        button.setObjectName(f"snapshot_{name}")
        button.setText(control_text(title))
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button.setToolTip(tooltip(f"{words} ({key})"))
        button.setAccessibleName(words)
        button.clicked.connect(lambda _: done())
        self._buttons[name] = button
        return button

    def show_snapshots(self, snapshots: Snapshots) -> None:
        """List these snapshots."""
        self._has_any = bool(snapshots)
        self.names.show_snapshots(snapshots)

    def choose(self, name: str) -> None:
        """Make a snapshot current, to be compared with now."""
        self.names.choose(name)
        self.names.setFocus()

    def show_side_by_side(self, sides: SideBySide | str | None) -> None:
        """Show the differences; None if there are no two to compare, a sentence if an answer failed."""
        self._stale = False
        found = sides if isinstance(sides, SideBySide) else None
        self._sides = found
        trouble = sides if isinstance(sides, str) else ""
        self.table.set_dimmed(False)
        nothing = trouble or (NOTHING_CHOSEN if self._has_any else NOTHING_KEPT)
        self.table.set_empty_text(nothing if found is None else ALL_AGREE)
        self.bars.show_answers(*((), ()) if found is None else (found.names, found.answers))
        self.summary.setVisible(found is not None)
        self.summary.say("" if found is None else _summary(found))
        self._model.show_sides(found)
        self.table.show_columns()

    def _take_choice(self) -> None:
        is_one = bool(self.names.current_name)
        for name, button in self._buttons.items():
            button.setEnabled(is_one or name == "keep")
        self.refresh()

    def _dim(self) -> None:
        self.table.set_dimmed(self._sides is not None)

    def _ask(self) -> None:
        self.requested.emit(self.names.side_by_side)

    def _tell_row(self, row: int) -> None:
        sides = self._sides
        place = row - len(sides.settings) if sides is not None else -1
        if self._stale or sides is None or place < 0 or NOW_TITLE not in sides.names:
            return
        found = int(sides.rows[place, sides.names.index(NOW_TITLE)])
        if found != NO_ROW:
            self.row_selected.emit(found)


def _summary(sides: SideBySide) -> str:
    return (
        f"{counted(len(sides.settings), 'setting')} and {counted(len(sides), 'item')} differ: {' · '.join(sides.names)}"
    )
