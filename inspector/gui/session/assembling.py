"""Assembling: recomputing the answer to the current scenario after each edit, here or on a worker.

It happens at most once a frame. An assembly is a pure function of immutable values, so the result is the same on any
thread.
"""

from collections.abc import Iterator
from typing import Any, Protocol

from PySide6.QtCore import QObject

from inspector.assembly.answer import Answer
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.gui.files.opening import current_answer
from inspector.gui.tasks import FrameTimer, Tasks

ASSEMBLING = "assemble"
"""The name of the task for answers with very many candidates."""
MOST_AT_ONCE = 200_000
"""With more candidates an assembly takes longer than a frame, too long for a slider."""
MOST_RENEWED_AT_ONCE = 50_000
"""With more candidates, new counts cost 10 to 200 ms, because far more is then recomputed."""


class Assembled(Protocol):
    """The session: the source of the scenario, and the receiver of the answer."""

    pipeline: Pipeline
    scenario: Scenario
    answer: Answer | None

    @property
    def tasks(self) -> Tasks:
        """The running tasks."""
        ...

    def take_answer(self, answer: Answer | None, trouble: str) -> None:
        """Show an answer. With `trouble`, the reason why the scenario is refused, it is the last valid answer."""
        ...

    def end_work(self) -> None:
        """Take note that work has ended."""
        ...

    def fail_work(self, error: Exception) -> None:
        """Report that work has failed."""
        ...


class Assembling:
    """Computes the answers of a session, those of very many candidates on a worker; they are shown when complete."""

    def __init__(self, session: Assembled, parent: QObject) -> None:
        self._session = session
        self._frame = FrameTimer(self._assemble, parent)
        self._again = False

    @property
    def is_pending(self) -> bool:
        """Whether an answer is scheduled or being computed, so that the shown one is out of date."""
        return self._frame.is_waiting or self._session.tasks.is_running(ASSEMBLING)

    def request(self) -> None:
        """Schedule the answer to the current scenario."""
        self._frame.request()

    def renew(self) -> None:
        """Recompute the answer from newly known values."""
        if self._size > MOST_RENEWED_AT_ONCE:
            self._assemble_apart()
        else:
            self._frame.request()

    def flush(self) -> None:
        """Compute the answer to the current scenario now, if it is still missing."""
        session = self._session
        is_behind = session.answer is None or session.answer.scenario != session.scenario
        if self._frame.is_waiting or (is_behind and session.tasks.is_running(ASSEMBLING)):
            self._frame.stop()
            self._assemble_now()

    def leave(self) -> None:
        """Discard the answer that a worker is computing."""
        self._again = False
        self._session.tasks.cancel(ASSEMBLING)

    def stop(self) -> None:
        """Stop computing answers."""
        self._frame.stop()
        self.leave()

    @property
    def _size(self) -> int:
        answer = self._session.answer
        return len(answer.assembly.candidates) if answer else 0

    def _assemble(self) -> None:
        if self._size > MOST_AT_ONCE:
            self._assemble_apart()
        else:
            self._assemble_now()

    def _assemble_now(self) -> None:
        self.leave()
        session = self._session
        answer, trouble = current_answer(session.pipeline, session.scenario, session.answer)
        session.take_answer(answer or session.answer, trouble)

    def _assemble_apart(self) -> None:
        """Compute answers on a worker, one at a time. Changes made meanwhile go into the next one.

        Each complete answer is shown, so that the view moves together with a slider.
        """
        session = self._session
        if session.tasks.is_running(ASSEMBLING):
            self._again = True
            return
        pipeline, choices, scenario = session.pipeline.fork(), session.pipeline.choices, session.scenario
        before = session.answer

        def request() -> Iterator[Any]:
            yield current_answer(pipeline, scenario, before, for_views=True)

        def take(made: tuple[Answer | None, str]) -> None:
            if session.pipeline.choices is choices:
                session.pipeline = pipeline  # with the stages cached in it
                session.take_answer(made[0] or session.answer, made[1])

        session.tasks.run(ASSEMBLING, request, take, self._end_apart, self._fail_apart)

    def _end_apart(self) -> None:
        self._session.end_work()
        self._go_on()

    def _fail_apart(self, error: Exception) -> None:
        self._session.fail_work(error)
        self._go_on()

    def _go_on(self) -> None:
        if not self._again:
            return
        self._again = False
        if self._size > MOST_AT_ONCE:
            self._frame.request()  # this answer is painted in the frame before
        else:
            self._assemble_apart()
