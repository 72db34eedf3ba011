"""Where tokens end in a text: from the bytes that they spell, or from the ranges that a library gives."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from inspector.tokens.tokenizer import TokenSpans

_NOWHERE = np.empty(0, np.int64)
_NO_IDS = np.empty(0, np.int32)


def spans_of_bytes(ids: Sequence[int], bytes_of: Callable[[int], bytes], dummy_bytes: int = 0) -> TokenSpans:
    """The spans of tokens that spell their text in UTF-8, each asked once for its bytes.

    `dummy_bytes` is how many bytes the tokenizer puts before every text, such as SentencePiece's space: they are in
    the first token and not in the text.
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
    """For each place between bytes of UTF-8, both ends included, how many code points are complete before it."""
    begins = (np.frombuffer(spelled, np.uint8) & 0xC0) != 0x80
    begun = np.concatenate([[0], np.cumsum(begins)])
    # Before the first byte of a code point, and at the end, all that have begun are complete.
    inside = np.concatenate([~begins, [False]])
    return begun - inside


def spans_of_ranges(text: str, ids: Sequence[int], ranges: Sequence[tuple[int, int]]) -> TokenSpans:
    """The spans of tokens for which a library gives begin and end, in code points of the text.

    Tokens of bytes share the range of their code point, so a token ends where the next one begins, if not before. What
    the tokenizer leaves out is a part of the token after it, or of the last one.
    """
    if not len(ids):
        return TokenSpans("", _NO_IDS, _NOWHERE)
    bounds = np.asarray(ranges, np.int64).reshape(-1, 2)
    ends = np.append(np.minimum(bounds[:-1, 1], bounds[1:, 0]), len(text))
    return TokenSpans(text, np.asarray(ids, np.int32), np.minimum.accumulate(ends[::-1])[::-1])
