"""The answer to the current scenario, made anew after each edit: at most once a frame, and at once or on a worker.

An assembly is a pure function of immutable values, so that whoever makes it gets the same.
"""

from collections.abc import Iterator
from typing import Any, Protocol

from PySide6.QtCore import QObject

from inspector.assembly.answer import Answer
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.gui.frame import FrameTimer
from inspector.gui.opening import current_answer
from inspector.gui.tasks import Tasks

ASSEMBLING = "assemble"
"""The name of the task that makes an answer of very many candidates."""
MOST_AT_ONCE = 200_000
"""Of more candidates an assembly takes longer than a frame, which a slider is not to wait for."""
MOST_RENEWED_AT_ONCE = 50_000
"""Of more candidates it takes 10 to 200 ms with counts that have come in, as far more is then made anew."""


class Assembled(Protocol):
    """Whose scenario is assembled, and where the answer is taken to."""

    pipeline: Pipeline
    scenario: Scenario
    answer: Answer | None

    @property
    def tasks(self) -> Tasks:
        """What runs."""
        ...

    def take_answer(self, answer: Answer | None, trouble: str) -> None:
        """Show an answer; with `trouble`, which says why the scenario is refused, the last good one."""
        ...

    def end_work(self) -> None:
        """Some work has ended."""
        ...

    def fail_work(self, error: Exception) -> None:
        """Some work has failed."""
        ...


class Assembling:
    """Makes the answers of a session. One of very many candidates is made on a worker, and shown when it is there."""

    def __init__(self, session: Assembled, parent: QObject) -> None:
        self._session = session
        self._frame = FrameTimer(self._assemble, parent)
        self._again = False

    @property
    def is_pending(self) -> bool:
        """Whether an answer is being made or about to be made, so that the one that is shown is of a moment ago."""
        return self._frame.is_waiting or self._session.tasks.is_running(ASSEMBLING)

    def request(self) -> None:
        """Have the answer to the current scenario made."""
        self._frame.request()

    def renew(self) -> None:
        """Have the answer made anew: something that it is made from has become known."""
        if self._size > MOST_RENEWED_AT_ONCE:
            self._assemble_apart()
        else:
            self._frame.request()

    def flush(self) -> None:
        """Make the answer to the current scenario now, where it is not there yet."""
        session = self._session
        is_behind = session.answer is None or session.answer.scenario != session.scenario
        if self._frame.is_waiting or (is_behind and session.tasks.is_running(ASSEMBLING)):
            self._frame.stop()
            self._assemble_now()

    def leave(self) -> None:
        """Take nothing of what is being made on a worker."""
        self._again = False
        self._session.tasks.cancel(ASSEMBLING)

    def stop(self) -> None:
        """Make nothing more."""
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
        """Have it made on a worker, one at a time: what changes meanwhile is in the next one.

        Each is shown when it is there, whole, so that something moves while a slider does.
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
                session.pipeline = pipeline  # with the stages that are remembered in it
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
            self._frame.request()  # after a frame, in which this answer is painted
        else:
            self._assemble_apart()
