"""The gaps of a case before every figure matches the scenario, and the work to fill them.

Counts, summaries, vectors, readings, an index: each is Work, made anywhere, chunk by chunk, and taken in by the owner
of the pipeline. The window makes it on workers while the mouse rests; all other callers use `make_all`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

from inspector.assembly.candidates import Candidates
from inspector.assembly.case import Case
from inspector.assembly.collect import texts_to_count
from inspector.assembly.columns import I32
from inspector.assembly.overhead import tool_texts
from inspector.assembly.pipeline import Pipeline, messages_to_read, wants_vectors
from inspector.assembly.scenario import Scenario
from inspector.assembly.summarizing import originals_of, previewed_rows, rows_without_summary
from inspector.retrieval.summaries.summarizer import Original, SummaryCache, SummaryError, summarize_texts
from inspector.retrieval.vectors.embedding import EmbedderUnavailableError, VectorCache, embed_texts
from inspector.tokens.cache import CountCache
from inspector.tokens.chat.frames import frames_of
from inspector.tokens.counting import count_texts


@dataclass(frozen=True, eq=False)
class Work:
    """A missing result: `make` yields it in chunks, `take` takes a chunk in and returns the share done, 0–1.

    `name` is one of `NAMES`, `title` describes the work to the user, `size` is the number of texts. `of` is the maker:
    work of the same name with another `of` is different work.
    """

    name: str
    title: str
    size: int
    of: object
    make: Callable[[], Iterator[Any]]
    take: Callable[[Any], float]


NAMES = ("count", "frames", "summarize", "embed", "index", "read", "duplicates")
"""The names of all kinds of work."""
MOST_MEMORIES = 20_000
"""The most memories to search for duplicates unasked: the search takes seconds, and grows with the square."""

Progress = Callable[[Work, float], None]


def first_lacking(pipeline: Pipeline, case: Case, cache: CountCache | None = None) -> Work | None:
    """Return the next work for a case, None if it is complete.

    This includes refused parameters: an answer with an error has the counts of its items as well.
    """
    makers = (_count_work, _frame_work, _summary_work, _vector_work, _index_work, _reading_work)
    return next((work for make in makers if (work := make(pipeline, case, cache)) is not None), None)


def make_all(
    pipeline: Pipeline, scenario: Scenario, cache: CountCache | None = None, on_progress: Progress | None = None
) -> Case:
    """Return the case of a scenario, after doing all its missing work here and now.

    Unavailable results are given up, with a finding. Raise ScenarioError and UnknownTokenizerError.
    """
    while (work := first_lacking(pipeline, pipeline.case(scenario), cache)) is not None:
        make_here(work, on_progress)
    return pipeline.case(scenario)


def make_here(work: Work, on_progress: Progress | None = None) -> None:
    """Do this work here and now."""
    for chunk in work.make():
        done = work.take(chunk)
        if on_progress is not None:
            on_progress(work, done)


def missing_texts(pipeline: Pipeline, case: Case) -> list[str]:
    """Return the texts still to be counted before every figure of a case is exact, each once."""
    return [*pipeline.known.counts(case.model.tokenizer.tokenizer).texts_at(_uncounted(pipeline, case))]


def _uncounted(pipeline: Pipeline, case: Case) -> I32:
    """Return the places of these texts in the counts."""
    items, counts = pipeline.items(case), pipeline.known.counts(case.model.tokenizer.tokenizer)
    replacements, contents = case.traits.counts_replacements, case.traits.counts_contents
    key = items, replacements, contents, counts
    wanted = lambda: texts_to_count(items, counts, replacements=replacements, contents=contents)  # noqa: E731 - a stage
    made = lambda: counts.missing(pipeline.stage("texts to count", key, wanted))  # noqa: E731 - a stage
    return pipeline.stage("uncounted", (*key, counts.version), made)


def missing_vectors(pipeline: Pipeline, case: Case) -> list[str]:
    """Return the texts still to be embedded before the similarities of a case are complete, each once.

    Empty if no embedder is available; words are compared then.
    """
    query = pipeline.query(case)
    embedder = case.embedder.embedder if case.embedder and wants_vectors(case, query) else None
    if embedder is None:
        return []
    vectors, asked = pipeline.known.vectors(embedder), [] if embedder.quick else [query]

    def wanted() -> list[str]:
        texts = pipeline.compared_texts(case)
        return vectors.missing([*texts, *asked]) if texts else []

    return pipeline.stage("missing vectors", (*pipeline.vectors_terms(case, vectors), *asked), wanted)


def missing_summaries(pipeline: Pipeline, case: Case) -> list[Original]:
    """Return the texts still to be summarized for a case, each once.

    An extractive summary is made of every message without a summary; an endpoint is asked only for those summarized
    now.
    """
    summarizer, summarizing = case.summarizer, pipeline.known.summarizing
    if summarizer is None or summarizing.trouble_of(summarizer):
        return []
    plain, known = pipeline.plain_items(case), summarizing.known(summarizer)
    if summarizer.name == "endpoint":
        return known.missing(originals_of(plain, previewed_rows(pipeline.assemble(case)), summarizer))
    wanted = lambda: originals_of(plain, rows_without_summary(plain), summarizer)  # noqa: E731 - a stage
    key = (plain, summarizer, summarizing.version)
    return pipeline.stage("missing summaries", key, lambda: known.missing(wanted()))


def unread_messages(pipeline: Pipeline, case: Case) -> list[str]:
    """Return the texts still to be read before the messages of a case are classified, each once."""
    if case.scenario.classify is None:
        return []
    reader, items = pipeline.known.reader, pipeline.items(case)
    return pipeline.stage("unread", (items, reader.version), lambda: reader.unread(messages_to_read(items)))


def duplicate_work(pipeline: Pipeline, candidates: Candidates, most: int | None = None) -> Work | None:
    """Return the search for memories with nearly the same content, None if it is done or there are more than `most`.

    Its result feeds findings, and no decision.
    """
    searches = pipeline.known.duplicates
    memories = searches.memories(candidates)
    too_many = most is not None and len(memories) > most
    if len(memories) < 2 or too_many or searches.known(candidates) is not None:
        return None

    def take(search: Any) -> float:
        if search.done >= 1:
            searches.add(memories, search.labels)
        return search.done

    return Work("duplicates", "Looking for near-duplicates", len(memories), memories, memories.search, take)


def _count_work(pipeline: Pipeline, case: Case, cache: CountCache | None) -> Work | None:
    places, tokenizer = _uncounted(pipeline, case), case.model.tokenizer.tokenizer
    counts = pipeline.known.counts(tokenizer)

    def take(chunk: Any) -> float:
        end = chunk.start + len(chunk.counts)
        counts.add(places[chunk.start : end], chunk.counts, chunk.bounds)
        return end / len(places)

    make = lambda: count_texts(counts.texts_at(places), tokenizer, cache)  # noqa: E731 - of these texts
    return Work("count", "Counting tokens", len(places), tokenizer, make, take) if len(places) else None


def _frame_work(pipeline: Pipeline, case: Case, _: CountCache | None) -> Work | None:
    """Measure the tokens added by a third-party chat template, as work, since its run time is unlimited."""
    chat_format, items = case.model.chat_format, pipeline.plain_items(case)
    if chat_format.template.shipped:
        return None
    speakers = set(items.speakers[0])
    frames, done = frames_of(chat_format, case.model.tokenizer.tokenizer), count(1)
    lacking = frames.lacking(speakers, tool_texts(case.chosen.parts.tools), bool(len(items.thinkers)))

    def take(measured: Any) -> float:
        frames.take(measured)
        return 1.0 if measured is None else next(done) / len(lacking)

    make = lambda: frames.measure(lacking)  # noqa: E731 - of these figures
    return Work("frames", "Measuring the chat template", len(lacking), frames, make, take) if lacking else None


def _summary_work(pipeline: Pipeline, case: Case, cache: CountCache | None) -> Work | None:
    originals, summarizer = missing_summaries(pipeline, case), case.summarizer
    if summarizer is None or not originals:
        return None
    summarizing, store = pipeline.known.summarizing, SummaryCache(cache) if cache else None

    def make() -> Iterator[Any]:
        try:
            yield from summarize_texts(originals, summarizer, store)
        except SummaryError as problem:
            yield problem

    def take(chunk: Any) -> float:
        if isinstance(chunk, SummaryError):
            summarizing.give_up(summarizer, str(chunk))
            return 1.0
        end = chunk.start + len(chunk.summaries)
        summarizing.add(summarizer, originals[chunk.start : end], chunk.summaries)
        return end / len(originals)

    return Work("summarize", "Summarizing", len(originals), summarizer, make, take)


def _vector_work(pipeline: Pipeline, case: Case, cache: CountCache | None) -> Work | None:
    texts = missing_vectors(pipeline, case)
    embedder = case.embedder.embedder if case.embedder and texts else None
    if embedder is None:
        return None
    known, vectors, name = pipeline.known, pipeline.known.vectors(embedder), case.scenario.embedding
    store = VectorCache(cache) if cache else None

    def make() -> Iterator[Any]:
        try:
            yield from embed_texts(texts, embedder, store)
        except EmbedderUnavailableError as problem:
            yield problem

    def take(chunk: Any) -> float:
        if isinstance(chunk, EmbedderUnavailableError):
            known.give_up_embedder(name, chunk)
            return 1.0
        end = chunk.start + len(chunk.vectors)
        vectors.add(texts[chunk.start : end], chunk.vectors)
        return end / len(texts)

    return Work("embed", "Embedding texts", len(texts), embedder, make, take)


def _index_work(pipeline: Pipeline, case: Case, _: CountCache | None) -> Work | None:
    waiting, way = pipeline.unindexed(case), case.scenario.similarity

    def make() -> Iterator[int]:
        for number, similarity in enumerate(waiting, 1):
            similarity.build_index(way)
            yield number

    size = sum(len(similarity.compared(way)) for similarity in waiting)
    of = tuple(map(id, waiting)), way
    return Work("index", "Indexing words", size, of, make, lambda done: done / len(waiting)) if waiting else None


def _reading_work(pipeline: Pipeline, case: Case, _: CountCache | None) -> Work | None:
    texts, reader = unread_messages(pipeline, case), pipeline.known.reader
    make = lambda: reader.read_all(texts)  # noqa: E731 - of these texts
    return Work("read", "Reading messages", len(texts), reader, make, lambda done: done / len(texts)) if texts else None
