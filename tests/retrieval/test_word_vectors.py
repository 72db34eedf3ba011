"""The embedder wordllama: its vectors are the library's, made without the library's code."""

import hashlib
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from inspector.resources import resource
from inspector.retrieval.vectors import choice
from inspector.retrieval.vectors.choice import WordVectors

TEXTS = [
    "The boat needs a new keel before spring.",
    "She sails her vessel along the northern coast",
    "Rain on the roof",
    "私は船が好きです。",
    "def sail(boat: Boat) -> None:\n    boat.go()\n",
    "🙂 naïve café — “quoted”",
    "word " * 3000,
    "x",
]


@pytest.fixture(scope="module")
def embedder() -> WordVectors:
    return WordVectors()


def test_rows_have_length_1_and_an_empty_text_is_zero(embedder: WordVectors) -> None:
    vectors = embedder.embed([*TEXTS, ""])
    assert vectors.shape == (len(TEXTS) + 1, 256)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors[:-1], axis=1) == pytest.approx(1, abs=1e-5)
    assert not vectors[-1].any()
    assert embedder.embed([]).shape == (0, 256)


def test_the_vectors_are_those_of_the_library(embedder: WordVectors) -> None:
    if sys.platform == "win32" or find_spec("wordllama.algorithms") is None:
        pytest.skip("the library's own code is not here")
    wordllama = pytest.importorskip("wordllama")
    folder = Path(wordllama.__file__).parent
    theirs = wordllama.WordLlama.load(cache_dir=folder, disable_download=True).embed(TEXTS, norm=True)
    cosines = (embedder.embed(TEXTS) * theirs).sum(axis=1)
    assert cosines.min() >= 0.999999


def test_meaning_is_nearer_than_words(embedder: WordVectors) -> None:
    kitten, cat, rates = embedder.embed(
        ["A kitten sleeps on the sofa", "My cat naps upon our couch", "A bank sits on the highest rates"]
    )
    assert kitten @ cat > kitten @ rates + 0.2


def test_each_text_has_its_own_vector_whatever_stands_beside_it(embedder: WordVectors) -> None:
    together = embedder.embed(TEXTS)
    alone = np.concatenate([embedder.embed([text]) for text in TEXTS])
    assert np.array_equal(together, alone)


def test_a_special_token_that_is_spelled_out_is_ordinary_text(embedder: WordVectors) -> None:
    vectors = embedder.embed(["<|im_end|>", "a </s> b", "a b", "[INST]"])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    assert vectors[1] @ vectors[2] < 0.99


def test_half_of_a_surrogate_pair_is_no_error(embedder: WordVectors) -> None:
    assert np.isfinite(embedder.embed(["broken \ud83d here", "whole"])).all()


def test_the_library_is_not_imported(embedder: WordVectors, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordllama", None)
    assert embedder.embed(["boat"]).any()


def test_the_fingerprint_is_that_of_the_weights(
    embedder: WordVectors, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert embedder.fingerprint == WordVectors().fingerprint
    assert embedder.fingerprint.startswith("wordllama@")
    other = tmp_path / "weights.npy"
    other.write_bytes(b"other weights")
    monkeypatch.setattr(choice, "resource", lambda name: other)
    assert WordVectors().fingerprint != embedder.fingerprint


def test_the_weights_are_those_of_the_library() -> None:
    """The sum is that of the numbers of `embedding.weight` in the file of wordllama 0.4.0.post1."""
    weights = np.load(resource("vectors/wordllama_256.npy"))
    assert (weights.dtype, weights.shape) == (np.float16, (32_000, 256))
    known = "21ac5fc44ec359347ac30b81c799a32ff33e379ae732dedfe2f8f37b29a50061"
    assert hashlib.sha256(weights.tobytes()).hexdigest() == known
    assert "Copyright (c) 2024 Lee Miller" in resource("vectors/LICENSE").read_text("utf-8")
