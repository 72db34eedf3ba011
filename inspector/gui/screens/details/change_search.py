"""The search of the explanation: it looks for changes to the fate of an item, once all else is done."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from inspector.analysis.explanation.solver import SmallestChange, smallest_changes
from inspector.gui.session import Session

REST_MILLISECONDS = 350
WORK = "changes"


class ChangeSearch(QObject):
    """A search for the smallest changes of a row, a moment after `begin` and once the session is ready; the latest
    wins.

    `show(row, changes)` is called with the result, in this thread; with None if the search was cancelled.
    """

    def __init__(
        self, session: Session, show: Callable[[int, tuple[SmallestChange, ...] | None], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._show = session, show
        self._row: int | None = None
        self._is_due = False
        self._rest = QTimer(self, singleShot=True, interval=REST_MILLISECONDS)
        self._rest.timeout.connect(self._rested)
        session.ready_changed.connect(self._look)
        session.work_cancelled.connect(self._cancel)

    def begin(self, row: int | None) -> None:
        """Look for the changes of this row of the answer when nothing has moved for a moment."""
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
            self._show(row, None)

    def _look(self) -> None:
        """Search now, if it is time and all counts shown are complete."""
        row = self._row
        if row is None or not self._is_due or not self._session.is_ready:
            return

        def finish(found: tuple[SmallestChange, ...]) -> None:
            self._row = None
            self._show(row, found)

        make = lambda basis: iter([tuple(smallest_changes(basis, row))])  # noqa: E731 - of this row
        self._is_due = False
        self._is_due = not self._session.ask(WORK, make, finish)
