"""The price of a prompt for its model, and its text. The reply is not included: its length is unknown beforehand."""

import numpy as np

from inspector.assembly.columns import F64, I64
from inspector.figures import UNKNOWN_PRICE
from inspector.tokens.models.prices import Prices, cost, plain_prices
from inspector.tokens.models.table import ModelRow

NO_PRICE = "–"
_TOKENS_PER_PRICE = 1_000_000


def prices_of_model(row: ModelRow | None) -> Prices | None:
    """Return the prices of a model; None if the table has none for the tokens of a prompt."""
    return None if row is None else row.prices or plain_prices(row.price_in, row.price_out, row.price_cached)


def prompt_cost(row: ModelRow | None, tokens: int) -> float | None:
    """Return the US dollars for a prompt of `tokens`, none of it from a prompt cache; None without a price."""
    prices = prices_of_model(row)
    return None if prices is None else cost(prices, tokens)


def prompt_costs(prices: Prices | None, tokens: I64) -> F64:
    """Return the US dollars for prompts of so many tokens each, none of it from a prompt cache; NaN without a price."""
    if prices is None:
        return np.full(tokens.shape, np.nan)
    limits = [tier.above for tier in prices.standard.tiers]
    rates = [prices.rates(limit).input for limit in (0, *(limit + 1 for limit in limits))]
    per_token = np.array([np.nan if rate is None else rate for rate in rates]) / _TOKENS_PER_PRICE
    return tokens * per_token[np.searchsorted(limits, tokens, side="left")]


def price_text(price: float | None) -> str:
    """Return the dollars of a price with two decimals, or more if it has more: 3.00, 0.25, 0.075."""
    if price is None:
        return NO_PRICE
    digits = f"{price:.6f}".rstrip("0").partition(".")[2]
    return f"{price:.{max(len(digits), 2)}f}"


def price_source(row: ModelRow | None) -> str:
    """Return the source and date of a price, for a hint: gpt-4o: $2.50 per million tokens, models.dev (openai)."""
    if row is None or row.price_in is None:
        return UNKNOWN_PRICE
    told = ", ".join(text for text in (row.source, row.date) if text)
    return f"{row.name}: ${price_text(row.price_in)} per million tokens" + (f", {told}" if told else "")
