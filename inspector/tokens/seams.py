"""Long texts in pieces that count together what the whole counts: cut where no token can go over.

That is before a single space between two words or signs of ASCII, and behind a single line feed between them.
Vocabularies that cut a text into words before anything else end a word there, whatever stands further away: no pattern
of theirs goes from a letter, a digit or such a sign over a space or from a line feed to what follows it, and what looks
ahead does so in runs of white space only. In those that do not, a token is made of two that stand beside each other,
and no vocabulary has one that goes over such a place.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

LONGEST_WHOLE = 1_000_000
"""Characters; longer texts are counted in pieces: the tokens of a text of 50 MB, all at once, take several times that.
"""
PIECE_CHARACTERS = 200_000
"""A piece ends at the first seam after so many."""
_PIECES_AT_ONCE = 8  # for engines that count several texts in parallel
_BEFORE, _BEHIND = r"[A-Za-z0-9,;.)\]}]", r"""[A-Za-z0-9"(\[{]"""
_SPACE = re.compile(f"{_BEFORE}(?= {_BEHIND})")
_SPACE_OR_LINE = re.compile(f"{_BEFORE}(?:(?= {_BEHIND})|\n(?={_BEHIND}))")

Count = Callable[[Sequence[str]], NDArray[np.int32]]


def counted(texts: Sequence[str], count: Count, adds_space: Callable[[], bool] = lambda: False) -> NDArray[np.int32]:
    """The tokens of each text, the long ones in pieces.

    What adds a space before every text, as SentencePiece does, is given pieces without the one that they begin with.
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
    """The pieces of a text; with `without_space`, of those that begin with the space of a seam what is behind it."""
    pattern, start = _SPACE if without_space else _SPACE_OR_LINE, 0
    while seam := pattern.search(text, start + PIECE_CHARACTERS - 1):
        yield text[start : seam.end()]
        start = seam.end() + without_space
    yield text[start:]
