"""The visible stretch of the budget bar: zoomed about a place, moved, or fitted. Independent of widgets."""

from dataclasses import dataclass

FEWEST_TOKENS = 20
"""The least number of tokens shown by a bar."""
_AIR = 1.04


@dataclass(frozen=True, slots=True)
class BarZoom:
    """A stretch of a bar of `whole` tokens: `tokens` of them, starting at `first`."""

    whole: int
    first: float = 0.0
    tokens: float = 0.0

    @classmethod
    def all_of(cls, whole: int) -> "BarZoom":
        """Return the whole bar."""
        return cls(whole, 0.0, float(whole))

    @property
    def is_whole(self) -> bool:
        """Whether the whole bar is visible."""
        return self.tokens >= self.whole

    @property
    def last(self) -> float:
        """The end of the stretch, in tokens."""
        return self.first + self.tokens

    def of(self, whole: int) -> "BarZoom":
        """Return the same stretch of a bar of another length, or all of it if the whole bar was visible."""
        return BarZoom.all_of(whole) if self.is_whole else _within(whole, self.first, self.tokens)

    def scaled(self, factor: float, at: float) -> "BarZoom":
        """Return the stretch with `factor` times as many tokens; the token `at` stays in place."""
        tokens = min(max(self.tokens * factor, FEWEST_TOKENS), self.whole)
        return _within(self.whole, at - (at - self.first) * tokens / self.tokens, tokens)

    def moved(self, tokens: float) -> "BarZoom":
        """Return the stretch moved on by this many tokens, within the bar."""
        return _within(self.whole, self.first + tokens, self.tokens)

    def fitted(self, used: int) -> "BarZoom":
        """Return the used part of the bar from its beginning, with a small margin."""
        return _within(self.whole, 0.0, max(used * _AIR, FEWEST_TOKENS))

    def with_all_of(self, start: int, end: int) -> "BarZoom":
        """Return the stretch moved just far enough to show a segment, or the beginning of a longer segment."""
        if self.first <= start and end <= self.last:
            return self
        return self.moved(min(start - self.first, 0) or max(min(end - self.last, start - self.first), 0))


def _within(whole: int, first: float, tokens: float) -> BarZoom:
    tokens = min(max(tokens, min(FEWEST_TOKENS, whole)), whole)
    return BarZoom(whole, min(max(first, 0.0), whole - tokens), float(tokens))
