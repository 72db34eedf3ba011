"""The check of tokenizers: the consistency of their counts, first tokens and spans on texts of every kind.

Counts of a single vocabulary, or rules for built-in tokenizers only, do not belong here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from inspector.tokens.tokenizer import Tokenizer, TokenSpans, naming_fault

TEXTS = (
    *("a", " ", "\n", "\t", "   ", "\x00", "\ufffd", "\u00a0", "é", "e\u0301", "日", "😀", "\ud83d", "\ude00\ud83d"),
    "Hello, world! This is a test.",
    " leading and trailing  ",
    "line one\r\nline two\n\n\n\tdef f(x):\n        return x  # 1234567890",
    "don't WON'T I'll he'd, naïve coöperation",
    "日本語のテキスト、中文文本。 한국어 텍스트 नमस्ते العربية Ελληνικά",
    "👩‍👩‍👧‍👦🏳️‍🌈 😀😍 👩🏽‍🎓",
    "a\x00b\x07c \x1f",
    "half a pair \ud83d in the middle, and a whole one \ud83d\ude00",
    "<|endoftext|><|im_start|>user\n[INST] </s> <bos> <think>",
    "ſ ﬁ ½ Å Å １２３ İı ß",
    "https://example.org/a?b=c&d=%20" * 4,
    "x" * 3_000,
)
"""Texts of every kind: white space, scripts, combining signs, half characters, texts that look special."""

LONG_TEXT = ("The quick brown fox, 日本語 \n\n def f(x): return 12 😀 " * 3_000)[:100_000]
_LIMITS = (-1, 0, 1, 2, 3, 5, 17, 100)
_LONGEST_TRIED = 100
"""The most code points of a text whose every prefix is counted."""


def check_tokenizer(tokenizer: Tokenizer) -> None:
    """Try a tokenizer on texts of every kind. Raise AssertionError with a sentence about the fault.

    Nothing raises, whatever the text. `count` is 0 for an empty text, the same for a text alone and among others, and
    the same each time. `first` is the longest prefix that counts at most the limit; for an exact tokenizer at least the
    text of its first tokens, which may count more where they are cut off, and then less is right. An exact tokenizer
    has `spans`: as many tokens as it counts, which end in order and at the end of the text; an estimator has none. The
    tokenizer can be requested by its name, and the fingerprint begins with the same kind and stays the same.
    """
    trial = _Trial(tokenizer)
    trial.check_declaration()
    texts = ("", *TEXTS, LONG_TEXT)
    counts = trial.counts(texts)
    trial.check_counts(texts, counts)
    for text, count in zip(texts, counts, strict=True):
        spans = trial.check_spans(text, count)
        for limit in sorted({*_LIMITS, count - 1, count, count + 1}):
            trial.check_first(text, limit, count, spans)
    trial.check_same(texts, counts)


@dataclass(frozen=True)
class _Trial:
    """A tokenizer under test."""

    tokenizer: Tokenizer

    def fault(self, what: str) -> AssertionError:
        """Return the fault as an error to raise."""
        return AssertionError(f"{type(self.tokenizer).__name__}: {what}")

    def ask(self, method: str, *arguments: Any) -> Any:
        """Return the result of a method."""
        try:
            return getattr(self.tokenizer, method)(*arguments)
        except Exception as problem:
            what = f"{method}({', '.join(map(_shown, arguments))}) raised {type(problem).__name__}: {problem}"
            raise self.fault(what) from problem

    def check_declaration(self) -> None:
        """Check name, fingerprint and whether it is exact."""
        try:
            fault = naming_fault(self.tokenizer)
            exact = self.tokenizer.exact
        except AttributeError as problem:
            raise self.fault(str(problem)) from problem
        if fault:
            raise self.fault(fault)
        if not isinstance(exact, bool):
            raise self.fault(f"exact is {exact!r}, expected True or False")
        if " at 0x" in self.tokenizer.fingerprint:
            raise self.fault(f"its fingerprint is another one in every run: {self.tokenizer.fingerprint}")

    def counts(self, texts: Sequence[str]) -> list[int]:
        """Return the tokens of the texts in one call, checked for their shape."""
        counts = self.ask("count", list(texts))
        if not isinstance(counts, np.ndarray) or counts.dtype != np.int32 or counts.shape != (len(texts),):
            raise self.fault(
                f"count returned {counts!r:.60} for {len(texts)} texts, expected an array of as many 32-bit integers"
            )
        if len(counts) and counts.min() < 0:
            raise self.fault(f"count({_shown(texts[int(counts.argmin())])}) is below 0")
        return counts.tolist()

    def check_counts(self, texts: Sequence[str], counts: Sequence[int]) -> None:
        """Check counts of the texts alone, in another order and of no text at all."""
        self.counts([])
        if any(count for text, count in zip(texts, counts, strict=True) if not text):
            raise self.fault("the empty text has tokens, expected 0")
        for text, count in zip(texts, counts, strict=True):
            if (alone := self.counts([text])[0]) != count:
                raise self.fault(f"{_shown(text)} is {alone} tokens alone and {count} among others")
        if self.counts(texts[::-1]) != [*reversed(counts)]:
            raise self.fault("the same texts in another order have other counts")

    def check_spans(self, text: str, count: int) -> TokenSpans | None:
        """Check: as many tokens as counted, in order, to the end of the text; none for an estimator."""
        spans = self.ask("spans", text)
        if not self.tokenizer.exact and spans is None:
            return None
        if not self.tokenizer.exact:
            raise self.fault("it is not exact, and yet has tokens to show")
        if not isinstance(spans, TokenSpans):
            raise self.fault(
                f"spans({_shown(text)}) returned {type(spans).__name__}; it is exact, so it has tokens to show"
            )
        if (spans.ids.dtype, spans.ends.dtype) != (np.int32, np.int64):
            raise self.fault("the ids of its spans are 32-bit integers, and the ends 64-bit ones")
        if not len(spans.ids) == len(spans.ends) == count:
            raise self.fault(
                f"{_shown(text)} is {count} tokens, but has {len(spans.ids)} ids and {len(spans.ends)} ends"
            )
        if (np.diff(spans.ends, prepend=0) < 0).any() or spans.ends[-1:].tolist() != (
            [len(spans.text)] if count else []
        ):
            raise self.fault(f"the tokens of {_shown(text)} do not end in order, or not at the end of the text")
        if text.isascii() and text.isprintable() and spans.text != text:
            raise self.fault(f"its spans of {_shown(text)} are of another text: {_shown(spans.text)}")
        return spans

    def check_first(self, text: str, limit: int, count: int, spans: TokenSpans | None) -> None:
        """Check: a prefix within the limit, and no shorter than necessary."""
        call, first = f"first({_shown(text)}, {limit})", self.ask("first", text, limit)
        if not isinstance(first, str) or not text.startswith(first):
            raise self.fault(f"{call} is {_shown(first)}, which is no prefix of the text")
        if first and (found := self.counts([first])[0]) > limit:
            raise self.fault(f"{call} counts {found}")
        if count <= limit and first != text:
            raise self.fault(f"{call} is {_shown(first)}, though the whole text counts {count}")
        wanted = self._least(text, limit, count, spans)
        if len(first) < wanted:
            raise self.fault(
                f"{call} is {_shown(first)}, though {_shown(text[:wanted])} counts no more than {limit} either"
            )

    def _least(self, text: str, limit: int, count: int, spans: TokenSpans | None) -> int:
        """Return the least number of code points of the first tokens of a text."""
        if spans is None:
            if len(text) > _LONGEST_TRIED:
                return 0
            found = self.counts([text[:length] for length in range(len(text) + 1)])
            return max((length for length, tokens in enumerate(found) if length and tokens <= limit), default=0)
        if not 0 < limit < count or spans.text != text:
            return 0
        end = int(spans.ends[limit - 1])
        return end if self.counts([text[:end]])[0] <= limit else 0

    def check_same(self, texts: Sequence[str], counts: Sequence[int]) -> None:
        """Check: counting has changed nothing."""
        before = self.tokenizer.fingerprint
        if self.counts(texts) != list(counts):
            raise self.fault("the same texts have other counts the second time")
        if self.tokenizer.fingerprint != before:
            raise self.fault(f"its fingerprint was {before} and now is {self.tokenizer.fingerprint}")


def _shown(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:50]}… ({len(value):,} long)"
