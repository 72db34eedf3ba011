"""Snippets of settings: LangChain's is run by its library, and gives what was worked out by hand."""

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from inspector.pages.snippets import SYSTEMS, Settings, SnippetError, snippet

LANGCHAIN = {
    "max_tokens": 20,
    "strategy": "last",
    "include_system": True,
    "start_on": "user",
    "end_on": "none",
    "message_overhead": 3,
}
TRIM = Settings("langchain_trim", LANGCHAIN, "gpt-4o", 128_000, "embedded:o200k_base")


def run(text: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(compile(text, "snippet", "exec"), names)
    return names


def chat() -> list[Any]:
    messages = pytest.importorskip("langchain_core.messages")
    return [
        messages.SystemMessage("be kind", id="s"),
        messages.HumanMessage("one two three", id="u1"),
        messages.AIMessage("one two", id="a1"),
        messages.HumanMessage("one", id="u2"),
        messages.AIMessage("one two three", id="a2"),
    ]


def test_langchain_trims_as_the_settings_say(monkeypatch: pytest.MonkeyPatch) -> None:
    words = SimpleNamespace(encode=lambda text, **_: text.split())
    monkeypatch.setattr("tiktoken.get_encoding", lambda name: {"o200k_base": words}[name])
    kept = run(snippet("langchain", TRIM).text)["trimmer"].invoke(chat())
    assert [message.id for message in kept] == ["s", "u2", "a2"]  # 5 + 4 + 6 of 20; a1 fits, but is no user's


def test_the_strategy_first_takes_no_system_message_and_no_start(monkeypatch: pytest.MonkeyPatch) -> None:
    words = SimpleNamespace(encode=lambda text, **_: text.split())
    monkeypatch.setattr("tiktoken.get_encoding", lambda _: words)
    first = replace(TRIM, parameters={**LANGCHAIN, "strategy": "first"})
    kept = run(snippet("langchain", first).text)["trimmer"].invoke(chat())
    assert [message.id for message in kept] == ["s", "u1", "a1", "u2"]


def test_another_vocabulary_is_counted_roughly_and_that_is_said() -> None:
    made = snippet("langchain", replace(TRIM, tokenizer="embedded:qwen3"))
    assert "embedded:qwen3" in made.unsaid
    assert run(made.text)["trimmer"].invoke(chat())[0].id == "s"


@pytest.mark.parametrize(
    ("system", "policy", "parameters", "expected"),
    [
        ("llamaindex", "llamaindex_buffer", {"token_limit": 900, "initial_tokens": 7}, "token_limit=900"),
        ("llamaindex", "llamaindex_buffer", {"token_limit": 900, "initial_tokens": 7}, "initial_token_count=7"),
        (
            "semantic-kernel",
            "semantic_kernel_truncation",
            {"target_count": 8, "threshold_count": 2},
            "target_count=8, threshold_count=2",
        ),
        (
            "prompt-poet",
            "priority",
            {"token_limit": 90, "truncation_step": 5, "message_priority": 4},
            "token_limit=90, truncation_step=5",
        ),
    ],
)
def test_the_systems_are_given_their_own_names(
    system: str, policy: str, parameters: dict[str, Any], expected: str
) -> None:
    made = snippet(system, replace(TRIM, policy=policy, parameters=parameters))
    compile(made.text, system, "exec")
    assert expected in made.text


def test_ollama_and_chorus_take_the_window_and_say_what_they_do_not_take() -> None:
    ratio = replace(TRIM, policy="ratio", window=8192, model="qwen: x")
    ollama, chorus = snippet("ollama", ratio), snippet("chorus", ratio)
    assert json.loads(ollama.text) == {"options": {"num_ctx": 8192}}
    assert yaml.safe_load(chorus.text) == {"preferred_llm": {"model": "qwen: x", "context_window": 8192}}
    assert "ratio" in ollama.unsaid
    assert "shares" in chorus.unsaid


@pytest.mark.parametrize("system", [system for system in SYSTEMS if system != "ollama"])
def test_what_a_system_cannot_express_is_one_sentence(system: str) -> None:
    with pytest.raises(SnippetError) as caught:
        snippet(system, replace(TRIM, policy="naive"))
    text = str(caught.value)
    assert "naive" in text
    assert text.endswith(".")
    assert "\n" not in text
