"""The search behind the details: what would keep an item, and what would change its outcome, once all else is done."""

from collections.abc import Iterator
from typing import Protocol

import numpy as np
from PySide6.QtCore import QObject, QTimer

from inspector.analysis.basis import Basis
from inspector.analysis.explanation.solver import SmallestChange, smallest_changes
from inspector.analysis.keeping.search import ways_to_keep
from inspector.analysis.keeping.way import Keeping
from inspector.gui.session.session import Session

REST_MILLISECONDS = 150
WORK = "changes"
Changes = tuple[SmallestChange, ...]


class Shows(Protocol):
    """The view that is told what was found about a row of the answer, in this thread."""

    def show_keeping(self, row: int, keeping: Keeping) -> None:
        """Show all ways that keep the item."""
        ...

    def show_changes(self, row: int, changes: Changes) -> None:
        """Show the smallest changes of its outcome."""
        ...

    def show_cancelled(self, row: int) -> None:
        """Say that the user cancelled the search."""
        ...


class ItemSearch(QObject):
    """A search about a row, a moment after `begin` and once the session is ready; the latest wins."""

    def __init__(self, session: Session, view: Shows, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._view = session, view
        self._row: int | None = None
        self._is_due = False
        self._rest = QTimer(self, singleShot=True, interval=REST_MILLISECONDS)
        self._rest.timeout.connect(self._rested)
        session.ready_changed.connect(self._look)
        session.work_cancelled.connect(self._cancel)

    def begin(self, row: int | None) -> None:
        """Search for this row of the answer when nothing has moved for a moment."""
        self.stop()
        self._row = row
        if row is not None:
            self._rest.start()

    def stop(self) -> None:
        """Stop the current search, whose item is outdated."""
        self._row, self._is_due = None, False
        self._rest.stop()
        self._session.tasks.cancel(WORK)

    def _rested(self) -> None:
        self._is_due = True
        self._look()

    def _cancel(self) -> None:
        """Stop the search at the request of the user."""
        row = self._row
        self.stop()
        if row is not None:
            self._view.show_cancelled(row)

    def _look(self) -> None:
        """Search now, if it is time and all counts shown are complete."""
        row = self._row
        if row is None or not self._is_due or not self._session.is_ready:
            return

        def show(found: Keeping | Changes) -> None:
            if isinstance(found, Keeping):
                self._view.show_keeping(row, found)
            else:
                self._row = None
                self._view.show_changes(row, found)

        self._is_due = False
        self._is_due = not self._session.ask(WORK, lambda basis: found_about(basis, row), show)


def found_about(basis: Basis, row: int) -> Iterator[Keeping | Changes]:
    """Yield all ways to keep a row, together, so that nothing moves between them; then the smallest changes."""
    keeping = Keeping(is_kept=True)
    for step in ways_to_keep(basis, np.array([row], np.intp)):
        keeping = step if isinstance(step, Keeping) else keeping
    yield keeping
    yield tuple(smallest_changes(basis, row))
