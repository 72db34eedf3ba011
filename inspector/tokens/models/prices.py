"""The prices of a model: by the length of the whole request, for tokens read from and written to a prompt cache, and
for batches and other classes of service.

They are read from a row of litellm's `model_prices_and_context_window.json` (BerriAI/litellm), which has prices per
token: `input_cost_per_token`, `…_above_272k_tokens` for long requests, `…_batches` for a class of service, and
`tiered_pricing` with the prices of ranges.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal

Service = Literal["standard", "batch", "flex", "priority"]
"""The class of service of a request."""
Life = Literal["short", "1h", "12h"]
"""How long a cache keeps a written prefix: as it does by itself, or longer for a higher price."""

_PER_MILLION = 1_000_000
_DECIMALS = 9


@dataclass(frozen=True, slots=True)
class Rates:
    """US dollars per million tokens; None is "not known".

    `cache_read` and `cache_write` are of tokens read from the prompt cache and written to it; `write_1h` and
    `write_12h` of those written for longer; `reasoning` of thoughts where they cost otherwise than the answer.
    """

    input: float | None = None
    output: float | None = None
    cache_read: float | None = None
    cache_write: float | None = None
    write_1h: float | None = None
    write_12h: float | None = None
    reasoning: float | None = None


NO_RATES = Rates()


@dataclass(frozen=True, slots=True)
class Tier:
    """The rates of a whole request whose input, fresh, read and written, is above a number of tokens."""

    above: int
    rates: Rates


@dataclass(frozen=True, slots=True)
class PriceList:
    """The rates of a class of service, and those of longer requests in rising order."""

    rates: Rates
    tiers: tuple[Tier, ...] = ()

    def at(self, tokens: int) -> Rates:
        """Return the rates of a request with so many tokens of input; the highest tier holds beyond its range.

        Rates of the cache that a tier does not list keep their share of the input's.
        """
        reached = [tier.rates for tier in self.tiers if tokens > tier.above]
        if not reached:
            return self.rates
        share = reached[-1].input / self.rates.input if reached[-1].input and self.rates.input else 1.0
        return _over(reached[-1], _scaled(self.rates, share))


@dataclass(frozen=True, slots=True)
class Prices:
    """The prices of a model by class of service; None is a class that is not listed.

    `cache_minimum` is the tokens of the shortest prefix that the cache keeps, None if not listed; `breakpoints` says
    that requests can mark where a kept prefix ends (OpenAI from GPT-5.6 on).
    """

    standard: PriceList
    batch: PriceList | None = None
    flex: PriceList | None = None
    priority: PriceList | None = None
    cache_minimum: int | None = None
    breakpoints: bool = False

    def rates(self, tokens: int, service: Service = "standard") -> Rates:
        """Return the rates of a request with so many tokens of input.

        A rate that a class of service does not list is that of the standard class.
        """
        standard = self.standard.at(tokens)
        special: PriceList | None = None if service == "standard" else getattr(self, service)
        return standard if special is None else _over(special.at(tokens), standard)


def plain_prices(price_in: float | None, price_out: float | None, price_cached: float | None) -> Prices | None:
    """Return prices without tiers, in US dollars per million tokens; None without a price of the input."""
    return None if price_in is None else Prices(PriceList(Rates(price_in, price_out, price_cached)))


def said_besides(prices: Prices | None) -> Prices | None:
    """Return prices that say more than those of a short request without a cache that is written; else None."""
    if prices is None:
        return None
    rates = prices.standard.rates
    return None if prices == plain_prices(rates.input, rates.output, rates.cache_read) else prices


def compact(prices: Prices) -> dict[str, Any]:
    """Return prices as plain values for a file, without what is not known."""
    return _known(asdict(prices))


def _known(values: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, dict):
            found[name] = _known(value)
        elif isinstance(value, tuple | list):
            found |= {name: [_known(one) for one in value]} if value else {}
        elif value not in (None, False):
            found[name] = value
    return found


def all_rates(prices: Prices) -> Iterator[float]:
    """Yield every known rate."""
    for each in (prices.standard, *(special for _, special in _special(prices) if special is not None)):
        for rates in (each.rates, *(tier.rates for tier in each.tiers)):
            yield from (rate for field in fields(rates) if (rate := getattr(rates, field.name)) is not None)


def prices_told(prices: Prices | None) -> str:
    """Return prices in short: the rates of a short request and of longer ones, writing to a cache, and batches."""
    if prices is None:
        return "none"
    rates = prices.standard.rates
    told = [f"{_told(rates)}"]
    told += [f"above {tier.above:,}: {_told(tier.rates)}" for tier in prices.standard.tiers]
    told += [f"write {rate:g}" for rate in (rates.cache_write, rates.write_1h, rates.write_12h) if rate is not None]
    told += [f"{name} {_told(each.rates)}" for name, each in _special(prices) if each is not None]
    told += [f"cached from {prices.cache_minimum:,}"] if prices.cache_minimum else []
    return "; ".join(told)


def _special(prices: Prices) -> tuple[tuple[str, PriceList | None], ...]:
    return ("batch", prices.batch), ("flex", prices.flex), ("priority", prices.priority)


def _told(rates: Rates) -> str:
    return " / ".join("–" if rate is None else f"{rate:g}" for rate in (rates.input, rates.output))


def cost(
    prices: Prices,
    fresh: int,
    read: int = 0,
    written: int = 0,
    out: int = 0,
    *,
    thoughts: int = 0,
    life: Life = "short",
    service: Service = "standard",
) -> float | None:
    """Return the US dollars of a request; None if a rate it needs is not known.

    Its input is `fresh` tokens outside the cache, `read` from it and `written` to it; `thoughts` are those of the `out`
    tokens that are no answer. Reading and writing without a rate of their own cost as much as the input.
    """
    rates = prices.rates(fresh + read + written, service)
    thought_rate = rates.output if rates.reasoning is None else rates.reasoning
    parts = (
        (fresh, rates.input),
        (read, rates.input if rates.cache_read is None else rates.cache_read),
        (written, write_rate(rates, life)),
        (out - thoughts, rates.output),
        (thoughts, thought_rate),
    )
    dollars = 0.0
    for tokens, rate in parts:
        if tokens and rate is None:
            return None
        dollars += tokens * (rate or 0.0)
    return dollars / _PER_MILLION


def write_rate(rates: Rates, life: Life) -> float | None:
    """Return the rate of writing for a lifetime: one listed for a shorter life, else the input's, if none is."""
    longer = {"short": (), "1h": (rates.write_1h,), "12h": (rates.write_12h, rates.write_1h)}[life]
    return next((rate for rate in (*longer, rates.cache_write, rates.input) if rate is not None), None)


_FIELDS: Mapping[str, tuple[str, ...]] = {
    "input": ("input_cost_per_token",),
    "output": ("output_cost_per_token",),
    "cache_read": ("cache_read_input_token_cost", "input_cost_per_token_cache_hit"),
    "cache_write": ("cache_creation_input_token_cost",),
    "write_1h": ("cache_creation_input_token_cost_above_1hr",),
    "write_12h": ("cache_creation_input_token_cost_above_12hr",),
    "reasoning": ("output_cost_per_reasoning_token",),
}
"""The names in litellm's file; of several the first one listed."""
_SERVICES: Mapping[str, str] = {"batch": "_batches", "flex": "_flex", "priority": "_priority"}
_TIER = re.compile(r"_above_(\d+)k_tokens")


def prices_of(row: Mapping[str, Any]) -> Prices | None:
    """Return the prices of a row of litellm's file; None if it lists none for the tokens of the input.

    Prices that are no finite numbers from 0 on are not known; a price of reading above that of the input is an error of
    the listing, and one of 0 for writing means no surcharge.
    """
    standard = _ranges(row) or _price_list(row, "")
    if standard.rates.input is None:
        return None
    special = {name: _price_list(row, suffix) for name, suffix in _SERVICES.items()}
    listed = {name: each for name, each in special.items() if each.rates != NO_RATES or each.tiers}
    minimum = _number(row.get("prompt_cache_min_tokens"))
    return Prices(
        standard,
        cache_minimum=int(minimum) if minimum else None,
        breakpoints=row.get("supports_prompt_cache_breakpoint") is True,
        **listed,
    )


def _price_list(row: Mapping[str, Any], suffix: str) -> PriceList:
    limits = sorted({int(found[1]) for key in row for found in _TIER.finditer(key)})
    listed = ((limit, _rates(row, f"_above_{limit}k_tokens{suffix}")) for limit in limits)
    tiers = tuple(Tier(limit * 1_000, rates) for limit, rates in listed if rates != NO_RATES)
    return PriceList(_rates(row, suffix), tiers)


def _ranges(row: Mapping[str, Any]) -> PriceList | None:
    """Return the price list of `tiered_pricing`; None if the row has none. A range begins above its lower end."""
    found = sorted(_tiers(row.get("tiered_pricing")), key=lambda tier: tier.above)
    return PriceList(_over(found[0].rates, _rates(row, "")), tuple(found[1:])) if found else None


def _tiers(ranges: object) -> Iterator[Tier]:
    for entry in ranges if isinstance(ranges, list) else []:
        ends = entry.get("range") if isinstance(entry, dict) else None
        above = _number(ends[0]) if isinstance(ends, list) and ends else None
        if above is not None and (rates := _rates(entry, "")) != NO_RATES:
            yield Tier(int(above), rates)


def _rates(row: Mapping[str, Any], suffix: str) -> Rates:
    listed = {field: (_rate(row.get(name + suffix)) for name in names) for field, names in _FIELDS.items()}
    found = {field: next((rate for rate in rates if rate is not None), None) for field, rates in listed.items()}
    full, read = found["input"], found["cache_read"]
    if full is not None and read is not None and read > full:
        found["cache_read"] = None
    writing = ("cache_write", "write_1h", "write_12h")
    return Rates(**found | {field: found[field] or None for field in writing})


def _scaled(rates: Rates, share: float) -> Rates:
    """Return rates with those of the cache times a share."""
    known = {name: getattr(rates, name) for name in ("cache_read", "cache_write", "write_1h", "write_12h")}
    return replace(rates, **{name: rate * share for name, rate in known.items() if rate is not None})


def _over(rates: Rates, under: Rates) -> Rates:
    """Return rates with those of another list in place of the unknown ones."""
    both = {field.name: (getattr(rates, field.name), getattr(under, field.name)) for field in fields(Rates)}
    return Rates(**{name: lower if upper is None else upper for name, (upper, lower) in both.items()})


def _rate(value: object) -> float | None:
    number = _number(value)
    rate = None if number is None else _number(number * _PER_MILLION)
    return None if rate is None else round(rate, _DECIMALS)


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < float("inf") else None
