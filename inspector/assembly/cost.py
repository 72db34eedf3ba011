"""What a prompt costs at the price of its model, and how that is written. The reply is not in it: nobody knows its
length beforehand."""

from inspector.figures import UNKNOWN_PRICE
from inspector.tokens.models.row import ModelRow

NO_PRICE = "–"
_TOKENS_PER_PRICE = 1_000_000


def prompt_cost(row: ModelRow | None, tokens: int, cached_tokens: int = 0) -> float | None:
    """US dollars for a prompt of `tokens`, of which the provider has `cached_tokens` in its cache of prompts.

    None where the table has no price. Cached tokens cost the full price where none is known for them. What some makers
    charge more for prompts above a length (200,000 tokens) is not in it.
    """
    if row is None or row.price_in is None:
        return None
    price_cached = row.price_in if row.price_cached is None else row.price_cached
    fresh = tokens - cached_tokens
    return (fresh * row.price_in + cached_tokens * price_cached) / _TOKENS_PER_PRICE


def price_text(price: float | None) -> str:
    """Dollars of a price with two digits after the point, or as many more as there are: 3.00, 0.25, 0.075."""
    if price is None:
        return NO_PRICE
    digits = f"{price:.6f}".rstrip("0").partition(".")[2]
    return f"{price:.{max(len(digits), 2)}f}"


def price_source(row: ModelRow | None) -> str:
    """Whose price it is and of when, for a hint: gpt-4o: $2.50 per million tokens, models.dev (openai)."""
    if row is None or row.price_in is None:
        return UNKNOWN_PRICE
    told = ", ".join(text for text in (row.source, row.date) if text)
    return f"{row.name}: ${price_text(row.price_in)} per million tokens" + (f", {told}" if told else "")
