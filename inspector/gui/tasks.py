"""Work off the GUI thread: generators run on a pool, their chunks arrive as signals, and the latest request wins.

Writing to disk has a thread of its own: jobs run in order and are never cancelled.
"""

import logging
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QThreadPool, QTimer, Signal

from inspector.contained import contained
from inspector.steps import AbandonedError, check_wanted, while_wanted

_log = logging.getLogger(__name__)

Request = Callable[[], Iterator[Any]]
THREADS = 3
"""Counting and indexing leave room for interactive requests."""
_WRITING = "write"
_deliver: ContextVar[Callable[[Any], None]] = ContextVar("deliver")


@dataclass(eq=False)
class Task:
    """A running request and the receivers of its chunks. A cancelled task delivers nothing more.

    `error` is set if the task ended with an error.
    """

    name: str
    request: Request
    on_chunk: Callable[[Any], None]
    on_done: Callable[[], None]
    on_error: Callable[[Exception], None]
    awaited: bool = False
    cancelled: bool = field(default=False)
    error: Exception | None = field(default=None, init=False)

    def cancel(self) -> None:
        """Deliver nothing more, and stop before the next chunk, or earlier if the request checks for it."""
        self.cancelled = True


def _run(task: Task, deliver: Callable[[Task, str, Any], None]) -> None:
    """Deliver every chunk of a task, then its end or its error. Called on a pool thread."""
    try:
        with (
            suppress(AbandonedError),
            contained(),
            while_wanted(lambda: not task.cancelled),
            _telling(partial(deliver, task, "chunk")),
        ):
            for chunk in () if task.cancelled else task.request():
                if task.cancelled:
                    break
                deliver(task, "chunk", chunk)
    except Exception as error:  # noqa: BLE001 - it is handed to the GUI thread, which reports it
        task.error = error
        _log.error("%s failed: %s", task.name, "".join(traceback.format_exception(error)))
        deliver(task, "error", error)
        return
    deliver(task, "done", None)


@contextmanager
def _telling(deliver: Callable[[Any], None]) -> Iterator[None]:
    """Send everything told on this thread to `deliver`, within the context."""
    before = _deliver.set(deliver)
    try:
        yield
    finally:
        _deliver.reset(before)


def tell(chunk: Any) -> None:
    """Deliver a chunk from deep within a request, on its thread. None delivers nothing.

    Raises AbandonedError if the result is no longer wanted.
    """
    check_wanted()
    if chunk is not None:
        _deliver.get()(chunk)


class Tasks(QObject):
    """Runs requests on threads. A new request cancels the running one of its name: a late result never overwrites."""

    changed = Signal()
    _delivered = Signal(object, str, object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(THREADS)
        self._writer = QThreadPool(self)
        self._writer.setMaxThreadCount(1)
        self._running: list[Task] = []
        self._delivered.connect(self._take)

    def run(
        self,
        name: str,
        request: Request,
        on_chunk: Callable[[Any], None],
        on_done: Callable[[], None],
        on_error: Callable[[Exception], None],
        awaited: bool = False,
    ) -> Task:
        """Start a request. Its chunks and its end or error arrive on this thread.

        The window is not ready until every `awaited` request has ended.
        """
        task = Task(name, request, on_chunk, on_done, on_error, awaited)
        self.cancel(name)
        self._running.append(task)
        # No QRunnable: PySide sometimes keeps one for ever, together with the answer its request refers to.
        self._pool.start(partial(_run, task, self._delivered.emit))
        self.changed.emit()
        return task

    def write(
        self, call: Callable[[], None], on_done: Callable[[], None], on_error: Callable[[Exception], None]
    ) -> None:
        """Write to disk after all earlier jobs. The call always runs."""

        def request() -> Iterator[Any]:
            call()
            yield from ()

        task = Task(_WRITING, request, lambda _: None, on_done, on_error)
        self._running.append(task)
        self._writer.start(partial(_run, task, self._delivered.emit))
        self.changed.emit()

    @property
    def is_writing(self) -> bool:
        """Whether a job is still to be written."""
        return self.is_running(_WRITING)

    def finish_writing(self) -> bool:
        """Wait until everything is written, and report it now. Returns whether all jobs succeeded."""
        self._writer.waitForDone()
        written = [task for task in self._running if task.name == _WRITING]
        for task in written:
            self._take(task, "error" if task.error else "done", task.error)
        return not any(task.error for task in written)

    def cancel(self, name: str) -> None:
        """Cancel the running request with this name, if any."""
        for task in self._running:
            if task.name == name:
                task.cancel()

    def cancel_awaited(self) -> None:
        """Cancel every running awaited request."""
        for task in self._running:
            if task.awaited:
                task.cancel()

    @property
    def is_awaited(self) -> bool:
        """Whether an awaited request is running and not cancelled."""
        return any(task.awaited and not task.cancelled for task in self._running)

    def is_running(self, name: str = "") -> bool:
        """Return whether a request with this name (default: any) is running and not cancelled."""
        return any(not task.cancelled and (not name or task.name == name) for task in self._running)

    def stop(self) -> None:
        """Cancel everything except writing, and wait until no thread is running."""
        self.finish_writing()
        for task in self._running:
            task.cancel()
        self._pool.waitForDone()
        self._running.clear()

    def _take(self, task: Task, kind: str, value: Any) -> None:
        if task not in self._running:
            return  # its end has been reported
        if kind != "chunk":
            self._running.remove(task)
        if not task.cancelled:
            if kind == "chunk":
                task.on_chunk(value)
            elif kind == "done":
                task.on_done()
            else:
                task.on_error(value)
        if kind != "chunk":
            self.changed.emit()


FRAME_MILLISECONDS = 16


class FrameTimer(QObject):
    """Calls a function at most once per frame: at once for the first request, later ones at the end of the frame."""

    def __init__(self, call: Callable[[], None], parent: QObject, milliseconds: int = FRAME_MILLISECONDS) -> None:
        super().__init__(parent)
        self._call = call
        self._wanted = False
        self._timer = QTimer(self)
        self._timer.setInterval(milliseconds)
        self._timer.timeout.connect(self._end_frame)

    @property
    def is_waiting(self) -> bool:
        """Whether a call is scheduled."""
        return self._wanted

    def request(self) -> None:
        """Request a call, now or at the end of the current frame."""
        if self._timer.isActive():
            self._wanted = True
            return
        self._timer.start()
        self._call()

    def flush(self) -> None:
        """Make the scheduled call now."""
        if self._wanted:
            self._wanted = False
            self._call()

    def stop(self) -> None:
        """Cancel the scheduled call."""
        self._wanted = False
        self._timer.stop()

    def _end_frame(self) -> None:
        if not self._wanted:
            self._timer.stop()
            return
        self._wanted = False
        self._call()
