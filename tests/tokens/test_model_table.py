"""The model table: its facts, its consistency, and how names are found in it."""

import pytest

from inspector.tokens.chat_format import chat_format_for
from inspector.tokens.choice import choose_tokenizer
from inspector.tokens.estimate import ESTIMATORS
from inspector.tokens.models import ModelRow, ModelTable, load_models


@pytest.mark.parametrize(
    ("name", "window", "output", "tokenizer"),
    [
        ("gpt-4o", 128_000, 16_384, "embedded:o200k_base"),
        ("gpt-5", 400_000, 128_000, "embedded:o200k_base"),
        ("gpt-4", 8_192, 8_192, "embedded:cl100k_base"),
        ("gpt-3.5-turbo", 16_385, 4_096, "embedded:cl100k_base"),
        ("claude-sonnet-4-5", 200_000, 64_000, "estimate:ibex-claude"),
        ("gemini-2.5-pro", 1_048_576, 65_536, "embedded:gemma3"),
        ("gemini-3.5-flash", 1_048_576, 65_536, "embedded:gemma4"),
        ("grok-4", 256_000, 16_384, "estimate:ibex"),
        ("llama-3.1-8b", 131_072, None, "embedded:llama3.1"),
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


def test_estimates_are_not_exact() -> None:
    makers = {row.maker for row in load_models().rows if row.tokenizer.startswith("estimate:")}
    assert {"Anthropic", "xAI"} <= makers
    assert not any(row.exact_tokenizer for row in load_models().rows if row.tokenizer.startswith("estimate:"))


def test_the_table_is_consistent() -> None:
    rows = load_models().rows
    names = [name.casefold() for row in rows for name in (row.name, *row.aliases)]
    assert len(rows) >= 80
    assert len(set(names)) == len(names)
    for row in rows:
        assert row.context_window > 0
        assert row.max_output is None or 0 < row.max_output <= row.context_window, row.name
        assert row.source, row.name
        assert row.chat_format in ("openai", "chatml"), row.name
        assert chat_format_for(row, ESTIMATORS["estimate:words"]).name == row.chat_format


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
        ("Qwen/Qwen2.5-14B-Instruct", "qwen2.5-14b", "alias"),
        ("llama3.1:8b", "llama-3.1-8b", "alias"),
        ("gpt-4o-2024-08-06", "gpt-4o", "prefix"),
        ("gpt-4o-mini-2024-07-18", "gpt-4o-mini", "prefix"),
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


def test_the_longest_prefix_wins() -> None:
    def row(name: str) -> ModelRow:
        return ModelRow(name, "Maker", 8192, None, "estimate:words", "chatml", "family")

    table = ModelTable((row("one"), row("one-two"), row("one-two-three")))
    match = table.find("vendor/one-two-x")
    assert match.row is not None
    assert (match.row.name, match.how) == ("one-two", "prefix")
    assert table.find("three").how == "unknown"
