"""Work off the GUI thread, one way: generators run on a pool, their chunks come back as signals, the latest wins.

What is written to disk has a thread of its own: one thing after the other, and nothing of it is ever cancelled.
"""

import logging
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QThreadPool, Signal

from inspector.contained import contained
from inspector.wanted import AbandonedError, check_wanted, while_wanted

_log = logging.getLogger(__name__)

Request = Callable[[], Iterator[Any]]
THREADS = 3
"""What is counted and what is indexed leave room for what is being asked."""
_WRITING = "write"
_deliver: ContextVar[Callable[[Any], None]] = ContextVar("deliver")


@dataclass(eq=False)
class Task:
    """A request that runs, and where its chunks go. A cancelled one delivers nothing more.

    `error` is what ended it, once it has ended.
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
        """Deliver nothing more, and stop before the next chunk, or sooner where it asks whether it is wanted."""
        self.cancelled = True


def _run(task: Task, deliver: Callable[[Task, str, Any], None]) -> None:
    """Send every chunk of a task, then the end, or the error that ended it; called on a pool thread."""
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
    """What this thread tells inside is delivered so."""
    before = _deliver.set(deliver)
    try:
        yield
    finally:
        _deliver.reset(before)


def tell(chunk: Any) -> None:
    """Deliver a chunk (None: there is none yet) from deep inside of what a request calls, on its thread.

    Raises AbandonedError where nobody wants any longer what is being made.
    """
    check_wanted()
    if chunk is not None:
        _deliver.get()(chunk)


class Tasks(QObject):
    """Runs requests on threads. A new request of a name cancels the running one: a late result never overwrites."""

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
        """Start a request; its chunks, end or error arrive on this thread.

        An `awaited` one is part of what is being shown: nothing is ready before it has ended.
        """
        task = Task(name, request, on_chunk, on_done, on_error, awaited)
        self.cancel(name)
        self._running.append(task)
        # No QRunnable: now and then PySide keeps one for ever, and with it the answer that its request is about.
        self._pool.start(partial(_run, task, self._delivered.emit))
        self.changed.emit()
        return task

    def write(
        self, call: Callable[[], None], on_done: Callable[[], None], on_error: Callable[[Exception], None]
    ) -> None:
        """Have something written to disk, after all that was given before; it is carried out whatever else happens."""

        def request() -> Iterator[Any]:
            call()
            yield from ()

        task = Task(_WRITING, request, lambda _: None, on_done, on_error)
        self._running.append(task)
        self._writer.start(partial(_run, task, self._delivered.emit))
        self.changed.emit()

    @property
    def is_writing(self) -> bool:
        """Whether something is still to be written."""
        return self.is_running(_WRITING)

    def finish_writing(self) -> bool:
        """Wait until all is written, and tell of it now. Returns whether none of it failed."""
        self._writer.waitForDone()
        written = [task for task in self._running if task.name == _WRITING]
        for task in written:
            self._take(task, "error" if task.error else "done", task.error)
        return not any(task.error for task in written)

    def cancel(self, name: str) -> None:
        """Cancel the running request of that name, if there is one."""
        for task in self._running:
            if task.name == name:
                task.cancel()

    def cancel_awaited(self) -> None:
        """Cancel every running request that is awaited."""
        for task in self._running:
            if task.awaited:
                task.cancel()

    @property
    def is_awaited(self) -> bool:
        """Whether an awaited request runs that was not cancelled."""
        return any(task.awaited and not task.cancelled for task in self._running)

    def is_running(self, name: str = "") -> bool:
        """Whether a request of that name (or any) runs that was not cancelled."""
        return any(not task.cancelled and (not name or task.name == name) for task in self._running)

    def stop(self) -> None:
        """Cancel everything but what is being written, and wait until no thread runs."""
        self.finish_writing()
        for task in self._running:
            task.cancel()
        self._pool.waitForDone()
        self._running.clear()

    def _take(self, task: Task, kind: str, value: Any) -> None:
        if task not in self._running:
            return  # its end was told already
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
