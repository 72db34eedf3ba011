"""Tokens by a stand-in: those of o200k_base, multiplied by the factor of the family for each kind of text."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from inspector.tokens.embedded import EmbeddedTokenizer, embedded_tokenizer
from inspector.tokens.spread import Bounds
from inspector.tokens.standin.factors import FACTORS
from inspector.tokens.standin.kinds import TextKind, stretches
from inspector.tokens.tokenizer import fitting_prefix

STANDIN_NAMES = tuple(FACTORS)

_VERSION = 1  # increase it with any change of the kinds that affects counts
_BASE = "o200k_base"


class StandInTokenizer:
    """An estimate for a family of models whose vocabulary is not to be had."""

    exact = False

    def __init__(self, family: str) -> None:
        factors = [FACTORS[family][kind] for kind in TextKind]
        self.name = f"standin:{family}"
        made_by = f"{self._base.fingerprint} {_VERSION} {factors}"
        self.fingerprint = f"{self.name}@{blake2b(made_by.encode(), digest_size=8).hexdigest()}"
        self.spread = FactorSpread(np.array(factors))

    @property
    def _base(self) -> EmbeddedTokenizer:
        return embedded_tokenizer(_BASE)

    def count(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """Return the usual number of tokens of each text."""
        return self.spread.usual(texts)

    def first(self, text: str, limit: int) -> str:
        """Return the longest prefix counting at most `limit`."""
        return fitting_prefix(text, limit, self.count)

    def spans(self, text: str) -> None:
        """Return None: an estimate has no tokens to show."""


class FactorSpread:
    """The range of the factors, shape (kinds, 3): usual, least and most tokens for one of o200k_base."""

    def __init__(self, factors: NDArray[np.float64]) -> None:
        self._factors = factors
        self.words = f"o200k × {factors[:, 1].min():.2f} to {factors[:, 2].max():.2f}, by the kind of text"

    def usual(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """Return the usual number of tokens of each text: at least 1 for one that is not empty."""
        return self._of(texts)[0]

    def bounds(self, texts: Sequence[str], counts: NDArray[np.int32]) -> Bounds:
        """Return the least and the most tokens of each text, the counts between them."""
        _, low, high = self._of(texts)
        return Bounds(np.minimum(low, counts), np.maximum(high, counts))

    def _of(self, texts: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
        tokens = tokens_by_kind(texts)
        usual, low, high = (tokens @ self._factors).T
        least = tokens.any(axis=1)
        rounded = np.maximum(np.rint(usual), least), np.maximum(np.floor(low), least), np.ceil(high)
        return rounded[0].astype(np.int32), rounded[1].astype(np.int32), rounded[2].astype(np.int32)


def tokens_by_kind(texts: Sequence[str]) -> NDArray[np.int32]:
    """Return the tokens of o200k_base in each text's stretches of each kind, shape (texts, kinds)."""
    found = [(row, kind, stretch) for row, text in enumerate(texts) for kind, stretch in stretches(text)]
    rows, kinds, parts = zip(*found, strict=True) if found else ((), (), ())
    tokens = np.zeros((len(texts), len(TextKind)), np.int32)
    np.add.at(tokens, (np.array(rows, np.int64), np.array(kinds, np.int64)), embedded_tokenizer(_BASE).count(parts))
    return tokens


@lru_cache
def standin_tokenizer(family: str) -> StandInTokenizer:
    """Return the stand-in for a family of STANDIN_NAMES, always the same object."""
    return StandInTokenizer(family)
