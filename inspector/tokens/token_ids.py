"""The ids of texts in a vocabulary that splintr carries inside: for embeddings, which look ids up."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from inspector.tokens.tokenizer import without_surrogates


def ids_in(vocabulary: str) -> Callable[[str], list[int]]:
    """What gives the ids of a text; special tokens that are spelled out in it are ordinary text."""
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
