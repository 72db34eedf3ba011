"""The work of the explanation: looking for what would change the fate of an item, when the mouse rests."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from inspector.analysis.solver import SmallestChange, smallest_changes
from inspector.gui.session import Session

REST_MILLISECONDS = 350
WORK = "changes"


class ChangeSearch(QObject):
    """Looks a moment after `begin` for the smallest changes of one row; the latest request wins.

    `show(row, changes)` is called with what was found, in this thread.
    """

    def __init__(
        self, session: Session, show: Callable[[int, tuple[SmallestChange, ...]], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._show = session, show
        self._row: int | None = None
        self._rest = QTimer(self, singleShot=True, interval=REST_MILLISECONDS)
        self._rest.timeout.connect(self._look)

    def begin(self, row: int | None) -> None:
        """Look for the changes of this row when nothing has moved for a moment."""
        self._row = row
        self._rest.start()

    def stop(self) -> None:
        """What is being looked for is of before."""
        self._rest.stop()
        self._session.tasks.cancel(WORK)

    def _look(self) -> None:
        session, row = self._session, self._row
        if row is None or session.policy is None:
            return
        pipeline, scenario = session.pipeline.fork(), session.scenario
        found: list[SmallestChange] = []
        session.tasks.run(
            WORK,
            lambda: smallest_changes(pipeline, scenario, row),
            found.append,
            lambda: self._show(row, tuple(found)),
            session.fail_work,
        )
