"""Tokenizers from a folder or the hub's cache, against Hugging Face's own library; never from the network."""

import json
import shutil
import socket
from pathlib import Path

import huggingface_hub.constants
import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import decoders, models, normalizers, pre_tokenizers, trainers

from inspector.tokens.huggingface import HuggingfaceTokenizer, huggingface_tokenizer
from inspector.tokens.tokenizer import TokenizerUnavailableError
from tests.examples import examples

CORPUS = [
    "hello world, this is a test ",
    "the quick brown fox jumps ",
    "日本語のテキスト ",
    "def f(x): return x + 1\n",
] * 5


def _trained(folder: Path, model: models.Model, trainer: trainers.Trainer) -> Path:
    """A small tokenizer with two specials, as a folder from the hub would hold it."""
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(CORPUS, trainer)
    folder.mkdir(parents=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "PreTrainedTokenizerFast"}))
    return folder


SPECIALS = ["<|im_start|>", "<|im_end|>"]
ALPHABET = pre_tokenizers.ByteLevel.alphabet()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=SPECIALS, initial_alphabet=ALPHABET, show_progress=False
    )
    return _trained(tmp_path_factory.mktemp("hub") / "model", models.BPE(), trainer)


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise AssertionError(f"the network was asked: {arguments}")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


def _reference(folder: Path) -> tokenizers.Tokenizer:
    reference = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    reference.encode_special_tokens = True
    return reference


PIECES = ["hello", " world", " ", "\n\n", "日本語", "e\u0301", "😀", "<|im_end|>", "<|im_", "12", "x + 1", "\u3000"]
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=8).map("".join)


def test_counts_equal_those_of_the_library(folder: Path) -> None:
    tokenizer, reference = huggingface_tokenizer(str(folder)), _reference(folder)

    @given(texts=st.lists(TEXTS, max_size=4))
    @examples(150)
    def check(texts: list[str]) -> None:
        expected = [len(reference.encode(text, add_special_tokens=False).ids) for text in texts]
        assert tokenizer.count(texts).tolist() == expected

    check()


def test_the_file_counts_whatever_class_the_folder_names(folder: Path, tmp_path: Path) -> None:
    copied = Path(shutil.copytree(folder, tmp_path / "copy"))
    (copied / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "GPT2Tokenizer"}))
    texts = ["hello world's test 1234 ", "日本語のテキスト", "e\u0301 def f(x):\n\n  return x"]
    assert huggingface_tokenizer(str(copied)).count(texts).tolist() == [
        len(_reference(folder).encode(text, add_special_tokens=False).ids) for text in texts
    ]


def test_first_is_a_prefix_within_the_limit(folder: Path) -> None:
    tokenizer = huggingface_tokenizer(str(folder))

    @given(text=TEXTS, limit=st.integers(-1, 10))
    @examples(150)
    def check(text: str, limit: int) -> None:
        first = tokenizer.first(text, limit)
        assert text.startswith(first)
        assert tokenizer.count([first])[0] <= max(limit, 0)
        assert limit < tokenizer.count([text])[0] or first == text

    check()


def test_a_special_in_a_text_is_ordinary(folder: Path) -> None:
    tokenizer = huggingface_tokenizer(str(folder))
    assert tokenizer.count(["<|im_end|>"])[0] > 1
    assert tokenizer.count([""])[0] == 0
    assert tokenizer.count(["lone \ud83d"])[0] == tokenizer.count(["lone \ufffd"])[0]


class _CountsTooLittle:
    def encode_raw(self, text: str) -> list[int]:
        return [0]


def test_the_fast_way_is_taken_only_when_it_counts_alike(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import splintr

    monkeypatch.setattr(splintr, "from_json_bytes", lambda content: _CountsTooLittle())
    huggingface_tokenizer.cache_clear()
    tokenizer = huggingface_tokenizer(str(folder))
    huggingface_tokenizer.cache_clear()
    text = "hello world, this is another text"
    assert tokenizer.count([text])[0] == len(_reference(folder).encode(text, add_special_tokens=False).ids) > 1


def test_found_in_the_cache_of_the_hub(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = tmp_path / "models--Maker--Model-7B"
    shutil.copytree(folder, repository / "snapshots" / "abc123")
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("abc123")
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))
    tokenizer = huggingface_tokenizer("Maker/Model-7B")
    huggingface_tokenizer.cache_clear()
    assert isinstance(tokenizer, HuggingfaceTokenizer)
    assert tokenizer.name == "hf:Maker/Model-7B"
    assert (
        tokenizer.count(["hello world"]).tolist() == huggingface_tokenizer(str(folder)).count(["hello world"]).tolist()
    )


def test_what_is_not_here_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(TokenizerUnavailableError, match="not in the cache of the Hugging Face hub"):
        huggingface_tokenizer("Maker/Absent-7B")
    with pytest.raises(TokenizerUnavailableError, match=r"holds no tokenizer\.json"):
        huggingface_tokenizer(str(tmp_path))
    with pytest.raises(TokenizerUnavailableError, match="neither a folder nor the name of a repository"):
        huggingface_tokenizer("no/such/folder/anywhere")


BROKEN = ["not JSON", "[]", "{}", '{"version": "1.0", "added_tokens": [], "model": {"type": "Unheard", "vocab": {}}}']


@pytest.mark.parametrize("content", BROKEN)
def test_a_broken_file_says_so(tmp_path: Path, content: str) -> None:
    (tmp_path / "tokenizer.json").write_text(content)
    with pytest.raises(TokenizerUnavailableError, match=r"tokenizer\.json"):
        huggingface_tokenizer(str(tmp_path))
