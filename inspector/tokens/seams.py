"""Long texts in pieces that count together what the whole counts: cut where no token can go over.

That is between a letter and a space that another letter follows, all of ASCII. Vocabularies that cut a text into words
before anything else end a word there, whatever stands further away: no pattern of theirs goes from a letter to a space,
and none of those that look ahead is at a letter. In those that do not, a token is made of two that stand beside each
other, and no vocabulary has one in which a space follows a letter.
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
_SEAM = re.compile("[A-Za-z](?= [A-Za-z])")

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
    """The pieces of a text, each but the first beginning with the space of its seam, or behind it."""
    start = 0
    while seam := _SEAM.search(text, start + PIECE_CHARACTERS - 1):
        yield text[start : seam.end()]
        start = seam.end() + without_space
    yield text[start:]
