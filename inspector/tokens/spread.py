"""How far the counts of a tokenizer may be from the truth, for tokenizers whose error was measured."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from inspector.tokens.tokenizer import Tokenizer


class Bounds(NamedTuple):
    """The least and the most tokens of each of some texts."""

    low: NDArray[np.int32]
    high: NDArray[np.int32]


class Spread(Protocol):
    """The error of a tokenizer: its attribute `spread`, where it was measured."""

    @property
    def words(self) -> str:
        """How sure the counts are, as users read it: `reconstructed, ± 1 %`."""
        ...

    def bounds(self, texts: Sequence[str], counts: NDArray[np.int32]) -> Bounds:
        """Return the bounds of texts with these counts by the same tokenizer: the counts lie between them."""
        ...


@dataclass(frozen=True, slots=True)
class RelativeSpread:
    """An error that is the same share of every count: the truth is between `low` and `high` times the count."""

    words: str
    low: float
    high: float

    def bounds(self, texts: Sequence[str], counts: NDArray[np.int32]) -> Bounds:
        """Return the bounds of these counts, whatever the texts."""
        low, high = np.floor(counts * self.low), np.ceil(counts * self.high)
        return Bounds(low.astype(np.int32), high.astype(np.int32))


def spread_of(tokenizer: Tokenizer) -> Spread | None:
    """Return the spread of a tokenizer; None for a vocabulary and where no error is known."""
    return getattr(tokenizer, "spread", None)


def bounds_of(tokenizer: Tokenizer, texts: Sequence[str], counts: NDArray[np.int32]) -> Bounds:
    """Return the bounds of texts counted by a tokenizer: the counts themselves where no error is known."""
    spread = spread_of(tokenizer)
    return Bounds(counts, counts) if spread is None else spread.bounds(texts, counts)


def error_words(tokenizer: Tokenizer) -> str:
    """Return the error of a tokenizer as users read it, "" for a vocabulary and where none is known."""
    spread = spread_of(tokenizer)
    return "" if spread is None else spread.words
