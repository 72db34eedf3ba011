"""A stand-in for an embedder: five axes, one for each of five subjects; it remembers what it was asked."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

AXES = (("boat", "ship", "keel"), ("rain", "storm", "wet"), ("cat", "kitten"), ("tea", "cup"), ("north",))


class SubjectEmbedder:
    """Texts about the same subjects have the same vector, whatever their words."""

    name = "subjects"
    fingerprint = "subjects@1"
    chunk = 2

    def __init__(self, quick: bool = True) -> None:
        self.quick = quick
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.seen += texts
        found = [[sum(text.lower().count(word) for word in words) for words in AXES] for text in texts]
        vectors = np.array(found, np.float32).reshape(len(texts), len(AXES))
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.divide(vectors, lengths, out=vectors, where=lengths > 0)
