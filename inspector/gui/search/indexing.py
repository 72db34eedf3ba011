"""The index of all open texts: made in the background, and anew for another workspace."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inspector.gui.session.session import Session

if TYPE_CHECKING:
    from inspector.retrieval.search.find import Search

_TASK = "index everything"


class Indexing(QObject):
    """Follows the workspace of a session. `progressed` reports a new indexed share, 0–1, and a new index."""

    progressed = Signal()

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._search: Search | None = None
        self.share = 0.0
        session.workspace_changed.connect(self._forget)
        session.ready_changed.connect(lambda is_ready: self.search() if is_ready else None)

    def search(self) -> "Search":
        """Return the search over everything open. The first call starts its index."""
        if self._search is None:
            from inspector.retrieval.search.find import Search

            self._search = search = Search(self._session.workspace)
            self._session.tasks.run(_TASK, search.build, self._tell, lambda: self._tell(1.0), self._fail)
        return self._search

    def _forget(self) -> None:
        """Drop the search over the previous workspace."""
        self._session.tasks.cancel(_TASK)
        if self._search is not None:
            self._search.close()
        self._search = None
        self._tell(0.0)

    def _tell(self, share: float) -> None:
        self.share = share
        self.progressed.emit()

    def _fail(self, error: Exception) -> None:
        self._session.fail_work(error)
        self._tell(1.0)
