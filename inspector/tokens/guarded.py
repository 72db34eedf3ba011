"""A tokenizer of a plug-in as the program uses it: its failures name the plug-in."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.contained import contained
from inspector.tokens.tokenizer import Tokenizer, TokenizerUnavailableError, TokenSpans


class GuardedTokenizer:
    """A wrapper around a plug-in's tokenizer. Raises TokenizerUnavailableError if it fails."""

    def __init__(self, plug_in: str, inner: Tokenizer) -> None:
        self.name, self.fingerprint, self.exact = inner.name, inner.fingerprint, inner.exact
        self._plug_in, self._inner = plug_in, inner

    def __getattr__(self, name: str) -> Any:
        """Return an optional attribute of the tokenizer, such as the chat template of its model."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._inner, name)

    def count(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """Return the tokens of each text."""
        with self._guarded():
            return self._inner.count(texts)

    def first(self, text: str, limit: int) -> str:
        """Return the first tokens of a text."""
        with self._guarded():
            return self._inner.first(text, limit)

    def spans(self, text: str) -> TokenSpans | None:
        """Return the tokens of a text."""
        with self._guarded():
            return self._inner.spans(text)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            with contained():
                yield
        except TokenizerUnavailableError:
            raise
        except Exception as problem:
            said = f"the plug-in {self._plug_in} failed: {type(problem).__name__}: {problem}"
            raise TokenizerUnavailableError(said) from problem
