"""The interface of all tokenizers. The adapters are in their own modules; nothing here loads a vocabulary."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class TokenizerUnavailableError(Exception):
    """This tokenizer exists, or may exist, but cannot be loaded here; the message says why.

    `names` are the names of its model in its own file, if any.
    """

    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class TokenSpans:
    """The tokens of a text: their ids, and the end of each.

    `text` is the text as read by the tokenizer (normalised, if it does so). `ends[i]` is the number of its code points
    completed by the tokens up to and including the i-th: a token ending inside a code point has the end of its
    predecessor. Both arrays are as long as there are tokens; the last end is the length of the text.
    """

    text: str
    ids: NDArray[np.int32]
    ends: NDArray[np.int64]


class Tokenizer(Protocol):
    """Counts the tokens of texts. An empty text always has 0 tokens."""

    @property
    def name(self) -> str:
        """The name to request it by, such as `embedded:o200k_base` or `estimate:words`."""
        ...

    @property
    def fingerprint(self) -> str:
        """The name and a hash of all that affects counts: the same in every run, different when counts may differ."""
        ...

    @property
    def exact(self) -> bool:
        """Whether it counts real tokens of a vocabulary; False for an estimator."""
        ...

    def count(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """Return the tokens of each text, read as ordinary text: a special token spelled out in it is not special."""
        ...

    def first(self, text: str, limit: int) -> str:
        """Return the text of the first `limit` tokens: a prefix counting at most `limit`, "" if there is none."""
        ...

    def spans(self, text: str) -> TokenSpans | None:
        """Return the tokens of a text, as many as in `count`; None for an estimator, which has none to show."""
        ...


MakeTokenizer = Callable[[str], Tokenizer]
"""Makes the tokenizer `NAME:REST` out of REST, the same object for the same text.

Raises TokenizerUnavailableError if it cannot be loaded here, and UnknownTokenizerError (of `tokens.choice`) for an
unknown name.
"""


def naming_fault(tokenizer: Tokenizer) -> str:
    """Return the fault in a tokenizer's name or fingerprint, "" if there is none; counts are cached by both."""
    name, fingerprint = tokenizer.name, tokenizer.fingerprint
    kind, colon, _ = name.partition(":") if isinstance(name, str) else ("", "", "")
    if not kind or not colon:
        return f"its name is {name!r}, expected one such as hf:REST, by which it is asked for"
    if not isinstance(fingerprint, str) or not fingerprint.startswith(f"{kind}:"):
        return f"its fingerprint is {fingerprint!r}, expected a text that begins with {kind}:"
    return ""


def longest_prefix(text: str, limit: int, count: Callable[[str], int]) -> str:
    """Return the longest prefix counting at most `limit`, by bisection: `count` must not fall as the text grows."""
    length = bisect_right(range(len(text) + 1), limit, key=lambda end: count(text[:end])) - 1
    return text[: max(length, 0)]


_EVERY_PREFIX = 200  # of a text no longer than this, every prefix is counted
_LOOK_AHEAD = 64


def fitting_prefix(text: str, limit: int, count: Callable[[Sequence[str]], NDArray[np.int32]]) -> str:
    """Return the longest prefix counting at most `limit`, for counts that may fall as a text grows: a whole word may be
    a single token, and its beginning two.

    In long texts it is the longest found by bisection or ending with one of the words behind that place.
    """
    if len(text) <= _EVERY_PREFIX:
        ends = range(len(text) + 1)
    else:
        near = len(longest_prefix(text, limit, lambda prefix: int(count([prefix])[0])))
        while near and count([text[:near]])[0] > limit:
            near -= 1
        behind = range(near + 1, min(near + _LOOK_AHEAD, len(text)))
        ends = [near, *(end for end in behind if text[end - 1].isalnum() and not text[end].isalnum()), len(text)]
    counts = count([text[:end] for end in ends])
    fitting = [end for end, tokens in zip(ends, counts.tolist(), strict=True) if tokens <= limit]
    return text[: max(fitting, default=0)]


def prefix_of_tokens(text: str, begun: bytes, limit: int, count: Callable[[str], int]) -> str:
    """Return the prefix of the text spelled by its first `limit` tokens, ending between code points.

    `begun` has the bytes of those tokens. If they do not spell the text, because it was normalised, the counts decide.
    A prefix may take more tokens alone than within the text: then it is shortened until it fits.
    """
    prefix = begun.decode(errors="ignore")
    if not text.startswith(prefix):
        prefix = longest_prefix(text, limit, count)
    while prefix and count(prefix) > limit:
        prefix = prefix[:-1]
    return prefix


def without_surrogates(text: str) -> str:
    """Return the text in a form encoders can take: surrogate pairs joined, lone surrogates replaced, as in tiktoken."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


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


_LONGEST_SHOWN = 300  # some libraries quote the faulty content at any length
_OF_RUST = "PanicException"  # each library has its own class, not derived from Exception and not importable


@contextmanager
def library_call(what: str) -> Iterator[None]:
    """Turn any exception of a tokenizer library, even a panic, into a TokenizerUnavailableError with `what`.

    Libraries raise bare Exception for contradictory files. This program's own errors pass through unchanged.
    """
    try:
        yield
    except (TokenizerUnavailableError, MemoryError):
        raise
    except BaseException as problem:
        if not isinstance(problem, Exception) and type(problem).__name__ != _OF_RUST:
            raise
        raise TokenizerUnavailableError(f"{what} ({str(problem)[:_LONGEST_SHOWN]})") from problem


def tokenizer_title(name: str) -> str:
    """Return a tokenizer as users read it: `o200k` for `embedded:o200k_base`, the file of `gguf:FOLDER/FILE`."""
    named = name.partition(":")[2] or name
    return re.split(r"[/\\]", named.rstrip("/\\"))[-1].removesuffix("_base")
