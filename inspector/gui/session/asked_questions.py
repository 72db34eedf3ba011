"""The open questions in a window: made again when files or marks change, and shared by all screens that ask them."""

from PySide6.QtCore import QObject, Signal

from inspector.analysis.recommend.questions import Questions, Source
from inspector.assembly.marks import Marks
from inspector.model import Workspace


class AskedQuestions(QObject):
    """The questions of the chosen source. `chosen` reports another choice; files and marks report their own changes."""

    chosen = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.source = Source.BOTH
        self._made_of: tuple[Workspace, Marks, Source] | None = None
        self._now: Questions | None = None

    def of(self, workspace: Workspace, marks: Marks) -> Questions:
        """Return the questions; the same object as before while the same questions are asked."""
        made_of, before = (workspace, marks, self.source), self._now
        if before is not None and self._made_of is not None and all(map(_is_same, made_of, self._made_of)):
            return before
        now = Questions.of(workspace, marks, self.source)
        same_files = self._made_of is not None and self._made_of[0] is workspace
        self._made_of = made_of
        if before is None or not same_files or (now.offered, now.source) != (before.offered, before.source):
            self._now = now
        return self._now or now

    def choose(self, source: Source) -> None:
        """Ask the questions of another source."""
        if source is not self.source:
            self.source = source
            self.chosen.emit()


def _is_same(one: object, other: object) -> bool:
    return one is other
