"""Names of models made comparable: spellings of one name are equal, different names are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.tokens.models.table import key_of, spellings


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Claude-3.5-Sonnet", "claude-3-5-sonnet"),
        ("qwen2.5:7b", "Qwen-2.5-7B"),
        ("llama-v3p1-8b", "llama-3.1-8b"),
        ("deepseek-v3p1", "DeepSeek_V3.1"),
        ("gpt4o", "GPT-4o"),
        ("grok-4-3", "grok-4.3"),
        ("glm-4p7", "glm-4.7"),
        ("phi4", "phi-4"),
        ("internlm2_5-7b", "internlm2.5-7b"),
    ],
)
def test_spellings_of_one_name(one: str, other: str) -> None:
    assert key_of(one) == key_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("gpt-4", "gpt-4o"),
        ("gpt-4.1", "gpt-41"),
        ("o1", "o1-mini"),
        ("glm-4.5", "glm-4.5v"),
        ("qwen3-8b", "qwen3-80b"),
        ("llama-3-8b", "llama-3.1-8b"),
        ("gemma-3-4b", "gemma-3n-4b"),
    ],
)
def test_names_of_different_models(one: str, other: str) -> None:
    assert key_of(one) != key_of(other)


@pytest.mark.parametrize(
    ("name", "inside"),
    [
        ("models/gemini-2.5-pro", "gemini-2.5-pro"),
        ("accounts/fireworks/models/llama-v3p1-8b-instruct", "llama-v3p1-8b-instruct"),
        ("bedrock/us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5-20250929-v1:0"),
        ("anthropic--claude-4-opus", "claude-4-opus"),
        ("databricks-meta-llama-3-1-70b-instruct", "llama-3-1-70b-instruct"),
        ("Qwen_Qwen3-8B-Q4_K_M.gguf", "qwen3-8b-q4_k_m.gguf"),
        ("C:\\models\\Phi-4.gguf", "phi-4.gguf"),
        ("ft:gpt-4o-mini:acme::1", "gpt-4o-mini:acme::1"),
    ],
)
def test_what_hosts_put_before_a_name(name: str, inside: str) -> None:
    assert inside in tuple(spellings(name))


def test_the_beginning_of_a_models_own_name_stays() -> None:
    assert tuple(spellings("mistral-large")) == ("mistral-large",)
    assert tuple(spellings("deepseek-r1")) == ("deepseek-r1",)


def test_nothing_has_no_parts() -> None:
    assert key_of("") == key_of(" -/: ") == ()


@given(st.text(max_size=40))
def test_any_text_is_taken(text: str) -> None:
    assert key_of(text) == key_of(f"  {text} ")
    assert next(iter(spellings(text))) == text.strip().casefold().replace("\\", "/")


@given(st.lists(st.from_regex(r"[a-z]{2,6}[0-9]{0,2}", fullmatch=True), min_size=1, max_size=5), st.data())
def test_separators_and_case_do_not_matter(words: list[str], data: st.DataObject) -> None:
    separators = data.draw(st.lists(st.sampled_from("-_. :"), min_size=len(words), max_size=len(words)))
    written = "".join(word + separator for word, separator in zip(words, separators, strict=True))
    assert key_of(written.upper()) == key_of("-".join(words))
