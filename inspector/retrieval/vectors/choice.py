"""The embedder for a name, or its replacement if it cannot be loaded here."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from inspector.nearest import nearest
from inspector.retrieval.vectors.embedding import Embedder, EmbedderUnavailableError
from inspector.retrieval.vectors.sentence_model import SentenceModel, minilm
from inspector.retrieval.vectors.word_vectors import WordVectors

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
