"""How sure a count of tokens is, and a cost with its range and the rule behind it."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum


class Certainty(IntEnum):
    """How sure a count is, in rising order of doubt, so that the weakest of several is their maximum.

    EXACT: the model's own vocabulary and a published or verified frame. RULE: a published or measured rule whose error
    is known. ESTIMATE: a stand-in vocabulary or a documented "about". UNKNOWN: it costs something, and no rule says
    how much.
    """

    EXACT = 0
    RULE = 1
    ESTIMATE = 2
    UNKNOWN = 3

    @property
    def word(self) -> str:
        """The word in files and answers: exact, rule, estimate, unknown."""
        return self.name.lower()


def weakest(certainties: Iterable[Certainty]) -> Certainty:
    """Return the certainty of a whole: that of its least sure part; EXACT for a whole without parts."""
    return max(certainties, default=Certainty.EXACT)


@dataclass(frozen=True, slots=True)
class Cost:
    """A number of tokens, its range, its certainty, and a plain sentence that explains the figure.

    `low` and `high` are the least and the most it can be, in tokens; both equal `tokens` where no error is known.
    Unknown costs count 0 in `tokens` and are never shown as 0; their range is that of the rule where one bounds them,
    else 0 to 0.
    """

    tokens: int
    low: int
    high: int
    certainty: Certainty
    rule: str = ""

    @property
    def is_bounded(self) -> bool:
        """Whether the range holds the true cost: an unknown cost may have no known end."""
        return self.certainty is not Certainty.UNKNOWN or self.high > 0


def exact(tokens: int, rule: str = "") -> Cost:
    """Return the cost of an exact count."""
    return Cost(tokens, tokens, tokens, Certainty.EXACT, rule)


def by_rule(tokens: int, rule: str, low: int | None = None, high: int | None = None) -> Cost:
    """Return the cost by a published or measured rule; without a range, no error of the rule is known."""
    return _ranged(tokens, rule, low, high, Certainty.RULE)


def estimated(tokens: int, rule: str, low: int | None = None, high: int | None = None) -> Cost:
    """Return an estimated cost with its range."""
    return _ranged(tokens, rule, low, high, Certainty.ESTIMATE)


def unknown(rule: str, low: int = 0, high: int = 0) -> Cost:
    """Return a cost that cannot be told; the sentence says why, the range is that of a rule that bounds it."""
    return Cost(0, low, high, Certainty.UNKNOWN, rule)


def total(costs: Iterable[Cost], rule: str = "") -> Cost:
    """Return the sum of costs: as sure as the least sure of them, with the sums of their ranges.

    An unknown cost adds 0 to the tokens, and its bounds to the range.
    """
    parts = tuple(costs)
    sums = (sum(part.tokens for part in parts), sum(part.low for part in parts), sum(part.high for part in parts))
    return Cost(*sums, weakest(part.certainty for part in parts), rule)


def _ranged(tokens: int, rule: str, low: int | None, high: int | None, certainty: Certainty) -> Cost:
    least = tokens if low is None else min(low, tokens)
    most = tokens if high is None else max(high, tokens)
    return Cost(tokens, least, most, certainty, rule)
