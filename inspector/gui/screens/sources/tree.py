"""The workspace as a tree of lines: files, conversations with their branches, memory sets, characters and the rest."""

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from inspector.assembly.choices import ChosenParts
from inspector.assembly.tidying import NAMED
from inspector.gui.parts.texts import one_line, tooltip, without_beginning
from inspector.gui.screens.sources.nodes import Node, file_nodes
from inspector.model import Message, Workspace

_Index = QModelIndex | QPersistentModelIndex
CURRENT_MARK = "● "
_EDITED_CODE_POINTS = 32_767
"""The most code points of an edited line."""
COLUMNS = ("title", "detail")


class NodeKey(NamedTuple):
    """The identity of a line: its kind, its id or else its title, its conversation and its file."""

    kind: str
    thing: str
    conversation: str
    title: str
    file: str


class WorkspaceTreeModel(QAbstractItemModel):
    """Lines of a title and a detail, such as a count. UserRole gives the `Node`.

    Branches and speakers are made when first needed. Memory sets can be checked: `memory_sets_asked(ids)` carries the
    wanted choice; the check itself changes with `show_chosen`. Lines with a title can be renamed: `title_asked(node,
    title)`.
    """

    memory_sets_asked = Signal(list)
    title_asked = Signal(object, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace = Workspace()
        self._wanted = ""
        self._files: list[Node] = []
        self._nodes: list[Node] = []
        self._current: frozenset[tuple[str, str]] = frozenset()
        self._conversation = ""
        self._messages: tuple[Message, ...] = ()
        self._assistants: frozenset[str] | None = None
        self._memory_sets: tuple[str, ...] = ()

    def show_workspace(self, workspace: Workspace, wanted: str = "") -> None:
        """List a workspace; with `wanted`, the conversations with this text in their titles, in upper or lower case."""
        self.beginResetModel()
        self._workspace, self._wanted = workspace, wanted
        self._files = file_nodes(workspace, wanted)
        self._nodes = []
        for row, node in enumerate(self._files):
            self._register(node, row)
        self.endResetModel()

    def show_chosen(self, chosen: ChosenParts) -> None:
        """Mark the parts of the prompt."""
        conversation, parts = chosen.conversation, chosen.parts
        current = {("memory_set", memories.id) for memories in parts.memory_sets}
        if conversation is not None:
            current.add(("conversation", conversation.id))
        if parts.messages:
            current.add(("branch", parts.messages[-1].id))
        if parts.character is not None:
            current.add(("character", parts.character.id))
        self._memory_sets = tuple(memories.id for memories in parts.memory_sets)
        if current != self._current or parts.messages is not self._messages:
            before = self._marked()
            self._conversation = conversation.id if conversation else ""
            self._current, self._messages, self._assistants = frozenset(current), parts.messages, None
            self._tell_changed(before ^ self._marked())

    def is_current(self, node: Node) -> bool:
        """Return whether a node is part of the prompt."""
        if node.conversation and node.conversation != self._conversation:
            return False
        if node.kind == "speaker":
            return node.thing in self._speaking
        return (node.kind, node.thing) in self._current

    @property
    def _speaking(self) -> frozenset[str]:
        """The names of the assistants in the prompt, computed when needed, as chats may be long."""
        if self._assistants is None:
            self._assistants = frozenset(message.name for message in self._messages if message.role == "assistant")
        return self._assistants

    def index_of(self, kind: str, thing: str) -> QModelIndex:
        """Return the index of the first node of this kind and id, an invalid index if there is none."""
        for node in self._nodes:
            if node.kind == kind and node.thing == thing:
                return self._index(node)
        return QModelIndex()

    def key_of(self, node: Node) -> NodeKey:
        """Return the identity of a line, the same from listing to listing."""
        return NodeKey(node.kind, node.thing, node.conversation, "" if node.thing else node.title, self.file_of(node))

    def indexes_of(self, keys: Collection[NodeKey]) -> dict[NodeKey, QModelIndex]:
        """Return the index of each of these lines that exists now."""
        kinds = {key.kind for key in keys}
        found = (node for node in self._nodes if node.kind in kinds)
        return {key: self._index(node) for node in found if (key := self.key_of(node)) in keys}

    def file_of(self, node: Node) -> str:
        """Return the path of the file above a node."""
        while node.parent is not None:
            node = self._nodes[node.parent]
        return node.thing

    def column(self, key: str) -> int:
        """Return the number of a column. Raises ValueError if there is no such column."""
        return COLUMNS.index(key)

    def index(self, row: int, column: int, parent: _Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        children = self._children(parent)
        if not (0 <= row < len(children) and column in range(len(COLUMNS))):
            return QModelIndex()
        return self.createIndex(row, column, children[row].number)

    def parent(self, child: _Index = QModelIndex()) -> Any:  # noqa: B008
        above = self._nodes[child.internalId()].parent if child.isValid() else None
        return QModelIndex() if above is None else self._index(self._nodes[above])

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of lines below a line, as far as they are made."""
        return 0 if parent.isValid() and parent.column() else len(self._children(parent))

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return len(COLUMNS)

    def hasChildren(self, parent: _Index = QModelIndex()) -> bool:  # noqa: B008
        """Return whether there are lines below, made or not."""
        if not parent.isValid():
            return bool(self._files)
        node = self._nodes[parent.internalId()]
        return _key(parent) == "title" and bool(node.children or node.more)

    def canFetchMore(self, parent: _Index) -> bool:
        """Return whether the lines below are still to be made."""
        return parent.isValid() and _key(parent) == "title" and self._nodes[parent.internalId()].more is not None

    def fetchMore(self, parent: _Index) -> None:
        """Make the lines below."""
        node = self._nodes[parent.internalId()] if parent.isValid() else None
        if node is None or node.more is None:
            return
        children, node.more = node.more(), None
        if children:
            self.beginInsertRows(self._index(node), 0, len(children) - 1)
            node.children = children
            for row, child in enumerate(children):
                self._register(child, row, node.number)
            self.endInsertRows()

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Let memory sets be checked, and titles be edited."""
        flags = super().flags(index)
        kind = self._nodes[index.internalId()].kind if index.isValid() and _key(index) == "title" else ""
        if kind == "memory_set":
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        return flags | Qt.ItemFlag.ItemIsEditable if kind in NAMED else flags

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        node = self._nodes[index.internalId()]
        if role == Qt.ItemDataRole.DisplayRole:
            return one_line(node.detail) if _key(index) == "detail" else self._words(node, node.title)
        if role == Qt.ItemDataRole.UserRole:
            return node
        if role == Qt.ItemDataRole.EditRole:
            return _name(node)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(node.tip or node.title, wraps=True)
        if role == Qt.ItemDataRole.CheckStateRole and node.kind == "memory_set" and _key(index) == "title":
            return Qt.CheckState.Checked if self.is_current(node) else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.TextAlignmentRole and _key(index) == "detail":
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def shorter(self, index: _Index) -> str:
        """Return the text of a line without room for its title: only its difference from the lines around it."""
        node = self._nodes[index.internalId()]
        return self._words(node, without_beginning(node.name, node.title))

    def setData(self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Ask for other memory sets, or for another title. The line changes once they are chosen."""
        if not index.isValid():
            return False
        node = self._nodes[index.internalId()]
        if role == Qt.ItemDataRole.EditRole and node.kind in NAMED:
            if str(value).strip() != _name(node).strip():
                self.title_asked.emit(node, str(value).strip())
            return True
        if role != Qt.ItemDataRole.CheckStateRole or node.kind != "memory_set":
            return False
        self.use_memory_sets([node], Qt.CheckState(value) == Qt.CheckState.Checked)
        return True

    def use_memory_sets(self, nodes: Iterable[Node], used: bool) -> None:
        """Ask for the memory sets in use, with these nodes added or removed."""
        things = {node.thing for node in nodes}
        chosen = {*self._memory_sets} | things if used else {*self._memory_sets} - things
        known = [memories.id for memories in self._workspace.memory_sets]
        self.memory_sets_asked.emit([name for name in known if name in chosen])

    def _words(self, node: Node, title: str) -> str:
        marked = node.kind in ("conversation", "branch", "speaker", "character") and self.is_current(node)
        return f"{CURRENT_MARK if marked else ''}{one_line(title)}"

    def _children(self, parent: _Index) -> list[Node]:
        return self._nodes[parent.internalId()].children if parent.isValid() else self._files

    def _index(self, node: Node) -> QModelIndex:
        return self.createIndex(node.row, self.column("title"), node.number)

    def _register(self, node: Node, row: int, parent: int | None = None) -> None:
        node.parent, node.row, node.number = parent, row, len(self._nodes)
        self._nodes.append(node)
        for place, child in enumerate(node.children):
            self._register(child, place, node.number)

    def _marked(self) -> set[int]:
        """Return the numbers of the lines that are part of the prompt."""
        return {node.number for node in self._nodes if self.is_current(node)}

    def _tell_changed(self, numbers: set[int]) -> None:
        """Emit a change for each of these lines: of a folder of 1,000 files the view would measure every one."""
        for number in sorted(numbers):
            index = self._index(self._nodes[number])
            self.dataChanged.emit(index, index.siblingAtColumn(self.column("detail")))


def _name(node: Node) -> str:
    """Return the title to edit: unmasked, since the masked secrets of the shown title would be stored."""
    return (node.name or node.title)[:_EDITED_CODE_POINTS]


def _key(index: _Index) -> str:
    return COLUMNS[index.column()]
