"""A tokenizer of a plug-in as the program uses it: where it fails, the failure names the plug-in."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.contained import contained
from inspector.tokens.tokenizer import Tokenizer, TokenizerUnavailableError, TokenSpans


class GuardedTokenizer:
    """A wrapper around a tokenizer that raises TokenizerUnavailableError when it fails."""

    def __init__(self, plug_in: str, inner: Tokenizer) -> None:
        self.name, self.fingerprint, self.exact = inner.name, inner.fingerprint, inner.exact
        self._plug_in, self._inner = plug_in, inner

    def __getattr__(self, name: str) -> Any:
        """Optional attributes of a tokenizer, such as the chat template of its model."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._inner, name)

    def count(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """Tokens of each text."""
        with self._guarded():
            return self._inner.count(texts)

    def first(self, text: str, limit: int) -> str:
        """The first tokens of a text."""
        with self._guarded():
            return self._inner.first(text, limit)

    def spans(self, text: str) -> TokenSpans | None:
        """The tokens of a text."""
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
