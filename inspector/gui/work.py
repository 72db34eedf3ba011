"""Background work: its progress, and whether all of it is done."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from inspector.gui.progress import Progress
from inspector.gui.tasks import Request, Tasks
from inspector.model import Problem
from inspector.settings import cache_file
from inspector.tokens.cache import CountCache


class Work(QObject):
    """Runs the work for the window's values on workers, and reports progress, problems and readiness.

    Holders of such values derive from it, and tell by `is_beginning` whether more work is about to start.
    """

    progress_changed = Signal(object)
    problem_reported = Signal(object)
    ready_changed = Signal(bool)
    work_cancelled = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.tasks = Tasks(self)
        self.tasks.changed.connect(self.tell_ready)
        self.cache = CountCache(cache_file())
        self._drawn = True
        self._told_ready = True
        self._told_cache = ""

    @property
    def is_beginning(self) -> bool:
        """Whether work that has to be waited for is about to start."""
        raise NotImplementedError

    @property
    def is_ready(self) -> bool:
        """Whether no loading, counting, measuring, drawing or writing is pending.

        Every shown value that can be exact is then exact, unless counting was cancelled.
        """
        return self._drawn and not (self.tasks.is_awaited or self.tasks.is_writing or self.is_beginning)

    def work(
        self,
        name: str,
        request: Request,
        on_chunk: Callable[[Any], None],
        on_done: Callable[[], None] | None = None,
        on_failed: Callable[[], None] | None = None,
    ) -> None:
        """Run work for the current picture on a worker. The window is not ready until it has ended."""

        def fail(error: Exception) -> None:
            self.fail_work(error)
            if on_failed is not None:
                on_failed()

        self.tasks.run(name, request, on_chunk, on_done or self.end_work, fail, awaited=True)

    def show_progress(self, progress: Progress) -> None:
        """Report the progress of long work."""
        self.progress_changed.emit(progress)

    def end_work(self) -> None:
        """Hide the progress if the last long work has ended."""
        if not self.tasks.is_awaited:
            self.show_progress(Progress())

    def fail_work(self, error: Exception) -> None:
        """Report that long work has failed."""
        self.end_work()
        self.problem_reported.emit(Problem("", "", f"{type(error).__name__}: {error}"))

    def cancel_work(self) -> None:
        """Stop loading, counting, measuring and searching. Known values stay and remain marked as estimates."""
        self.tasks.cancel_awaited()
        self.work_cancelled.emit()
        self.show_progress(Progress())
        self.tell_ready()

    def set_drawn(self, drawn: bool) -> None:
        """Take from the window whether everything visible shows the current values."""
        self._drawn = drawn
        self.tell_ready()

    def tell_ready(self) -> None:
        """Report a change of readiness."""
        ready = self.is_ready
        if ready != self._told_ready:
            self._told_ready = ready
            self.ready_changed.emit(ready)
            self._tell_of_cache()

    def _tell_of_cache(self) -> None:
        """Report a problem of the cache once, and only when no answer will replace the message.

        A cache that was started afresh is in use, and needs no action.
        """
        if self.is_ready and self.cache.trouble not in ("", self._told_cache):
            self._told_cache = self.cache.trouble
            severity = "info" if self.cache.is_usable else "error"
            self.problem_reported.emit(Problem("", "", self.cache.trouble, severity))
