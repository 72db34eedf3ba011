"""What helps a person to find the way: the search, the command palette, the keys, the reference, the way to the totals.

Each is made when somebody first opens it.
"""

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMainWindow

from inspector.gui.screens.screen import Host
from inspector.gui.search.indexing import Indexing

if TYPE_CHECKING:
    from inspector.gui.help.keys import KeysDialog
    from inspector.gui.help.reference import ReferenceDialog
    from inspector.gui.palette.palette import CommandPalette
    from inspector.gui.search.box import SearchBox


class Guide(QObject):
    """Of one window; `panels` are the names of its panels with their titles."""

    def __init__(self, window: QMainWindow, host: Host, panels: Mapping[str, str]) -> None:
        super().__init__(window)
        self._window, self._host, self._panels = window, host, panels
        self._indexing = Indexing(host.session, self)

    def slots(self) -> dict[str, Callable[[], object]]:
        """What each declared action calls, by its name."""
        return {
            "search": lambda: self.search.open_box(),
            "palette": lambda: self.palette.open(),
            "totals": self.show_totals,
            "keys": lambda: self.keys.open_list(),
            "reference": self.show_reference,
        }

    @cached_property
    def search(self) -> "SearchBox":
        """The search over everything that is open."""
        from inspector.gui.search.box import SearchBox
        from inspector.gui.search.going import go_to

        box = SearchBox(self._window, self._host.session.tasks, self._indexing)
        box.chosen.connect(partial(go_to, self._host))
        return box

    @cached_property
    def palette(self) -> "CommandPalette":
        """The command palette of the window."""
        from inspector.gui.palette.palette import CommandPalette

        return CommandPalette(self._window, self._host, self._panels)

    @cached_property
    def keys(self) -> "KeysDialog":
        """The list of the keys."""
        from inspector.gui.help.keys import KeysDialog

        return KeysDialog(self._window, self._panels)

    @cached_property
    def reference(self) -> "ReferenceDialog":
        """The reference."""
        from inspector.gui.help.reference import ReferenceDialog

        return ReferenceDialog(self._window)

    def show_reference(self) -> None:
        """Open the reference, with the policies and presets that there are now."""
        given = self._host.session.pipeline.choices
        self.reference.open_list(given.policies, given.presets)

    def show_totals(self) -> None:
        """Select nothing and go to the explanation, which then says where the tokens are."""
        self._host.select(None)
        self._host.go_to_screen("explanation")
