"""Similarity: what is recorded stays, the rest is computed as asked for, and each value says where it comes from."""

from collections.abc import Sequence

import numpy as np
import pytest

from inspector.retrieval.relevance.settings import AS_MEASURED
from inspector.retrieval.similarity import (
    EMBEDDING_WAYS,
    FUSED_WAYS,
    WAYS,
    Measure,
    Origin,
    Similarity,
    reciprocal_ranks,
)
from inspector.retrieval.vectors.embedding import TextVectors
from tests.retrieval.stand_in import SubjectEmbedder

TEXTS = ("The boat needs a new keel", "Rain on the roof", "She sails boats in the rain", "")
RECORDED = np.array([np.nan, 0.25, np.nan, np.nan])
NOTHING = np.full(4, np.nan)


def vectors_of(texts: Sequence[str], quick: bool = True) -> TextVectors:
    embedder = SubjectEmbedder(quick)
    vectors = TextVectors(embedder)
    vectors.add(texts, embedder.embed(texts).astype(np.float16))
    return vectors


def test_what_is_recorded_stays_and_the_rest_is_computed() -> None:
    found = Similarity(TEXTS, RECORDED).to_query("rain boats", Measure())
    assert found.values[1] == 0.25
    assert found.values.max() == found.values[2] == 1.0
    assert 0 < found.values[0] < 1
    assert found.values[3] == 0
    assert found.origins.tolist() == [Origin.FUSED, Origin.RECORDED, Origin.FUSED, Origin.FUSED]
    assert found.parts["words"][[0, 2, 3]].tolist() == found.values[[0, 2, 3]].tolist()
    assert np.isnan(found.parts["words"][1])


def test_lexical_scores_are_scaled_to_their_highest() -> None:
    found = Similarity(TEXTS, RECORDED).to_query("rain zebras whales", Measure("lexical"))
    assert found.values.max() == 1.0
    assert set(found.origins.tolist()) == {Origin.LEXICAL}


@pytest.mark.parametrize("way", WAYS)
def test_without_a_query_there_is_only_what_is_recorded(way: str) -> None:
    found = Similarity(TEXTS, RECORDED).to_query("  ", Measure(way, vectors_of(TEXTS)))
    assert np.isnan(found.values[[0, 2, 3]]).all()
    assert found.values[1] == 0.25
    assert found.origins.tolist() == [Origin.NOWHERE, Origin.RECORDED, Origin.NOWHERE, Origin.NOWHERE]


def test_a_query_that_nothing_matches_gives_zero() -> None:
    assert Similarity(TEXTS, NOTHING).to_query("zebra", Measure()).values.tolist() == [0, 0, 0, 0]


def test_recorded_computes_nothing() -> None:
    found = Similarity(TEXTS, RECORDED).to_query("rain", Measure("recorded"))
    assert np.isnan(found.values[[0, 2, 3]]).all()
    assert found.values[1] == 0.25


def test_vectors_find_what_no_word_names() -> None:
    similarity, vectors = Similarity(TEXTS, NOTHING), vectors_of(TEXTS)
    alone = similarity.to_query("a ship", Measure("embedding", vectors))
    assert alone.values == pytest.approx([1, 0, 0.5**0.5, 0], abs=1e-3)
    assert set(alone.origins.tolist()) == {Origin.EMBEDDING}
    fused = similarity.to_query("a ship", Measure("auto", vectors))
    assert fused.values == pytest.approx(AS_MEASURED.vectors * alone.values)
    assert set(fused.origins.tolist()) == {Origin.FUSED}


def test_what_is_fused_is_the_sum_of_its_parts() -> None:
    fused = Similarity(TEXTS, NOTHING).to_query("rain on a ship", Measure("fused", vectors_of(TEXTS)))
    assert list(fused.parts) == ["words", "meaning"]
    assert sum(fused.parts.values()) == pytest.approx(fused.values)
    assert 0.9 < fused.values.max() < 1
    assert (fused.parts["words"] > 0).tolist() == [False, True, True, False]
    assert (fused.parts["meaning"] > 0).tolist() == [True, True, True, False]


def test_a_query_that_has_little_in_common_with_anything_makes_nothing_very_like_it() -> None:
    found = Similarity(TEXTS, NOTHING).to_query("rain zebras whales lions", Measure("fused"))
    assert 0 < found.values.max() < 0.7


@pytest.mark.parametrize("way", ["embedding", "lexical", "hybrid", "fused"])
def test_a_way_that_is_named_computes_what_is_recorded_too(way: str) -> None:
    measure = Measure(way, vectors_of(TEXTS))
    named = Similarity(TEXTS, RECORDED).to_query("rain", measure)
    alone = Similarity(TEXTS, NOTHING).to_query("rain", measure)
    assert named.values.tolist() == alone.values.tolist()
    assert named.values[1] == pytest.approx(1, abs=2e-3)
    assert set(named.origins.tolist()) == {Origin[way.upper()]}


def test_hybrid_fuses_both_rankings() -> None:
    similarity = Similarity(TEXTS, NOTHING)
    vectors = vectors_of(TEXTS)
    both = [similarity.to_query("wet roof", Measure(way, vectors)).values for way in ("embedding", "lexical")]
    hybrid = similarity.to_query("wet roof", Measure("hybrid", vectors)).values
    assert hybrid.tolist() == reciprocal_ranks(both).tolist()
    assert hybrid[1] == 1


@pytest.mark.parametrize("way", EMBEDDING_WAYS)
@pytest.mark.parametrize("known", [TEXTS[:1], ()])
def test_words_are_compared_until_every_vector_is_known(way: str, known: tuple[str, ...]) -> None:
    similarity, vectors = Similarity(TEXTS, NOTHING), vectors_of(known)
    before = similarity.to_query("rain", Measure(way, vectors))
    assert before.values.tolist() == similarity.to_query("rain", Measure("lexical")).values.tolist()
    assert set(before.origins.tolist()) == {Origin.FUSED if way in FUSED_WAYS else Origin.LEXICAL}
    vectors.add(TEXTS, vectors.embedder.embed(TEXTS).astype(np.float16))
    after = similarity.to_query("rain", Measure(way, vectors))
    assert Origin.LEXICAL not in after.origins
    assert after.values.tolist() != before.values.tolist()


def test_a_slow_embedder_is_not_asked_for_the_query() -> None:
    vectors = vectors_of(TEXTS, quick=False)
    similarity = Similarity(TEXTS, NOTHING)
    assert set(similarity.to_query("ship", Measure("embedding", vectors)).origins.tolist()) == {Origin.LEXICAL}
    vectors.add(["ship"], vectors.embedder.embed(["ship"]).astype(np.float16))
    assert similarity.to_query("ship", Measure("embedding", vectors)).values[0] == pytest.approx(1, abs=1e-3)


def test_other_vectors_are_not_mixed_with_those_before() -> None:
    similarity = Similarity(TEXTS, NOTHING)
    other = vectors_of(())
    other.add((*TEXTS[:3], "ship"), np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 0]], np.float16))
    similarity.to_query("ship", Measure("embedding", vectors_of(TEXTS)))
    assert similarity.to_query("ship", Measure("embedding", other)).values.tolist() == [0, 1, 0, 0]


def test_values_stay_in_0_to_1() -> None:
    vectors = TextVectors(SubjectEmbedder())
    vectors.add(["a", "b", "q"], np.array([[1.001, 0], [-1, 0], [1.001, 0]], np.float16))
    similarity = Similarity(("a", "b"), np.full(2, np.nan))
    assert similarity.to_query("q", Measure("embedding", vectors)).values.tolist() == [1, 0]
    assert similarity.to_query("q", Measure("fused", vectors)).values.tolist() == [AS_MEASURED.vectors, 0]


def test_each_origin_has_words_for_it() -> None:
    measure = Measure("auto", vectors_of(TEXTS))
    described = [measure.describe(origin) for origin in Origin]
    assert described[:4] == ["", "recorded", "embedding subjects", "lexical BM25"]
    assert described[4:] == ["hybrid of subjects and BM25", "fused from words and subjects"]
    assert Measure("fused").describe(Origin.FUSED) == "fused from words"
    assert Measure("lexical").describe(Origin.LEXICAL) == "lexical BM25"


def test_reciprocal_ranks_by_hand() -> None:
    first = np.array([0.9, 0.5, 0.5, 0.0, 0.1])
    second = np.array([0.0, 2.0, 1.0, 0.0, 3.0])
    expected = [
        (1 / 61) / (2 / 61),
        (1 / 62 + 1 / 62) / (2 / 61),
        (1 / 62 + 1 / 63) / (2 / 61),
        0,
        (1 / 64 + 1 / 61) / (2 / 61),
    ]
    assert reciprocal_ranks([first, second]) == pytest.approx(expected)


def test_no_texts() -> None:
    for way in WAYS:
        found = Similarity((), np.empty(0)).to_query("rain", Measure(way, vectors_of(())))
        assert found.values.tolist() == found.origins.tolist() == []
