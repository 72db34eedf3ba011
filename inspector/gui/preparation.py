"""Preparation: what the answers that are shown still lack (counts, vectors, measured prompts, near-duplicates), made on
idle workers.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from PySide6.QtCore import QObject, QTimer

from inspector.analysis.basis import Share
from inspector.assembly.answer import Answer, is_current, ledger_terms, says_all
from inspector.assembly.lacking import Work, duplicate_work, first_lacking
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.token_ledger import TokenLedger, measured_ledger
from inspector.gui.tasks import Request, Tasks
from inspector.tokens.cache import CountCache
from inspector.wanted import AbandonedError, while_wanted

IDLE_MILLISECONDS = 120
FIRST_PICTURE_MILLISECONDS = 30
"""Something new is drawn before work begins: beside a worker that counts its picture takes three times as long."""
RECOUNT_MILLISECONDS = 400
"""How long what arrives is gathered before the answer is made anew with it, for 100,000 candidates or fewer."""

_SEEN_AS_THEY_COME = ("count", "summarize")
"""What changes figures bit by bit, and not only when all of it is there."""


@dataclass(frozen=True, eq=False)
class Shown:
    """An answer that is shown, the pipeline that made it, and what makes it anew.

    Of one `in_full` the findings are shown, too, and it is shown anew while counts arrive.
    """

    answer: Answer
    pipeline: Pipeline
    renew: Callable[[], None]
    in_full: bool


class Prepared(Protocol):
    """Whose answers are prepared, and where what was made is taken to."""

    @property
    def shown(self) -> Sequence[Shown]:
        """The answers that are shown, what matters most first; none while another one is about to be made."""
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
        on_failed: Callable[[], None] | None = None,
    ) -> None:
        """Do on a worker what is to be waited for."""
        ...

    def request_assembly(self) -> None:
        """Make the answer anew."""
        ...

    def shows(self, answer: Answer) -> bool:
        """Whether an answer is still shown."""
        ...

    def take_measured(self, answer: Answer, ledger: TokenLedger) -> None:
        """Take the measured ledger of an answer, and what else its findings follow from."""
        ...

    def show_progress(self, progress: Share) -> None:
        """Say how far the work is."""
        ...

    def end_work(self) -> None:
        """Some work has ended: look for the next thing."""
        ...

    def tell_ready(self) -> None:
        """Say so if nothing is to be waited for any longer."""
        ...


class Preparation(QObject):
    """Looks, when the mouse rests, for what shown answers lack, and has it made: one thing after the other.

    What arrives is taken into the pipeline, and the answer is made anew, now and then while it arrives. It ends when a
    look finds nothing: then all that is shown is made from all that is known, whoever made that known.
    """

    def __init__(self, session: Prepared, cache: CountCache, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._cache = session, cache
        self._rest = IDLE_MILLISECONDS
        self._idle = QTimer(self, singleShot=True)
        self._idle.timeout.connect(self._look)
        self._renew = QTimer(self, singleShot=True)
        self._renew.timeout.connect(session.request_assembly)
        self._making: dict[str, object] = {}
        self._failed: list[tuple[str, object]] = []

    @property
    def is_waiting(self) -> bool:
        """Whether it will look again by itself."""
        return self._idle.isActive() or self._renew.isActive()

    def begin(self) -> None:
        """A new answer has been made: look when nothing has moved for a while."""
        self._idle.start(self._rest)

    def look_soon(self) -> None:
        """Something that was being made has ended: look now, unless somebody is dragging."""
        if not self._idle.isActive():
            self._idle.start(0)

    def hurry(self, at_once: bool) -> None:
        """Something else is asked for: look once its answer is drawn, or, while somebody drags, when the mouse rests.

        What has failed is tried again, and what is being made for nobody any longer is forgotten.
        """
        self._failed.clear()
        self._making = {name: of for name, of in self._making.items() if self._session.tasks.is_running(name)}
        self._rest = FIRST_PICTURE_MILLISECONDS if at_once else IDLE_MILLISECONDS

    def stop(self) -> None:
        """Look no more."""
        self._idle.stop()
        self._renew.stop()

    def _look(self) -> None:
        for shown in self._session.shown:
            if self._is_lacking(shown):
                break
        self._session.tell_ready()

    def _is_lacking(self, shown: Shown) -> bool:
        """Have the next thing made that an answer lacks. Returns whether there was one, which has to be waited for."""
        answer, pipeline = shown.answer, shown.pipeline
        case = pipeline.case(answer.scenario)
        self._drop_stale_summaries(case.summarizer)
        work = first_lacking(pipeline, case, self._cache)
        if work is not None:
            return self._make(work, shown)
        # Only now: what somebody else made known a moment ago is lacking no longer, but this answer is made without it.
        if not is_current(pipeline, answer):
            shown.renew()
            return True
        if answer.ledger.rendered is None:
            return self._measure(answer)
        return shown.in_full and self._lacks_findings(shown)

    def _lacks_findings(self, shown: Shown) -> bool:
        """Look for memories that say nearly the same: findings follow from that, and no decision."""
        answer, pipeline = shown.answer, shown.pipeline
        work = duplicate_work(pipeline, answer.assembly.candidates)
        if work is not None:
            take = lambda search: self._show(work.title, work.take(search))  # noqa: E731 - of this work
            return self._run(work.name, work.of, work.make, take, self._session.end_work)
        if not says_all(pipeline, answer):
            self._session.take_measured(answer, answer.ledger)
        return False

    def _drop_stale_summaries(self, summarizer: object) -> None:
        """Make nothing more, and send nothing more, by a method that nobody asks for any longer."""
        if self._making.get("summarize") not in (None, summarizer):
            self._session.tasks.cancel("summarize")
            del self._making["summarize"]

    def _make(self, work: Work, shown: Shown) -> bool:
        """Have work made; what arrives is taken in, and the answer is made anew now and then while it does."""

        def take(chunk: Any) -> None:
            self._show(work.title, work.take(chunk))
            if shown.in_full and work.name in _SEEN_AS_THEY_COME and not self._renew.isActive():
                self._renew.start(max(RECOUNT_MILLISECONDS, len(shown.answer.assembly.candidates) // 250))

        return self._run(work.name, work.of, work.make, take, lambda: self._made(shown))

    def _made(self, shown: Shown) -> None:
        """Something that was lacking is there: make the answer anew, and look for the next thing at once."""
        self._session.end_work()
        self._renew.stop()
        self._rest = 0
        shown.renew()

    def _measure(self, answer: Answer) -> bool:
        """Count the prompt's texts; the result is taken only if the answer is still shown."""
        session, terms = self._session, ledger_terms(answer.case)

        def request() -> Iterator[Any]:
            with suppress(AbandonedError), while_wanted(lambda: session.shows(answer)):
                yield measured_ledger(answer.assembly, *terms)

        take = lambda ledger: session.take_measured(answer, ledger)  # noqa: E731 - bound to this answer
        return self._run("measure", answer, request, take, session.end_work)

    def _run(
        self, name: str, of: object, request: Request, take: Callable[[Any], None], done: Callable[[], None]
    ) -> bool:
        """Have something made in the place of what has the same name, unless it is being made, or has failed.

        Returns whether it has to be waited for.
        """
        if (name, of) in self._failed:
            return False
        if self._session.tasks.is_running(name) and self._making.get(name) == of:
            return True

        def end() -> None:
            self._making.pop(name, None)
            done()

        self._making[name] = of
        # What cannot be made is not tried again and again; what else is asked for is made without it.
        self._session.work(name, request, take, end, lambda: self._failed.append((name, of)))
        return True

    def _show(self, what: str, share: float) -> None:
        self._session.show_progress(Share(share, what=what))
