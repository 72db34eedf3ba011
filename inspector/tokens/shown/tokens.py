"""Tokens for display: the text, the end of each token, and the cells under the mouse. No Qt here."""

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from inspector.secrets import masked
from inspector.tables import Column, Face, Kind, Table, Tone
from inspector.tokens.tokenizer import Tokenizer, TokenSpans
from inspector.visible_text import made_visible

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


UNKNOWN_ID = -1
SPECIAL = "special"
MAX_CHARACTERS = 500_000
"""The most characters shown: users do not read more, and it would cost memory in every array."""


class Stretch(NamedTuple):
    """A piece of a text: ordinary text, or a single special token of the model, with its id if known."""

    text: str
    special: bool = False
    id: int = UNKNOWN_ID


@dataclass(frozen=True, slots=True, eq=False)
class ShownTokens:
    """A text and its tokens: arrays as long as there are tokens.

    `ends[i]` is the number of code points completed by the tokens up to and including the i-th; `ids` holds UNKNOWN_ID
    for a special token without a known id. From an estimator there is only a text without tokens. `left_out` is the
    number of characters omitted. `breaks` are the possible ends of rows in the text, `cells` the tokens as they can be
    told apart on the screen.
    """

    text: str
    ends: NDArray[np.int64]
    ids: NDArray[np.int32]
    special: NDArray[np.bool_]
    left_out: int = 0
    breaks: TextBreaks = field(init=False)
    cells: "TokenCells" = field(init=False)

    def __post_init__(self) -> None:
        # Made at once, by the thread that makes this: a worker, rather than at the first painting.
        object.__setattr__(self, "text", masked(self.text))  # of unchanged length, so the ends of tokens stay
        object.__setattr__(self, "breaks", text_breaks(self.text))
        object.__setattr__(self, "cells", _cells(self))

    def __len__(self) -> int:
        return len(self.ends)

    def id_words(self, token: int) -> str:
        """Return the id of a token, or `SPECIAL` for a special token without a known id."""
        number = int(self.ids[token])
        return SPECIAL if number == UNKNOWN_ID else str(number)


@dataclass(frozen=True, slots=True, eq=False)
class TokenCells:
    """The cells of a display of tokens: a cell is a token, or several tokens spelling a sign together.

    `ends` is the end of each cell in code points; `first` is its first token, with the number of tokens appended.
    """

    ends: NDArray[np.int64]
    first: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ends)

    def span(self, cell: int) -> tuple[int, int]:
        """Return begin and end of a cell in the text."""
        return (int(self.ends[cell - 1]) if cell else 0), int(self.ends[cell])

    def tokens(self, cell: int) -> range:
        """Return the tokens of a cell."""
        return range(int(self.first[cell]), int(self.first[cell + 1]))

    def at(self, place: int) -> int | None:
        """Return the cell holding a code point, None behind the last."""
        cell = int(np.searchsorted(self.ends, place, "right"))
        return cell if cell < len(self.ends) else None

    def of_token(self, token: int) -> int:
        """Return the cell of a token."""
        return int(np.searchsorted(self.first, token, "right")) - 1


def shown_tokens(stretches: Iterable[Stretch], tokenizer: Tokenizer) -> ShownTokens:
    """Return the tokens of a text given in stretches; the tokenizer sees neighbouring ordinary ones as a single text.

    At most MAX_CHARACTERS are shown. A tokenizer without tokens to show gives the text alone.
    """
    taken, left_out = _beginning(stretches, MAX_CHARACTERS)
    joined = list(_joined(taken))
    read = [_read(stretch, tokenizer) for stretch in joined]
    known = [spans for spans in read if spans is not None]
    if not read or len(known) < len(read):
        return without_tokens("".join(stretch.text for stretch in joined), left_out)
    begins = np.cumsum([0, *(len(spans.text) for spans in known)])
    special = [np.full(len(spans.ids), stretch.special) for stretch, spans in zip(joined, known, strict=True)]
    return ShownTokens(
        "".join(spans.text for spans in known),
        np.concatenate([spans.ends + begin for spans, begin in zip(known, begins, strict=False)]),
        np.concatenate([spans.ids for spans in known]),
        np.concatenate(special),
        left_out,
    )


def without_tokens(text: str, left_out: int = 0) -> ShownTokens:
    """Return a text without tokens."""
    return ShownTokens(text, np.empty(0, np.int64), np.empty(0, np.int32), np.empty(0, np.bool_), left_out)


def _beginning(stretches: Iterable[Stretch], limit: int) -> tuple[list[Stretch], int]:
    """Return the stretches up to this many characters, and the number left out; special tokens are not cut."""
    taken: list[Stretch] = []
    room, left_out = limit, 0
    for stretch in stretches:
        size = len(stretch.text)
        used = min(size, room) if not stretch.special or size <= room else 0
        room = room - used if used == size else 0
        left_out += size - used
        if used:
            taken.append(stretch._replace(text=stretch.text[:used]))
    return taken, left_out


def _joined(stretches: list[Stretch]) -> Iterator[Stretch]:
    for is_special, group in groupby(stretches, key=lambda stretch: stretch.special):
        if is_special:
            yield from group
        else:
            yield Stretch("".join(stretch.text for stretch in group))


def _read(stretch: Stretch, tokenizer: Tokenizer) -> TokenSpans | None:
    if not stretch.special:
        return tokenizer.spans(stretch.text)
    return TokenSpans(stretch.text, np.array([stretch.id], np.int32), np.array([len(stretch.text)], np.int64))


def _cells(shown: ShownTokens) -> TokenCells:
    """Return the cells: a token closes a cell if it completes a sign, with nothing after it drawn together with it."""
    ends, special = shown.ends, shown.special
    if not len(ends):
        return TokenCells(ends, np.zeros(1, np.int64))
    torn = np.append(shown.breaks.joins, False)[ends]
    torn[special] = False
    torn[:-1] &= ~special[1:]
    last = np.flatnonzero((np.diff(ends, prepend=0) > 0) & ~torn)
    # Tokens at the end without text belong to the cell before them.
    last = np.append(last[:-1], len(ends) - 1)
    return TokenCells(ends[last], np.concatenate([[0], last + 1]))


_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
ESTIMATE = "{} estimates: it has no tokens to show. Choose an exact tokenizer."
"""The message for a tokenizer, by name, without tokens to show."""


def escaped(text: str) -> str:
    """Return a token's text on a single line, in quotes, with line breaks and tabs escaped as in programs."""
    shown = "".join(_ESCAPES.get(character, character) for character in text)
    return f"“{made_visible(shown)}”"


def part_words(shown: ShownTokens, token: int) -> str:
    """Return the text of a token; if several tokens spell a sign together, with its position among them."""
    cells = shown.cells
    cell = cells.of_token(token)
    tokens = cells.tokens(cell)
    begin, end = cells.span(cell)
    text = escaped(shown.text[begin:end])
    return text if len(tokens) == 1 else f"{text}, part {token - tokens.start + 1} of {len(tokens)}"


def token_tooltip(shown: ShownTokens, cell: int) -> str:
    """Return a tooltip with text, ids and number of the tokens under the mouse."""
    tokens = shown.cells.tokens(cell)
    begin, end = shown.cells.span(cell)
    ids = ", ".join(shown.id_words(token) for token in tokens)
    first, last, count = tokens.start + 1, tokens.stop, f"of {len(shown):,}"
    if len(tokens) > 1:
        about = f"{len(tokens)} tokens, ids {ids}\ntokens {first:,} to {last:,} {count}"
    elif shown.special[tokens.start]:
        known = "" if ids == SPECIAL else f", id {ids}"
        about = f"special token{known}\ntoken {first:,} {count}"
    else:
        about = f"id {ids}\ntoken {first:,} {count}"
    return f"{escaped(shown.text[begin:end])}\n{about}"


def token_line(shown: ShownTokens, token: int) -> str:
    """Return the current token on a single line."""
    number = shown.id_words(token)
    about = "special token" if number == SPECIAL else f"id {number}"
    return f"token {token + 1:,} of {len(shown):,}  ·  {about}  ·  {part_words(shown, token)}"


def summary(shown: ShownTokens) -> str:
    """Return the number of tokens and of characters, and the characters per token."""
    characters = len(shown.text)
    parts = [f"{characters:,} character{'' if characters == 1 else 's'}"]
    if len(shown):
        parts.insert(0, f"{len(shown):,} token{'' if len(shown) == 1 else 's'}")
        parts.append(f"{characters / len(shown):.1f} characters per token")
    if shown.left_out:
        parts.append(f"{shown.left_out:,} more characters are not shown")
    return "  ·  ".join(parts)


def _begin(shown: ShownTokens, token: int) -> int:
    return int(shown.ends[token - 1]) if token else 0


def _end(shown: ShownTokens, token: int) -> int:
    return int(shown.ends[token])


def _known_id(shown: ShownTokens, token: int) -> int | None:
    number = int(shown.ids[token])
    return None if number == UNKNOWN_ID else number


def _text_tone(shown: ShownTokens, token: int) -> Tone | None:
    return "accent" if shown.special[token] else None


TOKEN_COLUMNS: tuple[Column[ShownTokens], ...] = (
    Column("number", "#", "The number of the token in the text", lambda _, token: token + 1, kind=Kind.COUNT, digits=7),
    Column(
        "id",
        "Id",
        "Its id in the vocabulary",
        _known_id,
        kind=Kind.COUNT,
        words=ShownTokens.id_words,
        tone=lambda _, __: "muted",
        digits=7,
    ),
    Column("begin", "Begin", "Where it begins in the text, in code points", _begin, faces=Face.FILES),
    Column("end", "End", "Where it ends in the text, in code points", _end, faces=Face.FILES),
    Column(
        "text",
        "Text",
        "Its text",
        lambda shown, token: shown.text[_begin(shown, token) : _end(shown, token)],
        words=part_words,
        tone=_text_tone,
        digits=10,
        stretches=True,
    ),
)
TOKENS: Table[ShownTokens] = Table(TOKEN_COLUMNS, lambda shown: range(len(shown)))
