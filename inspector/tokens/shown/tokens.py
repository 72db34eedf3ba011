"""Tokens for display: the text, the end of each token, and the cells under the mouse. No Qt here."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from inspector.secrets import masked
from inspector.tokens.shown.text_rows import TextBreaks, text_breaks
from inspector.tokens.tokenizer import Tokenizer, TokenSpans

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
