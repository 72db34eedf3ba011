"""Embedding many texts: chunks, the cache, and the vectors in memory."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from inspector.retrieval.vectors.embedding import Embedder, TextVectors, VectorCache, embed_texts
from inspector.tokens.cache import CountCache, text_hashes
from tests.retrieval.stand_in import SubjectEmbedder

TEXTS = ["boat", "rain on a boat", "", "cat", "boat", "tea and rain", "north"]


@pytest.fixture
def file(tmp_path: Path):
    opened = CountCache(tmp_path / "cache" / "counts.sqlite")
    yield opened
    opened.close()


def vectors_by(embedder: Embedder, cache: VectorCache | None = None, chunk: int | None = None) -> NDArray[np.float16]:
    chunks = list(embed_texts(TEXTS, embedder, cache, chunk))
    assert [part.start for part in chunks] == list(range(0, len(TEXTS), chunk or embedder.chunk))
    return np.concatenate([part.vectors for part in chunks])


def expected() -> NDArray[np.float16]:
    return SubjectEmbedder().embed(TEXTS).astype(np.float16)


@pytest.mark.parametrize("chunk", [None, 1, 3, 100])
def test_every_text_is_embedded_in_order(chunk: int | None) -> None:
    assert np.array_equal(vectors_by(SubjectEmbedder(), chunk=chunk), expected())


@pytest.mark.parametrize("chunk", [1, 3, 100])
def test_the_second_run_embeds_nothing_and_gives_the_same(file: CountCache, chunk: int) -> None:
    first, second = SubjectEmbedder(), SubjectEmbedder()
    assert np.array_equal(vectors_by(first, VectorCache(file)), expected())
    file.close()
    again = VectorCache(CountCache(file.path))
    assert np.array_equal(vectors_by(second, again, chunk), expected())
    assert second.seen == []
    again.file.close()


def test_only_what_is_missing_is_embedded(file: CountCache) -> None:
    cache, embedder = VectorCache(file), SubjectEmbedder()
    some = ["rain on a boat", "north"]
    cache.write(embedder.fingerprint, text_hashes(some), embedder.embed(some).astype(np.float16))
    embedder.seen.clear()
    assert np.array_equal(vectors_by(embedder, cache, 100), expected())
    assert embedder.seen == ["boat", "", "cat", "boat", "tea and rain"]


def test_another_model_does_not_get_these_vectors(file: CountCache) -> None:
    cache, other = VectorCache(file), SubjectEmbedder()
    list(embed_texts(TEXTS, SubjectEmbedder(), cache))
    other.fingerprint = "subjects@2"
    list(embed_texts(TEXTS, other, cache))
    assert len(other.seen) == len(TEXTS) - 1  # the second boat comes from the cache, as it is in a later chunk


def test_both_halves_of_the_hash_must_agree(file: CountCache) -> None:
    cache, hashes = VectorCache(file), text_hashes(["one"])
    cache.write("x@1", hashes, np.ones((1, 3), np.float16))
    assert cache.read("x@1", hashes)[0].tolist() == [0]
    assert cache.read("x@1", hashes + np.array([0, 1]))[0].tolist() == []


def test_closed_before_the_end_it_keeps_what_it_embedded(file: CountCache) -> None:
    cache, embedder = VectorCache(file), SubjectEmbedder()
    chunks = embed_texts(TEXTS, embedder, cache, 3)
    next(chunks)
    chunks.close()
    assert cache.read(embedder.fingerprint, text_hashes(TEXTS))[0].tolist() == [0, 1, 2, 4]


def test_vectors_and_counts_share_the_file_and_are_cleared_apart(file: CountCache) -> None:
    cache, embedder = VectorCache(file), SubjectEmbedder()
    file.write("words@1", text_hashes(TEXTS), np.arange(7, dtype=np.int32))
    list(embed_texts(TEXTS, embedder, cache))
    assert cache.clear() == 6
    assert cache.clear() == 0
    assert file.read("words@1", text_hashes(["cat"])).tolist() == [3]


def test_a_file_that_cannot_be_used_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    blocked = CountCache(tmp_path / "file" / "counts.sqlite")
    assert np.array_equal(vectors_by(SubjectEmbedder(), VectorCache(blocked)), expected())
    assert "cannot be used" in blocked.trouble


def test_a_corrupt_file_is_begun_anew(file: CountCache) -> None:
    file.path.parent.mkdir()
    file.path.write_bytes(b"this is not a database, it is a text" * 100)
    assert np.array_equal(vectors_by(SubjectEmbedder(), VectorCache(file)), expected())
    assert "corrupt" in file.trouble
    second = SubjectEmbedder()
    vectors_by(second, VectorCache(file))
    assert second.seen == []


def known(texts: Sequence[str], quick: bool = True) -> TextVectors:
    embedder = SubjectEmbedder(quick)
    vectors = TextVectors(embedder)
    for chunk in embed_texts(texts, embedder):
        vectors.add(texts[chunk.start : chunk.start + len(chunk.vectors)], chunk.vectors)
    embedder.seen.clear()
    return vectors


def test_vectors_in_memory_come_back_in_the_order_asked_for() -> None:
    vectors = known(TEXTS)
    assert np.array_equal(vectors.matrix(TEXTS), expected().astype(np.float32))
    assert np.array_equal(vectors.matrix(["north", "", "cat"]), expected()[[6, 2, 3]].astype(np.float32))
    assert vectors.missing(["x", "cat", "", "y", "x"]) == ["x", "y"]
    assert vectors.knows(TEXTS)
    assert not vectors.knows(["cat", "x"])


def test_many_additions_keep_every_vector() -> None:
    texts = [f"{'boat ' * (number % 7)}{'rain ' * (number % 5)}cat {number}" for number in range(500)]
    assert np.array_equal(known(texts).matrix(texts), SubjectEmbedder().embed(texts).astype(np.float16))


def test_nothing_is_known_of_an_empty_text_but_that_it_is_zero() -> None:
    vectors = TextVectors(SubjectEmbedder())
    assert vectors.missing([""]) == []
    assert vectors.of_query("boat") is not None
    assert vectors.matrix(["", ""]).tolist() == [[0] * 5] * 2


def test_a_query_is_embedded_once_and_only_by_a_quick_model() -> None:
    quick, slow = known(TEXTS), known(TEXTS, quick=False)
    for _ in range(2):
        asked = quick.of_query("kitten")
        assert asked is not None
        assert asked.tolist() == [0, 0, 1, 0, 0]
    assert quick.embedder.seen == ["kitten"]  # type: ignore[attr-defined]
    assert slow.of_query("kitten") is None
    assert slow.of_query("cat") is not None
    assert slow.embedder.seen == []  # type: ignore[attr-defined]
