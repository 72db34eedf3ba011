"""Background work: its progress, and whether all of it is done."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Signal

from inspector.analysis.basis import Basis, Share
from inspector.gui.tasks import Request, Tasks
from inspector.model import Problem
from inspector.settings import cache_file
from inspector.tokens.cache import CountCache

_Result = TypeVar("_Result")


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
        self.trouble = ""
        self._drawn = True
        self._told_ready = True
        self._told_cache = ""

    @property
    def is_beginning(self) -> bool:
        """Whether awaited work is about to start."""
        raise NotImplementedError

    @property
    def basis(self) -> Basis | None:
        """The input of analyses: the answered scenario, for use on a worker; None if nothing is open."""
        raise NotImplementedError

    @property
    def is_ready(self) -> bool:
        """Whether no loading, counting, measuring, drawing or writing is pending.

        Every shown value is then exact if it can be, unless counting was cancelled.
        """
        return self._drawn and not (self.tasks.is_awaited or self.tasks.is_writing or self.is_beginning)

    def ask(
        self,
        name: str,
        make: Callable[[Basis], Iterator[Share | _Result]],
        show: Callable[[_Result], None],
        end: Callable[[str], None] | None = None,
        show_share: Callable[[Share], None] | None = None,
        *,
        awaited: bool = False,
    ) -> bool:
        """Run an analysis on a worker. Return False if nothing is open, or its scenario is refused.

        `show` gets each result in this thread, `show_share` the progress, `end` the reason for the end, "" after the
        last; without `end` a failure is reported. A newer request of a name replaces the older. Nothing is ready before
        an awaited request has ended, which shows its shares as progress.
        """
        basis = self.basis
        if basis is None or self.trouble:
            self.tasks.cancel(name)
            return False
        tell = show_share or (self.show_progress if awaited else lambda share: None)

        def take(step: Share | _Result) -> None:
            tell(step) if isinstance(step, Share) else show(step)

        finish = partial(self._finish, end, awaited)
        self.tasks.run(name, partial(make, basis), take, finish, finish, awaited)
        return True

    def _finish(self, end: Callable[[str], None] | None, awaited: bool, error: Exception | None = None) -> None:
        if error is not None and end is None:
            self.fail_work(error)
        elif awaited:
            self.end_work()
        if end is not None:
            end("" if error is None else str(error) or type(error).__name__)

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

    def show_progress(self, progress: Share) -> None:
        """Report the progress of long work."""
        self.progress_changed.emit(progress)

    def end_work(self) -> None:
        """Hide the progress if the last long work has ended."""
        if not self.tasks.is_awaited:
            self.show_progress(Share())

    def fail_work(self, error: Exception) -> None:
        """Report failed long work."""
        self.end_work()
        self.problem_reported.emit(Problem("", "", f"{type(error).__name__}: {error}"))

    def cancel_work(self) -> None:
        """Stop loading, counting, measuring and searching. Known values stay and remain marked as estimates."""
        self.tasks.cancel_awaited()
        self.work_cancelled.emit()
        self.show_progress(Share())
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
        """Report a problem of the cache once, and only if no answer will replace the message.

        A cache restarted from scratch is in use, and needs no action.
        """
        if self.is_ready and self.cache.trouble not in ("", self._told_cache):
            self._told_cache = self.cache.trouble
            severity = "info" if self.cache.is_usable else "error"
            self.problem_reported.emit(Problem("", "", self.cache.trouble, severity))
