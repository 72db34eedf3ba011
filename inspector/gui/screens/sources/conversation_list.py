"""The tree of open files and their contents, with a search field for titles of conversations."""

from collections.abc import Sequence, Set
from typing import Any, cast

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from inspector.assembly.choices import ChosenParts
from inspector.gui.parts.focus_ring import KeyUse, set_use
from inspector.gui.screens.sources.nodes import PANELS, REMOVABLE, Node
from inspector.gui.screens.sources.tree import NodeKey, WorkspaceTreeModel
from inspector.gui.theme import UNIT, row_height
from inspector.model import Workspace

KEYS = (
    KeyUse("Use it in the prompt, or show it", "Return"),
    KeyUse("Tick or untick a memory set", "Space"),
    KeyUse("Rename", "F2"),
)
_Flag = QItemSelectionModel.SelectionFlag
EXPANDED_UP_TO = 200
"""Groups with more lines stay folded, so that the lines below them can be reached."""
_SELECTING = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
_CHOOSABLE = ("conversation", "memory_set", "character", "no_character")


class _Lines(QStyledItemDelegate):
    """The painter of lines: as high as those of all tables, or higher for larger text, with distinguishable names."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        """Shorten a title without enough room to its difference from those around it."""
        super().initStyleOption(option, index)
        view, shown, model = self.parent(), cast(Any, option), index.model()
        if not (isinstance(view, QTreeView) and isinstance(model, WorkspaceTreeModel)) or index.column():
            return
        margin = view.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, option, view) + 1
        room = view.style().subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, view).width()
        if 0 < room < shown.fontMetrics.horizontalAdvance(shown.text) + 2 * margin:
            shown.text = model.shorter(index)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the width of the text and the height of a row."""
        view = self.parent()
        assert isinstance(view, QTreeView)
        return QSize(super().sizeHint(option, index).width(), row_height(view))


class ConversationList(QWidget):
    """The tree of all files. A click or Enter chooses a conversation, branch, speaker or character; check boxes
    choose memory sets.

    For memories and lorebooks `panel_requested` carries the name of the panel with their details. The selection can be
    removed (Delete: nodes), renamed (F2: node, title), and its files read again or revealed (origins).
    """

    conversation_chosen = Signal(str)
    leaf_chosen = Signal(str, str)
    assistant_chosen = Signal(str, object)
    character_chosen = Signal(object)
    memory_sets_chosen = Signal(list)
    panel_requested = Signal(str)
    removal_requested = Signal(list)
    title_requested = Signal(object, str)
    reload_requested = Signal(list)
    reveal_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = Workspace()
        self._chosen: ChosenParts | None = None
        self._in_sight = ""  # the conversation scrolled to last
        self._unfolded: dict[NodeKey, bool] = {}  # lines unfolded (True) or folded by the user
        self._is_listing = self._is_ticked = False
        self._search = QLineEdit(placeholderText="Find a chat", clearButtonEnabled=True)
        self._search.setAccessibleName("Find a chat by its title")
        self._search.textChanged.connect(self._list)
        self._model = WorkspaceTreeModel(self)
        self._model.memory_sets_asked.connect(self._take_sets)
        # Queued until the field is closed: a new title lists everything again.
        self._model.title_asked.connect(self.title_requested, Qt.ConnectionType.QueuedConnection)
        self._tree = QTreeView()
        self._tree.setObjectName("files_tree")
        self._tree.setAccessibleName("All files")
        self._set_up_tree()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(UNIT)
        layout.addWidget(self._search)
        layout.addWidget(self._tree, 1)
        self.setFocusProxy(self._tree)

    def show_workspace(self, workspace: Workspace) -> None:
        """List another workspace, keeping search, unfolded lines and selection if any file is the same."""
        before, self._workspace = self._workspace, workspace
        self._search.setVisible(len(workspace.conversations) > 1)
        if not {source.path for source in before.sources} & {source.path for source in workspace.sources}:
            self._chosen, self._in_sight = None, ""
            self._unfolded.clear()
            self._tree.clearSelection()
            self._search.clear()
        self._list(self._search.text())

    def show_chosen(self, chosen: ChosenParts) -> None:
        """Mark the parts of the prompt, and scroll to the conversation if it is a new one."""
        self._chosen = chosen
        self._model.show_chosen(chosen)
        if chosen.conversation is not None and chosen.conversation.id != self._in_sight:
            self._show_current()

    def _set_up_tree(self) -> None:
        tree = self._tree
        tree.setModel(self._model)
        tree.setItemDelegate(_Lines(tree))
        tree.setHeaderHidden(True)
        tree.setUniformRowHeights(True)
        tree.setFrameShape(QTreeView.Shape.NoFrame)
        tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        tree.setIndentation(3 * UNIT)
        tree.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        tree.customContextMenuRequested.connect(self._offer)
        delete = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), tree)
        set_use(delete, "Remove from what is open")
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._remove)
        tree.header().setStretchLastSection(False)
        tree.header().setMinimumSectionSize(6 * UNIT)
        tree.header().setSectionResizeMode(self._model.column("title"), QHeaderView.ResizeMode.Stretch)
        tree.header().setSectionResizeMode(self._model.column("detail"), QHeaderView.ResizeMode.ResizeToContents)
        tree.expanded.connect(lambda index: self._remember(index, True))
        tree.collapsed.connect(lambda index: self._remember(index, False))
        tree.pressed.connect(lambda _: self._await_tick())
        tree.clicked.connect(self._take_click)
        tree.activated.connect(self._choose)

    def _list(self, wanted: str) -> None:
        key_of, bar = self._model.key_of, self._tree.verticalScrollBar()
        current, scroll = self._tree.currentIndex(), bar.value()
        selected = {key_of(node) for node in self._selected}
        here = key_of(current.data(Qt.ItemDataRole.UserRole)) if current.isValid() else None
        self._is_listing = True
        self._model.show_workspace(self._workspace, wanted.strip())
        self._unfold(QModelIndex())
        self._is_listing = False
        if not self._select(selected, here):
            self._show_current()
        bar.setValue(scroll)

    def _select(self, selected: Set[NodeKey], current: NodeKey | None) -> bool:
        """Select these lines again; return whether any of them still exists."""
        found = self._model.indexes_of(selected | ({current} if current else set()))
        picked = self._tree.selectionModel()
        if current is not None and current in found:
            picked.setCurrentIndex(found[current], _Flag.NoUpdate)
        for key in selected & found.keys():
            picked.select(found[key], _Flag.Select | _Flag.Rows)
        return bool(found)

    def _remember(self, index: QModelIndex, unfolded: bool) -> None:
        """Remember that the user unfolded or folded a line."""
        if not self._is_listing:
            self._unfolded[self._model.key_of(index.data(Qt.ItemDataRole.UserRole))] = unfolded

    def _unfold(self, parent: QModelIndex) -> None:
        """Unfold the lines unfolded by the user; otherwise files and groups with choices, but no branches or long
        groups.
        """
        for row in range(self._model.rowCount(parent)):
            index = self._model.index(row, self._model.column("title"), parent)
            node: Node = index.data(Qt.ItemDataRole.UserRole)
            choosable = node.kind == "group" and node.children[0].kind in _CHOOSABLE
            usual = node.kind == "file" or (choosable and len(node.children) <= EXPANDED_UP_TO)
            if self._unfolded.get(self._model.key_of(node), usual):
                self._tree.expand(index)
                self._unfold(index)

    def _show_current(self) -> None:
        conversation = self._chosen.conversation if self._chosen else None
        if conversation is None:
            return
        self._in_sight = conversation.id
        index = self._model.index_of("conversation", conversation.id)
        if index.isValid() and self._tree.isExpanded(index.parent()):
            # While Ctrl is held, as for undoing, the view itself would add it to the selection.
            self._tree.selectionModel().setCurrentIndex(index, _Flag.ClearAndSelect | _Flag.Rows)
            self._tree.scrollTo(index)

    @property
    def _selected(self) -> list[Node]:
        """The nodes of the selected lines, from top to bottom."""
        rows = self._tree.selectionModel().selectedRows(self._model.column("title"))
        nodes: list[Node] = [index.data(Qt.ItemDataRole.UserRole) for index in rows]
        return sorted(nodes, key=lambda node: node.number)

    def _await_tick(self) -> None:
        self._is_ticked = False

    def _take_sets(self, names: list[str]) -> None:
        self._is_ticked = True
        self.memory_sets_chosen.emit(names)

    def _take_click(self, index: QModelIndex) -> None:
        """Choose the clicked line, unless the click extended the selection or ticked a box."""
        if not self._is_ticked and not QGuiApplication.keyboardModifiers() & _SELECTING:
            self._choose(index)

    def _choose(self, index: QModelIndex) -> None:
        node: Node = index.data(Qt.ItemDataRole.UserRole)
        if node.kind in ("memory_set", "lorebook"):
            self.panel_requested.emit(PANELS[node.kind])
        else:
            self._use([node])

    def _use(self, nodes: Sequence[Node]) -> None:
        node = nodes[0]
        if node.kind == "conversation":
            self.conversation_chosen.emit(node.thing)
        elif node.kind == "branch":
            self.leaf_chosen.emit(node.conversation, node.thing)
        elif node.kind in ("speaker", "no_speaker"):
            self.assistant_chosen.emit(node.conversation, node.thing or None)
        elif node.kind == "character":
            self.character_chosen.emit(node.thing)
        elif node.kind == "no_character":
            self.character_chosen.emit(None)
        elif node.kind == "memory_set":
            self._model.use_memory_sets(nodes, not all(map(self._model.is_current, nodes)))

    def _show(self, node: Node, panel: str) -> None:
        if node.kind == "conversation":
            self.conversation_chosen.emit(node.thing)
        self.panel_requested.emit(panel)

    def _offer(self, place: QPoint) -> None:
        """Open the menu of the selected lines."""
        from inspector.gui.screens.sources.node_menu import NodeMenu

        nodes = self._selected
        if not nodes:
            return
        menu = NodeMenu(nodes, self._model.is_current, self._tree)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.add_use(lambda: self._use(nodes))
        menu.add_show(lambda panel: self._show(nodes[0], panel))
        menu.add_rename(lambda: self._tree.edit(self._tree.currentIndex()))
        menu.add_remove(self._remove)
        files = list(dict.fromkeys(self._model.file_of(node) for node in nodes))
        menu.add_files(
            len(files), lambda: self.reload_requested.emit(files), lambda: self.reveal_requested.emit(files[0])
        )
        menu.popup(self._tree.viewport().mapToGlobal(place))

    def _remove(self) -> None:
        """Emit the selected lines for removal; a group means its contents."""
        nodes = [child for node in self._selected for child in (node.children if node.kind == "group" else [node])]
        removable = [node for node in nodes if node.kind in REMOVABLE]
        if removable:
            self.removal_requested.emit(removable)


def _name_of(chosen: ChosenParts) -> str:
    return chosen.conversation.id if chosen.conversation else ""
