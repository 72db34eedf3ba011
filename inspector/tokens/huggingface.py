"""Tokenizers of Hugging Face models, from the hub's cache on this machine or a folder; never from the network."""

import os
import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.reading.files import read_file
from inspector.reading.values import UnreadableError
from inspector.tokens.converted.backends import VOCABULARY_FILES, converted_backend, holds_vocabulary
from inspector.tokens.model_folder import ModelFolder, read_model_folder
from inspector.tokens.tokenizer import (
    TokenizerUnavailableError,
    TokenSpans,
    library_call,
    prefix_of_tokens,
    spans_of_ranges,
    without_surrogates,
)

_FILE = "tokenizer.json"
_OTHERS = "tokenizer.model, spiece.model, vocab.json with merges.txt, or vocab.txt"

# Increase it with any change of this module's rules that affects counts, to invalidate cached ones.
_RULES = 3
_LONGEST_SHOWN = 300

# The texts that both ways must count alike before the fast one is trusted: runs of white space, digits, scripts changed
# by normalisation, code, emoji, control characters, characters of Unicode 14, newer than the library's accents and
# punctuation in WordPiece, letters in no vocabulary, and an overlong word: a file with no token for them, or a missing
# one, fails only when it meets them.
_PROBES = (
    "", "Hello, world! This is a test.",
    " leading and trailing  ",
    "\n\n\n\tindented\r\n    code = {'a': [1, 2, 3]}  # 1234567890",
    "don't WON'T I'll he'd THEY'RE",
    "e\u0301 é ﬁ Å Å ½ ① İı ß ẞ",
    "日本語のテキスト、中文文本。 한국어 텍스트", "日本語 é 😀\u200d",
    "नमस्ते العربية עברית ไทย Ελληνικά",
    "👩‍👩‍👧‍👦🏳️‍🌈 😀😍",
    "<b>bold</b><br/>\u00a0\u200b\u3000|\x00\x07\x1f",
    "ſ ", " ", "   ", "\n", "a\u0300\u0301\u0302", "１２３４５ ⅷ", "https://example.org/a?b=c&d=%20",
    "a\u061db a\u0898b",
    "\U00013000\U00012000", "ж" * 300,
)  # fmt: skip


class HuggingfaceTokenizer:
    """A tokenizer run by Hugging Face's library; special tokens spelled out in a text are ordinary text.

    `exact` means it is known to count like the model's own; `chat_template` and `context_length` come from the model's
    files too, and `remarks` are sentences about them.
    """

    def __init__(
        self, name: str, fingerprint: str, slow: Any, content: bytes, model: ModelFolder, *, exact: bool = True
    ) -> None:
        """`slow` is an object of the library and `content` the equivalent tokenizer.json."""
        self.name = name
        self.fingerprint = fingerprint
        self.exact = exact
        self.chat_template = model.chat_template
        self.context_length = model.context_length
        self.remarks = model.problems
        self._slow = slow
        added = list(added_tokens(slow))
        self._special = re.compile("|".join(map(re.escape, added)) or r"(?!)")
        self._fast = _proven_fast(name, content, slow, added)

    def count(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """Return the tokens of each text, without those added at the beginning and end of a sequence."""
        with self._counting():
            return np.fromiter((len(self._tokens(without_surrogates(text))) for text in texts), np.int32, len(texts))

    def first(self, text: str, limit: int) -> str:
        """Return the text of the first `limit` tokens, cut between code points and counting at most `limit`."""
        if limit <= 0:
            return ""
        clean = without_surrogates(text)
        if self._count_one(clean) <= limit:
            return text
        end = self._encoded(clean).offsets[limit - 1][1]
        return prefix_of_tokens(text, clean[:end].encode(), limit, self._count_one)

    def spans(self, text: str) -> TokenSpans:
        """Return the tokens of a text, with the text as it was before any normalisation."""
        clean = without_surrogates(text)
        encoded = self._encoded(clean)
        return spans_of_ranges(clean, encoded.ids, encoded.offsets)

    def _counting(self) -> AbstractContextManager[None]:
        """Guard calls of the libraries: with some files they fail only at certain texts."""
        return library_call(f"{self.name} cannot count a text")

    def _encoded(self, clean: str) -> Any:
        with self._counting():
            return self._slow.encode(clean, add_special_tokens=False)

    def _count_one(self, text: str) -> int:
        return int(self.count([text])[0])

    def _tokens(self, text: str) -> Sequence[int]:
        if not text:
            return ()  # a step before counting may add text even to an empty one
        if self._fast is None or self._special.search(text):
            return self._slow.encode(text, add_special_tokens=False).ids
        return self._fast.encode_raw(text)


@lru_cache
def huggingface_tokenizer(place: str) -> HuggingfaceTokenizer:
    """Return the tokenizer `hf:PLACE`: a folder, or a repository in the hub's cache.

    It is made from the tokenizer.json; without this file, transformers' converters make it from the other files. Raises
    TokenizerUnavailableError with the reason if there is none or it cannot be loaded.
    """
    folder = _folder_of(place)
    make = tokenizer_of_folder if os.path.isfile(folder / _FILE) else _converted
    return make(f"hf:{place}", folder)


def tokenizer_of_folder(name: str, folder: Path, *remarks: str) -> HuggingfaceTokenizer:
    """Return the tokenizer of a folder with a tokenizer.json, under any name, with `remarks` put before its own."""
    file = folder / _FILE
    try:
        content = read_file(file)
    except UnreadableError as error:
        raise TokenizerUnavailableError(str(error)) from error
    return _tokenizer(name, folder, _load(file, content), content, *remarks)


def _converted(name: str, folder: Path) -> HuggingfaceTokenizer:
    """Return the tokenizer of a folder without a tokenizer.json; its fingerprint is the converted form's hash."""
    converted = converted_backend(folder)
    content = converted.backend.to_str().encode()
    return _tokenizer(name, folder, converted.backend, content, *converted.remarks, exact=not converted.remarks)


def _tokenizer(
    name: str, folder: Path, backend: Any, content: bytes, *remarks: str, exact: bool = True
) -> HuggingfaceTokenizer:
    slow = ready_backend(backend)
    model = read_model_folder(folder, added_tokens(slow))
    fingerprint = f"{name}@{_RULES}-{blake2b(content, digest_size=16).hexdigest()}"
    told = replace(model, problems=(*remarks, *model.problems))
    return HuggingfaceTokenizer(name, fingerprint, slow, content, told, exact=exact)


def expanded(place: str) -> Path:
    """Return the path of a place, with `~` expanded. Raises TokenizerUnavailableError if it cannot be a path."""
    try:
        path = Path(place).expanduser()
        path.exists()
    except (OSError, RuntimeError) as problem:  # RuntimeError: there is no such user
        what = getattr(problem, "strerror", None) or problem
        raise TokenizerUnavailableError(f"{place[:_LONGEST_SHOWN]} is no path ({what})") from problem
    return path


def ready_backend(backend: Any) -> Any:
    """Return an object of the library, set to read every text as ordinary text, whole, and always in the same way."""
    if getattr(backend.model, "dropout", None):
        backend.model.dropout = None  # for training only: it skips some merges at random
    backend.no_truncation()
    backend.no_padding()
    backend.encode_special_tokens = True
    return backend


def added_tokens(backend: Any) -> dict[str, bool]:
    """Return the tokens looked for before a text is cut into words, and whether each is special."""
    return {token.content: token.special for token in backend.get_added_tokens_decoder().values() if token.content}


def _folder_of(place: str) -> Path:
    """Return the folder with the tokenizer of a place."""
    folder = expanded(place)
    if os.path.isdir(folder):
        if os.path.isfile(folder / _FILE) or holds_vocabulary(folder):
            return folder
        raise TokenizerUnavailableError(f"{folder} holds no {_FILE}, nor another vocabulary ({_OTHERS})")
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    from huggingface_hub.errors import HFValidationError

    try:
        cached = _cached_folder(place)
    except HFValidationError as problem:
        raise TokenizerUnavailableError(f"{place} is neither a folder nor the name of a repository") from problem
    if cached is None:
        raise TokenizerUnavailableError(f"{place} is not in the cache of the Hugging Face hub")
    return cached


def _cached_folder(place: str) -> Path | None:
    """Return the folder in the hub's cache with the tokenizer of a repository."""
    from huggingface_hub import try_to_load_from_cache

    found = (try_to_load_from_cache(place, file) for file in (_FILE, *VOCABULARY_FILES))
    folders = [Path(file).parent for file in found if isinstance(file, str)]
    return next((folder for folder in folders if os.path.isfile(folder / _FILE) or holds_vocabulary(folder)), None)


def _load(file: Path, content: bytes) -> Any:
    """Return the library's object for the content of a tokenizer.json.

    Not made by transformers: from version 5 on it rebuilds some tokenizers by the class named in the folder, and then
    counts otherwise than the file, for MiniMax in three of four messages.
    """
    from tokenizers import Tokenizer

    from inspector.tokens.tokenizer_json import check_tokenizer_json

    check_tokenizer_json(content, file)
    with library_call(f"the tokenizers library cannot load {file}"):
        return Tokenizer.from_buffer(content)


def _proven_fast(name: str, content: bytes, slow: Any, specials: Sequence[str]) -> Any | None:
    """Return splintr over the same file, ten times faster, if it counts every probe alike; else None.

    Both libraries hold the interpreter while they read a file. The longest gap of another thread on two cores: splintr
    0.24 s and tokenizers 0.49 s for Llama 3 (9 MB), 0.9 s and 1.1 to 1.5 s for Gemma (33 MB), from a path, bytes or a
    string alike.
    """
    import splintr

    probes = [probe for probe in _PROBES if not any(special in probe for special in specials)]
    with library_call(f"the tokenizers library cannot count with {name}"):
        expected = [slow.encode(probe, add_special_tokens=False).ids for probe in probes]
    try:
        with library_call("splintr cannot load it"):
            fast = splintr.from_json_bytes(content)
            return fast if [fast.encode_raw(probe) for probe in probes] == expected else None
    except TokenizerUnavailableError:
        return None
