"""Preparation: computing the values still missing from shown answers on idle workers.

Such values are counts, vectors, measured prompts and near-duplicates.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

from inspector.analysis.basis import Share
from inspector.assembly.answer import Answer, is_current, ledger_terms, says_all
from inspector.assembly.lacking import Work, duplicate_work, first_lacking
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.preset import Presets
from inspector.assembly.presets import load_presets
from inspector.assembly.token_ledger import TokenLedger, measured_ledger
from inspector.formats import UnreadableError
from inspector.gui.tasks import Request, Tasks
from inspector.model import Problem, Workspace
from inspector.plugins import policies, tokenizers
from inspector.retrieval.summaries.settings import EndpointSettings, read_endpoint
from inspector.settings import own_models_file, own_presets_file, settings_file
from inspector.steps import AbandonedError, while_wanted
from inspector.tokens.cache import CountCache
from inspector.tokens.models.loading import load_models
from inspector.tokens.models.table import ModelTable

REST_MILLISECONDS = 20
"""A new answer is drawn before work begins: drawing beside a counting worker takes three times as long."""
HELD_MILLISECONDS = 120
"""How long a mouse that is held down has to rest before work begins, as more movements may follow."""
RECOUNT_MILLISECONDS = 400
"""How long results are gathered before the answer is recomputed with them, for 100,000 candidates or fewer."""

_SEEN_AS_THEY_COME = ("count", "summarize")
"""Work that changes figures bit by bit, before all of it is done."""


@dataclass(frozen=True, eq=False)
class Shown:
    """A shown answer, its pipeline, and the function that recomputes it.

    If shown `in_full`, its findings are shown, too, and it is updated while counts arrive.
    """

    answer: Answer
    pipeline: Pipeline
    renew: Callable[[], None]
    in_full: bool


class Prepared(Protocol):
    """The session: the source of the answers to prepare, and the receiver of the results."""

    @property
    def shown(self) -> Sequence[Shown]:
        """The shown answers, most important first. Empty while a new one is pending."""
        ...

    @property
    def tasks(self) -> Tasks:
        """The running tasks."""
        ...

    def work(
        self,
        name: str,
        request: Request,
        on_chunk: Callable[[Any], None],
        on_done: Callable[[], None] | None = None,
        on_failed: Callable[[], None] | None = None,
    ) -> None:
        """Run work on a worker that the window has to wait for."""
        ...

    def request_assembly(self) -> None:
        """Recompute the answer."""
        ...

    def shows(self, answer: Answer) -> bool:
        """Return whether an answer is still shown."""
        ...

    def take_measured(self, answer: Answer, ledger: TokenLedger) -> None:
        """Take the measured ledger of an answer and the other input of its findings."""
        ...

    def show_progress(self, progress: Share) -> None:
        """Show the progress of the work."""
        ...

    def end_work(self) -> None:
        """After some work has ended, look for more."""
        ...

    def tell_ready(self) -> None:
        """Report that the window is ready, if no work is pending."""
        ...


class Preparation(QObject):
    """Finds and computes, while the mouse rests, the values missing from shown answers, in sequence.

    The pipeline takes every result, and the answer is recomputed from time to time as they arrive. Preparation ends
    when nothing is missing: everything shown is then computed from all known values, whatever their origin.
    """

    def __init__(self, session: Prepared, cache: CountCache, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._cache = session, cache
        self._rest = REST_MILLISECONDS
        self._idle = QTimer(self, singleShot=True)
        self._idle.timeout.connect(self._end_rest)
        self._since = QElapsedTimer()
        self._renew = QTimer(self, singleShot=True)
        self._renew.timeout.connect(session.request_assembly)
        self._making: dict[str, object] = {}
        self._failed: list[tuple[str, object]] = []

    @property
    def is_waiting(self) -> bool:
        """Whether another look is scheduled."""
        return self._idle.isActive() or self._renew.isActive()

    def begin(self) -> None:
        """Look for missing values of a new answer once it is drawn and nothing is being dragged."""
        self._since.start()
        self._idle.start(self._rest)

    def look_soon(self) -> None:
        """Look again now that some work has ended, unless the user is dragging."""
        if not self._idle.isActive():
            self._idle.start(0)

    def begin_anew(self) -> None:
        """For a new request, try failed work again, and forget finished and cancelled work."""
        self._failed.clear()
        self._making = {name: of for name, of in self._making.items() if self._session.tasks.is_running(name)}
        self._rest = REST_MILLISECONDS

    def stop(self) -> None:
        """Stop looking."""
        self._idle.stop()
        self._renew.stop()

    def _end_rest(self) -> None:
        """Look now, or soon after the mouse is let go: no fixed time passes before figures are exact."""
        is_held = QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton
        if is_held and self._rest and self._since.elapsed() < HELD_MILLISECONDS:
            self._idle.start(REST_MILLISECONDS)
        else:
            self._look()

    def _look(self) -> None:
        for shown in self._session.shown:
            if self._is_lacking(shown):
                break
        self._session.tell_ready()

    def _is_lacking(self, shown: Shown) -> bool:
        """Start computing the next missing value of an answer. Returns whether the window has to wait for it."""
        answer, pipeline = shown.answer, shown.pipeline
        case = pipeline.case(answer.scenario)
        self._drop_stale_summaries(case.summarizer)
        work = first_lacking(pipeline, case, self._cache)
        if work is not None:
            return self._make(work, shown)
        # Only now: values computed for another answer are no longer missing, but this answer was made without them.
        if not is_current(pipeline, answer):
            shown.renew()
            return True
        if answer.ledger.rendered is None:
            return self._measure(answer)
        return shown.in_full and self._lacks_findings(shown)

    def _lacks_findings(self, shown: Shown) -> bool:
        """Look for near-duplicate memories. They affect findings but no decision."""
        answer, pipeline = shown.answer, shown.pipeline
        work = duplicate_work(pipeline, answer.assembly.candidates)
        if work is not None:
            take = lambda search: self._show(work.title, work.take(search))  # noqa: E731 - of this work
            return self._run(work.name, work.of, work.make, take, self._session.end_work)
        if not says_all(pipeline, answer):
            self._session.take_measured(answer, answer.ledger)
        return False

    def _drop_stale_summaries(self, summarizer: object) -> None:
        """Stop summarizing, and sending, by a method that is no longer selected."""
        if self._making.get("summarize") not in (None, summarizer):
            self._session.tasks.cancel("summarize")
            del self._making["summarize"]

    def _make(self, work: Work, shown: Shown) -> bool:
        """Start some work. Its results are taken as they arrive, and the answer is recomputed from time to time."""

        def take(chunk: Any) -> None:
            self._show(work.title, work.take(chunk))
            if shown.in_full and work.name in _SEEN_AS_THEY_COME and not self._renew.isActive():
                self._renew.start(max(RECOUNT_MILLISECONDS, len(shown.answer.assembly.candidates) // 250))

        return self._run(work.name, work.of, work.make, take, lambda: self._made(shown))

    def _made(self, shown: Shown) -> None:
        """After a missing value has arrived, recompute the answer and look for the next missing value at once."""
        self._session.end_work()
        self._renew.stop()
        self._rest = 0
        shown.renew()

    def _measure(self, answer: Answer) -> bool:
        """Count the prompt's texts. The result is used only if the answer is still shown."""
        session, terms = self._session, ledger_terms(answer.case)

        def request() -> Iterator[Any]:
            with suppress(AbandonedError), while_wanted(lambda: session.shows(answer)):
                yield measured_ledger(answer.assembly, *terms)

        take = lambda ledger: session.take_measured(answer, ledger)  # noqa: E731 - bound to this answer
        return self._run("measure", answer, request, take, session.end_work)

    def _run(
        self, name: str, of: object, request: Request, take: Callable[[Any], None], done: Callable[[], None]
    ) -> bool:
        """Run work in place of other work of the same name, unless it is already running or has failed.

        Returns whether the window has to wait for it.
        """
        if (name, of) in self._failed:
            return False
        if self._session.tasks.is_running(name) and self._making.get(name) == of:
            return True

        def end() -> None:
            self._making.pop(name, None)
            done()

        self._making[name] = of
        # Failed work is not repeated; everything else is computed without its results.
        self._session.work(name, request, take, end, lambda: self._failed.append((name, of)))
        return True

    def _show(self, what: str, share: float) -> None:
        self._session.show_progress(Share(share, what=what))


class Pipelines:
    """Makes pipelines. `problem` tells why the settings file cannot be read, or is None."""

    def __init__(self) -> None:
        self._models = self.read_models()
        self._endpoint, self.problem = _endpoint()

    def read_models(self) -> ModelTable:
        """Return the model table as it is now, by which pipelines are made from here on."""
        self._models = load_models(own_models_file())
        return self._models

    def make(self, workspace: Workspace, presets: Presets, like: Pipeline | None = None) -> Pipeline:
        """Return a pipeline over a workspace. It starts with everything `like` knows about texts."""
        pipeline = Pipeline(workspace, policies()[0], presets, self._models, tokenizers()[0])
        if like is not None:
            pipeline.known = like.known
        pipeline.known.summarizing.allow(self._endpoint)
        return pipeline


def offered_presets() -> Presets:
    """Return the shipped presets with the user's own, read now."""
    return load_presets(own_presets_file(), policies()[0])


def _endpoint() -> tuple[EndpointSettings | None, Problem | None]:
    """Return the user's endpoint for summaries, and the reason why the settings file cannot be read."""
    try:
        return read_endpoint(settings_file()), None
    except UnreadableError as error:
        return None, error.problem
