"""The ids of texts in a vocabulary inside splintr, for the look-up of embeddings."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from inspector.tokens.tokenizer import without_surrogates


def ids_in(vocabulary: str) -> Callable[[str], list[int]]:
    """Return a function from a text to its ids; special tokens spelled out in the text are ordinary text."""
    encode = _vocabulary(vocabulary).encode_ordinary

    def ids(text: str) -> list[int]:
        try:
            return encode(text)
        except UnicodeEncodeError:
            return encode(without_surrogates(text))

    return ids


@lru_cache
def _vocabulary(name: str) -> Any:
    import splintr

    return splintr.Tokenizer.from_pretrained(name)
