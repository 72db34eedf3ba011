"""The kinds of rules for media: each says a cost for a size, and the range where the size is unknown."""

from collections.abc import Iterable
from typing import Protocol

from inspector.tokens.certainty import Cost

Pixels = tuple[int, int]
"""Width and height of a picture."""
Points = tuple[float, float]
"""Width and height of a page, in points or any other unit: only the shape counts."""
LETTER: Points = (612, 792)
"""The page of a document that names none: US letter, in points."""


class PictureRule(Protocol):
    """The rule of a family of models for pictures."""

    def cost(self, size: Pixels, detail: str) -> Cost:
        """Return the cost of a picture without the marks around it; `detail` is the level asked for, "" for none.

        Both sides are at least one pixel.
        """
        ...

    def bounds(self, detail: str) -> tuple[int, int]:
        """Return the least and the most tokens a picture of any size costs at a level."""
        ...


class PageRule(Protocol):
    """The rule of a family of models for documents with pages, such as PDF."""

    def cost(self, pages: int, page: Points, text: int | None) -> Cost:
        """Return the cost of a document of at least one page; `text` is the tokens of its text, None if unknown."""
        ...


class TimeRule(Protocol):
    """The rule of a family of models for sound or film."""

    def cost(self, seconds: float) -> Cost:
        """Return the cost of a piece of so many seconds."""
        ...


def times(count: float, thing: str) -> str:
    """Return a number with its thing, in the plural unless it is one: 1 tile, 1,024 patches."""
    plural = thing if count == 1 else f"{thing}es" if thing.endswith("ch") else f"{thing}s"
    return f"{count:,g} {plural}" if isinstance(count, float) and not count.is_integer() else f"{int(count):,} {plural}"


def side_by_side(sides: Iterable[int]) -> str:
    """Return sides as they are written: 1,024 x 768."""
    return " x ".join(f"{side:,}" for side in sides)
