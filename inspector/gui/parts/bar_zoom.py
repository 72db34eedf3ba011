"""Which stretch of the budget bar is looked at: zoomed about a place, moved, or fitted. Knows no widget."""

from dataclasses import dataclass

FEWEST_TOKENS = 20
"""A bar never shows less."""
_AIR = 1.04


@dataclass(frozen=True, slots=True)
class BarZoom:
    """A stretch of a bar of `whole` tokens: so many `tokens` from `first` on."""

    whole: int
    first: float = 0.0
    tokens: float = 0.0

    @classmethod
    def all_of(cls, whole: int) -> "BarZoom":
        """The whole bar."""
        return cls(whole, 0.0, float(whole))

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left out."""
        return self.tokens >= self.whole

    @property
    def last(self) -> float:
        """Where the stretch ends, in tokens."""
        return self.first + self.tokens

    def of(self, whole: int) -> "BarZoom":
        """The same stretch of a bar of another length; the whole of it where the whole was looked at."""
        return BarZoom.all_of(whole) if self.is_whole else _within(whole, self.first, self.tokens)

    def scaled(self, factor: float, at: float) -> "BarZoom":
        """So many times as many tokens in the same width; the token `at` stays where it is."""
        tokens = min(max(self.tokens * factor, FEWEST_TOKENS), self.whole)
        return _within(self.whole, at - (at - self.first) * tokens / self.tokens, tokens)

    def moved(self, tokens: float) -> "BarZoom":
        """Further on by so many tokens, as far as there are any."""
        return _within(self.whole, self.first + tokens, self.tokens)

    def fitted(self, used: int) -> "BarZoom":
        """From the beginning as far as the bar is used, with a little air."""
        return _within(self.whole, 0.0, max(used * _AIR, FEWEST_TOKENS))

    def with_all_of(self, start: int, end: int) -> "BarZoom":
        """Moved by as little as brings a segment into sight, its beginning where it is longer than the stretch."""
        if self.first <= start and end <= self.last:
            return self
        return self.moved(min(start - self.first, 0) or max(min(end - self.last, start - self.first), 0))


def _within(whole: int, first: float, tokens: float) -> BarZoom:
    tokens = min(max(tokens, min(FEWEST_TOKENS, whole)), whole)
    return BarZoom(whole, min(max(first, 0.0), whole - tokens), float(tokens))
