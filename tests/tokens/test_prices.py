"""Prices of a model: golden requests, tiers by the whole input, classes of service, and rows of litellm's file."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.tokens.models.prices import NO_RATES, PriceList, Prices, Rates, Tier, cost, plain_prices, prices_of
from tests.facts import facts

_ROWS = Path(__file__).parent / "litellm_rows.json"
"""The prices of some rows of litellm's file, version 1.110.2 (BerriAI/litellm, MIT)."""
_GPT = {
    "input_cost_per_token": 5e-6,
    "input_cost_per_token_above_272k_tokens": 1e-5,
    "output_cost_per_token": 3e-5,
    "output_cost_per_token_above_272k_tokens": 4.5e-5,
    "cache_read_input_token_cost": 5e-7,
    "cache_read_input_token_cost_above_272k_tokens": 1e-6,
    "input_cost_per_token_batches": 2.5e-6,
    "input_cost_per_token_above_272k_tokens_batches": 5e-6,
    "output_cost_per_token_batches": 1.5e-5,
}
_CLAUDE = {
    "input_cost_per_token": 3e-6,
    "output_cost_per_token": 1.5e-5,
    "cache_read_input_token_cost": 3e-7,
    "cache_creation_input_token_cost": 3.75e-6,
    "cache_creation_input_token_cost_above_1hr": 6e-6,
    "prompt_cache_min_tokens": 1024,
}
_GEMINI = {
    "input_cost_per_token": 1.25e-6,
    "input_cost_per_token_above_200k_tokens": 2.5e-6,
    "output_cost_per_token": 1e-5,
    "output_cost_per_token_above_200k_tokens": 1.5e-5,
}
_QWEN = {
    "tiered_pricing": [
        {"input_cost_per_token": 3e-6, "output_cost_per_token": 1.5e-5, "range": [128_000, 252_000]},
        {"input_cost_per_token": 1.2e-6, "output_cost_per_token": 6e-6, "range": [0, 32_000.0]},
        {"input_cost_per_token": 2.4e-6, "output_cost_per_token": 1.2e-5, "range": [32_000, 128_000]},
    ]
}


def _prices(row: dict[str, Any]) -> Prices:
    found = prices_of(row)
    assert found is not None
    return found


def test_every_golden_price_is_equal_to_a_millionth(data_folder: Path) -> None:
    rows = json.loads(_ROWS.read_text("utf-8"))
    golden = facts(data_folder, "prices.jsonl")
    assert len(golden) >= 17
    for row in golden:
        tokens = (row["fresh"], row["cache_read"], row["cache_write"], row["output"])
        dollars = cost(_prices(rows[row["model"]]), *tokens, life=row.get("lifetime", "short"))
        assert dollars == pytest.approx(row["dollars"], abs=1e-6), row["name"]


@pytest.mark.parametrize(
    ("row", "tokens", "dollars"),
    [
        (_GPT, (314_663, 0, 0, 0), 3.14663),
        (_GPT, (272_000, 0, 0, 0), 1.36),
        (_GPT, (272_001, 0, 0, 0), 2.72001),
        (_GPT, (72_000, 200_001, 0, 1_000), 0.965001),  # 0.72 fresh, 0.200001 read, 0.045 out: all by the tier
        (_GEMINI, (199_999, 0, 0, 500), 0.25499875),
        (_GEMINI, (200_001, 0, 0, 500), 0.5075025),
        (_CLAUDE, (50, 2_000, 300, 400), 0.007875),
        (_QWEN, (20_000, 0, 0, 1_000), 0.03),
        (_QWEN, (32_000, 0, 0, 0), 0.0384),
        (_QWEN, (32_001, 0, 0, 0), 0.0768024),
        (_QWEN, (90_000, 0, 0, 1_000), 0.228),
        (_QWEN, (300_000, 0, 0, 0), 0.9),  # beyond the last range
    ],
)
def test_the_tier_is_chosen_by_the_whole_input(
    row: dict[str, Any], tokens: tuple[int, int, int, int], dollars: float
) -> None:
    assert cost(_prices(row), *tokens) == pytest.approx(dollars, abs=1e-9)


def test_a_longer_life_costs_more() -> None:
    prices = _prices(_CLAUDE)
    assert cost(prices, 50, 0, 4_000, life="1h") == pytest.approx(0.02415)
    assert cost(prices, 50, 0, 4_000, life="12h") == pytest.approx(0.02415), "the longest that is listed"
    assert prices.cache_minimum == 1_024


def test_a_class_of_service_has_its_own_rates_and_the_standard_ones_for_the_rest() -> None:
    prices = _prices(_GPT)
    assert cost(prices, 1_000_000 // 10, service="batch") == pytest.approx(0.25)
    assert cost(prices, 300_000, service="batch") == pytest.approx(1.5)
    assert cost(prices, 0, 100_000, service="batch") == pytest.approx(0.05), "reading is not listed for batches"
    assert prices.flex is None
    assert cost(prices, 100_000, service="flex") == cost(prices, 100_000)


def test_reading_and_writing_without_a_rate_cost_as_much_as_the_input() -> None:
    prices = _prices({"input_cost_per_token": 2e-6, "cache_creation_input_token_cost": 0.0})
    assert cost(prices, 100, 200, 300) == pytest.approx(600 * 2e-6)


def test_a_tier_without_a_rate_for_the_cache_keeps_its_share() -> None:
    listed = {key: value for key, value in _GPT.items() if not key.startswith("cache_read_input_token_cost_above")}
    assert cost(_prices(listed), 0, 300_000) == cost(_prices(_GPT), 0, 300_000) == pytest.approx(0.3)


def test_thoughts_may_cost_otherwise_than_the_answer() -> None:
    row = {"input_cost_per_token": 1e-6, "output_cost_per_token": 2e-6, "output_cost_per_reasoning_token": 3e-6}
    assert cost(_prices(row), 0, out=10, thoughts=4) == pytest.approx(6 * 2e-6 + 4 * 3e-6)
    assert cost(_prices({**row, "output_cost_per_reasoning_token": None}), 0, out=10, thoughts=4) == pytest.approx(2e-5)


def test_without_a_rate_there_is_no_cost() -> None:
    assert prices_of({"output_cost_per_token": 1e-6}) is None
    assert plain_prices(None, 3.0, None) is None
    only_input = plain_prices(3.0, None, 0.3)
    assert only_input is not None
    assert cost(only_input, 10, out=1) is None
    assert cost(only_input, 1_000, 1_000) == pytest.approx(0.0033)


@pytest.mark.parametrize("value", ["3e-6", True, float("nan"), float("inf"), -1e-6, [None], None])
def test_what_is_no_price_is_not_known(value: Any) -> None:
    assert prices_of({"input_cost_per_token": value}) is None
    assert _prices({**_CLAUDE, "cache_read_input_token_cost": value}).standard.rates.cache_read is None
    assert prices_of({"tiered_pricing": [value, {"range": value, "input_cost_per_token": 1e-6}]}) is None


def test_a_price_of_reading_above_the_input_is_an_error_of_the_listing() -> None:
    assert (
        _prices({"input_cost_per_token": 1e-6, "cache_read_input_token_cost": 2e-6}).standard.rates.cache_read is None
    )


def test_prices_are_read_as_they_are_written() -> None:
    for row in (_GPT, _CLAUDE, _QWEN, {**_GPT, "supports_prompt_cache_breakpoint": True}):
        prices = _prices(row)
        assert msgspec.convert(json.loads(json.dumps(asdict(prices))), Prices) == prices
    assert _prices({**_GPT, "supports_prompt_cache_breakpoint": True}).breakpoints


_RATE = st.floats(0.01, 100)
_RATES = st.builds(Rates, input=_RATE, output=_RATE, cache_read=_RATE | st.none(), cache_write=_RATE | st.none())
_TOKENS = st.integers(0, 500_000)


@given(_RATES, _TOKENS, _TOKENS, _TOKENS, _TOKENS)
def test_without_tiers_costs_add_up(rates: Rates, fresh: int, read: int, written: int, out: int) -> None:
    prices = Prices(PriceList(rates))
    parts = (cost(prices, fresh), cost(prices, 0, read), cost(prices, 0, 0, written), cost(prices, 0, out=out))
    assert cost(prices, fresh, read, written, out) == pytest.approx(sum(part or 0.0 for part in parts))


@given(_RATES, _RATES, st.integers(1, 300_000), _TOKENS, _TOKENS)
def test_a_tier_prices_the_whole_request(base: Rates, above: Rates, limit: int, fresh: int, read: int) -> None:
    tiered = Prices(PriceList(base, (Tier(limit, above),)))
    if fresh + read <= limit:
        assert cost(tiered, fresh, read) == cost(Prices(PriceList(base)), fresh, read)
    elif above.cache_read is not None:
        assert cost(tiered, fresh, read) == cost(Prices(PriceList(above)), fresh, read)
    assert tiered.standard.rates != NO_RATES
