"""A model of a public listing: its facts, and how their values are read."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from inspector.tokens.models.prices import Prices
from inspector.tokens.models.table import MOST_TOKENS

MODELS_DEV, LITELLM, GENAI_PRICES = "models.dev", "litellm", "genai-prices"
NO_CHAT = "no model that answers in text"
NO_WINDOW = "without a context window"
UNREADABLE = "not written as the listing writes a model"

_DECIMALS = 6


class ListingError(ValueError):
    """The file is not a known listing; the message has its name and the expected content."""


@dataclass(frozen=True, slots=True)
class ListedModel:
    """The facts about a model at a provider. Windows in tokens, prices in US dollars per million tokens.

    `context_window` is None if the listing does not give it. `prices` are those that a listing tells besides: tiers,
    writing to a cache, other classes of service. `repository` is the model's at Hugging Face,
    where the listing calls it so, else "". `knows_windows` is False for a listing whose windows are often old ones.
    """

    name: str
    provider: str
    context_window: int | None
    max_input: int | None
    max_output: int | None
    price_in: float | None
    price_out: float | None
    price_cached: float | None
    prices: Prices | None = None
    repository: str = ""
    knows_windows: bool = True


@dataclass(frozen=True, slots=True)
class Listing:
    """The models of a listing, its kind, and the number of entries left out, by reason."""

    kind: str
    models: tuple[ListedModel, ...]
    left_out: Mapping[str, int]


def without_host(name: str) -> str:
    """Return the last part of the path, without the `:free` of a router's free tier."""
    return name.rsplit("/", 1)[-1].removesuffix(":free")


def mapping(value: object) -> Mapping[str, Any]:
    """Return a mapping; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def _number(value: object) -> float | None:
    """Return a finite, non-negative number; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < float("inf") else None


def count(value: object) -> int | None:
    """Return a number of tokens; None for anything else, and for more than any model has."""
    number = _number(value)
    return int(number) if number is not None and 1 <= number <= MOST_TOKENS else None


def at_most(output: int | None, window: int) -> int | None:
    """Return the longest reply, None above the window: an error of the listing."""
    return output if output is not None and output <= window else None


def price(value: object, scale: int = 1) -> float | None:
    """Return a price in US dollars, rounded to their millionth; None for anything else."""
    number = _number(value)
    cost = None if number is None else _number(number * scale)
    return None if cost is None else round(cost, _DECIMALS)


def cached(cost: float | None, full: float | None) -> float | None:
    """Return the price of cached tokens, None above the full price: an error of the listing.

    models.dev has such a price for gpt-3.5-turbo.
    """
    return cost if cost is not None and full is not None and cost <= full else None
