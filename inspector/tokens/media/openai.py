"""Pictures of OpenAI's models: tiles of 512 pixels, or patches of 32.

Source: OpenAI's guide "Images and vision"; multipliers and errors that it does not give are measured by others on the
API (community.openai.com; tests of pamelafox/openai-messages-token-helper).
"""

from dataclasses import dataclass
from math import ceil, floor, sqrt

from inspector.tokens.certainty import Cost, by_rule, estimated, unknown
from inspector.tokens.media.rules import Pixels, side_by_side, times

Sides = tuple[float, float]
"""Width and height in pixels while a picture is scaled."""
_TILE, _PATCH = 512, 32
_LARGEST, _SHORTER = 2048, 768
_MOST_TILES = 8
"""2048 x 768, the largest size after shrinking."""
_SMALL = 512
"""Pixels of the side of the square that `low` fits into."""
_ERROR = 0.08
"""Bills are up to 6 % above the formula for long pictures, and some totals of Chat Completions 7 % below."""


def _tiles(size: Pixels) -> int:
    """Return the tiles of a picture after shrinking; it is never enlarged."""
    width, height = size
    scale = min(1.0, _LARGEST / max(size))
    scale = min(scale, _SHORTER / min(size))
    return ceil(round(width * scale, 6) / _TILE) * ceil(round(height * scale, 6) / _TILE)


@dataclass(frozen=True, slots=True)
class Tiles:
    """A number of tokens for the picture, and one for each tile of 512 pixels; `low` costs the first alone."""

    base: int
    tile: int

    def cost(self, size: Pixels, detail: str) -> Cost:
        """Return the cost; `auto` and no level are `high`."""
        if detail == "low":
            return by_rule(self.base, f"{self.base:,} at the level low")
        if detail not in ("", "auto", "high"):
            return unknown(f"the model has no level {detail}", *self.bounds(detail))
        tiles = _tiles(size)
        return by_rule(self.base + tiles * self.tile, f"{self.base:,} + {times(tiles, 'tile')} of {self.tile:,}")

    def bounds(self, detail: str) -> tuple[int, int]:
        """Return the costs of one tile and of eight."""
        return (self.base, self.base) if detail == "low" else (self.base + self.tile, self.base + 8 * self.tile)


@dataclass(frozen=True, slots=True)
class Level:
    """A level of detail: the most patches of a picture, and the longest side in pixels."""

    patches: int
    side: int

    def count(self, size: Pixels) -> int:
        """Return the patches of a picture: shrunk to the number of patches, or if it is within it, to the side."""
        if _patches(*size) <= self.patches:
            return _patches(*self._within_side(size))
        return self._within_patches(size)

    def count_by_side_first(self, size: Pixels) -> int:
        """Return the patches if every picture is shrunk to the side before they are counted.

        The guide does not say so, yet 4000 x 1474 was billed with the 1,536 patches of this order, not with 1,449.
        """
        return self._within_patches(self._within_side(size))

    def _within_side(self, size: Sides) -> Sides:
        scale = min(1.0, self.side / max(size))
        return max(1.0, size[0] * scale), max(1.0, size[1] * scale)

    def _within_patches(self, size: Sides) -> int:
        if (patches := _patches(*size)) <= self.patches:
            return patches
        width, height = size
        scale = sqrt(_PATCH**2 * self.patches / (width * height))
        across, down = width * scale / _PATCH, height * scale / _PATCH
        scale *= min(max(1, floor(across)) / across, max(1, floor(down)) / down)
        return min(_patches(max(1, floor(width * scale)), max(1, floor(height * scale))), self.patches)


def _patches(width: float, height: float) -> int:
    return ceil(round(width, 6) / _PATCH) * ceil(round(height, 6) / _PATCH)


_FITTED = Level((_SMALL // _PATCH) ** 2, _SMALL)


@dataclass(frozen=True, slots=True)
class Patches:
    """Patches of 32 pixels times a multiplier.

    `original` is the level of that name, None where the model has none. `auto_is_original`: no level asked for is
    `original`, by two independent files and not by the guide. `low_is_high`: the level `low` made no difference when
    measured.
    """

    multiplier: float
    high: Level
    original: Level | None = None
    auto_is_original: bool = False
    low_is_high: bool = False
    refused: bool = False
    """Whether a picture above the most patches of `original` is refused and not shrunk."""

    def cost(self, size: Pixels, detail: str) -> Cost:
        """Return the cost with the measured error of the rule."""
        if detail == "low":
            return self._low(size)
        if detail == "original" and self.original is not None:
            return self._original(size, self.original)
        if detail in ("", "auto") and self.auto_is_original and self.original is not None:
            return self._undecided(size, self.original)
        if detail in ("", "auto", "high"):
            return self._within(self.high, size, "")
        return unknown(f"the model has no level {detail}", *self.bounds(detail))

    def bounds(self, detail: str) -> tuple[int, int]:
        """Return the costs of one patch and of the most patches of any level that `detail` can mean."""
        wide = self.original is not None and (detail == "original" or (detail != "high" and self.auto_is_original))
        level = self.original if wide and self.original is not None else self.high
        return self._billed(1), self._billed(level.patches)

    def _billed(self, patches: int) -> int:
        return ceil(round(patches * self.multiplier, 6))

    def _within(self, level: Level, size: Pixels, after: str) -> Cost:
        patches = level.count(size)
        tokens, other, least, most = map(self._billed, (patches, level.count_by_side_first(size), 1, level.patches))
        low, high = floor(min(tokens, other) * (1 - _ERROR)), ceil(max(tokens, other) * (1 + _ERROR))
        by = f"{times(patches, 'patch')} x {self.multiplier:g}{after}"
        return by_rule(tokens, by, max(low, least), min(high, most))

    def _original(self, size: Pixels, level: Level) -> Cost:
        if self.refused and _patches(*size) > level.patches:
            return unknown(f"a picture of more than {level.patches:,} patches is refused at the level original")
        return self._within(level, size, " at the level original")

    def _undecided(self, size: Pixels, original: Level) -> Cost:
        """The level is not given: the higher figure, with that of `high` as the lower end."""
        low, high = self._within(self.high, size, ""), self._original(size, original)
        more = max(low, high, key=lambda cost: cost.tokens)
        return estimated(more.tokens, f"{more.rule}; the level is not given", low.low, more.high)

    def _low(self, size: Pixels) -> Cost:
        high, fitted = self._within(self.high, size, ""), self._billed(_FITTED.count(size))
        if self.low_is_high:
            return by_rule(high.tokens, f"{high.rule}; the level low makes no difference", fitted, high.high)
        by = f"fitted into {side_by_side((_SMALL, _SMALL))} at the level low"
        return estimated(fitted, by, max(floor(fitted * (1 - _ERROR)), self._billed(1)), high.high)
