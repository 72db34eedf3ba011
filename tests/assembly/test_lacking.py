"""What a case lacks: named in an order, made until nothing is left, known to every fork, given up where it fails."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import pytest
from building import pipeline_for, words, workspace
from numpy.typing import NDArray

from inspector.assembly import known
from inspector.assembly import pipeline as pipeline_module
from inspector.assembly.answer import complete_answer, is_current, planned_answer, says_all, with_ledger
from inspector.assembly.columns import Kind
from inspector.assembly.lacking import (
    NAMES,
    Work,
    duplicate_work,
    first_lacking,
    make_all,
    make_here,
    missing_summaries,
    missing_texts,
    missing_vectors,
    unread_messages,
)
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.replacements import SummarySource
from inspector.assembly.scenario import Scenario
from inspector.model import Memory, MemorySet, Message
from inspector.retrieval import similarity
from inspector.retrieval.relevance.settings import RelevanceSettings
from inspector.retrieval.similarity import Origin
from inspector.retrieval.summaries.endpoint import Endpoint
from inspector.retrieval.summaries.settings import EndpointSettings
from inspector.retrieval.summaries.summarizer import Original, SummaryError
from inspector.retrieval.vectors.choice import EmbedderChoice
from inspector.retrieval.vectors.embedding import EmbedderUnavailableError, TextVectors
from inspector.tokens.cache import CountCache

TALK = tuple(
    Message(f"m{number}", "assistant" if number % 2 else "user", text)
    for number, text in enumerate(
        (
            "The boat lies in the harbour of Lisbon. It rained on the way. The harbour is full of boats.",
            "The keel of the boat is cracked. My aunt came by. Somebody has to mend the keel. She likes tea.",
            "I promise to mend the keel of the boat. The tea is cold. The rain will not end before the night.",
            "So what now?",
        )
    )
)
STORED = MemorySet(
    "facts", tuple(Memory(f"k{number}", text) for number, text in enumerate(("a boat", "tea", "my boat")))
)
FOUND = workspace(TALK, STORED)
SELECTIVE = {"selective": True, "recent_messages": 0, "min_exchanges": 1, "discard_after": 100}
WANTED = Scenario(
    tokenizer="estimate:words",
    context_window=1_000,
    query="boat",
    similarity="hybrid",
    classify="rules",
    summaries="extractive",
    summary_tokens=9,
    parameters=SELECTIVE,
)
MANY = 50
"""Whoever asks so often for so few texts would never end."""
COUNTED = Scenario(tokenizer="estimate:words", similarity="recorded")


class LetterEmbedder:
    """A vector for the letters of a text. It fails from the given number of texts on."""

    name = "letters"
    fingerprint = "letters@1"
    quick = True
    chunk = 2

    def __init__(self) -> None:
        self.asked = self.calls = 0
        self.most: int | None = None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += len(texts)
        self.calls += 1
        assert self.calls < MANY, "asked again and again"
        if self.most is not None and self.asked > self.most:
            raise EmbedderUnavailableError("its weights are broken")
        found = np.array([[text.lower().count(letter) for letter in "aeiou"] for text in texts], np.float32)
        return found / np.maximum(np.linalg.norm(found.reshape(len(texts), 5), axis=1, keepdims=True), 1)


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> LetterEmbedder:
    made = LetterEmbedder()
    monkeypatch.setattr(known, "choose_embedder", lambda name: EmbedderChoice(made, name))
    return made


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two texts are the most that are indexed, and none is read, while somebody waits."""
    monkeypatch.setattr(similarity, "INDEXED_AT_ONCE", 2)
    monkeypatch.setattr(pipeline_module, "_READ_AT_ONCE", 0)


def works(pipeline: Pipeline, scenario: Scenario) -> Iterator[Work]:
    """What is lacking, one after the other, each made before the next is asked for."""
    while (work := first_lacking(pipeline, pipeline.case(scenario))) is not None:
        yield work
        make_here(work)


def nothing_is_lacking(pipeline: Pipeline, scenario: Scenario) -> bool:
    case = pipeline.case(scenario)
    missing: tuple[Sequence[Any], ...] = (
        missing_texts(pipeline, case),
        missing_summaries(pipeline, case),
        missing_vectors(pipeline, case),
        pipeline.unindexed(case),
        unread_messages(pipeline, case),
    )
    return not any(missing) and first_lacking(pipeline, case) is None


@pytest.mark.usefixtures("embedder", "slow")
def test_what_is_lacking_comes_in_an_order_and_ends() -> None:
    pipeline = pipeline_for(FOUND)
    made = [(work.name, work.size) for work in islice(works(pipeline, WANTED), MANY)]
    assert [name for name, _ in made] == ["count", "summarize", "count", "embed", "index", "read"]
    assert dict(made)["summarize"] == len(TALK)
    assert dict(made)["embed"] == dict(made)["index"] == len(STORED.memories)
    assert {name for name, _ in made} < set(NAMES)
    assert nothing_is_lacking(pipeline, WANTED)


@pytest.mark.usefixtures("embedder", "slow")
@pytest.mark.parametrize("policy", ["ratio", "window_rag", "slots", "naive"])
def test_make_all_leaves_nothing(policy: str) -> None:
    pipeline = pipeline_for(FOUND)
    wanted = replace(WANTED, policy=policy, parameters=SELECTIVE if policy == "ratio" else {})
    assert not nothing_is_lacking(pipeline, wanted)
    case = make_all(pipeline, wanted)
    assert case is pipeline.case(wanted)
    assert nothing_is_lacking(pipeline, wanted)
    assert pipeline.candidates(case).exact.all()


@pytest.mark.usefixtures("embedder", "slow")
def test_what_is_made_is_asked_for_only_where_the_scenario_wants_it() -> None:
    assert [work.name for work in works(pipeline_for(FOUND), COUNTED)] == ["count"]
    compared = replace(COUNTED, similarity="embedding", query="boat")
    assert [work.name for work in works(pipeline_for(FOUND), compared)] == ["count", "embed"]
    fused = replace(compared, similarity="auto")
    assert [work.name for work in works(pipeline_for(FOUND), fused)] == ["count", "embed", "index"]
    by_words = replace(fused, relevance=RelevanceSettings(vectors=0))
    assert [work.name for work in works(pipeline_for(FOUND), by_words)] == ["count", "index"]
    read = replace(COUNTED, classify="rules")
    assert [work.name for work in works(pipeline_for(FOUND), read)] == ["count", "read"]


def test_what_a_case_lacks_is_the_same_where_its_parameters_are_refused() -> None:
    """Else what is said of its items would depend on what was asked before."""
    pipeline, refused = pipeline_for(FOUND), replace(WANTED, parameters={"x": 1})
    assert make_all(pipeline, refused).policy is None
    candidates = pipeline.candidates(pipeline.case(refused))
    assert candidates.exact.all()
    assert (candidates.similarity_origin[candidates.rows(Kind.MEMORY)] != Origin.NOWHERE).all()
    assert first_lacking(pipeline, pipeline.case(refused)) is None


def test_what_is_taken_in_chunk_by_chunk_is_lacking_no_more() -> None:
    told = tuple(Message(f"m{number}", "user", f"word {number}") for number in range(9_000))
    pipeline = pipeline_for(workspace(told))
    work = first_lacking(pipeline, pipeline.case(COUNTED))
    assert work is not None
    chunks, shares = work.make(), []
    shares.append(work.take(next(chunks)))
    left = first_lacking(pipeline, pipeline.case(COUNTED))
    assert left is not None
    assert left.size == work.size - round(shares[0] * work.size) < work.size
    shares += [work.take(chunk) for chunk in chunks]
    assert shares == sorted(set(shares))
    assert shares[-1] == 1
    assert first_lacking(pipeline, pipeline.case(COUNTED)) is None


@pytest.mark.usefixtures("embedder", "slow")
def test_progress_says_what_is_made_and_which_share_of_it_is_done() -> None:
    told: list[tuple[str, float]] = []
    make_all(pipeline_for(FOUND), WANTED, on_progress=lambda work, share: told.append((work.title, round(share, 2))))
    assert told == [
        *(("Counting tokens", 1), ("Summarizing", 1), ("Counting tokens", 1)),
        *(("Embedding texts", 0.67), ("Embedding texts", 1), ("Indexing words", 1), ("Reading messages", 1)),
    ]


def test_work_of_the_same_maker_is_the_same_work(embedder: LetterEmbedder) -> None:
    pipeline = pipeline_for(FOUND)
    first, again = (first_lacking(pipeline, pipeline.case(COUNTED)) for _ in range(2))
    other = first_lacking(pipeline, pipeline.case(replace(COUNTED, tokenizer="estimate:chorus")))
    assert first is not None
    assert again is not None
    assert other is not None
    assert (first.name, first.of) == (again.name, again.of)
    assert first.of is not other.of
    embedding = next(work for work in works(pipeline, replace(WANTED, summaries=None)) if work.name == "embed")
    assert embedding.of is embedder


# Forks: what one of them has made, all of them know.


def test_what_a_fork_counts_is_priced_anew_by_the_others() -> None:
    pipeline, fork = (made := pipeline_for(FOUND)), made.fork()
    before = pipeline.candidates(pipeline.case(COUNTED))
    assert not before.exact.any()
    make_all(fork, COUNTED)
    assert missing_texts(fork, fork.case(COUNTED)) == []
    after = pipeline.candidates(pipeline.case(COUNTED))
    assert after is not before
    assert after.exact.all()
    assert after.tokens.tolist() == [len(text.split()) for text in after.texts]
    assert pipeline.candidates(pipeline.case(COUNTED)) is after
    assert first_lacking(pipeline, pipeline.case(COUNTED)) is None


def test_counts_that_are_given_to_a_fork_are_priced_by_the_window(embedder: LetterEmbedder) -> None:
    pipeline, fork = (made := pipeline_for(FOUND)), made.fork()
    make_all(pipeline, COUNTED)
    before = pipeline.candidates(pipeline.case(COUNTED))
    counts = fork.known.counts(fork.case(COUNTED).model.tokenizer.tokenizer)
    counts.add(counts.places([TALK[0].content]), [1_000])
    after = pipeline.candidates(pipeline.case(COUNTED))
    changed = np.flatnonzero(after.tokens != before.tokens)
    assert [after.ids[row] for row in changed] == ["m0"]
    assert after.tokens[changed].tolist() == [1_000]


def test_vectors_of_a_fork_are_compared_by_the_others(embedder: LetterEmbedder) -> None:
    wanted = replace(COUNTED, similarity="embedding", query="boat")
    pipeline, fork = (made := pipeline_for(FOUND)), made.fork()
    assert set(origins(pipeline, wanted)) == {Origin.LEXICAL}
    make_all(fork, wanted)
    assert set(origins(pipeline, wanted)) == {Origin.EMBEDDING}


@pytest.mark.usefixtures("embedder")
def test_summaries_of_a_fork_stand_in_the_others() -> None:
    pipeline, fork = (made := pipeline_for(FOUND)), made.fork()
    assert set(sources(pipeline, WANTED)) == {SummarySource.PREVIEW}
    make_all(fork, WANTED)
    assert SummarySource.EXTRACTIVE in sources(pipeline, WANTED)
    assert nothing_is_lacking(pipeline, WANTED)


def origins(pipeline: Pipeline, scenario: Scenario) -> list[int]:
    candidates = pipeline.candidates(pipeline.case(scenario))
    return candidates.similarity_origin[candidates.rows(Kind.MEMORY)].tolist()


def sources(pipeline: Pipeline, scenario: Scenario) -> list[int]:
    return pipeline.items(pipeline.case(scenario)).standing.sources.tolist()


# What fails is given up.


def test_an_embedder_that_fails_half_way_is_given_up(embedder: LetterEmbedder) -> None:
    embedder.most = 2
    pipeline, wanted = pipeline_for(FOUND), replace(WANTED, summaries=None, similarity="auto")
    case = make_all(pipeline, wanted)
    assert embedder.asked == 3, "it is not asked again"
    assert case.embedder is not None
    assert case.embedder.embedder is None
    assert "its weights are broken" in case.embedder.reason
    assert set(origins(pipeline, wanted)) == {Origin.FUSED}
    assert nothing_is_lacking(pipeline, wanted)
    codes = [finding.code for finding in complete_answer(pipeline, wanted).findings]
    assert "embedding_unavailable" in codes
    assert nothing_is_lacking(pipeline.fork(), wanted), "a fork does not ask it either"


def test_summaries_are_made_by_words_where_the_embedder_fails(embedder: LetterEmbedder) -> None:
    embedder.most = 0
    pipeline = pipeline_for(FOUND)
    case = make_all(pipeline, WANTED)
    assert embedder.calls == 2, "once for the summaries, once for the texts"
    assert case.summarizer is not None
    assert case.summarizer.reads_neighbours
    assert SummarySource.EXTRACTIVE in sources(pipeline, WANTED)
    assert pipeline.known.summarizing.trouble(WANTED, case.summarizer) == ""
    assert nothing_is_lacking(pipeline, WANTED)


class Refusing(Endpoint):
    """An endpoint that answers for one text, and refuses then."""

    chunk = 1
    asked = 0

    def summarize(self, originals: Sequence[Original]) -> list[str]:
        type(self).asked += 1
        assert type(self).asked < MANY, "asked again and again"
        if type(self).asked > 1:
            raise SummaryError("The endpoint refuses the key.")
        return ["told" for _ in originals]


def test_an_endpoint_that_fails_half_way_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Refusing, "asked", 0)
    monkeypatch.setattr("inspector.retrieval.summaries.endpoint.Endpoint", Refusing)
    pipeline = pipeline_for(FOUND)
    pipeline.known.summarizing.allow(EndpointSettings("http://127.0.0.1:1/v1", "tiny"))
    wanted = replace(WANTED, summaries="endpoint", similarity="recorded", classify=None)
    case = make_all(pipeline, wanted)
    assert Refusing.asked == 2, "it is not asked again"
    assert sorted(set(sources(pipeline, wanted))) == sorted({SummarySource.PREVIEW, SummarySource.ENDPOINT})
    assert pipeline.known.summarizing.trouble(wanted, case.summarizer) == "The endpoint refuses the key."
    assert nothing_is_lacking(pipeline, wanted)
    codes = [finding.code for finding in complete_answer(pipeline, wanted).findings]
    assert "summaries_unavailable" in codes


@pytest.mark.parametrize(
    "wanted",
    [COUNTED, replace(WANTED, similarity="lexical"), WANTED, replace(COUNTED, classify="rules")],
    ids=["counts", "index and summaries", "vectors", "readings"],
)
@pytest.mark.usefixtures("embedder", "slow")
def test_an_answer_is_old_once_somebody_made_known_what_it_lacked(wanted: Scenario) -> None:
    pipeline = pipeline_for(FOUND)
    answer = planned_answer(pipeline, pipeline.case(wanted))
    assert is_current(pipeline, answer)
    make_all(pipeline.fork(), wanted)
    assert first_lacking(pipeline, pipeline.case(wanted)) is None
    assert not is_current(pipeline, answer)
    assert is_current(pipeline, planned_answer(pipeline, pipeline.case(wanted)))


def test_a_complete_answer_stays_current_whatever_else_becomes_known_of_other_texts() -> None:
    pipeline = pipeline_for(FOUND)
    answer = complete_answer(pipeline, COUNTED)
    make_all(pipeline.fork(), replace(COUNTED, tokenizer="estimate:chorus"))
    assert is_current(pipeline, answer)


def test_findings_are_old_once_somebody_has_found_what_they_follow_from() -> None:
    stored = MemorySet("facts", tuple(Memory(f"k{number}", words(9)) for number in range(3)))
    pipeline = pipeline_for(workspace(TALK, stored))
    answer = complete_answer(pipeline, COUNTED)
    complete_answer(pipeline.fork(), COUNTED, finds_duplicates=True)
    assert is_current(pipeline, answer)
    assert not says_all(pipeline, answer)
    assert says_all(pipeline, with_ledger(pipeline, answer, answer.ledger))


# Near-duplicates: findings follow from them and no decision, so nobody has to wait for them.


def test_near_duplicates_are_looked_for_only_by_those_who_ask() -> None:
    stored = MemorySet("facts", tuple(Memory(f"k{number}", words(9)) for number in range(3)))
    pipeline = pipeline_for(workspace(TALK, stored))
    case = make_all(pipeline, COUNTED)
    candidates = pipeline.candidates(case)
    assert pipeline.known.duplicates.known(candidates) is None
    assert duplicate_work(pipeline, candidates, most=2) is None
    work = duplicate_work(pipeline, candidates, most=3)
    assert work is not None
    assert (work.name, work.size) == ("duplicates", 3)
    assert work.name in NAMES
    make_here(work)
    found = pipeline.known.duplicates.known(candidates)
    assert found is not None
    assert [len(group) for group in found.groups] == [3]
    assert duplicate_work(pipeline, candidates) is None, "not looked for again"


@pytest.mark.parametrize("many", [0, 1])
def test_one_memory_repeats_no_other(many: int) -> None:
    stored = MemorySet("facts", tuple(Memory(f"k{number}", words(9)) for number in range(many)))
    pipeline = pipeline_for(workspace(TALK, stored))
    assert duplicate_work(pipeline, pipeline.candidates(pipeline.case(COUNTED))) is None
    complete_answer(pipeline, COUNTED, finds_duplicates=True)


def test_what_was_made_before_comes_from_the_file(embedder: LetterEmbedder, tmp_path: Any) -> None:
    cache = CountCache(tmp_path / "counts.sqlite")
    make_all(pipeline_for(FOUND), WANTED, cache)
    asked, embedder.asked = embedder.asked, 0
    again = pipeline_for(FOUND)
    make_all(again, WANTED, cache)
    cache.close()
    assert asked > embedder.asked == 1, "the query alone"
    assert SummarySource.EXTRACTIVE in sources(again, WANTED)
    assert nothing_is_lacking(again, WANTED)


def test_a_text_that_a_policy_counts_for_itself_does_not_stay_estimated() -> None:
    """Reserve counts the words of its roles; a message that says no more than such a word is missing all the same."""
    pipeline = pipeline_for(workspace([Message("m0", "user", "assistant")]))
    scenario = replace(COUNTED, policy="reserve", context_window=100)
    pipeline.assemble(pipeline.case(scenario))
    candidates = pipeline.candidates(make_all(pipeline, scenario))
    assert candidates.exact.tolist() == [True]
    assert candidates.tokens.tolist() == [1]


def test_a_fork_that_summarizes_in_another_way_leaves_the_items_of_the_other_alone() -> None:
    pipeline = pipeline_for(FOUND)
    items = pipeline.items(make_all(pipeline, WANTED))
    fork = pipeline.fork()
    fork.items(fork.case(replace(WANTED, summary_tokens=20)))
    assert pipeline.items(pipeline.case(replace(WANTED, context_window=900))) is items


def test_a_model_that_fails_at_the_query_alone_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline, scenario = pipeline_for(FOUND), replace(COUNTED, query="boat", similarity="embedding")
    make_all(pipeline, scenario)
    embedder = pipeline.case(scenario).embedder
    if embedder is None or embedder.embedder is None:
        pytest.skip("no word vectors here")

    def fail(self: Any, texts: Sequence[str]) -> Any:
        raise EmbedderUnavailableError("its file is gone")

    monkeypatch.setattr(type(embedder.embedder), "embed", fail)
    other = replace(scenario, query="tea and boats")
    found = pipeline.candidates(pipeline.case(other))
    memories = found.rows(Kind.MEMORY)
    assert set(found.similarity_origin[memories].tolist()) == {Origin.LEXICAL}
    assert "its file is gone" in pipeline.known.embedder("auto").reason


@pytest.mark.usefixtures("slow")
def test_an_index_outlives_the_summaries_that_come_in() -> None:
    pipeline = pipeline_for(FOUND)
    plain = replace(WANTED, similarity="lexical", classify=None, summaries=None)
    before = pipeline.relevance(make_all(pipeline, plain))
    items = pipeline.items(pipeline.case(plain))
    case = make_all(pipeline, replace(plain, summaries="extractive"))
    assert pipeline.items(case) is not items
    assert pipeline.relevance(case) is before
    assert not pipeline.unindexed(case)


@pytest.mark.usefixtures("embedder")
def test_what_vectors_are_missing_is_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    missing, knows = TextVectors.missing, TextVectors.knows
    monkeypatch.setattr(TextVectors, "missing", lambda self, texts: looked.append(1) or missing(self, texts))
    monkeypatch.setattr(TextVectors, "knows", lambda self, texts: looked.append(1) or knows(self, texts))
    pipeline = pipeline_for(FOUND)
    scenario = replace(WANTED, similarity="embedding", classify=None, summaries=None)
    pipeline.assemble(make_all(pipeline, scenario))
    looked.clear()
    for window in range(900, 910):
        case = pipeline.case(replace(scenario, context_window=window))
        assert not missing_vectors(pipeline, case)
        pipeline.assemble(case)
    assert not looked
