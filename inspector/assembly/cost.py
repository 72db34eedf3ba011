"""What a prompt costs at the price of its model, and how that is written. The reply is not in it: nobody knows its
length beforehand."""

from inspector.tokens.models.row import ModelRow

UNKNOWN_PRICE = "price not known"
_TOKENS_PER_PRICE = 1_000_000
_SMALLEST = 0.0001


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


def cost_text(cost: float | None, estimated: bool = False) -> str:
    """A cost for people: $0.0123, < $0.0001, "price not known"; ≈ $0.0123 where the tokens are estimated."""
    if cost is None:
        return UNKNOWN_PRICE
    if 0 < cost < _SMALLEST:
        return f"< ${_SMALLEST:.4f}"
    written = f"${cost:,.2f}" if cost >= 10 or cost == 0 else f"${cost:.4f}"
    return f"≈ {written}" if estimated else written


def price_source(row: ModelRow | None) -> str:
    """Whose price it is and of when, for a hint: gpt-4o: $2.5 per million tokens, models.dev (openai), 2026-05-21."""
    if row is None or row.price_in is None:
        return UNKNOWN_PRICE
    told = ", ".join(text for text in (row.source, row.date) if text)
    return f"{row.name}: ${row.price_in:g} per million tokens" + (f", {told}" if told else "")
