"""The screen of the sources: what the prompt draws from, and all files that are open."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.assembly.choices import ChosenParts
from inspector.assembly.edits import (
    choose_assistant,
    choose_character,
    choose_leaf,
    choose_memory_sets,
)
from inspector.assembly.tidying import key_of
from inspector.gui.files.opening import listed_problems
from inspector.gui.screens.screen import Controls, Host, Screen
from inspector.gui.session.marking import leave_out
from inspector.model import Problem, Workspace
from inspector.reading.values import clean

if TYPE_CHECKING:
    from inspector.gui.screens.sources.files_dialog import FilesDialog
    from inspector.gui.screens.sources.nodes import Node
    from inspector.gui.screens.sources.view import SourcesView


class SourcesScreen(Screen["SourcesView"]):
    """The chat, characters, memories, lorebooks and the rest, and the ways to all files and problems."""

    name, title, area, at_once = "sources", "Sources", "left", True
    icon, perspectives = "message-square", ("inspect", "compare", "tune", "replay")

    def __init__(self, host: Host, parent: QWidget) -> None:
        super().__init__(host, parent)
        self._dialog: FilesDialog | None = None
        self._chosen: ChosenParts | None = None

    def show_workspace(self) -> None:
        """Show what is open, and its problems."""
        session = self.host.session
        if session.workspace == Workspace():
            self._chosen = None
        self.view.show_loading(self._is_loading)
        self.view.show_workspace(session.workspace)
        if self._dialog is not None:
            self._dialog.show_workspace(session.workspace)
        self._show_problems()

    @property
    def _is_loading(self) -> bool:
        session = self.host.session
        return session.answer is None and not session.is_ready

    def slots(self) -> Mapping[str, Callable[[], object]]:
        return {
            "all_files": self._show_files,
            "choose_chat": self._choose_chat,
        }

    def show_controls(self, controls: Controls) -> None:
        """List the parts of the prompt."""
        self._chosen = controls.case.chosen
        self.view.show_chosen(self._chosen)
        if self._dialog is not None:
            self._dialog.show_chosen(self._chosen)

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Show how much of each source is in the prompt."""
        self.view.show_answer(after)

    def _make(self, parent: QWidget) -> "SourcesView":
        from inspector.gui.screens.sources.view import SourcesView

        host, edit, view = self.host, self.host.session.edit, SourcesView(parent)
        view.character_chosen.connect(partial(edit, choose_character))
        view.memory_sets_chosen.connect(partial(edit, choose_memory_sets))
        view.turned.connect(self._leave_out)
        view.page_requested.connect(host.show_screen)
        view.items_requested.connect(host.turn_filter)
        view.chats_requested.connect(self._choose_chat)
        view.files_requested.connect(self._show_files)
        view.problems_requested.connect(lambda: host.do("show_problems"))
        view.add_requested.connect(lambda: host.do("add"))
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

    def _leave_out(self, rows: Sequence[int]) -> None:
        """Leave the items of a source out of the prompt, or take them in."""
        if (answer := self.host.session.answer) is not None:
            leave_out(self.host.session, [answer.assembly.candidates.ids[row] for row in rows])

    def _show_problems(self) -> None:
        """Show how many problems there are: with plug-ins, open files, and files that could not be opened."""
        self.view.show_problems(listed_problems(self.host.session.workspace, self.host.session.unread))

    def _show_files(self) -> None:
        """Open the list of all files, or bring it to the front."""
        if self._dialog is None:
            self._dialog = self._made_dialog()
        self._dialog.show()
        self._dialog.raise_()
        self._dialog.activateWindow()

    def _made_dialog(self) -> "FilesDialog":
        from inspector.gui.screens.sources.files_dialog import FilesDialog

        host, session, dialog = self.host, self.host.session, FilesDialog(self.view.window())
        files = dialog.files
        files.conversation_chosen.connect(self._choose)
        files.leaf_chosen.connect(self._choose_leaf)
        files.assistant_chosen.connect(self._choose_assistant)
        files.character_chosen.connect(partial(session.edit, choose_character))
        files.memory_sets_chosen.connect(partial(session.edit, choose_memory_sets))
        files.panel_requested.connect(host.show_screen)
        files.removal_requested.connect(self._remove)
        files.title_requested.connect(self._rename)
        files.reload_requested.connect(self._reload)
        files.reveal_requested.connect(self._reveal)
        dialog.destroyed.connect(self._forget_dialog)
        dialog.show_workspace(session.workspace)
        if self._chosen is not None:
            dialog.show_chosen(self._chosen)
        return dialog

    def _forget_dialog(self) -> None:
        self._dialog = None

    def _choose_chat(self) -> None:
        """Open the list of all open chats, below the one in use."""
        from inspector.gui.screens.sources.chats import ChatChooser, chat_key

        session = self.host.session
        if not session.workspace.conversations:
            self.host.say("No chat is open")
            return
        chooser = ChatChooser(self.view.window())
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.chat_chosen.connect(self._choose)
        chooser.chat_chosen.connect(lambda name: self.host.used.add(chat_key(name)))
        chat = self._chosen.conversation if self._chosen is not None else None
        corner, name = self.view.corner_of_chat(), chat.id if chat is not None else ""
        chooser.open_at(corner, session.workspace, name, self.host.used.keys)

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
