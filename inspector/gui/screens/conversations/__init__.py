"""The screen of the chats: all open ones, with the results of the current setting."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.assembly.answer import Answer
from inspector.gui.screens.screen import Controls, Screen

if TYPE_CHECKING:
    from inspector.gui.screens.conversations.view import ConversationsView
    from inspector.retrieval.search.find import Found

_SEARCH = "find chats"


class ConversationsScreen(Screen["ConversationsView"]):
    """All chats of the workspace; an opened one is shown item by item."""

    name, title, perspectives = "conversations", "Chats", ("archive",)

    def show_workspace(self) -> None:
        """List the open chats."""
        session = self.host.session
        session.tasks.cancel(_SEARCH)
        self.host.looking.show_workspace(session.workspace)
        self._show_unread()
        self.view.refresh()

    def show_controls(self, controls: Controls) -> None:
        """Mark the inspected chat, and show the setting."""
        self.view.setting.show_controls(controls, self.host.used.keys)
        chosen = controls.case.chosen.conversation
        self.host.looking.show_chosen(chosen.id if chosen else "")

    def show_answer(self, before: Answer | None, after: Answer | None) -> None:
        """Request new figures where the setting changed; counts arriving meanwhile change nothing."""
        if before is None or after is None or self.host.looking.take_setting(before.scenario, after.scenario):
            self.view.refresh()

    def _make(self, parent: QWidget) -> "ConversationsView":
        from inspector.gui.screens.conversations.view import ConversationsView

        host = self.host
        view = ConversationsView(host.looking, parent)
        view.opened.connect(self._open)
        view.open_requested.connect(lambda: host.do("open"))
        view.requested.connect(host.looking.begin)
        view.looked_for.connect(host.looking.ask_first)
        view.words_changed.connect(self._find)
        view.problems_requested.connect(lambda: host.do("show_problems"))
        host.looking.only_requested.connect(view.show_only)
        self._connect_setting(view)
        host.session.unread_changed.connect(self._show_unread)
        return view

    def _connect_setting(self, view: "ConversationsView") -> None:
        from inspector.assembly import edits
        from inspector.plugins import policies

        session, setting = self.host.session, view.setting
        setting.offer(policies()[0], session.presets)
        session.presets_changed.connect(lambda: setting.offer(policies()[0], session.presets))
        setting.model_chosen.connect(lambda name: session.edit(edits.use_model, name))
        setting.window_chosen.connect(lambda tokens: session.edit(edits.use_window, tokens))
        setting.refused.connect(self.host.say)
        setting.preset_chosen.connect(session.use_policy)
        setting.more_requested.connect(lambda: self.host.show_screen("settings"))

    def _show_unread(self) -> None:
        self.view.show_unread(len({problem.file for problem in self.host.session.unread}))

    def _find(self, words: str) -> None:
        """Find chats by the words in their messages."""
        session = self.host.session
        session.tasks.cancel(_SEARCH)
        if not words.strip() or not session.is_anything_open:
            return
        search = self.host.searching

        def request() -> "Iterator[Found]":
            yield search.find_first(words)

        session.tasks.run(_SEARCH, request, partial(self._show_found, words), lambda: None, session.fail_work)

    def _show_found(self, words: str, found: "Found") -> None:
        """Show what was found, unless other words have been typed since."""
        if words != self.view.search.text():
            return
        rows = {chat.id: row for row, chat in enumerate(self.host.session.workspace.conversations)}
        self.view.show_hits({rows[group.holder.id]: group for group in found.groups if group.holder.id in rows})

    def _open(self, row: int) -> None:
        """Open a chat item by item, at the words of the search if it was found by them."""
        from inspector.retrieval.search.words import words_of

        session, group = self.host.session, self.view.hits.get(row)
        session.show_conversation(session.workspace.conversations[row].id)
        self.host.show_screen("decisions")
        if group is not None and group.places:
            self.host.go_to(group, words_of(self.view.search.text()))
