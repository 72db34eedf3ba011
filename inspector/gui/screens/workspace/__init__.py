"""The screen of the workspace: the open files, and their parts in the prompt."""

import os
from collections.abc import Sequence
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from inspector.assembly.edits import (
    choose_assistant,
    choose_character,
    choose_leaf,
    choose_memory_sets,
)
from inspector.assembly.tidying import key_of
from inspector.gui.opening import listed_problems
from inspector.gui.screens.screen import Controls, Screen
from inspector.model import Problem
from inspector.reading.values import clean

if TYPE_CHECKING:
    from inspector.gui.screens.workspace.nodes import Node
    from inspector.gui.screens.workspace.view import WorkspaceView


class WorkspaceScreen(Screen["WorkspaceView"]):
    """Conversations, characters, memories and lorebooks, and the problems met while loading them."""

    name, title, area, at_once = "workspace", "Sources", "left", True
    icon, perspectives = "message-square", ("inspect", "compare", "tune", "replay")

    def show_workspace(self) -> None:
        """List the open files and their problems."""
        self.view.show_loading(self._is_loading)
        self.view.show_workspace(self.host.session.workspace)
        self._show_problems()

    @property
    def _is_loading(self) -> bool:
        session = self.host.session
        return session.answer is None and not session.is_ready

    def show_controls(self, controls: Controls) -> None:
        """Mark the parts of the prompt."""
        self.view.show_chosen(controls.case.chosen)

    def _make(self, parent: QWidget) -> "WorkspaceView":
        from inspector.gui.screens.workspace.view import WorkspaceView

        host, edit, view = self.host, self.host.session.edit, WorkspaceView(parent)
        view.conversation_chosen.connect(self._choose)
        view.leaf_chosen.connect(self._choose_leaf)
        view.assistant_chosen.connect(self._choose_assistant)
        view.character_chosen.connect(partial(edit, choose_character))
        view.memory_sets_chosen.connect(partial(edit, choose_memory_sets))
        view.panel_requested.connect(host.show_screen)
        view.open_requested.connect(lambda: host.do("open"))
        view.sample_requested.connect(lambda: host.do("open_sample"))
        view.removal_requested.connect(self._remove)
        view.title_requested.connect(self._rename)
        view.reload_requested.connect(self._reload)
        view.reveal_requested.connect(self._reveal)
        view.show_loading(self._is_loading)
        host.session.ready_changed.connect(lambda _: view.show_loading(self._is_loading))
        host.session.unread_changed.connect(self._show_problems)
        return view

    def _show_problems(self) -> None:
        """List the problems: with plug-ins, open files, and files that could not be opened."""
        session = self.host.session
        self.view.show_problems(listed_problems(session.workspace, session.unread))

    def _choose(self, name: str) -> None:
        """Show another conversation."""
        self.host.session.show_conversation(name)

    def _choose_leaf(self, conversation: str, leaf: str) -> None:
        """Show another branch, of any conversation."""
        session = self.host.session
        session.edit(choose_leaf, session.workspace, conversation, leaf, session.chats)

    def _choose_assistant(self, conversation: str, name: str | None) -> None:
        """Take another speaker for the assistant."""
        session = self.host.session
        session.edit(choose_assistant, session.workspace, conversation, name, session.chats)

    def _remove(self, nodes: Sequence["Node"]) -> None:
        """Remove files and things from the workspace. The files on disk are kept."""
        session = self.host.session
        keys = [key_of(node.kind, self._file(node.thing) if node.kind == "file" else node.thing) for node in nodes]
        what = (nodes[0].name or nodes[0].title) if len(nodes) == 1 else f"{len(nodes):,} things"
        session.tidy(f"Remove {what}", session.now.tidying.without(keys))

    def _rename(self, node: "Node", title: str) -> None:
        session = self.host.session
        session.tidy("Rename", session.now.tidying.with_title(key_of(node.kind, node.thing), title))

    def _reload(self, origins: Sequence[str]) -> None:
        self.host.session.reload(list(dict.fromkeys(map(self._file, origins))))

    def _reveal(self, origin: str) -> None:
        """Show the folder of a file in the system's file manager, or report that there is none."""
        folder = os.path.dirname(os.path.abspath(self._file(origin)))
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(folder)):
            self.host.session.problem_reported.emit(Problem(folder, "", "no program was found that shows folders"))

    def _file(self, origin: str) -> str:
        """Return the opened file behind an origin; for files in an archive, the archive."""
        files = (part.file for part in self.host.session.now.parts if part.file)
        return next((file for file in files if PurePath(origin).is_relative_to(clean(file))), origin)
