"""The start page: what the program is for, and the ways to begin. It fills the window while nothing is open."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.gui.screens.screen import Screen
from inspector.gui.session.recent import entry_text
from inspector.resources import first_sample

if TYPE_CHECKING:
    from inspector.gui.screens.start.view import RecentEntry, StartView


class StartScreen(Screen["StartView"]):
    """The first page of a window in which nothing is open."""

    name, title, area, perspectives = "start", "Start", "start", ()

    def show_details(self) -> None:
        """List what was opened lately and unsaved work, as they are now."""
        self.view.show_recent(self._recent())
        self.view.show_unsaved(self.host.unsaved)

    def take_keyboard(self) -> None:
        """Move the focus to the first action."""
        self.view.cards[0].setFocus()

    def _make(self, parent: QWidget) -> "StartView":
        from inspector.gui.screens.start.view import StartView

        view, host = StartView(parent), self.host
        view.sample_requested.connect(partial(host.open_paths, [str(first_sample())]))
        view.requested.connect(host.do)
        view.recent_chosen.connect(host.open_paths)
        view.unsaved_chosen.connect(host.recover)
        return view

    def _recent(self) -> "list[RecentEntry]":
        from inspector.gui.screens.start.view import RecentEntry

        state = self.host.state
        found = []
        for paths in state.recent if state is not None else ():
            about = state.about(paths) if state is not None else None
            names = ", ".join(Path(path).name or path for path in paths)
            words, time = (about.words, about.time) if about else ("", None)
            found.append(RecentEntry(paths, names, words, time, entry_text(paths)))
        return found
