"""Which embedder a name means, and what stands in for one that cannot be had here."""

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
    """The name is none that this program knows; the message lists those that it does."""


@dataclass(frozen=True, slots=True)
class EmbedderChoice:
    """The embedder, None where none can be had, and a sentence that says which and why."""

    embedder: Embedder | None
    reason: str


def choose_embedder(requested: str) -> EmbedderChoice:
    """The embedder for `auto` or a name such as `minilm` or `hf:FOLDER`. UnknownEmbedderError for any other name."""
    name = _EMBEDDED if requested == AUTO else requested
    try:
        embedder = load_embedder(name)
    except EmbedderUnavailableError as problem:
        return EmbedderChoice(None, f"{name} cannot be had here ({problem}): words are compared instead.")
    return EmbedderChoice(embedder, f"{embedder.name} makes the vectors.")


@lru_cache
def load_embedder(name: str) -> Embedder:
    """The embedder of that name, always the same object for the same name.

    UnknownEmbedderError for a name that nobody has; EmbedderUnavailableError for what cannot be had here.
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
"""The names that a picker offers; beside them there is `hf:FOLDER`."""
