"""Memory ranking: every memory once, in the order of decision, a reason for each that is out, and the lines."""

from typing import Any

import numpy as np
import pytest
from building import chat, memories, pipeline_for, words, workspace
from hypothesis import given, settings
from hypothesis import strategies as some

from inspector.assembly import lacking
from inspector.assembly.columns import Kind
from inspector.assembly.lacking import make_all
from inspector.assembly.memory_ranking import (
    Fate,
    MemoryRanking,
    comparison_sentence,
    prompt_sentence,
    rank_memories,
    ranking_sentence,
    weight_parameters,
)
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.relevance import NearDuplicates
from inspector.assembly.scenario import Scenario
from inspector.model import Memory, MemorySet, Passage, Workspace
from inspector.plugins import policies
from inspector.testing.workspaces import EVERYTHING


def ranked(found: Workspace, **fields: Any) -> MemoryRanking:
    pipeline = pipeline_for(found)
    scenario = Scenario(**{"tokenizer": "estimate:words", "similarity": "recorded", **fields})
    return ranked_by(pipeline, scenario)


def ranked_by(pipeline: Pipeline, scenario: Scenario) -> MemoryRanking:
    make_all(pipeline, scenario)
    assembly = pipeline.assemble(pipeline.case(scenario))
    return rank_memories(assembly, None if assembly.error else pipeline.case(scenario).policy)


def listed(ranking: MemoryRanking) -> list[str]:
    return [ranking.assembly.candidates.ids[row] for row in ranking.rows]


def captions(ranking: MemoryRanking) -> dict[int, str]:
    return {line.place: line.caption for line in ranking.lines}


SHARES = {"memory_share": 0.3, "history_share": 0.4, "reserve_share": 0.3}


def test_a_budget_falls_before_the_first_that_does_not_fit_and_a_limit_before_those_not_ranked() -> None:
    found = workspace(chat(3, 3, 3), memories(10, 10, 25, 5, 5))
    ranking = ranked(found, context_window=100, parameters={**SHARES, "memory_candidates": 4})
    assert listed(ranking) == ["k0", "k1", "k2", "k3", "k4"]
    assert [ranking.why(row) for row in ranking.rows] == [
        "fits",
        "fits",
        "over budget, ≈ 15 short",
        "budget was full",
        "not retrieved",
    ]
    assert captions(ranking) == {2: "budget: ≈ 20 of 30 tokens used", 4: "1 not retrieved"}
    assert ranking.rank(int(ranking.rows[0])) == 1
    assert prompt_sentence(ranking) == "2 of 5 memories in the prompt, ≈ 20 tokens"


def test_where_smaller_ones_still_fit_the_line_says_so() -> None:
    found = workspace(chat(3, 3, 3), memories(10, 90, 5))
    ranking = ranked(
        found, policy="reserve", context_window=1000, parameters={"response_min": 900, "safety_ratio": 0.0}
    )
    assert [ranking.why(row) for row in ranking.rows][1].startswith("over budget")
    assert captions(ranking)[1].endswith("tokens used, and smaller ones below still fit")


def test_excluded_ones_come_last_and_have_no_rank() -> None:
    found = workspace(chat(3), memories(4, 4, 4))
    ranking = ranked(found, context_window=200, excluded=("k0",))
    assert listed(ranking) == ["k1", "k2", "k0"]
    last = int(ranking.rows[-1])
    assert ranking.rank(last) is None
    assert ranking.why(last) == "excluded"
    assert captions(ranking)[2].endswith(" · 1 excluded")


def test_pinned_ones_come_first() -> None:
    ranking = ranked(workspace(chat(3), memories(4, 4, 4)), context_window=200, pinned=("k2",))
    assert listed(ranking) == ["k2", "k0", "k1"]


def test_thresholds_are_named_and_what_is_below_stands_by_its_similarity() -> None:
    stored = (
        Memory("near", words(4), type="fact", similarity=0.9),
        Memory("far", words(4), type="fact", similarity=0.1),
        Memory("less", words(4), type="fact", similarity=0.3),
        Memory("draft", words(4), type="fact", status="pending", similarity=0.9),
    )
    found = workspace(chat(3, 3, 3), MemorySet("default", stored))
    ranking = ranked(found, context_window=400, preset="chorus-2026.02")
    assert listed(ranking) == ["near", "less", "far", "draft"]
    assert [ranking.why(row) for row in ranking.rows[1:]] == [
        "below threshold",
        "below threshold",
        "filtered: not approved",
    ]
    assert captions(ranking)[1].endswith("threshold 0.50")
    assert captions(ranking)[3] == "1 filtered"


def test_several_thresholds_are_named_together() -> None:
    kinds = ("core", "fact", "relationship")
    stored = tuple(Memory(kind, words(4), type=kind, status="approved", similarity=0.1) for kind in kinds)
    found = workspace(chat(3, 3, 3), MemorySet("default", stored))
    assert captions(ranked(found, context_window=400, preset="chorus-2026.02")) == {
        0: "threshold 0.45 to 0.60, by type"
    }


def test_signals_are_those_of_the_policy_and_sum_to_the_score() -> None:
    found = workspace(chat(3, 3), memories(4, 4, priority=50.0))
    ranking = ranked(found, context_window=200)
    row = int(ranking.rows[0])
    assert [signal.name for signal in ranking.signals(row)] == ["similarity", "priority", "recency", "type"]
    assert sum(signal.part for signal in ranking.signals(row)) == pytest.approx(ranking.score(row))
    assert ranking_sentence(ranking, "ratio") == ""
    assert [parameter.name for parameter in weight_parameters(ranking.policy)][:2] == [
        "similarity_weight",
        "priority_weight",
    ]


@pytest.mark.parametrize(
    ("policy", "sentence", "signals"),
    [
        (
            "reserve",
            "reserve ranks by fixed weights: 0.85 × similarity + 0.15 × confidence.",
            ["similarity", "confidence"],
        ),
        ("slots", "slots has no weights to set: the most similar come first.", ["similarity"]),
        ("naive", "naive does not rank memories by weights, nor by their similarity to the query.", []),
    ],
)
def test_a_policy_without_weights_says_how_it_ranks(policy: str, sentence: str, signals: list[str]) -> None:
    ranking = ranked(workspace(chat(3, 3), memories(4, 4)), policy=policy, context_window=9000)
    assert ranking_sentence(ranking, policy) == sentence
    assert [signal.name for signal in ranking.signals(int(ranking.rows[0]))] == signals
    assert weight_parameters(ranking.policy) == ()


def test_a_policy_that_is_refused_leaves_the_memories_undecided() -> None:
    parameters = {**SHARES, "memory_share": 0.9}
    ranking = ranked(workspace(chat(3), memories(4)), context_window=200, parameters=parameters)
    assert ranking.assembly.error is not None
    assert ranking.why(int(ranking.rows[0])) == "not decided"
    assert ranking.signals(int(ranking.rows[0])) == ()


def test_chunks_of_other_kinds_are_listed_where_they_are_weighed_together() -> None:
    passages = (Passage("p0", words(5), "chat", 0.95), Passage("p1", words(5), "chronicle", 0.1))
    found = workspace(chat(3, 30, 3), memories(4, 4), passages=passages)
    parameters = {"history_budget": 10, "rag_budget": 60, "total_limit": 200}
    ranking = ranked(
        found, policy="window_rag", context_window=200, similarity="lexical", query="w", parameters=parameters
    )
    kinds = {Kind(int(kind)) for kind in ranking.assembly.candidates.kind[ranking.rows]}
    assert kinds >= {Kind.MEMORY, Kind.PASSAGE, Kind.MESSAGE}
    assert ranking.is_mixed
    assert ranking_sentence(ranking, "window_rag") == "window_rag has no weights to set: the most similar come first."
    listed_rows = len(ranking)
    assert comparison_sentence(ranking) == f"Similarity: {listed_rows} lexical BM25."
    assert [signal.name for signal in ranking.terms] == ["similarity"]
    assert "retrieved budget" in " ".join(captions(ranking).values()) or not ranking.lines
    back = next(row for row in ranking.rows.tolist() if ranking.assembly.candidates.kind[row] == Kind.MESSAGE)
    assert ranking.similarity(back) == (1.0, "lexical BM25")


EMBEDDED = Scenario(tokenizer="estimate:words", context_window=200, similarity="embedding", query="w")


def test_where_similarities_come_from_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    found = workspace(chat(3), memories(4, 4))
    assert comparison_sentence(ranked(found, context_window=200)) == "Similarity: 2 recorded."
    lexical = ranked(found, context_window=200, similarity="lexical", query="w")
    assert comparison_sentence(lexical) == "Similarity: 2 lexical BM25."
    assert comparison_sentence(lexical, "No vectors.") == "Similarity: 2 lexical BM25. No vectors."
    with monkeypatch.context() as before:  # the model is there, and its vectors are not made yet
        before.setattr(lacking, "missing_vectors", lambda pipeline, case: [])
        waiting = comparison_sentence(ranked_by(pipeline_for(found), EMBEDDED))
    assert waiting == "Similarity: 2 lexical BM25. Words are compared until every text has its vector."
    plain = workspace(chat(3), MemorySet("default", (Memory("k0", "w"),)))
    assert comparison_sentence(ranked(plain, context_window=200)) == "No similarity is known: nothing is recorded."


def test_a_duplicate_names_what_it_repeats() -> None:
    found = workspace(chat(3), memories(4, 4, 4))
    plain = ranked(found, context_window=200)
    first = int(plain.rows.min())
    ranking = rank_memories(plain.assembly, plain.policy, NearDuplicates(first, np.array([0, 1, 0])))
    assert ranking.like(first) == (first + 2,)
    assert ranking.like(first + 2) == (first,)
    assert ranking.like(first + 1) == ()
    repeated = ranked(found, policy="adaptive", context_window=9000)
    twin = rank_memories(repeated.assembly, repeated.policy, NearDuplicates(first, np.array([0, 0, 0])))
    out = [row for row in twin.rows.tolist() if twin.fates[row] == Fate.DUPLICATE]
    assert [twin.why(row) for row in out] == ["repeats M 1", "repeats M 1"]


NAMES = sorted(policies()[0])


@settings(max_examples=60)
@given(
    policy=some.sampled_from(NAMES),
    window=some.integers(10, 3000),
    excluded=some.sets(some.sampled_from([f"k{number}" for number in range(14)])),
    pinned=some.sets(some.sampled_from([f"k{number}" for number in range(14)])),
    at=some.none() | some.integers(0, 30),
    query=some.sampled_from([None, "", "word memory3", "harbour"]),
    similarity=some.sampled_from(["recorded", "lexical"]),
)
def test_every_memory_has_one_place_and_what_is_out_a_reason(
    policy: str, window: int, excluded: set[str], pinned: set[str], at: int | None, query: str | None, similarity: str
) -> None:
    scenario = Scenario(
        tokenizer="estimate:words",
        policy=policy,
        context_window=window,
        excluded=tuple(sorted(excluded)),
        pinned=tuple(sorted(pinned)),
        at=at,
        query=query,
        similarity=similarity,
    )
    ranking = ranked_by(pipeline_for(EVERYTHING), scenario)
    rows, assembly = ranking.rows.tolist(), ranking.assembly
    assert len(set(rows)) == len(rows)
    assert set(rows) >= set(assembly.candidates.rows(Kind.MEMORY).tolist())
    numbered = [rank for rank in map(ranking.rank, rows) if rank is not None]
    assert numbered == list(range(1, len(numbered) + 1))
    for row in rows:
        assert (ranking.fates[row] == Fate.IN) == bool(assembly.in_prompt[row])
        assert ranking.why(row)
        assert ranking.short_by(row) >= 0
    places = [line.place for line in ranking.lines]
    assert places == sorted(set(places))
    assert all(0 <= place < len(rows) for place in places)
    weighed = ranking.weighed.tolist()
    decided = assembly.rank[weighed]
    assert (np.diff(decided[decided >= 0]) > 0).all(), "as they were decided"
