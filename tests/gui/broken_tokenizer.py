"""A tokenizer of a plug-in that can be had, and fails when it counts messages."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from inspector.tokens.tokenizer import Tokenizer


class BrokenTokenizer:
    """One token a text, but for messages."""

    exact = False

    def __init__(self, name: str) -> None:
        self.name, self.fingerprint = name, f"{name}@1"

    def count(self, texts: Sequence[str]) -> Any:
        """Fails for texts that begin as messages do."""
        if any(text.startswith("message") for text in texts):
            raise ZeroDivisionError("no message can be counted")
        return np.array([bool(text) for text in texts], np.int32)

    def first(self, text: str, limit: int) -> str:
        """Nothing."""
        return ""

    def spans(self, text: str) -> None:
        """None: it has no tokens to show."""


def make(rest: str) -> Tokenizer:
    """The tokenizer `broken:REST`."""
    return BrokenTokenizer(f"broken:{rest}")
