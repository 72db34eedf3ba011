"""The workspace: the open files, their parts in the prompt, and the problems met while loading them."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from inspector.assembly.choices import ChosenParts
from inspector.gui.parts.asking_view import EmptyState
from inspector.gui.screens.sources.conversation_list import ConversationList
from inspector.gui.screens.sources.problem_list import ProblemList
from inspector.gui.theme import PANEL_MARGIN, UNIT
from inspector.model import Problem, Workspace


class WorkspaceView(QWidget):
    """The tree of the workspace with the problems below it; before anything is open, the ways to begin.

    Signals carry wishes: another conversation (id), a branch (conversation id, id of its last message), an assistant
    (conversation id, name of the speaker, None for the file's own), a character (id, None for the file's own), memory
    sets (ids), a panel to see (its name), a file to open, a sample; nodes to remove, a node to rename (with its title),
    files to read again or to reveal (their paths).
    """

    conversation_chosen = Signal(str)
    leaf_chosen = Signal(str, str)
    assistant_chosen = Signal(str, object)
    character_chosen = Signal(object)
    memory_sets_chosen = Signal(list)
    panel_requested = Signal(str)
    open_requested = Signal()
    sample_requested = Signal()
    removal_requested = Signal(list)
    title_requested = Signal(object, str)
    reload_requested = Signal(list)
    reveal_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._list = ConversationList()
        self._list.conversation_chosen.connect(self.conversation_chosen)
        self._list.leaf_chosen.connect(self.leaf_chosen)
        self._list.assistant_chosen.connect(self.assistant_chosen)
        self._list.character_chosen.connect(self.character_chosen)
        self._list.memory_sets_chosen.connect(self.memory_sets_chosen)
        self._list.panel_requested.connect(self.panel_requested)
        self._list.removal_requested.connect(self.removal_requested)
        self._list.title_requested.connect(self.title_requested)
        self._list.reload_requested.connect(self.reload_requested)
        self._list.reveal_requested.connect(self.reveal_requested)
        self._empty = EmptyState(
            "Nothing is open",
            "Open a conversation (Ctrl+O), drop a file here, or try a sample.",
            (("Open…", self.open_requested.emit), ("Try a sample", self.sample_requested.emit)),
        )
        self._loading = EmptyState("Loading…", "What is being opened is listed here.")
        self._is_loading = self._holds_something = False
        self._problems = ProblemList()
        self._stack = QStackedLayout()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._loading)
        self._stack.addWidget(self._list)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN, UNIT)
        layout.setSpacing(UNIT)
        layout.addLayout(self._stack, 1)
        layout.addWidget(self._problems)

    def show_workspace(self, workspace: Workspace) -> None:
        """List the open files and their contents."""
        self._list.show_workspace(workspace)
        self._holds_something = _holds_something(workspace)
        self._show_page()

    def show_loading(self, is_loading: bool) -> None:
        """Set whether files are being opened while nothing is open yet."""
        self._is_loading = is_loading
        self._show_page()

    def _show_page(self) -> None:
        nothing = self._loading if self._is_loading else self._empty
        self._stack.setCurrentWidget(self._list if self._holds_something else nothing)

    def show_problems(self, problems: tuple[Problem, ...]) -> None:
        """List the problems, folded."""
        self._problems.show_problems(problems)

    def unfold_problems(self) -> None:
        """Unfold the list of problems and go there."""
        self._problems.unfold()

    def show_chosen(self, chosen: ChosenParts) -> None:
        """Mark the parts of the prompt."""
        self._list.show_chosen(chosen)


def _holds_something(workspace: Workspace) -> bool:
    return bool(workspace.sources) or bool(workspace.conversations or workspace.memory_sets or workspace.characters)
