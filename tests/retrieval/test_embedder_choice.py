"""Which embedder a name means, what is said where it cannot be had, and the way to sentence-transformers."""

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from inspector.retrieval.vectors import choice
from inspector.retrieval.vectors.choice import SentenceModel, UnknownEmbedderError, choose_embedder, load_embedder
from inspector.retrieval.vectors.embedding import EmbedderUnavailableError


@pytest.fixture(autouse=True)
def nothing_remembered():
    load_embedder.cache_clear()
    yield
    load_embedder.cache_clear()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "bert"}))
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    return tmp_path


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A stand-in for the library, and what it was asked."""
    asked: list[Any] = []

    class SentenceTransformer:
        def __init__(self, path: str, **options: Any) -> None:
            asked.append((path, options))

        def encode(self, texts: list[str], **options: Any) -> np.ndarray:
            asked.append((texts, options))
            return np.tile(np.array([0.6, 0.8], np.float32), (len(texts), 1))

    module = ModuleType("sentence_transformers")
    module.SentenceTransformer = SentenceTransformer  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    monkeypatch.setattr(choice, "find_spec", lambda name: object())
    return asked


def unavailable() -> Any:
    raise EmbedderUnavailableError("it is not here")


def test_auto_is_the_embedded_model() -> None:
    chosen = choose_embedder("auto")
    assert chosen.embedder is load_embedder("wordllama")
    assert chosen.reason == "wordllama makes the vectors."


def test_without_its_package_words_are_compared_and_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(choice._EMBEDDERS, "minilm", unavailable)
    chosen = choose_embedder("minilm")
    assert chosen.embedder is None
    assert chosen.reason == "minilm cannot be had here (it is not here): words are compared instead."


@pytest.mark.parametrize("name", ["word2vec", "hf:", "", "HF:x"])
def test_a_name_that_nobody_has(name: str) -> None:
    with pytest.raises(UnknownEmbedderError, match="known are auto, wordllama, minilm, hf:FOLDER"):
        choose_embedder(name)


def test_a_folder_that_holds_no_model(tmp_path: Path) -> None:
    chosen = choose_embedder(f"hf:{tmp_path}")
    assert chosen.embedder is None
    assert "no config.json" in chosen.reason


def test_without_the_library_it_names_the_extra(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "find_spec", lambda name: None)
    assert "[transformers]" in choose_embedder(f"hf:{folder}").reason
    assert "[minilm]" in choose_embedder("minilm").reason


def test_a_folder_is_read_without_a_network_and_normalised(folder: Path, library: list[Any]) -> None:
    model = choose_embedder(f"hf:{folder}").embedder
    assert isinstance(model, SentenceModel)
    assert library == []  # nothing is loaded before the first text
    assert model.embed(["boat", " ", ""]).tolist() == [pytest.approx([0.6, 0.8]), [0, 0], [0, 0]]
    (path, options), (texts, wanted) = library
    assert path == str(folder)
    assert options == {"device": "cpu", "local_files_only": True}
    assert texts == ["boat", " ", ""]
    assert wanted["normalize_embeddings"]
    assert not model.quick


def test_files_that_are_no_model_are_said_to_be_none(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("no weights")

    module = ModuleType("sentence_transformers")
    module.SentenceTransformer = refuse  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    monkeypatch.setattr(choice, "find_spec", lambda name: object())
    with pytest.raises(EmbedderUnavailableError, match="no model that can be loaded: no weights"):
        SentenceModel("hf:x", folder, "transformers").embed(["boat"])


def test_the_fingerprint_is_that_of_the_files(folder: Path, library: list[Any]) -> None:
    name = f"hf:{folder}"
    before = SentenceModel(name, folder, "transformers").fingerprint
    (folder / "notes.md").write_text("no part of the model")
    assert SentenceModel(name, folder, "transformers").fingerprint == before
    (folder / "model.safetensors").write_bytes(b"other weights")
    assert SentenceModel(name, folder, "transformers").fingerprint != before


def test_a_real_model_made_here(tmp_path: Path) -> None:
    library = pytest.importorskip("sentence_transformers")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "boat", "rain", "cat"]
    transformers = pytest.importorskip("transformers")
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / "vocab.txt").write_text("\n".join(words))
    transformers.BertTokenizerFast(vocab=str(tmp_path / "bare" / "vocab.txt")).save_pretrained(tmp_path / "bare")
    small = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}
    config = transformers.BertConfig(vocab_size=len(words), **small)
    transformers.BertModel(config).save_pretrained(tmp_path / "bare")
    library.SentenceTransformer(str(tmp_path / "bare"), device="cpu").save(str(tmp_path / "model"))
    model = SentenceModel("hf:small", tmp_path / "model", "transformers")
    vectors = model.embed(["boat rain", "cat", ""])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 0], abs=1e-5)
    assert vectors[0] @ vectors[1] < 0.999
