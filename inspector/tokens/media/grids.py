"""Pictures scaled to a grid of cells within a number of cells: Gemma 4, and Gemini from 3 on.

Source: Gemma 4's image processor (huggingface/transformers, models/gemma4/image_processing_gemma4.py); Google's page
"Media resolution" names Gemini's limits. That Gemini's cells are Gemma's is measured: 266, 540, 1,064 and 2,160 for a
picture of 4:3, and 520 for a page of letter size.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor, sqrt

from inspector.tokens.certainty import Cost, by_rule, estimated, unknown
from inspector.tokens.media.rules import Pixels, Points, side_by_side, times

CELL = 48
"""Pixels of the side of a cell: three by three patches of 16."""


def grid(size: Points, limit: int) -> tuple[int, int]:
    """Return the columns and rows of cells of a picture that is scaled to at most `limit` cells, keeping its shape."""
    width, height = size
    # In this order the rounding is that of the source.
    scale = sqrt(limit * CELL**2 / (width * height))
    across, down = floor(scale * width / CELL), floor(scale * height / CELL)
    if down == 0:
        return min(floor(width / height), limit), 1
    return (1, min(floor(height / width), limit)) if across == 0 else (across, down)


@dataclass(frozen=True, slots=True)
class GemmaGrid:
    """Gemma 4: pictures are scaled, small ones too, to at most `limit` cells."""

    limit: int = 280

    def cost(self, size: Pixels, detail: str) -> Cost:
        """Return the cost; the level is a setting of the server."""
        across, down = grid(size, self.limit)
        return by_rule(across * down, f"{side_by_side((across, down))} cells of at most {self.limit:,}")

    def bounds(self, detail: str) -> tuple[int, int]:
        """Return one cell, and the limit."""
        return 1, self.limit


@dataclass(frozen=True, slots=True, eq=False)
class GeminiGrid:
    """Gemini from 3 on: a grid within the limit of a level of media resolution; the same only as itself."""

    limits: Mapping[str, int]
    usual: str

    def cost(self, size: Pixels, detail: str) -> Cost:
        """Return the cost. That small pictures are enlarged is not measured: unscaled cells are the lower end."""
        level = detail if detail not in ("", "auto", "unspecified") else self.usual
        limit = self.limits.get(level)
        if limit is None:
            return unknown(f"the model has no level {detail}", *self.bounds(detail))
        across, down = grid(size, limit)
        unscaled = max(1, size[0] // CELL) * max(1, size[1] // CELL)
        by = f"{side_by_side((across, down))} cells, at most {limit:,} at the level {level}"
        return by_rule(across * down, by, min(unscaled, across * down), limit)

    def bounds(self, detail: str) -> tuple[int, int]:
        """Return one cell, and the limit of the level, or of the highest one for an unknown level."""
        level = detail if detail not in ("", "auto", "unspecified") else self.usual
        return 1, self.limits.get(level, max(self.limits.values()))


@dataclass(frozen=True, slots=True)
class GridPages:
    """Pages as pictures on a grid within a limit; their text costs nothing beside it."""

    limit: int

    def cost(self, pages: int, page: Points, text: int | None) -> Cost:
        """Return the cost of so many pages of one shape."""
        across, down = grid(page, self.limit)
        each = across * down
        by = f"{times(pages, 'page')} of {each:,}, its text not billed beside it"
        return estimated(pages * each, by, pages * each, pages * self.limit)
