"""Rows of a long text at a width: line ends and wraps, computed by arrays over code points. No Qt here."""

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_JOINER = 0x200D
_CODE_POINTS = 0x110000
_LINE_BREAKS = (0x0A, 0x0D, 0x2028, 0x2029)
_BREAKS_AFTER = (0x09, 0x20, 0x2D, 0x3000)
# Scripts without spaces, and pictures: a row may end on either side of each.
_WIDE = (
    *((0x2E80, 0x3000), (0x3001, 0xA4D0), (0xAC00, 0xD7B0), (0xF900, 0xFB00), (0xFE30, 0xFE50), (0xFF01, 0xFF61)),
    *((0x1F300, 0x1FB00), (0x20000, 0x3FFFF)),
)
# Closing and ending marks do not begin a row.
_CLOSING = tuple(map(ord, "、。〉》」』】〕！），．：；？］｝」)]}.,:;!?"))

# Sorting this many code points is faster than clearing a table of all possible ones.
_FEW = 20_000


@dataclass(frozen=True, slots=True, eq=False)
class TextBreaks:
    """The places where a text may be broken into rows, whatever its font, in code points.

    `different` are the distinct code points, `numbers` gives the index into it for each place. `line_ends` has the
    place after each line break, and the end of the text. `joins` marks code points drawn together with the one before.
    `break_before[i]` is the last preferred row start up to i, `split_before[i]` the last possible one; both arrays have
    an entry more than the text.
    """

    different: NDArray[np.int64]
    numbers: NDArray[np.uint32]
    line_ends: NDArray[np.int64]
    joins: NDArray[np.bool_]
    break_before: NDArray[np.int64]
    split_before: NDArray[np.int64]


def code_points(text: str) -> NDArray[np.uint32]:
    """Return the code points of a text; halves of surrogate pairs are kept."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def text_breaks(text: str) -> TextBreaks:
    """Return the places where a text may be broken."""
    codes = code_points(text)
    different, numbers = _different(codes)
    joins = _joins(codes, different, numbers)
    return TextBreaks(
        different,
        numbers,
        _line_ends(codes, _among(different, _LINE_BREAKS)[numbers]),
        joins,
        _last_place(_may_break(different, numbers) & ~joins),
        _last_place(~joins),
    )


def reach(breaks: TextBreaks, width_of: Callable[[str], float]) -> NDArray[np.float64]:
    """Return the width of the first i code points side by side, in pixels, for each i from 0 to the length of the text.

    `width_of` is called once for each distinct code point. Joined code points may be narrower than the sum of their
    parts, and line breaks may hang over the end of a row.
    """
    characters = map(chr, breaks.different.tolist())
    widths = [0.0 if _takes_no_room(character) else width_of(character) for character in characters]
    return np.concatenate([[0.0], np.cumsum(np.array(widths, np.float64)[breaks.numbers])])


def row_starts(breaks: TextBreaks, reached: NDArray[np.float64], width: float) -> NDArray[np.int64]:
    """Return the beginning of each row, in code points, for rows up to `width` pixels; a single row for no text."""
    ends = breaks.line_ends
    starts = np.concatenate([[0], ends[:-1]])
    long = np.flatnonzero(reached[ends] - reached[starts] > width)
    lines = zip(starts[long].tolist(), ends[long].tolist(), strict=True)
    wrapped = [place for start, end in lines for place in _wrap(breaks, reached, (start, end), width)]
    return np.sort(np.concatenate([starts, np.array(wrapped, np.int64)]), kind="stable")


def reads_right_to_left(text: str) -> bool:
    """Return whether the first letter with a direction belongs to a right-to-left script (UAX #9, P2 and P3)."""
    if text.isascii():
        return False
    directions = (unicodedata.bidirectional(character) for character in text)
    return next((direction for direction in directions if direction in ("L", "R", "AL")), "L") != "L"


def _wrap(breaks: TextBreaks, reached: NDArray[np.float64], line: tuple[int, int], width: float) -> Iterator[int]:
    """Yield the beginnings of the second and all further rows of a line."""
    start, end = line
    while reached[end] - reached[start] > width:
        limit = bisect_right(reached, reached[start] + width, start + 1, end + 1) - 1
        place = int(breaks.break_before[limit])
        if place <= start:
            place = int(breaks.split_before[limit])
        if place <= start:
            place = max(limit, start + 1)
        if place >= end:
            return
        yield place
        start = place


def _different(codes: NDArray[np.uint32]) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
    """Return the distinct code points, and the index of each place's code point among them."""
    if len(codes) < _FEW:
        different = np.array(sorted(set(codes.tolist())), np.int64)
        return different, np.searchsorted(different, codes).astype(np.uint32)
    there = np.zeros(_CODE_POINTS, np.bool_)
    there[codes] = True
    different = np.flatnonzero(there)
    number = np.zeros(_CODE_POINTS, np.uint32)
    number[different] = np.arange(len(different), dtype=np.uint32)
    return different, number[codes]


def _joins(codes: NDArray[np.uint32], different: NDArray[np.int64], numbers: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Return whether each code point is drawn together with the one before: marks, joined emoji, pairs of flag letters.

    This covers the visible part of UAX #29's clusters: marks, selectors and tags, ZWJ sequences, skin tones, flags.
    """
    joins = np.fromiter(map(_is_drawn_with_what_is_before, different.tolist()), np.bool_, len(different))[numbers]
    joins[1:] |= codes[:-1] == _JOINER
    joins[1:] &= ~_among(different, _LINE_BREAKS)[numbers[:-1]]
    flags = np.flatnonzero((codes >= 0x1F1E6) & (codes <= 0x1F1FF))
    for run in np.split(flags, np.flatnonzero(np.diff(flags) > 1) + 1):
        joins[run[1::2]] = True
    joins[:1] = False
    return joins


def _is_drawn_with_what_is_before(code: int) -> bool:
    if code < 0x300:
        return False
    if 0x1F3FB <= code <= 0x1F3FF or 0xE0020 <= code <= 0xE007F or code == _JOINER:
        return True
    return unicodedata.category(chr(code)) in ("Mn", "Mc", "Me")


def _takes_no_room(character: str) -> bool:
    return ord(character) in _LINE_BREAKS or unicodedata.combining(character) > 0


def _among(different: NDArray[np.int64], wanted: Collection[int]) -> NDArray[np.bool_]:
    """Return whether each code point is wanted. np.isin and np.unique import numpy.ma, which nothing here needs."""
    return np.fromiter((code in wanted for code in different.tolist()), np.bool_, len(different))


def _line_ends(codes: NDArray[np.uint32], breaks: NDArray[np.bool_]) -> NDArray[np.int64]:
    breaks[:-1] &= ~((codes[:-1] == 0x0D) & (codes[1:] == 0x0A))  # the line ends after both
    return np.append(np.flatnonzero(breaks) + 1, len(codes)).astype(np.int64)


def _may_break(different: NDArray[np.int64], numbers: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Return whether each code point is a preferred beginning of a row."""
    wide = np.zeros(len(different), np.bool_)
    for first, after in _WIDE:
        wide |= (different >= first) & (different < after)
    ends_row = wide | _among(different, _BREAKS_AFTER)
    breaks = wide[numbers]
    breaks[1:] |= ends_row[numbers[:-1]]
    return breaks & ~_among(different, _CLOSING)[numbers]


def _last_place(wanted: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return, for each place, the last wanted place up to it; the end of the text is always wanted."""
    places = np.arange(len(wanted) + 1, dtype=np.int64)
    return np.maximum.accumulate(np.where(np.append(wanted, True), places, 0))
