"""The findings of an answer and the problems of the open files: one list, the worst first."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QListView, QMenu, QStackedLayout, QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.decisions import Finding
from inspector.gui.parts.asking_view import EmptyState
from inspector.gui.parts.focus_ring import KeyUse
from inspector.gui.parts.texts import control_text, excerpt, tooltip
from inspector.gui.screens.findings.entries import Entry, entries_of
from inspector.gui.screens.findings.rows import EntryDelegate
from inspector.model import Problem
from inspector.secrets import masked

if TYPE_CHECKING:
    from inspector.analysis.waste.ask import Waste

_Index = QModelIndex | QPersistentModelIndex

KEYS = (
    KeyUse("Show the items of a finding", "Return"),
    KeyUse("Do what is advised", "Ctrl+Return"),
    KeyUse("Copy the selected findings", "Ctrl+C"),
)


class FindingsModel(QAbstractListModel):
    """A row for each entry. DisplayRole is its sentence, UserRole the entry itself."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[Entry, ...] = ()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What is listed."""
        return self._entries

    def show(self, entries: Sequence[Entry]) -> None:
        """List these entries; the same ones again change nothing."""
        if tuple(entries) == self._entries:
            return
        self.beginResetModel()
        self._entries = tuple(entries)
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        """Return the number of entries."""
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the sentence, its meaning or the whole problem as tooltip, and the entry."""
        if not index.isValid():
            return None
        entry = self._entries[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return excerpt(entry.sentence)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(_whole(entry), wraps=True)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return entry.spoken
        return entry if role == Qt.ItemDataRole.UserRole else None


def _whole(entry: Entry) -> str:
    """Return the meaning and the code of a finding, or a problem with the path of its file."""
    if isinstance(entry.source, Problem):
        return str(entry.source)
    kind = entry.source.kind
    meaning = entry.source.kind.meaning if isinstance(entry.source, Finding) else entry.source.kind.title
    return "\n".join(part for part in (meaning, entry.below, kind.code) if part)


class FindingList(QListView):
    """The list, with its painted buttons. `items_asked` and `deed_asked` carry the entry of a button or a key."""

    items_asked = Signal(object)
    deed_asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = EntryDelegate(self)
        self.setItemDelegate(self.rows)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._open_menu)
        self.doubleClicked.connect(self._ask_for_items)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the hand over a button."""
        super().mouseMoveEvent(event)
        is_over = self.rows.button_at(event.position().toPoint()) is not None
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if is_over else Qt.CursorShape.ArrowCursor)
        self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Do what the button under the mouse says."""
        super().mouseReleaseEvent(event)
        found = self.rows.button_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and found is not None:
            index, button = found
            entry = index.data(Qt.ItemDataRole.UserRole)
            (self.deed_asked if button.is_deed else self.items_asked).emit(entry)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter shows the items, Ctrl+Enter does what is advised, Ctrl+C copies."""
        entry: Entry | None = self.currentIndex().data(Qt.ItemDataRole.UserRole)
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and entry is not None:
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier and entry.deed is not None:
                self.deed_asked.emit(entry)
            else:
                self._ask_for_items(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def copy(self) -> None:
        """Copy the selected entries, or all of them, each on a line."""
        chosen = [index.data(Qt.ItemDataRole.UserRole) for index in self.selectedIndexes()]
        model = self.model()
        listed = chosen or (list(model.entries) if isinstance(model, FindingsModel) else [])
        QGuiApplication.clipboard().setText(masked("\n".join(map(_copied, listed))))

    def _ask_for_items(self, index: _Index) -> None:
        entry: Entry = index.data(Qt.ItemDataRole.UserRole)
        if entry.items:
            self.items_asked.emit(entry)

    def _open_menu(self, place: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        entry: Entry | None = self.indexAt(place).data(Qt.ItemDataRole.UserRole)
        if entry is not None and entry.items:
            menu.addAction(control_text(f"Show {entry.items}")).triggered.connect(
                lambda _=False: self.items_asked.emit(entry)
            )
        if entry is not None and entry.deed is not None:
            deed = menu.addAction(control_text(entry.deed.words))
            deed.triggered.connect(lambda _=False: self.deed_asked.emit(entry))
        menu.addAction("Copy").triggered.connect(lambda _=False: self.copy())
        menu.popup(self.viewport().mapToGlobal(place))


def _copied(entry: Entry) -> str:
    return str(entry.source) if isinstance(entry.source, Problem) else f"{entry.sentence} {entry.below}".strip()


class FindingsView(QWidget):
    """The list of findings and problems.

    `finding_requested` carries a finding whose items are wanted, `deed_requested` an entry whose advice is followed.
    """

    finding_requested = Signal(object)
    deed_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = FindingsModel(self)
        self._list = FindingList()
        self._list.setObjectName("findings_list")
        self._list.setAccessibleName("Findings")
        self._list.setModel(self._model)
        self._list.items_asked.connect(lambda entry: self.finding_requested.emit(entry.source))
        self._list.deed_asked.connect(self.deed_requested)
        self._nothing = EmptyState("Nothing to report", "")
        self._layout = QStackedLayout(self)
        self._layout.addWidget(self._list)
        self._layout.addWidget(self._nothing)
        self.show_answer(None)

    def show_answer(
        self, answer: Answer | None, problems: Sequence[Problem] = (), wastes: "Sequence[Waste]" = ()
    ) -> None:
        """List the findings of an answer, these problems and this waste.

        The selected finding stays selected if it is still there.
        """
        entries = entries_of(answer, problems, wastes)
        current: Entry | None = self._list.currentIndex().data(Qt.ItemDataRole.UserRole)
        self._model.show(entries)
        self._nothing.set_sentence(_why_nothing(answer))
        self._layout.setCurrentWidget(self._list if entries else self._nothing)
        if current is not None:
            self._select(current)

    def go_to_problems(self) -> None:
        """Make the first problem of a file current, and focus the list."""
        for row, entry in enumerate(self._model.entries):
            if isinstance(entry.source, Problem):
                self._list.setCurrentIndex(self._model.index(row))
                break
        self._list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _select(self, wanted: Entry) -> None:
        for row, entry in enumerate(self._model.entries):
            if _is_same(entry.source, wanted.source):
                self._list.setCurrentIndex(self._model.index(row))
                return


def _is_same(one: "Finding | Problem | Waste", other: "Finding | Problem | Waste") -> bool:
    """Return whether two entries are about the same: a finding may have other figures by now."""
    if isinstance(one, Finding) and isinstance(other, Finding):
        return one.kind == other.kind
    return one == other


def _why_nothing(answer: Answer | None) -> str:
    """Return the reason why there are no findings."""
    if answer is None:
        return "What is worth knowing about a prompt is listed here once a conversation is open."
    if answer.assembly.error is not None:
        return f"No prompt was made, so there is none to look at. {answer.assembly.error.message}"
    return "This prompt has no findings: nothing is over a budget, lost in between, or estimated."
