"""What runs beside the picture: how far it is, and whether all of it is done."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from inspector.gui.progress import Progress
from inspector.gui.tasks import Request, Tasks
from inspector.model import Problem
from inspector.settings import cache_file
from inspector.tokens.cache import CountCache


class Work(QObject):
    """Runs what a picture is made from on workers, and says how far it is, what went wrong and when all is ready.

    Whoever holds values that work is done for is one, and says in `is_beginning` whether more is about to be begun.
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
        """Whether something is about to be begun that has to be waited for."""
        raise NotImplementedError

    @property
    def is_ready(self) -> bool:
        """Whether nothing is being loaded, counted, measured, drawn or written.

        Nothing that is shown is then an estimate that could be exact, unless counting it was cancelled.
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
        """Do on a worker what belongs to the picture of now: nothing is ready before it has ended."""

        def fail(error: Exception) -> None:
            self.fail_work(error)
            if on_failed is not None:
                on_failed()

        self.tasks.run(name, request, on_chunk, on_done or self.end_work, fail, awaited=True)

    def show_progress(self, progress: Progress) -> None:
        """Say how far some long work is."""
        self.progress_changed.emit(progress)

    def end_work(self) -> None:
        """Some long work has ended: no progress is shown if it was the last."""
        if not self.tasks.is_awaited:
            self.show_progress(Progress())

    def fail_work(self, error: Exception) -> None:
        """Some long work has failed: say so."""
        self.end_work()
        self.problem_reported.emit(Problem("", "", f"{type(error).__name__}: {error}"))

    def cancel_work(self) -> None:
        """Stop loading, counting, measuring and searching; what is known stays, and stays marked as an estimate."""
        self.tasks.cancel_awaited()
        self.work_cancelled.emit()
        self.show_progress(Progress())
        self.tell_ready()

    def set_drawn(self, drawn: bool) -> None:
        """Told by the window: whether everything that can be seen shows what is known now."""
        self._drawn = drawn
        self.tell_ready()

    def tell_ready(self) -> None:
        """Say so if all has become ready, or is no longer."""
        ready = self.is_ready
        if ready != self._told_ready:
            self._told_ready = ready
            self.ready_changed.emit(ready)
            self._tell_of_cache()

    def _tell_of_cache(self) -> None:
        """Say once what is wrong with the cache, and only when no answer comes that would wipe it away.

        One that was begun anew is in use: nobody has to do anything.
        """
        if self.is_ready and self.cache.trouble not in ("", self._told_cache):
            self._told_cache = self.cache.trouble
            severity = "info" if self.cache.is_usable else "error"
            self.problem_reported.emit(Problem("", "", self.cache.trouble, severity))
