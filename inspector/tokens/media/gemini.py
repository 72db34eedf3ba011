"""Pictures and pages of Gemini 2: 258 for a tile, where only the small end is certain.

Source: Google's pages "Understand and count tokens" and "Media resolution"; bills of 258 for large pictures in
googleapis/python-genai#1349.
"""

from dataclasses import dataclass
from math import ceil

from inspector.tokens.certainty import Cost, by_rule, estimated, unknown
from inspector.tokens.media.rules import Pixels, Points, times

_TILE = 258
_ONE_TILE = 384
"""Pixels: a picture with both sides up to this is one tile."""
_UNIT = 1.5
_LEVELS = {"low": 64, "medium": 256}
_USUAL = ("", "auto", "unspecified", "high")
_MOST = 2304
"""Tokens: 256, and about 2,048 for the parts of a picture shown beside the whole."""


@dataclass(frozen=True, slots=True)
class GeminiTiles:
    """258 for a picture; larger ones are described as tiles of 258, and were billed as one."""

    def cost(self, size: Pixels, detail: str) -> Cost:
        """Return the cost: above 384 pixels one tile, with the described tiles as the upper end."""
        if detail in _LEVELS:
            return by_rule(_LEVELS[detail], f"{_LEVELS[detail]} at the level {detail}")
        if detail not in _USUAL:
            return unknown(f"the model has no level {detail}", *self.bounds(detail))
        if max(size) <= _ONE_TILE:
            return by_rule(_TILE, f"{_TILE} for a picture of at most {_ONE_TILE} x {_ONE_TILE}")
        unit = max(1, int(min(size) / _UNIT))
        tiles = ceil(size[0] / unit) * ceil(size[1] / unit)
        by = f"{_TILE} as it was billed; {times(tiles, 'tile')} of {_TILE} as it is documented"
        return estimated(_TILE, by, _TILE, tiles * _TILE)

    def bounds(self, detail: str) -> tuple[int, int]:
        """Return the cost of the level, or of one tile and of the most that a page of Google's names."""
        return (_LEVELS[detail], _LEVELS[detail]) if detail in _LEVELS else (_TILE, _MOST)


@dataclass(frozen=True, slots=True)
class FlatPages:
    """The same number of tokens for each page."""

    each: int

    def cost(self, pages: int, page: Points, text: int | None) -> Cost:
        """Return the cost of so many pages; whether their text is billed beside it is not documented."""
        return estimated(
            pages * self.each, f"{times(pages, 'page')} of {self.each:,}", None, pages * self.each + (text or 0)
        )
