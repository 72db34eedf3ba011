"""A tokenizer for tests of the token view, whose every token can be read off the text."""

from collections.abc import Sequence
from threading import Event

import numpy as np
from numpy.typing import NDArray

from inspector.tokens.tokenizer import TokenSpans


class WordTokenizer:
    """A token is a word with the space before it, or a line end; its id is its length."""

    name = "test:words"
    fingerprint = "test:words@1"
    exact = True

    def __init__(self) -> None:
        self.begun = Event()
        self.asked: list[str] = []
        self.go = Event()
        self.go.set()

    def count(self, texts: Sequence[str]) -> NDArray[np.int32]:
        return np.array([len(self.spans(text).ids) for text in texts], np.int32)

    def first(self, text: str, limit: int) -> str:
        spans = self.spans(text)
        return text[: int(spans.ends[limit - 1])] if 0 < limit < len(spans.ids) else text

    def spans(self, text: str) -> TokenSpans:
        self.begun.set()
        assert self.go.wait(20)
        self.asked.append(text)
        begins = [place for place, character in enumerate(text) if place and character in " \n"]
        ends = np.array([*begins, len(text)] if text else [], np.int64)
        return TokenSpans(text, np.diff(ends, prepend=0).astype(np.int32), ends)
