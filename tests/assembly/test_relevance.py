"""How candidates are compared with the query: by what the scenario asks for, as soon as it can be had, and marked."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from building import pipeline_for, workspace
from numpy.typing import NDArray

from inspector.assembly import known
from inspector.assembly.candidates import Candidates
from inspector.assembly.choices import ScenarioError
from inspector.assembly.columns import Kind
from inspector.assembly.lacking import make_all, missing_vectors
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario, scenario_value
from inspector.model import Memory, MemorySet, Message, PastSummary
from inspector.retrieval.similarity import EMBEDDING_WAYS, FUSED_WAYS, Origin, Similarity
from inspector.retrieval.vectors.choice import EmbedderChoice
from inspector.retrieval.vectors.embedding import EmbedderUnavailableError
from tests.retrieval.stand_in import SubjectEmbedder

STORED = MemorySet(
    "default",
    (
        Memory("k0", "She owns a boat"),
        Memory("k1", "The storm took the roof", similarity=0.3),
        Memory("k2", "A kitten came with the rain"),
    ),
)
TALK = (Message("m0", "user", "my boat leaks"), Message("m1", "assistant", "oh no"), Message("m2", "user", "the ship?"))
FOUND = workspace(TALK, STORED, summaries=(PastSummary("s0", "They spoke of cats"),))


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> SubjectEmbedder:
    made = SubjectEmbedder()
    monkeypatch.setattr(known, "choose_embedder", lambda name: EmbedderChoice(made, name))
    return made


def scenario(**fields: object) -> Scenario:
    return Scenario(tokenizer="estimate:words", **fields)  # type: ignore[arg-type]


def memories_of(candidates: Candidates) -> tuple[list[float], set[Origin]]:
    rows = candidates.rows(Kind.MEMORY)
    values = [round(value, 2) for value in candidates.similarity[rows].tolist()]
    return values, {Origin(origin) for origin in candidates.similarity_origin[rows].tolist()}


def test_words_are_compared_until_everything_is_embedded_and_then_vectors(embedder: SubjectEmbedder) -> None:
    pipeline, wanted = pipeline_for(FOUND), scenario()
    assert memories_of(pipeline.candidates(pipeline.case(wanted))) == ([0, 0.3, 0], {Origin.RECORDED, Origin.FUSED})
    before = pipeline.candidates(pipeline.case(wanted)).measure
    missing = missing_vectors(pipeline, pipeline.case(wanted))
    assert missing == ["She owns a boat", "A kitten came with the rain", "They spoke of cats"]
    pipeline.known.vectors(embedder).add(missing[:2], embedder.embed(missing[:2]).astype(np.float16))
    assert pipeline.candidates(pipeline.case(wanted)).measure == before
    pipeline.known.vectors(embedder).add(missing[2:], embedder.embed(missing[2:]).astype(np.float16))
    assert missing_vectors(pipeline, pipeline.case(wanted)) == []
    assert memories_of(pipeline.candidates(pipeline.case(wanted))) == ([0.5, 0.3, 0], {Origin.RECORDED, Origin.FUSED})


def test_a_new_query_needs_no_new_vectors_of_texts(embedder: SubjectEmbedder) -> None:
    pipeline = pipeline_for(FOUND)
    make_all(pipeline, scenario())
    embedder.seen.clear()
    assert memories_of(pipeline.candidates(pipeline.case(scenario(query="felines: cats"))))[0] == [0, 0.3, 0.35]
    assert embedder.seen == ["felines: cats"]


def test_a_query_for_a_slow_model_is_waited_for(embedder: SubjectEmbedder) -> None:
    embedder.quick = False
    pipeline, wanted = pipeline_for(FOUND), scenario(query="felines: cats")
    make_all(pipeline, scenario())
    assert missing_vectors(pipeline, pipeline.case(wanted)) == ["felines: cats"]
    assert memories_of(pipeline.candidates(pipeline.case(wanted)))[0] == [0, 0.3, 0]
    make_all(pipeline, wanted)
    assert memories_of(pipeline.candidates(pipeline.case(wanted)))[0] == [0, 0.3, 0.35]


@pytest.mark.parametrize(
    ("way", "values", "origins"),
    [
        ("recorded", [np.nan, 0.3, np.nan], {Origin.NOWHERE, Origin.RECORDED}),
        ("lexical", [0, 1, 0.48], {Origin.LEXICAL}),
        ("embedding", [0.71, 0.71, 0.5], {Origin.EMBEDDING}),
        ("hybrid", [0.5, 1, 0.98], {Origin.HYBRID}),
        ("fused", [0.31, 1, 0.55], {Origin.FUSED}),
    ],
)
def test_each_way(way: str, values: list[float], origins: set[Origin], embedder: SubjectEmbedder) -> None:
    pipeline, wanted = pipeline_for(FOUND), scenario(similarity=way, query="a ship took the storm, and what came?")
    make_all(pipeline, wanted)
    found = memories_of(pipeline.candidates(pipeline.case(wanted)))
    assert found[0] == pytest.approx(values, nan_ok=True)
    assert found[1] == origins
    assert bool(embedder.seen) == (way in EMBEDDING_WAYS)


def test_another_way_is_another_ranking_at_once(embedder: SubjectEmbedder) -> None:
    pipeline = pipeline_for(FOUND)
    make_all(pipeline, scenario(similarity="embedding"))
    first = memories_of(pipeline.candidates(pipeline.case(scenario(similarity="embedding"))))
    pipeline.candidates(pipeline.case(scenario(similarity="lexical")))
    assert memories_of(pipeline.candidates(pipeline.case(scenario(similarity="embedding")))) == first


def test_messages_are_compared_where_the_policy_does_that(embedder: SubjectEmbedder) -> None:
    pipeline, wanted = pipeline_for(FOUND), scenario(policy="window_rag")
    assert missing_vectors(pipeline, pipeline.case(wanted))[3:] == ["my boat leaks", "oh no", "the ship?"]
    assert set(pipeline.candidates(pipeline.case(wanted)).message_likeness.origins.tolist()) == {
        Origin.NOWHERE,
        Origin.FUSED,
    }
    before = pipeline.candidates(pipeline.case(wanted)).message_likeness.values
    make_all(pipeline, wanted)
    likeness = pipeline.candidates(pipeline.case(wanted)).message_likeness
    messages = pipeline.candidates(pipeline.case(wanted)).rows(Kind.MESSAGE)
    assert before[messages].tolist() == pytest.approx([0, 0, np.nan], nan_ok=True)
    assert likeness.values[messages].tolist() == pytest.approx([0.5, 0.25, np.nan], nan_ok=True)
    assert likeness.origins[messages].tolist() == [Origin.FUSED, Origin.FUSED, Origin.NOWHERE]


def test_one_scale_holds_for_memories_and_messages(embedder: SubjectEmbedder) -> None:
    pipeline, wanted = pipeline_for(FOUND), scenario(similarity="embedding")
    make_all(pipeline, wanted)
    assert Origin.EMBEDDING in pipeline.candidates(pipeline.case(wanted)).similarity_origin
    candidates = pipeline.candidates(pipeline.case(replace(wanted, policy="window_rag")))
    assert Origin.EMBEDDING not in {*candidates.similarity_origin.tolist(), *candidates.message_likeness.origins}


def test_a_message_that_shares_no_word_with_the_query_comes_back(embedder: SubjectEmbedder) -> None:
    told = (*TALK[:2], Message("m2", "assistant", "the cat is fine"), Message("m3", "user", "what of ships?"))
    small = {"history_budget": 4, "per_source": 1, "rag_budget": 3}
    pipeline = pipeline_for(workspace(told))
    wanted = scenario(policy="window_rag", parameters=small)
    make_all(pipeline, wanted)
    assembly = pipeline.assemble(pipeline.case(wanted))
    assert [assembly.candidates.ids[row] for row in assembly.kept_rows(Kind.MESSAGE)] == ["m0", "m2", "m3"]


def test_a_slider_compares_nothing_again(embedder: SubjectEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Sequence[str]] = []
    real = Similarity.to_each
    monkeypatch.setattr(
        Similarity, "to_each", lambda self, queries, *terms: asked.append(queries) or real(self, queries, *terms)
    )
    pipeline = pipeline_for(FOUND)
    make_all(pipeline, scenario())
    for window in (100, 200, 300):
        pipeline.assemble(pipeline.case(scenario(context_window=window)))
    assert len(asked) == 4  # once for each kind of item
    pipeline.assemble(pipeline.case(scenario(context_window=300, query="rain")))
    assert len(asked) == 8


def test_where_everything_is_recorded_nothing_is_embedded(embedder: SubjectEmbedder) -> None:
    stored = MemorySet("default", (Memory("k0", "boat", similarity=0.4),))
    for wanted in (scenario(), scenario(similarity="lexical"), scenario(similarity="embedding", query=" ")):
        pipeline = pipeline_for(workspace(TALK, stored))
        assert missing_vectors(pipeline, pipeline.case(wanted)) == []
        pipeline.assemble(make_all(pipeline, wanted))
    assert embedder.seen == []


def test_where_words_are_compared_no_embedder_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> EmbedderChoice:
        raise AssertionError(name)

    monkeypatch.setattr(known, "choose_embedder", refuse)
    for way in ("lexical", "recorded"):
        pipeline = pipeline_for(FOUND)
        case = make_all(pipeline, scenario(similarity=way))
        assert case.embedder is None
        pipeline.assemble(case)


def reason(pipeline: Pipeline, wanted: Scenario) -> str:
    embedder = pipeline.case(wanted).embedder
    assert embedder is not None
    return embedder.reason


@pytest.mark.parametrize("way", EMBEDDING_WAYS)
def test_without_an_embedder_words_are_compared(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "choose_embedder", lambda name: EmbedderChoice(None, "none here"))
    pipeline, wanted = pipeline_for(FOUND), scenario(similarity=way)
    assert missing_vectors(pipeline, pipeline.case(wanted)) == []
    by_words = Origin.FUSED if way in FUSED_WAYS else Origin.LEXICAL
    assert by_words in memories_of(pipeline.candidates(pipeline.case(wanted)))[1]
    assert reason(pipeline, wanted) == "none here"


def test_a_model_that_turns_out_to_be_of_no_use(embedder: SubjectEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(texts: Sequence[str]) -> NDArray[np.float32]:
        raise EmbedderUnavailableError("its weights are broken")

    pipeline, wanted = pipeline_for(FOUND), scenario(similarity="embedding")
    monkeypatch.setattr(embedder, "embed", fail)
    assert missing_vectors(pipeline, pipeline.case(wanted))
    make_all(pipeline, wanted)
    assert missing_vectors(pipeline, pipeline.case(wanted)) == []
    assert memories_of(pipeline.candidates(pipeline.case(wanted)))[1] == {Origin.LEXICAL}
    assert "its weights are broken" in reason(pipeline, wanted)


def test_a_fork_knows_the_vectors(embedder: SubjectEmbedder) -> None:
    pipeline: Pipeline = pipeline_for(FOUND)
    make_all(pipeline, scenario())
    fork = pipeline.fork()
    assert missing_vectors(fork, fork.case(scenario())) == []
    assert memories_of(fork.candidates(fork.case(scenario()))) == memories_of(
        pipeline.candidates(pipeline.case(scenario()))
    )


@pytest.mark.parametrize(
    ("fields", "words"), [({"similarity": "psychic"}, "not one of auto, recorded"), ({"embedding": "w2v"}, "hf:FOLDER")]
)
def test_a_name_that_is_not_known(fields: dict[str, str], words: str) -> None:
    with pytest.raises(ScenarioError, match=words):
        pipeline_for(FOUND).case(scenario(**fields))
    with pytest.raises(ScenarioError, match=words):
        make_all(pipeline_for(FOUND), scenario(**fields))


def test_the_scenario_says_how_only_where_it_differs() -> None:
    assert "similarity" not in scenario_value(Scenario(), None)
    written = scenario_value(Scenario(similarity="hybrid", embedding="minilm"), None)
    assert (written["similarity"], written["embedding"]) == ("hybrid", "minilm")


def test_vectors_outlive_the_pipeline_in_the_file_of_the_counts(embedder: SubjectEmbedder, tmp_path) -> None:
    from inspector.tokens.cache import CountCache

    cache = CountCache(tmp_path / "counts.sqlite")
    steps: list[tuple[str, float]] = []
    make_all(pipeline_for(FOUND), scenario(), cache, lambda work, share: steps.append((work.name, share * work.size)))
    assert [done for name, done in steps if name == "embed"] == [2, 3]
    embedder.seen.clear()
    again = pipeline_for(FOUND)
    make_all(again, scenario(), cache)
    cache.close()
    assert embedder.seen == ["the ship?"], "the query alone, which no file keeps"
    assert memories_of(again.candidates(again.case(scenario())))[0] == [0.5, 0.3, 0]
