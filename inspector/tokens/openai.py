"""Stock tiktoken without a network: its cache folder is filled from the embedded vocabularies before its first use."""

import hashlib
import os
import tempfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from inspector.tokens.embedded import counted, embedded_ranks, embedded_tokenizer
from inspector.tokens.tokenizer import (
    TokenizerUnavailableError,
    TokenSpans,
    library_call,
    prefix_of_tokens,
    spans_of_bytes,
    without_surrogates,
)
from inspector.writing import write_file

if TYPE_CHECKING:
    import tiktoken

_RANK_FILES = {
    # encoding: (its file of ranks, tiktoken's name of that file: the SHA-1 of its address, SHA-256 of its content)
    "o200k_base": (
        "fb374d419588a4632f3f557e76b4b70aebbca790",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    ),
    "cl100k_base": (
        "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    ),
    "p50k_base": (
        "ec7223a39ce59f226a68acc30dc1af2788490e15",
        "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069",
    ),
    "r50k_base": (
        "0ea1e91bbb3a60f729a8dc8f777fd2fc07cd8df4",
        "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
    ),
}
_RANKS_OF = {"o200k_harmony": "o200k_base", "p50k_edit": "p50k_base"}
_EMBEDDED = ("o200k_base", "cl100k_base")


class OpenaiTokenizer:
    """An encoding of tiktoken; `name` is the requested name, of the encoding or of a model."""

    exact = True

    def __init__(self, name: str, fingerprint: str, encoding: "tiktoken.Encoding") -> None:
        self.name = name
        self.fingerprint = fingerprint
        self._encoding = encoding

    def count(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """Return the tokens of each text."""
        return counted(texts, self._count_each)

    def _count_each(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """Return the tokens of each text, by a plain loop: tiktoken's own batches are slower."""
        encode = self._encoding.encode_ordinary
        try:
            with library_call(self._failure):
                return np.fromiter((len(encode(text)) for text in texts), np.int32, len(texts))
        except TokenizerUnavailableError:
            return np.fromiter((len(self._encoded(text)) for text in texts), np.int32, len(texts))

    def first(self, text: str, limit: int) -> str:
        """Return the text of the first `limit` tokens, cut between code points and counting at most `limit`."""
        if limit <= 0:
            return ""
        tokens = self._encoded(without_surrogates(text))
        if len(tokens) <= limit:
            return text
        begun = self._encoding.decode_bytes(tokens[:limit])
        return prefix_of_tokens(text, begun, limit, lambda prefix: int(self.count([prefix])[0]))

    def spans(self, text: str) -> TokenSpans:
        """Return the tokens of a text."""
        return spans_of_bytes(self._encoded(text), self._encoding.decode_single_token_bytes)

    @property
    def _failure(self) -> str:
        return f"tiktoken cannot count a text with {self.name}"

    def _encoded(self, text: str) -> list[int]:
        """Return the tokens of a text; if tiktoken fails, as o200k does at a million spaces, from splintr's copy of the
        vocabulary. Raises TokenizerUnavailableError if splintr has no copy.
        """
        try:
            with library_call(self._failure):
                return self._encoding.encode_ordinary(text)
        except TokenizerUnavailableError:
            same = _RANKS_OF.get(self._encoding.name, self._encoding.name)
            if same not in _EMBEDDED:
                raise
            return embedded_tokenizer(same).spans(text).ids.tolist()


def encoding_name(name: str) -> str | None:
    """Return the encoding for the name of an encoding or a model (`gpt-4o` → `o200k_base`); None if unknown."""
    import tiktoken

    if name in tiktoken.list_encoding_names():
        return name
    try:
        return tiktoken.encoding_name_for_model(name)
    except KeyError:
        return None


def encoding_names() -> list[str]:
    """Return all encodings known to tiktoken, available here or not."""
    import tiktoken

    return sorted(tiktoken.list_encoding_names())


@lru_cache
def openai_tokenizer(name: str, folder: Path | None = None) -> OpenaiTokenizer:
    """Return the tokenizer `tiktoken:NAME` for a NAME known to `encoding_name`.

    `folder` is tiktoken's cache folder unless the environment sets it; default: this program's cache. Raises
    TokenizerUnavailableError if the files are missing and cannot be made, because tiktoken would download them.
    """
    import tiktoken

    encoding = encoding_name(name) or name
    ranks = _RANKS_OF.get(encoding, encoding)
    if ranks not in _RANK_FILES:
        raise TokenizerUnavailableError(f"the files of {encoding} are not on this machine")
    try:
        _provide(ranks, _cache_folder(folder))
    except OSError as problem:
        raise TokenizerUnavailableError(f"tiktoken's cache cannot be written ({problem})") from problem
    fingerprint = f"tiktoken:{encoding}@{_RANK_FILES[ranks][1][:16]}"
    return OpenaiTokenizer(f"tiktoken:{name}", fingerprint, tiktoken.get_encoding(encoding))


def _cache_folder(folder: Path | None) -> Path:
    """Return the folder tiktoken will read: the user's own if the environment names it, else ours, set there now."""
    own = os.environ.get("TIKTOKEN_CACHE_DIR")
    if own is None:
        own = os.environ.get("DATA_GYM_CACHE_DIR")
    if own:
        return Path(own)
    # An empty name must be replaced, too: it tells tiktoken to download every time.
    private = folder or _private_folder()
    os.environ["TIKTOKEN_CACHE_DIR"] = str(private)
    return private


def _private_folder() -> Path:
    import platformdirs

    return platformdirs.user_cache_path("prompt-inspector", appauthor=False) / "tiktoken"


def _provide(ranks: str, folder: Path) -> None:
    """Make sure the folder holds the right file: tiktoken deletes a wrong file and downloads."""
    file_name, digest = _RANK_FILES[ranks]
    target = folder / file_name
    if _has_content(target, digest):
        return
    content = embedded_ranks(ranks) if ranks in _EMBEDDED else _from_default_cache(ranks)
    folder.mkdir(parents=True, exist_ok=True)
    write_file(target, content, opened=())


def _from_default_cache(ranks: str) -> bytes:
    """Return the file from tiktoken's default cache folder, which tiktoken ignores once another folder is set."""
    file_name, digest = _RANK_FILES[ranks]
    file = Path(tempfile.gettempdir(), "data-gym-cache", file_name)
    if not _has_content(file, digest):
        raise TokenizerUnavailableError(f"the file of {ranks} is not on this machine")
    return file.read_bytes()


def _has_content(file: Path, digest: str) -> bool:
    return file.is_file() and hashlib.sha256(file.read_bytes()).hexdigest() == digest
