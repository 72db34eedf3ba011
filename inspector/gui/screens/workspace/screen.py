"""The screen of the workspace: what is open, and what of it takes part."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.edits import choose_character, choose_conversation, choose_leaf, choose_memory_sets
from inspector.gui.screens.screen import Controls, Screen
from inspector.model import changed
from inspector.plugins import plugin_problems

if TYPE_CHECKING:
    from inspector.gui.screens.workspace.view import WorkspaceView


class WorkspaceScreen(Screen["WorkspaceView"]):
    """Conversations, characters, memories and lorebooks, and the problems met while loading them."""

    name, title, area, at_once = "workspace", "Workspace", "left", True

    def show_workspace(self) -> None:
        """List what is open, with the plug-ins that could not be loaded among its problems."""
        workspace = self.host.session.workspace
        self.view.show_workspace(changed(workspace, problems=(*plugin_problems(), *workspace.problems)))

    def show_controls(self, controls: Controls) -> None:
        """Mark what takes part."""
        self.view.show_chosen(controls.case.chosen)

    def _make(self, parent: QWidget) -> "WorkspaceView":
        from inspector.gui.screens.workspace.view import WorkspaceView

        host, edit, view = self.host, self.host.session.edit, WorkspaceView(parent)
        view.conversation_chosen.connect(self._choose)
        view.leaf_chosen.connect(partial(edit, choose_leaf))
        view.character_chosen.connect(partial(edit, choose_character))
        view.memory_sets_chosen.connect(partial(edit, choose_memory_sets))
        view.panel_requested.connect(host.show_screen)
        view.open_requested.connect(lambda: host.do("open"))
        view.sample_requested.connect(lambda: host.do("open_sample"))
        return view

    def _choose(self, name: str) -> None:
        """Show another conversation."""
        self.host.session.edit(choose_conversation, self.host.session.workspace, name)
