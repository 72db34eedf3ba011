"""The cost of requests with the cache of their provider."""

from dataclasses import dataclass, replace

from inspector.analysis.caching.schemes import Scheme
from inspector.analysis.caching.use import Use
from inspector.tokens.models.prices import PriceList, Prices, Rates, Tier, cost


@dataclass(frozen=True, slots=True)
class Spending:
    """US dollars for the input of requests, without the provider's cache and with it; None where no rule is known."""

    without: float
    cached: float | None

    @property
    def change(self) -> float | None:
        """The change by the cache in parts of the cost without it: −0.5 is half, 0.25 a quarter more."""
        if self.cached is None or not self.without:
            return None
        return self.cached / self.without - 1


def cost_with_cache(prices: Prices, scheme: Scheme, use: Use) -> float | None:
    """Return the US dollars for the input of a request; None without a price.

    Writing costs the share of the scheme where the table has no price for it.
    """
    return cost(_with_writing(prices, scheme.write), use.fresh, use.read, use.written)


def _with_writing(prices: Prices, share: float) -> Prices:
    standard = prices.standard
    tiers = tuple(Tier(tier.above, _filled(tier.rates, share)) for tier in standard.tiers)
    return replace(prices, standard=PriceList(_filled(standard.rates, share), tiers))


def _filled(rates: Rates, share: float) -> Rates:
    if rates.cache_write is not None or rates.input is None:
        return rates
    return replace(rates, cache_write=rates.input * share)
