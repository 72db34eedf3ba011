"""Stock tiktoken from our cache folder: offline, right, and an oracle for the embedded vocabularies."""

import hashlib
import socket
from pathlib import Path

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.tokens import openai
from inspector.tokens.embedded import embedded_tokenizer
from inspector.tokens.openai import encoding_name, openai_tokenizer
from inspector.tokens.tokenizer import TokenizerUnavailableError


@pytest.fixture(scope="module", autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory):
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("tiktoken")
        patch.setenv("TIKTOKEN_CACHE_DIR", str(folder))
        openai_tokenizer.cache_clear()
        yield folder
    openai_tokenizer.cache_clear()


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise AssertionError(f"the network was asked: {arguments}")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.mark.parametrize(
    ("model", "encoding"),
    [
        *[("gpt-4o", "o200k_base"), ("gpt-5", "o200k_base"), ("o3", "o200k_base"), ("gpt-4", "cl100k_base")],
        *[("gpt-3.5-turbo", "cl100k_base"), ("gpt-oss-120b", "o200k_harmony"), ("cl100k_base", "cl100k_base")],
    ],
)
def test_names_of_models_and_encodings(model: str, encoding: str, no_network: None) -> None:
    assert encoding_name(model) == encoding
    tokenizer = openai_tokenizer(model)
    assert tokenizer.name == f"tiktoken:{model}"
    assert tokenizer.fingerprint.startswith(f"tiktoken:{encoding}@")
    assert tokenizer.count(["Hello, world! This is a test.", "", "Hello world"]).tolist() == [9, 0, 2]


def test_unknown_name() -> None:
    assert encoding_name("no-such-model") is None


def test_the_files_are_the_official_ones(cache_folder: Path) -> None:
    openai_tokenizer("o200k_base")
    written = (cache_folder / "fb374d419588a4632f3f557e76b4b70aebbca790").read_bytes()
    assert hashlib.sha256(written).hexdigest() == "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
    assert [file.name for file in cache_folder.iterdir() if file.stat().st_size == 0] == []


def test_a_wrong_file_is_replaced_before_tiktoken_sees_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_network: None
) -> None:
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR")
    monkeypatch.delenv("DATA_GYM_CACHE_DIR", raising=False)
    wrong = tmp_path / "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
    wrong.write_bytes(b"cut off")
    openai_tokenizer("cl100k_base", tmp_path)
    assert wrong.stat().st_size > 1_000_000
    assert list(tmp_path.iterdir()) == [wrong]


def test_an_encoding_whose_files_are_not_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_network: None
) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(openai.tempfile, "gettempdir", lambda: str(tmp_path / "empty"))
    for name in ("p50k_base", "gpt2"):
        with pytest.raises(TokenizerUnavailableError, match="not on this machine"):
            openai_tokenizer(name)


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(blocked / "cache"))
    openai_tokenizer.cache_clear()
    with pytest.raises(TokenizerUnavailableError, match="cannot be written"):
        openai_tokenizer("o200k_base")


ODD = st.text(st.sampled_from("ab Z\n\t'1239.,<|>éß漢字かなک😀👩\u200d\u0301\ufe0f\u3000\ud83d"), max_size=60)


@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base"])
@given(texts=st.lists(st.one_of(ODD, st.text(max_size=60)), max_size=4))
@settings(max_examples=200)
def test_embedded_counts_equal_tiktokens(name: str, texts: list[str]) -> None:
    expected = openai_tokenizer(name).count(texts).tolist()
    assert embedded_tokenizer(name).count(texts).tolist() == expected


@given(text=st.one_of(ODD, st.text(max_size=60)), limit=st.integers(-1, 20))
@settings(max_examples=100)
def test_first_equals_that_of_the_embedded_vocabulary(text: str, limit: int) -> None:
    first = openai_tokenizer("o200k_base").first(text, limit)
    assert first == embedded_tokenizer("o200k_base").first(text, limit)
    assert text.startswith(first)


def test_on_a_full_disk_no_half_file_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("os.fsync", full)
    openai_tokenizer.cache_clear()
    with pytest.raises(TokenizerUnavailableError, match="No space left"):
        openai_tokenizer("o200k_base")
    assert list(tmp_path.iterdir()) == []


class _Panics:
    """An encoding that gives up, as tiktoken does at a million spaces: with what is no Exception."""

    class PanicException(BaseException):
        pass

    def __init__(self, encoding: tiktoken.Encoding) -> None:
        self._encoding, self.name = encoding, encoding.name
        self.decode_bytes = encoding.decode_bytes
        self.decode_single_token_bytes = encoding.decode_single_token_bytes

    def encode_ordinary(self, text: str) -> list[int]:
        if text.startswith("   "):
            raise self.PanicException("StackOverflow")
        return self._encoding.encode_ordinary(text)


@pytest.mark.parametrize("name", ["o200k_base", "gpt-oss-120b", "cl100k_base"])
def test_where_tiktoken_gives_up_the_same_vocabulary_counts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = openai_tokenizer(name)
    texts = ["   spaces first\n\n  <|endoftext|>", "hello world"]
    expected = tokenizer.count(texts).tolist(), tokenizer.first(texts[0], 2), tokenizer.spans(texts[0]).ids.tolist()
    monkeypatch.setattr(tokenizer, "_encoding", _Panics(tokenizer._encoding))  # type: ignore[arg-type]
    assert (
        tokenizer.count(texts).tolist(),
        tokenizer.first(texts[0], 2),
        tokenizer.spans(texts[0]).ids.tolist(),
    ) == expected
    monkeypatch.setattr(openai, "_EMBEDDED", ())
    with pytest.raises(TokenizerUnavailableError, match="tiktoken cannot count a text with tiktoken:"):
        tokenizer.count(texts)
