"""The ends of tokens in a text: from the bytes they spell, or from the ranges given by a library."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from inspector.tokens.tokenizer import TokenSpans

_NOWHERE = np.empty(0, np.int64)
_NO_IDS = np.empty(0, np.int32)


def spans_of_bytes(ids: Sequence[int], bytes_of: Callable[[int], bytes], dummy_bytes: int = 0) -> TokenSpans:
    """Return the spans of tokens spelling their text in UTF-8; `bytes_of` is called once for each distinct token.

    `dummy_bytes` is the number of bytes the tokenizer puts before every text, such as SentencePiece's space: they
    belong to the first token but not to the text.
    """
    if not len(ids):
        return TokenSpans("", _NO_IDS, _NOWHERE)
    numbers = np.asarray(ids, np.int32)
    different, places = np.unique(numbers, return_inverse=True)
    pieces = list(map(bytes_of, different.tolist()))
    lengths = np.fromiter(map(len, pieces), np.int64, len(pieces))
    spelled = b"".join(map(pieces.__getitem__, places.tolist()))[dummy_bytes:]
    byte_ends = np.maximum(np.cumsum(lengths[places]) - dummy_bytes, 0)
    return TokenSpans(spelled.decode(), numbers, _code_points_ended(spelled)[byte_ends])


def _code_points_ended(spelled: bytes) -> NDArray[np.int64]:
    """Return the number of code points complete before each place between bytes of UTF-8, both ends included."""
    begins = (np.frombuffer(spelled, np.uint8) & 0xC0) != 0x80
    begun = np.concatenate([[0], np.cumsum(begins)])
    # Before the first byte of a code point, and at the end, all code points begun are complete.
    inside = np.concatenate([~begins, [False]])
    return begun - inside


def spans_of_ranges(text: str, ids: Sequence[int], ranges: Sequence[tuple[int, int]]) -> TokenSpans:
    """Return the spans of tokens from a library's ranges (begin and end), in code points of the text.

    Byte tokens share the range of their code point, so a token ends no later than the next begins. Text left out by the
    tokenizer belongs to the token after it, or to the last.
    """
    if not len(ids):
        return TokenSpans("", _NO_IDS, _NOWHERE)
    bounds = np.asarray(ranges, np.int64).reshape(-1, 2)
    ends = np.append(np.minimum(bounds[:-1, 1], bounds[1:, 0]), len(text))
    return TokenSpans(text, np.asarray(ids, np.int32), np.minimum.accumulate(ends[::-1])[::-1])
