"""Tokenizers of Hugging Face models, from the hub's cache on this machine or a folder; never from the network."""

import os
import re
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.tokens.tokenizer import TokenizerUnavailableError, prefix_of_tokens, without_surrogates

# What the fast way must count like the slow one before it is trusted: runs of white space, digits, scripts that
# normalisation changes, code, emoji, control characters.
_PROBES = (
    "Hello, world! This is a test.",
    " leading and trailing  ",
    "\n\n\n\tindented\r\n    code = {'a': [1, 2, 3]}  # 1234567890",
    "don't WON'T I'll he'd THEY'RE",
    "e\u0301 é ﬁ Å Å ½ ① İı ß ẞ",
    "日本語のテキスト、中文文本。 한국어 텍스트",
    "नमस्ते العربية עברית ไทย Ελληνικά",
    "👩‍👩‍👧‍👦🏳️‍🌈 😀😍",
    "<b>bold</b><br/>\u00a0\u200b\u3000|\x00\x07\x1f",
    "ſ ", " ", "   ", "\n", "a\u0300\u0301\u0302", "１２３４５ ⅷ", "https://example.org/a?b=c&d=%20",
)  # fmt: skip


class HuggingfaceTokenizer:
    """A tokenizer as transformers loads it; special tokens spelled out in a text are ordinary text."""

    exact = True

    def __init__(self, name: str, fingerprint: str, slow: Any, fast: Any | None, specials: Sequence[str]) -> None:
        self.name = name
        self.fingerprint = fingerprint
        self._slow = slow
        self._fast = fast
        self._special = re.compile("|".join(map(re.escape, specials)) or r"(?!)")

    def count(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """Tokens of each text, without those that begin or end a sequence."""
        return np.fromiter((len(self._tokens(without_surrogates(text))) for text in texts), np.int32, len(texts))

    def first(self, text: str, limit: int) -> str:
        """The text of the first `limit` tokens, never ending inside a code point nor counting more than `limit`."""
        if limit <= 0:
            return ""
        clean = without_surrogates(text)
        if self._count_one(clean) <= limit:
            return text
        end = self._slow.encode(clean, add_special_tokens=False).offsets[limit - 1][1]
        return prefix_of_tokens(text, clean[:end].encode(), limit, self._count_one)

    def _count_one(self, text: str) -> int:
        return int(self.count([text])[0])

    def _tokens(self, text: str) -> Sequence[int]:
        if self._fast is None or self._special.search(text):
            return self._slow.encode(text, add_special_tokens=False).ids
        return self._fast.encode_raw(text)


@lru_cache
def huggingface_tokenizer(place: str) -> HuggingfaceTokenizer:
    """The tokenizer `hf:PLACE`: a folder, or a repository that the hub's cache holds.

    TokenizerUnavailableError, with the reason, when there is none or it cannot be loaded.
    """
    folder = _folder_of(place)
    vocabulary = folder / "tokenizer.json"
    content = vocabulary.read_bytes()
    slow = _load(folder)
    specials = [token.content for token in slow.get_added_tokens_decoder().values() if token.content]
    fast = _proven_fast(content, slow, specials)
    fingerprint = f"hf:{place}@{blake2b(content, digest_size=16).hexdigest()}"
    return HuggingfaceTokenizer(f"hf:{place}", fingerprint, slow, fast, specials)


def _folder_of(place: str) -> Path:
    """The folder that holds the tokenizer.json of a place."""
    folder = Path(place).expanduser()
    if folder.is_dir():
        if (folder / "tokenizer.json").is_file():
            return folder
        raise TokenizerUnavailableError(f"{folder} holds no tokenizer.json")
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        found = try_to_load_from_cache(place, "tokenizer.json")
    except HFValidationError as problem:
        raise TokenizerUnavailableError(f"{place} is neither a folder nor the name of a repository") from problem
    if not isinstance(found, str):
        raise TokenizerUnavailableError(f"{place} is not in the cache of the Hugging Face hub")
    return Path(found).parent


def _load(folder: Path) -> Any:
    """The `tokenizers` object behind what transformers loads from the folder."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TRANSFORMERS_NO_ADVISORY_WARNINGS", "1")  # that PyTorch is absent; it is not needed
    from transformers import AutoTokenizer

    # The folder, not the repository's name: with the name transformers wants a config.json, which may not be cached.
    try:
        loaded = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    except Exception as problem:  # the library raises bare Exception for a file that it cannot read
        raise TokenizerUnavailableError(f"transformers cannot load {folder} ({problem})") from problem
    backend = loaded.backend_tokenizer
    backend.no_truncation()
    backend.no_padding()
    backend.encode_special_tokens = True
    return backend


def _proven_fast(content: bytes, slow: Any, specials: Sequence[str]) -> Any | None:
    """splintr over the same file, ten times faster, if it counts every probe alike; else None."""
    import splintr

    try:
        fast = splintr.from_json_bytes(content)
    except ValueError:
        return None
    probes = [probe for probe in _PROBES if not any(special in probe for special in specials)]
    alike = all(fast.encode_raw(probe) == slow.encode(probe, add_special_tokens=False).ids for probe in probes)
    return fast if alike else None
