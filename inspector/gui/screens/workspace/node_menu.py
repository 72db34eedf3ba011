"""The context menu of the workspace: what can be done with the selected lines. It only tells what was asked for."""

from collections.abc import Callable, Sequence

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from inspector.assembly.tidying import NAMED
from inspector.gui.parts.plain_text import control_text
from inspector.gui.screens.workspace.nodes import PANELS, REMOVABLE, Node

USABLE = ("conversation", "branch", "speaker", "no_speaker", "character", "no_character", "memory_set")


class NodeMenu(QMenu):
    """A menu for these nodes. What makes no sense for them is not in it; `is_used` says so of a node."""

    def __init__(self, nodes: Sequence[Node], is_used: Callable[[Node], bool], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("workspace_menu")
        self._first, self._is_alone = nodes[0], len(nodes) == 1
        self._kinds = {node.kind for node in nodes}
        self._used = all(is_used(node) for node in nodes)

    def add_use(self, use: Callable[[], object]) -> None:
        """Let it take part in the prompt, or memory sets no longer."""
        memories = self._kinds == {"memory_set"}
        key = "Space" if memories else "Return"
        if memories or (self._is_alone and self._first.kind in USABLE):
            self._add("use", "Do not use" if memories and self._used else "Use", use, key if self._is_alone else "")

    def add_show(self, show: Callable[[str], object]) -> None:
        """Go to the panel of it."""
        if self._is_alone and self._first.kind in PANELS:
            self._add("show", "Show", lambda: show(PANELS[self._first.kind]))

    def add_rename(self, rename: Callable[[], object]) -> None:
        """Call it otherwise."""
        if self._is_alone and self._first.kind in NAMED:
            self._add("rename", "Rename", rename, "F2")

    def add_remove(self, remove: Callable[[], object]) -> None:
        """Take it out of the workspace."""
        if self._kinds & {*REMOVABLE}:
            self.addSeparator()
            self._add("remove", "Remove from the workspace", remove, "Delete")

    def add_files(self, files: int, reload: Callable[[], object], reveal: Callable[[], object]) -> None:
        """Read the so many files that the lines are from again, or show where the only one lies."""
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
