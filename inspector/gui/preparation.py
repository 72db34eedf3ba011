"""Preparation: what an answer still lacks (counts, vectors, measured prompt, near-duplicates), made on idle workers."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Protocol

from PySide6.QtCore import QObject, QTimer

from inspector.assembly.answer import Answer, ledger_terms
from inspector.assembly.choices import ScenarioError
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import PolicyError
from inspector.assembly.scenario import Scenario
from inspector.assembly.token_ledger import TokenLedger, measured_ledger
from inspector.gui.progress import Progress
from inspector.gui.tasks import Request, Tasks
from inspector.retrieval.summaries.cache import SummaryCache
from inspector.retrieval.summaries.summarizer import Original, Summarizer, SummaryError, summarize_texts
from inspector.retrieval.vectors.cache import VectorCache
from inspector.retrieval.vectors.embedding import EmbedderUnavailableError, embed_texts
from inspector.tokens.cache import CountCache
from inspector.tokens.chat.sandbox import AbandonedError
from inspector.tokens.counting import count_texts

IDLE_MILLISECONDS = 120
RECOUNT_MILLISECONDS = 400


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
        self._summarizer: Summarizer | None = None

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
        tasks = self._session.tasks
        try:
            lacking = self._lacking()
        except (PolicyError, ScenarioError):
            return
        for name, texts, make in lacking:
            if texts:
                if not tasks.is_running(name):
                    make(texts)
                return
        self._measure(answer)

    def _lacking(self) -> tuple[tuple[str, list[Any], Callable[[list[Any]], None]], ...]:
        """What the answer lacks, what comes first first, and what makes it. Raises PolicyError and ScenarioError."""
        pipeline, scenario = self._session.pipeline, self._session.scenario
        self._drop_stale_summaries(pipeline.summarizer(scenario))
        return (
            ("count", pipeline.missing_texts(scenario), self._count),
            ("summarize", pipeline.missing_summaries(scenario), self._summarize),
            ("embed", pipeline.missing_vectors(scenario), self._embed),
            ("read", pipeline.unread_messages(scenario), self._read),
        )

    def _count(self, texts: list[str]) -> None:
        pipeline = self._session.pipeline
        tokenizer = pipeline.model(self._session.scenario).tokenizer.tokenizer

        def take(chunk: Any) -> None:
            end = chunk.start + len(chunk.counts)
            pipeline.add_counts(tokenizer, texts[chunk.start : end], chunk.counts)
            self._show("Counting tokens", end, len(texts))
            if not self._renew.isActive():
                self._renew.start()

        self._run("count", lambda: count_texts(texts, tokenizer, self._cache), take)

    def _drop_stale_summaries(self, summarizer: Summarizer | None) -> None:
        """Make nothing more, and send nothing more, by a method that nobody asks for any longer."""
        if summarizer is not self._summarizer:
            self._session.tasks.cancel("summarize")
            self._summarizer = summarizer

    def _summarize(self, originals: list[Original]) -> None:
        pipeline, cache = self._session.pipeline, SummaryCache(self._cache)
        summarizing, summarizer = pipeline.summarizing, pipeline.summarizer(self._session.scenario)
        if summarizer is None:
            return

        def take(chunk: Any) -> None:
            if isinstance(chunk, SummaryError):
                summarizing.give_up(summarizer, str(chunk))
                return
            end = chunk.start + len(chunk.summaries)
            summarizing.add(summarizer, originals[chunk.start : end], chunk.summaries)
            self._show("Summarizing", end, len(originals))
            if not self._renew.isActive():
                self._renew.start()

        def request() -> Iterator[Any]:
            try:
                yield from summarize_texts(originals, summarizer, cache)
            except SummaryError as problem:
                yield problem

        self._run("summarize", request, take)

    def _embed(self, texts: list[str]) -> None:
        pipeline, scenario = self._session.pipeline, self._session.scenario
        embedder = pipeline.embedder(scenario).embedder
        if embedder is None:
            return

        def take(chunk: Any) -> None:
            if isinstance(chunk, EmbedderUnavailableError):
                pipeline.give_up_vectors(scenario, chunk)
                return
            end = chunk.start + len(chunk.vectors)
            pipeline.add_vectors(embedder, texts[chunk.start : end], chunk.vectors)
            self._show("Embedding texts", end, len(texts))

        def request() -> Iterator[Any]:
            try:
                yield from embed_texts(texts, embedder, VectorCache(self._cache))
            except EmbedderUnavailableError as problem:
                yield problem

        self._run("embed", request, take)

    def _read(self, texts: list[str]) -> None:
        """Read messages by the rules that classify them."""
        reader = self._session.pipeline.reader
        self._run("read", lambda: reader.read_all(texts), lambda done: self._show("Reading messages", done, len(texts)))

    def _measure(self, answer: Answer) -> None:
        """Count the prompt's texts; the result is taken only if it is still the current answer's."""
        session = self._session
        if answer.ledger.rendered is not None:
            self._find_duplicates()
            return
        terms = ledger_terms(session.pipeline, answer.scenario)

        def request() -> Iterator[Any]:
            with suppress(AbandonedError):
                yield measured_ledger(answer.assembly, *terms, is_wanted=lambda: session.answer is answer)

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
        searches, candidates = session.pipeline.duplicates, answer.assembly.candidates
        memories = searches.memories(candidates)
        if len(memories) < 2 or searches.known(candidates) is not None:
            return

        def take(search: Any) -> None:
            self._show("Looking for near-duplicates", search.done, 1)
            if search.done >= 1:
                searches.add(memories, search.labels)

        session.work("duplicates", memories.search, take, self._searched)

    def _searched(self) -> None:
        """Say what follows, unless the measured answer that is on its way will say it; look again if all is new."""
        session = self._session
        session.end_work()
        if session.answer is not None and not session.tasks.is_running("measure"):
            session.take_measured(session.answer, session.answer.ledger)
            self._find_duplicates()

    def _run(self, name: str, request: Any, take: Any) -> None:
        self._session.work(name, request, take, self._made)

    def _made(self) -> None:
        """Something that was lacking is there: make the answer anew, and look for the next thing at once."""
        self._session.end_work()
        self._renew.stop()
        self.hurry(True)
        self._session.request_assembly()

    def _show(self, what: str, done: float, of: int) -> None:
        self._session.show_progress(Progress(what, done / of))
