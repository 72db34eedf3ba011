"""The text searched for lorebook keys: pieces joined as in SillyTavern, with the place of each match."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from inspector.derived import cached_property

Hashes = NDArray[np.int64]

_MARK = "\x01"  # precedes each piece, so that a pattern can match its beginning
_JOINER = "\n"
_SHORT, _LONG = 3, 6
_HALF = 1 << 19  # hashes of three code points are below it, those of six above
_ALWAYS = 2 * _HALF
_SHIFT = 32 - 19
_WORD = 0xFFFFFFFF
_SALTS = (0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35)


@dataclass(frozen=True, slots=True)
class ScannedText:
    """A text with its kind (`message`, `entry`, or a word for a part of the character), id, and name for users.

    Its speaker is part of the scanned text if names are included.
    """

    kind: str
    id: str
    text: str
    speaker: str = ""
    name: str = ""

    @property
    def opening(self) -> str:
        """The prefix of the text in a scan."""
        return f"{_MARK}{self.speaker}: " if self.speaker else _MARK


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a match: a piece, and the code points of its text from `start` to before `end`."""

    piece: ScannedText
    start: int
    end: int


class ScanText:
    """Pieces joined to a single text, as written and with case ignored (folded)."""

    def __init__(self, pieces: Sequence[ScannedText]) -> None:
        self._pieces = [piece for piece in pieces if piece.text]

    @cached_property
    def written(self) -> str:
        """The text as written."""
        return _JOINER.join(f"{piece.opening}{piece.text.strip()}" for piece in self._pieces)

    @cached_property
    def folded(self) -> str:
        """The text with case ignored."""
        return self.written.casefold()

    @cached_property
    def _starts(self) -> list[int]:
        """The start of each piece's opening in the written text."""
        lengths = [len(piece.opening) + len(piece.text.strip()) + len(_JOINER) for piece in self._pieces]
        return list(accumulate(lengths, initial=0))[:-1]

    @cached_property
    def _folded_ends(self) -> list[int] | None:
        """The end of each written code point in the folded text; None if folding moves nothing."""
        if len(self.folded) == len(self.written):
            return None
        return list(accumulate(len(character.casefold()) for character in self.written))

    def place(self, start: int, end: int, folded: bool) -> Place:
        """Return the place of a match from `start` to `end`, cut off at the end of its first piece."""
        if folded and (ends := self._folded_ends) is not None:
            start, end = bisect_right(ends, start), bisect_right(ends, max(start, end - 1)) + 1
        number = max(bisect_right(self._starts, start) - 1, 0)
        piece = self._pieces[number]
        margin = len(piece.text) - len(piece.text.lstrip()) - len(piece.opening) - self._starts[number]
        inside = max(start + margin, 0)
        return Place(piece, inside, max(min(end + margin, len(piece.text)), inside))

    @cached_property
    def _there(self) -> NDArray[np.bool_]:
        """Whether each hash of three or six code points in a row occurs in the folded text."""
        there = np.zeros(_ALWAYS + 1, np.bool_)
        there[_ALWAYS] = True
        codes = np.frombuffer(self.folded.encode("utf-32-le", "surrogatepass"), np.uint32)
        if len(codes) >= _SHORT:
            first, second, third = (np.uint32(salt) for salt in _SALTS)
            short = codes[:-2] * first ^ codes[1:-1] * second ^ codes[2:] * third
            there[short >> np.uint32(_SHIFT)] = True
            there[((short[:-3] * first ^ short[3:] * second) >> np.uint32(_SHIFT)) + np.uint32(_HALF)] = True
        return there

    def may_hold(self, first: Hashes, last: Hashes) -> NDArray[np.bool_]:
        """Return whether each plain key may occur, by its hashes from `ends_of`; no occurring key is missed."""
        return self._there[first] & self._there[last]


def ends_of(folded: str) -> tuple[int, int]:
    """Return hashes of the first and the last six code points of a folded key, or three; for shorter keys `_ALWAYS`."""
    if len(folded) < _SHORT:
        return _ALWAYS, _ALWAYS
    if len(folded) < _LONG:
        return _short_hash(folded[:_SHORT]) >> _SHIFT, _short_hash(folded[-_SHORT:]) >> _SHIFT
    return _long_hash(folded[:_LONG]), _long_hash(folded[-_LONG:])


def _short_hash(text: str) -> int:
    """Return a number below 2^32 for three code points."""
    first, second, third = ((ord(sign) * salt) & _WORD for sign, salt in zip(text, _SALTS, strict=True))
    return first ^ second ^ third


def _long_hash(text: str) -> int:
    """Return a place in the second half of the table for six code points."""
    halves = (_short_hash(text[:_SHORT]), _short_hash(text[_SHORT:]))
    mixed = (halves[0] * _SALTS[0] & _WORD) ^ (halves[1] * _SALTS[1] & _WORD)
    return (mixed >> _SHIFT) + _HALF
