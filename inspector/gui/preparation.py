"""Preparation: what an answer still lacks (counts, vectors, measured prompt, near-duplicates), made on idle workers."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Protocol

from PySide6.QtCore import QObject, QTimer

from inspector.assembly.answer import Answer, ledger_terms
from inspector.assembly.choices import ScenarioError
from inspector.assembly.lacking import Work, duplicate_work, first_lacking
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.assembly.token_ledger import TokenLedger, measured_ledger
from inspector.gui.progress import Progress
from inspector.gui.tasks import Request, Tasks
from inspector.tokens.cache import CountCache
from inspector.tokens.chat.wanted import AbandonedError, while_wanted
from inspector.tokens.choice import UnknownTokenizerError

IDLE_MILLISECONDS = 120
RECOUNT_MILLISECONDS = 400

_SEEN_AS_THEY_COME = ("count", "summarize")
"""What changes figures bit by bit, and not only when all of it is there."""


class Prepared(Protocol):
    """Whose answer is prepared: the current values, and where what was made is taken to."""

    @property
    def answer(self) -> Answer | None:
        """The current answer."""
        ...

    @property
    def scenario(self) -> Scenario:
        """The current scenario."""
        ...

    @property
    def trouble(self) -> str:
        """Why the scenario is refused, "" where it is not."""
        ...

    @property
    def pipeline(self) -> Pipeline:
        """What makes answers, and takes what they lack."""
        ...

    @property
    def tasks(self) -> Tasks:
        """What runs."""
        ...

    def work(
        self,
        name: str,
        request: Request,
        on_chunk: Callable[[Any], None],
        on_done: Callable[[], None] | None = None,
    ) -> None:
        """Do on a worker what is to be waited for."""
        ...

    def request_assembly(self) -> None:
        """Make the answer anew."""
        ...

    def take_measured(self, answer: Answer, ledger: TokenLedger) -> None:
        """Take the measured ledger of an answer."""
        ...

    def show_progress(self, progress: Progress) -> None:
        """Say how far the work is."""
        ...

    def end_work(self) -> None:
        """Some work has ended."""
        ...

    def tell_ready(self) -> None:
        """Say so if nothing is to be waited for any longer."""
        ...


class Preparation(QObject):
    """Looks, when the mouse rests, for what the session's answer lacks, and has it made: one thing after the other.

    What arrives is taken into the pipeline, and the answer is made anew, now and then while it arrives.
    """

    def __init__(self, session: Prepared, cache: CountCache, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._cache = session, cache
        self._idle = QTimer(self, singleShot=True, interval=IDLE_MILLISECONDS)
        self._idle.timeout.connect(self._look)
        self._renew = QTimer(self, singleShot=True, interval=RECOUNT_MILLISECONDS)
        self._renew.timeout.connect(session.request_assembly)
        self._making: dict[str, object] = {}

    @property
    def is_waiting(self) -> bool:
        """Whether it will look again by itself."""
        return self._idle.isActive() or self._renew.isActive()

    def begin(self) -> None:
        """A new answer has been made: look when nothing has moved for a while."""
        self._idle.start()

    def hurry(self, at_once: bool) -> None:
        """Look at once after the next answer, because nobody is dragging, or only when the mouse rests."""
        self._idle.setInterval(0 if at_once else IDLE_MILLISECONDS)

    def stop(self) -> None:
        """Look no more."""
        self._idle.stop()
        self._renew.stop()

    def _look(self) -> None:
        session = self._session
        if session.answer is not None and not session.trouble:
            self._make_next(session.answer)
        session.tell_ready()

    def _make_next(self, answer: Answer) -> None:
        session = self._session
        try:
            case = session.pipeline.case(session.scenario)
            self._drop_stale_summaries(case.summarizer)
            work = first_lacking(session.pipeline, case, self._cache)
        except (ScenarioError, UnknownTokenizerError):
            return
        if work is None:
            self._measure(answer)
        elif not session.tasks.is_running(work.name):
            self._run(work)

    def _drop_stale_summaries(self, summarizer: object) -> None:
        """Make nothing more, and send nothing more, by a method that nobody asks for any longer."""
        if self._making.get("summarize") not in (None, summarizer):
            self._session.tasks.cancel("summarize")
            del self._making["summarize"]

    def _run(self, work: Work) -> None:
        """Have work made; what arrives is taken in, and the answer is made anew now and then while it does."""
        self._making[work.name] = work.of

        def take(chunk: Any) -> None:
            self._show(work.title, work.take(chunk))
            if work.name in _SEEN_AS_THEY_COME and not self._renew.isActive():
                self._renew.start()

        self._session.work(work.name, work.make, take, self._made)

    def _measure(self, answer: Answer) -> None:
        """Count the prompt's texts; the result is taken only if it is still the current answer's."""
        session = self._session
        if answer.ledger.rendered is not None:
            self._find_duplicates()
            return
        terms = ledger_terms(answer.case)

        def request() -> Iterator[Any]:
            with suppress(AbandonedError), while_wanted(lambda: session.answer is answer):
                yield measured_ledger(answer.assembly, *terms)

        take = lambda ledger: session.take_measured(answer, ledger)  # noqa: E731 - bound to this answer
        session.work("measure", request, take, self._measured)

    def _measured(self) -> None:
        self._session.end_work()
        self._find_duplicates()

    def _find_duplicates(self) -> None:
        """Look for memories that say nearly the same: findings follow from that, and no decision."""
        session, answer = self._session, self._session.answer
        if answer is None or session.tasks.is_running("duplicates"):
            return
        work = duplicate_work(session.pipeline, answer.assembly.candidates)
        if work is not None:
            take = lambda search: self._show(work.title, work.take(search))  # noqa: E731 - of this work
            session.work(work.name, work.make, take, self._searched)

    def _searched(self) -> None:
        """Say what follows, unless the measured answer that is on its way will say it; look again if all is new."""
        session = self._session
        session.end_work()
        if session.answer is not None and not session.tasks.is_running("measure"):
            session.take_measured(session.answer, session.answer.ledger)
            self._find_duplicates()

    def _made(self) -> None:
        """Something that was lacking is there: make the answer anew, and look for the next thing at once."""
        self._session.end_work()
        self._renew.stop()
        self.hurry(True)
        self._session.request_assembly()

    def _show(self, what: str, share: float) -> None:
        self._session.show_progress(Progress(what, share))
