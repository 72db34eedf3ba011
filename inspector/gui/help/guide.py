"""Guidance for the user: tour, the box for everything, keys, reference, and the way to the totals.

Each is made when first opened.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMainWindow

from inspector.derived import cached_property
from inspector.gui.screens.screen import Host, Screen
from inspector.gui.search.indexing import Indexing
from inspector.resources import first_sample

if TYPE_CHECKING:
    from inspector.gui.help.first_tour import FirstTour
    from inspector.gui.help.keys import KeysDialog
    from inspector.gui.help.reference import ReferenceDialog
    from inspector.gui.search.box import SearchBox


class Guide(QObject):
    """The guidance of a window. `screens` are its pages and columns by name."""

    def __init__(self, window: QMainWindow, host: Host, screens: Mapping[str, Screen]) -> None:
        super().__init__(window)
        self._window, self._host, self._screens, self._waits = window, host, screens, False
        host.session.ready_changed.connect(self._take_ready)
        self.indexing = Indexing(host.session, self)

    def slots(self) -> dict[str, Callable[[], object]]:
        """Return the functions of the declared actions, by name."""
        return {
            "search": lambda: self.search.open_box(texts_first=True),
            "palette": lambda: self.search.open_box(texts_first=False),
            "totals": self.show_totals,
            "keys": lambda: self.keys.open_list(),
            "reference": self.show_reference,
            "first_tour": self.show_first_tour,
        }

    def show_first_tour(self) -> None:
        """Begin or restart the first tour, in Inspect; if nothing is open, over the sample chat."""
        session = self._host.session
        self._waits = not session.is_anything_open
        if self._waits:
            self._host.open_paths([str(first_sample())])
        else:
            self._begin_tour()

    def _take_ready(self, ready: bool) -> None:
        """Begin a tour that waits for its sample."""
        if ready and self._waits:
            self._waits = False
            if self._host.session.answer is not None:
                self._begin_tour()

    def _begin_tour(self) -> None:
        self._host.do("inspect")
        self.first_tour.begin()

    @cached_property
    def first_tour(self) -> "FirstTour":
        """The tour of the window."""
        from inspector.gui.help.first_tour import FirstTour

        return FirstTour(self._window)

    @cached_property
    def search(self) -> "SearchBox":
        """The box for everything."""
        from inspector.gui.search.box import SearchBox

        return SearchBox(self._window, self._host, self._screens, self.indexing)

    @cached_property
    def keys(self) -> "KeysDialog":
        """The list of keys."""
        from inspector.gui.help.keys import KeysDialog

        return KeysDialog(self._window)

    @cached_property
    def reference(self) -> "ReferenceDialog":
        """The reference."""
        from inspector.gui.help.reference import ReferenceDialog

        return ReferenceDialog(self._window)

    def show_reference(self) -> None:
        """Open the reference with the current policies and presets."""
        given = self._host.session.pipeline.choices
        self.reference.open_list(given.policies, given.presets)

    def show_totals(self) -> None:
        """Clear the selection and go to the details, which then show where the tokens are."""
        self._host.select(None)
        self._host.show_screen("details")
