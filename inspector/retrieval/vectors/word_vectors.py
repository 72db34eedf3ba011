"""The embedder `wordllama`: a vector for each token, averaged over the text. Only the package's weights are used.

Weights: github.com/dleemiller/WordLlama, MIT, `l2_supercat_256.safetensors`: 32,000 tokens of Llama 2 × 256 in half
precision. The vectors are those of `WordLlama.embed(texts, norm=True)`; its own code takes six times as long.
"""

from collections.abc import Sequence
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from inspector.derived import cached_property
from inspector.retrieval.vectors.embedding import EmbedderUnavailableError
from inspector.tokens.token_ids import ids_in

F32 = NDArray[np.float32]

_WEIGHTS = "weights/l2_supercat_256.safetensors"
_VOCABULARY = "llama2"

# Increase it with any change of this module's rules that affects vectors, to invalidate cached ones.
_RULES = 1


class WordVectors:
    """The average of the vectors of a text's tokens. Raises EmbedderUnavailableError if the weights are missing."""

    name = "wordllama"
    quick = True
    chunk = 1000

    def __init__(self) -> None:
        self._weights = _weights_file()

    @property
    def fingerprint(self) -> str:
        """The name, and a hash of the weights and of this module's rules."""
        return f"{self.name}@{self._hash}"

    @cached_property
    def _hash(self) -> str:
        weights = self._weights.read_bytes()
        return blake2b(weights, digest_size=8, person=f"rules {_RULES}".encode()).hexdigest()

    def embed(self, texts: Sequence[str]) -> F32:
        """Return a row of 256 numbers and length 1 for each text; zeros for an empty text."""
        ids_of = ids_in(_VOCABULARY)
        sums = np.zeros((len(texts), self._tokens.shape[1]), np.float32)
        # Text by text: numpy's reduceat over all of them at once takes forty times as long.
        for row, text in enumerate(texts):
            self._tokens.take(ids_of(text), axis=0).sum(axis=0, out=sums[row])
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        return np.divide(sums, lengths, out=sums, where=lengths > 0)

    @cached_property
    def _tokens(self) -> F32:
        from safetensors.numpy import load_file

        return load_file(self._weights)["embedding.weight"].astype(np.float32)


def _weights_file() -> Path:
    """Return the file with the package's weights, found without importing the package."""
    package = find_spec("wordllama")
    folders = package.submodule_search_locations if package else None
    for folder in folders or ():
        if (file := Path(folder) / _WEIGHTS).is_file():
            return file
    raise EmbedderUnavailableError("the package wordllama is not installed here; it has no wheel for some platforms")
