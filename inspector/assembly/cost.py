"""The price of a prompt for its model, and its text. The reply is not included: its length is unknown beforehand."""

from inspector.figures import UNKNOWN_PRICE
from inspector.tokens.models.table import ModelRow

NO_PRICE = "–"
_TOKENS_PER_PRICE = 1_000_000


def prompt_cost(row: ModelRow | None, tokens: int, cached_tokens: int = 0) -> float | None:
    """Return the US dollars for a prompt of `tokens`, of which the provider has `cached_tokens` in its prompt cache.

    None if the table has no price. Cached tokens cost the full price if none is known for them. The surcharge of some
    providers for prompts above a length (200,000 tokens) is not included.
    """
    if row is None or row.price_in is None:
        return None
    price_cached = row.price_in if row.price_cached is None else row.price_cached
    fresh = tokens - cached_tokens
    return (fresh * row.price_in + cached_tokens * price_cached) / _TOKENS_PER_PRICE


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
