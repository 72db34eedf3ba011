"""The choice of a tokenizer: what counts for which model, why, and what stands in for what is not here."""

import socket
from pathlib import Path

import huggingface_hub.constants
import pytest

from inspector.tokens.choice import UnknownTokenizerError, choose_tokenizer, load_tokenizer
from inspector.tokens.models.loading import load_models
from inspector.tokens.models.table import ModelRow
from inspector.tokens.openai import openai_tokenizer


@pytest.fixture(autouse=True)
def offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(*arguments: object) -> None:
        raise AssertionError(f"the network was asked: {arguments}")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path / "tiktoken"))
    openai_tokenizer.cache_clear()
    yield
    openai_tokenizer.cache_clear()


def model(name: str) -> ModelRow:
    row = load_models().find(name).row
    assert row is not None
    return row


@pytest.mark.parametrize(
    ("requested", "name", "tokenizer", "exact", "reason"),
    [
        ("auto", "gpt-4o", "embedded:o200k_base", True, "is the tokenizer of gpt-4o"),
        ("auto", "claude-sonnet-4-5", "reconstructed:claude-v3", False, "reconstructed, ± 1 %"),
        ("auto", "grok-4", "standin:grok", False, "xAI publishes no tokenizer"),
        ("auto", "qwen3.5-27b", "embedded:qwen3", False, "not in the cache of the Hugging Face hub"),
        ("auto", "llama-4-scout", "embedded:llama3.3", False, "same family"),
        ("auto", "MiniMax-M2", "standin:unknown", False, "estimates instead"),
        ("auto", "mistral-large", "embedded:mistral_v3", False, "of the same family"),
        ("embedded:o200k_base", "gpt-4o", "embedded:o200k_base", True, "is the tokenizer of gpt-4o"),
        ("embedded:qwen3", "gpt-4o", "embedded:qwen3", False, "not known to be the tokenizer of gpt-4o"),
        ("embedded:llama3", "llama-3.1-8b", "embedded:llama3", True, "is the tokenizer of"),
        ("tiktoken:o200k_base", "gpt-4o", "tiktoken:o200k_base", True, "is the tokenizer of gpt-4o"),
        ("tiktoken:gpt-4", "gpt-4o", "tiktoken:gpt-4", False, "not known to be"),
        ("tiktoken:o200k_harmony", "gpt-oss-20b", "tiktoken:o200k_harmony", True, "is the tokenizer of"),
        ("tiktoken:gpt2", "gpt-4o", "embedded:o200k_base", False, "not on this machine"),
        ("estimate:words", "gpt-4o", "estimate:words", False, "which estimates"),
        ("hf:Qwen/Qwen2.5-14B-Instruct", "gpt-4o", "embedded:qwen2.5", False, "same family and stands in"),
        ("hf:Qwen/Qwen9-1B", "gpt-4o", "embedded:qwen3", False, "same family"),
        ("gguf:some/file.gguf", "qwen2.5-7b", "embedded:qwen2.5", False, "there is no such file"),
        ("gguf:some/Llama-3.2-3B-Instruct-Q4_K_M.gguf", "gpt-4o", "embedded:llama3.2", False, "same family"),
        ("gguf:some/file.gguf", "claude-opus-4", "reconstructed:claude-v3", False, "there is no such file"),
    ],
)
def test_for_a_model(requested: str, name: str, tokenizer: str, exact: bool, reason: str) -> None:
    choice = choose_tokenizer(requested, model(name))
    assert (choice.tokenizer.name, choice.exact, choice.requested) == (tokenizer, exact, requested)
    assert reason in choice.reason
    assert choice.tokenizer.count(["Hello, world! This is a test."])[0] > 0


@pytest.mark.parametrize(
    ("requested", "tokenizer", "exact"),
    [
        ("auto", "standin:unknown", False),
        ("embedded:qwen3", "embedded:qwen3", False),
        ("estimate:brain", "estimate:brain", False),
        ("hf:somebody/Unheard-Of-7B", "standin:unknown", False),
        ("hf:/no/such/folder", "standin:unknown", False),
        ("hf:meta-llama/Llama-3.1-8B-Instruct", "embedded:llama3.1", False),
    ],
)
def test_for_an_unknown_model(requested: str, tokenizer: str, exact: bool) -> None:
    choice = choose_tokenizer(requested, None)
    assert (choice.tokenizer.name, choice.exact) == (tokenizer, exact)
    assert choice.reason.endswith(".")


def test_auto_for_an_unknown_model_says_so() -> None:
    assert choose_tokenizer("auto", None).reason.startswith("The model is not known: standin:unknown")


@pytest.mark.parametrize(
    ("requested", "known"),
    [
        ("estimate:nothing", "estimate:words"),
        ("embedded:deepseek_r2", "deepseek_r1"),
        ("tiktoken:gpt-99z", "o200k_base"),
        ("o200k_base", "embedded:o200k_base"),
        ("wordpiece", "embedded:NAME"),
        ("sentencepiece:x", "gguf:FILE"),
        ("", "auto"),
    ],
)
def test_a_name_that_nobody_has(requested: str, known: str) -> None:
    with pytest.raises(UnknownTokenizerError, match=known):
        choose_tokenizer(requested, None)


def test_loaded_once() -> None:
    for name in ("embedded:qwen3", "estimate:words", "tiktoken:o200k_base"):
        assert load_tokenizer(name) is load_tokenizer(name)
