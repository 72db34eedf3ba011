"""Pictures of Claude: patches of 28 pixels, in two steps of resolution.

Source: Anthropic's page "Vision" (August 2026).
"""

from dataclasses import dataclass

from inspector.tokens.certainty import Cost, by_rule
from inspector.tokens.media.rules import Pixels, side_by_side

_PATCH = 28


def _cells(size: Pixels) -> Pixels:
    return -(-size[0] // _PATCH), -(-size[1] // _PATCH)


@dataclass(frozen=True, slots=True)
class ClaudePatches:
    """A token for each patch of 28 pixels, within a longest side in pixels and a number of tokens."""

    side: int
    tokens: int

    def cost(self, size: Pixels, detail: str) -> Cost:
        """Return the cost; Claude has no levels of detail."""
        fitted = self._fitted(size)
        across, down = _cells(fitted)
        after = f" after shrinking to {side_by_side(fitted)}" if fitted != size else ""
        return by_rule(across * down, f"{side_by_side((across, down))} patches of {_PATCH} pixels{after}")

    def bounds(self, detail: str) -> tuple[int, int]:
        """Return one patch, and the most tokens."""
        return 1, self.tokens

    def _fits(self, size: Pixels) -> bool:
        across, down = _cells(size)
        return max(across, down) * _PATCH <= self.side and across * down <= self.tokens

    def _fitted(self, size: Pixels) -> Pixels:
        """Return the largest size of the same shape that fits, found by halving the long side."""
        if self._fits(size):
            return size
        fits, long = 1, max(size)
        while long - fits > 1:
            middle = (fits + long) // 2
            fits, long = (middle, long) if self._fits(_with_long_side(size, middle)) else (fits, middle)
        return _with_long_side(size, fits)


def _with_long_side(size: Pixels, long: int) -> Pixels:
    short = max(1, round(long * min(size) / max(size)))
    return (long, short) if size[0] >= size[1] else (short, long)
