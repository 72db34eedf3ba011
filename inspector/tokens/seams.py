"""Cutting long texts into pieces whose counts add up to the count of the whole: at places no token can span.

These places are before a single space between two ASCII words or signs, and behind a single line feed between them.
Vocabularies with a word-cutting pattern always end a word there, whatever the rest of the text: none of their patterns
matches from a letter, a digit or such a sign across a space, or from a line feed to the text after it, and they look
ahead only within runs of white space. In all other vocabularies a token is made of two neighbouring ones, and none has
a token across such a place.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

LONGEST_WHOLE = 1_000_000
"""Characters; longer texts are counted in pieces: all tokens of a 50 MB text at once take several times its size."""
PIECE_CHARACTERS = 200_000
"""A piece ends at the first seam after this many characters."""
_PIECES_AT_ONCE = 8  # for engines that count several texts in parallel
_BEFORE, _BEHIND = r"[A-Za-z0-9,;.)\]}]", r"""[A-Za-z0-9"(\[{]"""
_SPACE = re.compile(f"{_BEFORE}(?= {_BEHIND})")
_SPACE_OR_LINE = re.compile(f"{_BEFORE}(?:(?= {_BEHIND})|\n(?={_BEHIND}))")

Count = Callable[[Sequence[str]], NDArray[np.int32]]


def counted(texts: Sequence[str], count: Count, adds_space: Callable[[], bool] = lambda: False) -> NDArray[np.int32]:
    """Return the tokens of each text, the long ones in pieces.

    With `adds_space`, for tokenizers like SentencePiece that add a space before every text, pieces lack their first
    space.
    """
    long = [row for row, text in enumerate(texts) if len(text) > LONGEST_WHOLE]
    if not long:
        return count(texts)
    short = list(texts)
    for row in long:
        short[row] = ""
    counts = count(short)
    for row in long:
        counts[row] = _sum(pieces_of(texts[row], without_space=adds_space()), count)
    return counts


def _sum(pieces: Iterator[str], count: Count) -> int:
    total = 0
    while some := list(islice(pieces, _PIECES_AT_ONCE)):
        total += int(count(some).sum())
    return total


def pieces_of(text: str, *, without_space: bool = False) -> Iterator[str]:
    """Yield the pieces of a text; `without_space` drops the space of the seam at the beginning of a piece."""
    pattern, start = _SPACE if without_space else _SPACE_OR_LINE, 0
    while seam := pattern.search(text, start + PIECE_CHARACTERS - 1):
        yield text[start : seam.end()]
        start = seam.end() + without_space
    yield text[start:]
