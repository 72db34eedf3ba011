"""Sound and film, by their seconds; documents whose pages are sent as text and pictures."""

from dataclasses import dataclass
from math import ceil

from inspector.tokens.certainty import Cost, estimated
from inspector.tokens.media.rules import LETTER, PictureRule, Points, times

_PAGE_WIDTHS = (512, 1024, 2048)
"""Pixels of the width of a page's picture: no maker publishes it. The middle one is taken, the others are the range."""
_PAGE_TEXT = (600, 800, 3000)
"""Tokens of the text of a page: the least, the usual, the most (Anthropic's page "PDF support": a document of three
pages costs about 7,000 with its pictures; 1,500 to 3,000 for dense ones)."""


@dataclass(frozen=True, slots=True)
class PerSecond:
    """Tokens a second. `clip` pads sound to a multiple of so many seconds, `least` is the rate of the lower end."""

    rate: float
    source: str
    clip: float = 0
    least: float | None = None
    most: int | None = None

    def cost(self, seconds: float) -> Cost:
        """Return the estimated cost of so many seconds."""
        padded = ceil(seconds / self.clip) * self.clip if self.clip else seconds
        tokens = self._tokens(padded, self.rate)
        by = f"{times(float(seconds), 'second')} x {self.rate:g} ({self.source})"
        return estimated(tokens, by, self._tokens(seconds, self.rate if self.least is None else self.least))

    def _tokens(self, seconds: float, rate: float) -> int:
        tokens = ceil(round(seconds * rate, 6))
        return tokens if self.most is None else min(tokens, self.most)


@dataclass(frozen=True, slots=True)
class PerClip:
    """The same number of tokens for a clip of any length."""

    tokens: int
    source: str

    def cost(self, seconds: float) -> Cost:
        """Return the estimated cost of a clip."""
        return estimated(self.tokens, f"{self.tokens:,} a clip ({self.source})")


@dataclass(frozen=True, slots=True)
class PicturedPages:
    """The text of each page and a picture of it: OpenAI and Anthropic."""

    picture: PictureRule

    def cost(self, pages: int, page: Points, text: int | None) -> Cost:
        """Return the estimated cost: the size of the pictures is not published, nor is the text always known."""
        pictures = [self._picture(width, page) for width in _PAGE_WIDTHS]
        texts = [pages * each for each in _PAGE_TEXT] if text is None else [text] * 3
        ends = min(pictures), pictures[1], max(pictures)
        low, tokens, high = (pages * each + beside for each, beside in zip(ends, texts, strict=True))
        of = f"about {texts[1]:,} of text" if text is None else f"{text:,} of text"
        by = f"{of} and {times(pages, 'picture')} of a page of about {pictures[1]:,}"
        return estimated(tokens, by, low, high)

    def _picture(self, width: int, page: Points) -> int:
        across, down = page if min(page) > 0 else LETTER
        return self.picture.cost((width, max(1, round(width * down / across))), "high").tokens
