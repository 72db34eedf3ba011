"""A tokenizer that takes its time: it counts as an embedded one does, text by text, so that threads meet half-way."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from inspector.tokens.choice import load_tokenizer
from inspector.tokens.tokenizer import Tokenizer, TokenSpans

_TIMES = 3


class SlowTokenizer:
    """Counts every text alone, and more than once."""

    exact = True

    def __init__(self, inner: Tokenizer, name: str) -> None:
        self.name, self._inner = name, inner
        self.fingerprint = f"{name}@{inner.fingerprint}"

    def count(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """Tokens of each text."""
        counts = [[int(self._inner.count([text])[0]) for _ in range(_TIMES)][-1] for text in texts]
        return np.array(counts, np.int32)

    def first(self, text: str, limit: int) -> str:
        """The first tokens of a text."""
        return self._inner.first(text, limit)

    def spans(self, text: str) -> TokenSpans | None:
        """The tokens of a text."""
        return self._inner.spans(text)


def make(rest: str) -> Tokenizer:
    """The tokenizer `slow:REST`, which counts as `embedded:REST` does."""
    return SlowTokenizer(load_tokenizer(f"embedded:{rest}"), f"slow:{rest}")
