"""The context menu of sources and files: the actions on the selected lines. It only calls the given functions."""

from collections.abc import Callable, Sequence

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from inspector.assembly.tidying import NAMED
from inspector.gui.parts.texts import control_text
from inspector.gui.screens.sources.nodes import PANELS, REMOVABLE, Node

USABLE = ("conversation", "branch", "speaker", "no_speaker", "character", "no_character", "memory_set")


class NodeMenu(QMenu):
    """A menu for these nodes, with only the actions that apply to them; `is_used` tells whether a node is in use."""

    def __init__(self, nodes: Sequence[Node], is_used: Callable[[Node], bool], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("workspace_menu")
        self._first, self._is_alone = nodes[0], len(nodes) == 1
        self._kinds = {node.kind for node in nodes}
        self._used = all(is_used(node) for node in nodes)

    def add_use(self, use: Callable[[], object]) -> None:
        """Offer to use the node, or to stop using memory sets."""
        memories = self._kinds == {"memory_set"}
        key = "Space" if memories else "Return"
        if memories or (self._is_alone and self._first.kind in USABLE):
            self._add("use", "Do not use" if memories and self._used else "Use", use, key if self._is_alone else "")

    def add_turn(self, title: str, turn: Callable[[], object], key: str = "Space") -> None:
        """Offer to take a source out of the prompt, or to bring it in."""
        self._add("turn", title, turn, key)

    def add_show(self, show: Callable[[str], object]) -> None:
        """Offer to go to the panel of the node."""
        if self._is_alone and self._first.kind in PANELS:
            self._add("show", "Show", lambda: show(PANELS[self._first.kind]))

    def add_rename(self, rename: Callable[[], object]) -> None:
        """Offer to rename the node."""
        if self._is_alone and self._first.kind in NAMED:
            self._add("rename", "Rename", rename, "F2")

    def add_remove(self, remove: Callable[[], object]) -> None:
        """Offer to remove the nodes from what is open."""
        if self._kinds & {*REMOVABLE}:
            self.addSeparator()
            self._add("remove", "Remove from what is open", remove, "Delete")

    def add_files(self, files: int, reload: Callable[[], object], reveal: Callable[[], object]) -> None:
        """Offer to read the files of the lines again, or if there is only one, to show its place."""
        self.addSeparator()
        self._add("reload", "Reload the file" if files == 1 else "Reload the files", reload)
        if files == 1:
            self._add("reveal", "Show the file in its folder", reveal)

    def _add(self, name: str, title: str, done: Callable[[], object], key: str = "") -> None:
        action = self.addAction(control_text(title))
        action.setObjectName(f"menu:{name}")
        if key:
            action.setShortcut(QKeySequence(key))
            action.setShortcutVisibleInContextMenu(True)
        action.triggered.connect(lambda _checked=False: done())
