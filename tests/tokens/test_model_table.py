"""The model table: its facts, its consistency, and how names are found in it."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.tokens.chat.format import shipped_formats
from inspector.tokens.choice import choose_tokenizer
from inspector.tokens.models.lines import line_of, tokenizer_of
from inspector.tokens.models.loading import load_models
from inspector.tokens.models.names import key_of
from inspector.tokens.models.prices import cost
from inspector.tokens.models.table import ModelRow, ModelTable, input_limit

MAKERS = {
    *("OpenAI", "Anthropic", "Google", "Meta", "Mistral AI", "Alibaba", "DeepSeek", "Z.ai", "Moonshot AI", "xAI"),
    *("Cohere", "Amazon", "Microsoft", "Ai2", "NVIDIA", "IBM", "AI21", "MiniMax", "ByteDance", "Tencent", "Baidu"),
    *("StepFun", "Shanghai AI Lab", "01.AI", "TII", "Nous Research", "Perplexity", "Reka", "LG AI Research"),
    *("Upstage", "Liquid AI"),
}


def plain_row(name: str, **fields: object) -> ModelRow:
    row = ModelRow(name, "Maker", 8192, None, "estimate:words", "chatml", "family")
    return replace(row, **fields)


@pytest.mark.parametrize(
    ("name", "window", "output", "tokenizer"),
    [
        ("gpt-4o", 128_000, 16_384, "embedded:o200k_base"),
        ("gpt-5", 400_000, 128_000, "embedded:o200k_base"),
        ("gpt-4", 8_192, 4_096, "embedded:cl100k_base"),
        ("gpt-3.5-turbo", 16_385, 4_096, "embedded:cl100k_base"),
        ("claude-sonnet-4-5", 200_000, 64_000, "reconstructed:claude-v3"),
        ("gemini-2.5-pro", 1_048_576, 65_536, "embedded:gemma3"),
        ("gemini-3.5-flash", 1_048_576, 65_536, "embedded:gemma4"),
        ("grok-4", 256_000, 16_384, "standin:grok"),
        ("llama-3.1-8b", 131_072, None, "embedded:llama3.1"),
        ("deepseek-v4-pro", 1_000_000, 393_216, "hf:deepseek-ai/DeepSeek-V4-Pro"),
        ("sonar-pro", 200_000, 8_000, "standin:unknown"),
        ("gpt-6.1-sol", 1_050_000, 128_000, "embedded:o200k_base"),
        ("claude-opus-5-5", 1_000_000, 128_000, "reconstructed:claude-later"),
        ("qwen3.8-max", 1_000_000, 131_072, "hf:Qwen/Qwen3.6-35B-A3B"),
        ("kimi-k3", 1_048_576, 1_048_576, "embedded:kimi_k3"),
    ],
)
def test_facts(name: str, window: int, output: int | None, tokenizer: str) -> None:
    row = load_models().find(name).row
    assert row is not None
    assert (row.context_window, row.max_output, row.tokenizer) == (window, output, tokenizer)


def test_prices_of_gpt_4o() -> None:
    row = load_models().find("gpt-4o").row
    assert row is not None
    assert (row.price_in, row.price_out, row.price_cached) == (2.5, 10.0, 1.25)


def test_the_prices_of_a_row_begin_with_those_of_a_short_request() -> None:
    rows = [row for row in load_models().rows if row.prices is not None]
    assert len(rows) > 100
    for row in rows:
        assert row.prices is not None
        rates = row.prices.standard.rates
        assert (rates.input, rates.output) == (row.price_in, row.price_out), row.name
        assert rates.cache_read in (row.price_cached, None), row.name


def test_the_tiers_of_gpt_5_5() -> None:
    row = load_models().find("gpt-5.5").row
    assert row is not None
    assert row.prices is not None
    assert [cost(row.prices, tokens) for tokens in (272_000, 272_001)] == [1.36, 2.72001]


def test_estimates_are_not_exact() -> None:
    estimated = [row for row in load_models().rows if row.tokenizer.startswith(("reconstructed:", "standin:"))]
    assert {"Anthropic", "xAI"} <= {row.maker for row in estimated}
    assert not any(row.exact_tokenizer for row in estimated)


def test_the_table_is_large_and_has_every_large_maker() -> None:
    rows = load_models().rows
    assert len(rows) >= 500
    assert len([row for row in rows if row.date]) >= 400
    assert {row.maker for row in rows} >= MAKERS


def test_the_table_is_consistent() -> None:
    rows = load_models().rows
    keys = [key for row in rows for key in {key_of(name) for name in (row.name, *row.aliases)}]
    assert len(set(keys)) == len(keys)
    for row in rows:
        assert row.context_window > 0
        assert row.max_output is None or 0 < row.max_output <= row.context_window, row.name
        assert row.max_input is None or 0 < row.max_input < row.context_window, row.name
        assert row.chat_format in shipped_formats(), row.name
        assert row.family, row.name
        assert (row.price_in is None) == (row.price_out is None), row.name
        assert row.price_cached is None or (row.price_in is not None and row.price_cached <= row.price_in), row.name


def test_every_row_says_where_its_facts_are_from() -> None:
    """A dated row is a listing's; an undated one says that nobody read it again."""
    for row in load_models().rows:
        if row.date:
            assert re.fullmatch(r"20\d\d-[01]\d-[0-3]\d", row.date), row.name
            assert re.fullmatch(r"(?:models\.dev|litellm) [\d.]+ \([\w-]+\)", row.source), row.name
        else:
            assert row.source.endswith("not read again"), row.name
            assert row.price_in is None, row.name


def test_every_row_has_a_tokenizer_here() -> None:
    for row in load_models().rows:
        choice = choose_tokenizer("auto", row)
        assert choice.exact <= row.exact_tokenizer
        assert choice.reason.endswith(".")
        assert choice.exact == (row.exact_tokenizer and row.tokenizer.startswith("embedded:")), row.name


@pytest.mark.parametrize(
    ("name", "found", "how"),
    [
        ("gpt-4o", "gpt-4o", "exact"),
        (" GPT-4o ", "gpt-4o", "exact"),
        ("openai/gpt-4o", "gpt-4o", "exact"),
        ("openrouter/anthropic/claude-sonnet-4.5", "claude-sonnet-4-5", "alias"),
        ("claude-sonnet-4-5@20250929", "claude-sonnet-4-5", "alias"),
        ("claude-sonnet-4-5@2031", None, "unknown"),
        ("ft:gpt-4o-2024-08-06:acme::abc123", "gpt-4o", "fine-tune"),
        ("gpt-4o-legal-finetune", None, "unknown"),
        ("my-claude-sonnet-4-5-proxy", None, "unknown"),
        ("mistral/gpt-4o", None, "unknown"),
        ("acme/gpt-4o", None, "unknown"),
        ("qwen2.5:7b-instruct-q4_K_M", "qwen2.5-7b", "prefix"),
        ("Meta-Llama-3.1-8B-Instruct-GGUF", "llama-3.1-8b", "prefix"),
        ("models/gemini-2.5-pro", "gemini-2.5-pro", "exact"),
        ("accounts/fireworks/models/llama-v3p1-8b-instruct", "llama-3.1-8b", "alias"),
        ("hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF:Q4_K_M", "llama-3.2-3b", "prefix"),
        ("mistral.mistral-large-2407-v1:0", "mistral-large-2407", "prefix"),
        ("deepseek.r1-v1:0", "deepseek-r1", "prefix"),
        ("zai-org-glm-4.7", "glm-4.7", "exact"),
        ("gpt-4o-2031-01-01", "gpt-4o", "prefix"),
        ("Qwen/Qwen2.5-14B-Instruct", "qwen2.5-14b", "alias"),
        ("llama3.1:8b", "llama-3.1-8b", "alias"),
        ("gpt-4o-2024-08-06", "gpt-4o", "alias"),
        ("gpt-4o-mini-2024-07-18", "gpt-4o-mini", "alias"),
        ("gpt-4-0613", "gpt-4", "prefix"),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5", "prefix"),
        ("Qwen2.5-7B-Instruct-Q4_K_M.gguf", "qwen2.5-7b", "prefix"),
        ("gpt-4oxyz", None, "unknown"),
        ("nobody-7b", None, "unknown"),
        ("gpt", None, "unknown"),
        ("", None, "unknown"),
    ],
)
def test_names_as_people_write_them(name: str, found: str | None, how: str) -> None:
    match = load_models().find(name)
    assert (match.row.name if match.row else None, match.how) == (found, how)


def test_no_beginning_of_a_name_is_the_name() -> None:
    table = ModelTable((plain_row("one"), plain_row("one-two"), plain_row("one-two-three")))
    assert table.find("openrouter/one-two-x").how == table.find("three").how == "unknown"
    assert table.find("openrouter/one-two").row == plain_row("one-two")


def test_the_price_of_a_fine_tune_is_not_known() -> None:
    table = ModelTable((plain_row("one", price_in=1.0, price_out=2.0, price_cached=0.5),))
    row = table.find("ft:one:acme::1").row
    assert row == plain_row("one")


def test_the_nearest_relative_is_of_the_same_line_and_tier() -> None:
    rows = [plain_row(name) for name in ("gpt-5", "gpt-5-mini", "gpt-6", "gpt-6-mini", "claude-opus-5", "o3")]
    table = ModelTable(tuple(rows))
    for name, relative in (("gpt-6.2-mini", "gpt-6-mini"), ("gpt-5.3", "gpt-5"), ("claude-opus-9", "claude-opus-5")):
        found = table.relative(name)
        assert found is not None
        assert found.name == relative
    assert table.relative("nobody-7b") is table.relative("") is None


def test_every_row_is_of_a_declared_line() -> None:
    """A line may have a nearer stand-in than an older row, but no row claims more than its line, or another maker."""
    for row in load_models().rows:
        line = line_of(row.name)
        assert line is not None, row.name
        assert (line.maker, line.chat_format) == (row.maker, row.chat_format), row.name
        tokenizer, own = tokenizer_of(line, row.tokenizer.removeprefix("hf:"))
        if row.tokenizer.startswith("embedded:") and row.exact_tokenizer:
            assert (tokenizer, own) == (row.tokenizer, True), row.name


@given(st.text(alphabet="abgptoqw0123459.-:/_", max_size=24))
def test_what_is_found_is_in_the_name(text: str) -> None:
    match = load_models().find(text)
    if match.row is None:
        assert match.how == "unknown"
        return
    known = {key_of(name) for name in (match.row.name, *match.row.aliases)}
    parts = key_of(text)
    slices = {parts[start:end] for start in range(len(parts)) for end in range(start + 1, len(parts) + 1)}
    assert known & slices


def test_the_most_that_a_prompt_may_have() -> None:
    """The smaller of window - output and input counts (models.dev, gpt-5: 400,000 - 128,000 and 272,000)."""
    row = load_models().find("gpt-5").row
    assert row is not None
    assert (row.max_input, input_limit(row)) == (272_000, 272_000)
    assert input_limit(plain_row("a", context_window=1000, max_output=400, max_input=900)) == 600
    assert input_limit(plain_row("a", context_window=1000, max_output=1000, max_input=900)) == 900
    assert input_limit(plain_row("a", context_window=1000, max_input=900)) == 900
    assert input_limit(plain_row("a", context_window=1000, max_output=400)) is None


def test_what_a_person_types_finds_the_best_first() -> None:
    found = load_models().matches("gpt-4o-2031-01-01")
    assert [(row.name, how) for row, how in found] == [("gpt-4o", "prefix")]
    found = load_models().matches("claude opus")
    assert all(how == "part" and row.maker == "Anthropic" for row, how in found)
    assert len(found) >= 5
    found = load_models().matches("qwen3")
    assert (found[0][0].name, found[0][1]) == ("qwen3-8b", "alias")
    assert len({row.name for row, _ in found}) == len(found) > 10
    assert load_models().matches("nobody-7b") == ()
    assert load_models().matches(" ") == ()


def test_a_name_without_end_is_no_model() -> None:
    assert load_models().find("gpt-4o" + "a" * 1_000_000).how == "unknown"
