"""The snapshots: a row of commands, and their list with bars, tokens and differences."""

from collections.abc import Callable, Collection

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from inspector.assembly.side_by_side import SideBySide
from inspector.assembly.snapshots import Snapshots
from inspector.gui.parts.asking_view import AskingView, EmptyState
from inspector.gui.parts.buttons import IconButton, WordButton
from inspector.gui.parts.labels import ElidedLabel
from inspector.gui.parts.texts import control_text, tooltip
from inspector.gui.screens.snapshots.listing import SnapshotList
from inspector.gui.theme import scaled

EMPTY = "No snapshots yet", "Keep the settings as they are under a name, to come back to them and to compare."
_ROW, _ICON = 44, 28


class SnapshotsView(AskingView):
    """The list and its commands. The view changes nothing itself.

    `requested` asks for the answers to all snapshots. The other signals are those of the list, `keep_requested`, and
    `compare_requested` with a name.
    """

    requested = Signal()
    keep_requested = Signal()
    restore_requested = Signal(str)
    compare_requested = Signal(str)
    renamed = Signal(str, str)
    remove_requested = Signal(str)
    note_requested = Signal(str)
    move_requested = Signal(str, int)
    checked = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.list = SnapshotList()
        self.summary = ElidedLabel(alignment=Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.summary.setAccessibleName("Snapshots that have no prompt, and why")
        self._of_one: list[QPushButton | QToolButton] = []
        self._pages = QStackedWidget()
        self._lay_out()
        self._connect()
        self.show_snapshots((), ())

    def _connect(self) -> None:
        rows = self.list
        # Queued until the editing or checking has ended: both fill the list again.
        rows.renamed.connect(self.renamed, Qt.ConnectionType.QueuedConnection)
        rows.checked.connect(self.checked, Qt.ConnectionType.QueuedConnection)
        rows.restore_requested.connect(self.restore_requested)
        rows.remove_requested.connect(self.remove_requested)
        rows.note_requested.connect(self.note_requested)
        rows.move_requested.connect(self.move_requested)
        rows.currentItemChanged.connect(lambda *_: self._allow())

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(scaled(12), 0, scaled(16), 0)
        top.setSpacing(scaled(8))
        keep = WordButton("camera", "Keep a snapshot…")
        keep.setObjectName("snapshot_keep")
        keep.setAccessibleName("Keep the current settings as a snapshot")
        keep.setToolTip(tooltip("Keep the current settings as a snapshot (Ctrl+Shift+D)"))
        keep.clicked.connect(self.keep_requested)
        top.addWidget(keep)
        for name, text, words, done in (
            ("restore", "Use", "Use the snapshot (Enter)", self._teller(self.restore_requested)),
            ("compare", "Compare", "Changes from the snapshot to now", self._teller(self.compare_requested)),
            ("rename", "Rename", "Rename the snapshot (F2)", self.list.edit_name),
            ("note", "Note…", "Write a note on the snapshot (N)", self._teller(self.note_requested)),
        ):
            top.addWidget(self._take(QPushButton(control_text(text)), name, words, done))
        for name, icon, words, done in (
            ("up", "chevron-up", "Move the snapshot up (Alt+Up)", self._teller(self.move_requested, -1)),
            ("down", "chevron-down", "Move the snapshot down (Alt+Down)", self._teller(self.move_requested, 1)),
            ("remove", "trash-2", "Delete the snapshot (Del)", self._teller(self.remove_requested)),
        ):
            button = IconButton(icon, words)
            button.setFixedSize(scaled(_ICON), scaled(_ICON))
            top.addWidget(self._take(button, name, words, done))
        top.addWidget(self.summary, 1)
        row = QWidget()
        row.setFixedHeight(scaled(_ROW))
        row.setLayout(top)
        page = QWidget()
        rows = QVBoxLayout(page)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addWidget(row)
        rows.addWidget(self.list, 1)
        self._pages.addWidget(page)
        self._pages.addWidget(EmptyState(*EMPTY, [("Keep a snapshot…", self.keep_requested.emit)]))
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 1, 0, 0)  # a view covered completely by its parts counts as out of sight
        whole.addWidget(self._pages)

    def _teller(self, signal: SignalInstance, *more: int) -> Callable[[], object]:
        return lambda: signal.emit(self.list.current_name, *more)

    def _take(
        self, button: QPushButton | QToolButton, name: str, words: str, done: Callable[[], object]
    ) -> QPushButton | QToolButton:
        button.setObjectName(f"snapshot_{name}")
        button.setAccessibleName(words.partition(" (")[0])
        button.setToolTip(tooltip(words))
        button.clicked.connect(lambda _=False: done())
        self._of_one.append(button)
        return button

    def _allow(self) -> None:
        for button in self._of_one:
            button.setEnabled(bool(self.list.current_name))

    def show_snapshots(self, snapshots: Snapshots, beside: Collection[str]) -> None:
        """List these snapshots; those `beside` have a column side by side."""
        self._pages.setCurrentIndex(0 if snapshots else 1)
        self.list.show_snapshots(snapshots, beside)
        self._allow()

    def choose(self, name: str) -> None:
        """Make a snapshot current."""
        self.list.choose(name)
        self.list.setFocus()

    def show_sides(self, sides: SideBySide | None) -> None:
        """Show the answers to now and all snapshots; None if there are none."""
        self._stale = False
        self.list.show_sides(sides.sides if sides else ())
        self.summary.say("; ".join(sides.refused) if sides else "")

    def _ask(self) -> None:
        self.requested.emit()
