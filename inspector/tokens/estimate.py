"""Estimators: rules that replace a tokenizer, computed exactly as in the systems using them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from inspector.tokens.tokenizer import Tokenizer, longest_prefix

Lengths = NDArray[np.int64]


def _integers(values: Iterable[int], size: int) -> Lengths:
    return np.fromiter(values, np.int64, size)


def _code_points(texts: Sequence[str]) -> Lengths:
    return _integers(map(len, texts), len(texts))


def _utf8_bytes(texts: Sequence[str]) -> Lengths:
    return _integers((len(text) if text.isascii() else _utf8_length(text) for text in texts), len(texts))


def _utf8_length(text: str) -> int:
    """Return the bytes of the text in UTF-8, with 3 for a lone surrogate, which UTF-8 replaces."""
    return len(text.encode("utf-8", "surrogatepass"))


def _collapsed(texts: Sequence[str]) -> Lengths:
    """Return the code points after each run of white space becomes a single space and the ends are stripped."""
    return _integers((len(" ".join(text.split())) for text in texts), len(texts))


def _chorus(texts: Sequence[str]) -> Lengths:
    return np.maximum(1, _code_points(texts) // 4)


def _whisperengine(texts: Sequence[str]) -> Lengths:
    return np.maximum(1, _collapsed(texts) // 4)


def _quarter(texts: Sequence[str]) -> Lengths:
    return _code_points(texts) // 4


def _quarter_up(texts: Sequence[str]) -> Lengths:
    return (_code_points(texts) + 3) // 4


def _two_sevenths_up(texts: Sequence[str]) -> Lengths:
    return (2 * _code_points(texts) + 6) // 7


def _third_up(texts: Sequence[str]) -> Lengths:
    return (_code_points(texts) + 2) // 3


def _quarter_of_bytes(texts: Sequence[str]) -> Lengths:
    return _utf8_bytes(texts) // 4


def _words(texts: Sequence[str]) -> Lengths:
    return _integers((len(text.split()) for text in texts), len(texts))


@dataclass(frozen=True, slots=True)
class Estimator:
    """A rule from texts to counts. `version` is part of the fingerprint: it changes with the rule.

    `image_tokens` is the charge for a picture in the system that owns the rule.
    """

    name: str
    rule: Callable[[Sequence[str]], Lengths]
    image_tokens: int = 0
    version: int = 1
    exact: bool = False

    @property
    def fingerprint(self) -> str:
        """The name and the version of the rule."""
        return f"{self.name}@{self.version}"

    def count(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """Return the estimate for each text; 0 for an empty text whatever the rule."""
        counts = self.rule(texts)
        counts[_code_points(texts) == 0] = 0
        return counts.astype(np.int32)

    def first(self, text: str, limit: int) -> str:
        """Return the longest prefix with a count of at most `limit`."""
        return longest_prefix(text, limit, lambda prefix: int(self.count([prefix])[0]))

    def spans(self, text: str) -> None:
        """Return None: an estimate has no tokens to show."""


ESTIMATORS: dict[str, Estimator] = {
    estimator.name: estimator
    for estimator in (
        Estimator("estimate:chorus", _chorus),
        Estimator("estimate:whisperengine", _whisperengine, image_tokens=85),
        Estimator("estimate:whisperengine-component", _quarter),
        Estimator("estimate:ibex", _quarter_up),
        Estimator("estimate:ibex-claude", _two_sevenths_up),
        Estimator("estimate:brain", _third_up),
        Estimator("estimate:brain-0.1", _quarter_of_bytes),
        Estimator("estimate:scribe", _quarter_of_bytes),
        Estimator("estimate:words", _words),
    )
}


def image_tokens(tokenizer: Tokenizer) -> int:
    """Return the tokens of a picture: more than 0 only for an estimator whose owner charges for pictures."""
    return tokenizer.image_tokens if isinstance(tokenizer, Estimator) else 0
