"""The vocabularies that splintr carries inside: exact counts with no file and no network."""

import base64
import unicodedata
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from hashlib import blake2b
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.tokens.tokenizer import prefix_of_tokens, without_surrogates

EMBEDDED_NAMES: tuple[str, ...] = (
    *("cl100k_base", "o200k_base", "gpt-oss", "llama2", "llama3", "llama3.1", "llama3.2", "llama3.3", "codellama"),
    *("qwen2", "qwen2.5", "qwen3", "gemma2", "gemma3", "gemma4", "deepseek_v3", "glm4", "glm4.5", "kimi_k2", "kimi_k3"),
    *("phi4", "olmo2", "mistral_v1", "mistral_v2", "mistral_v3"),
)

# How many tokens the official files have: the vocabularies hold more, for the marks of chats.
_RANKS = {"o200k_base": 199_998, "cl100k_base": 100_256}

# Goes up when a rule of this module changes what is counted, so that no old count is read from the cache.
_RULES = 1

# Long lists are copied while the interpreter is held; in parts of this size another thread waits 2 ms at most.
_TEXTS_PER_CALL = 1000

# Each special token of a vocabulary contains one of its marks: a text without them may take the fast way.
_MARKS = {"cl100k_base": ("<|",), "o200k_base": ("<|",), "gpt-oss": ("<|",)}
_MARKS_OF_OTHERS = ("<", "[", "|||", "/nothink")


@lru_cache
def embedded_tokenizer(name: str) -> "EmbeddedTokenizer":
    """The tokenizer of an embedded vocabulary, always the same object; `name` is one of EMBEDDED_NAMES."""
    return EmbeddedTokenizer(name)


def embedded_ranks(name: str) -> bytes:
    """An embedded vocabulary of OpenAI's as a file in tiktoken's format: a line of base64 and rank for each token."""
    import splintr

    vocabulary = splintr.Tokenizer.from_pretrained(name)
    tokens = (vocabulary.decode_token_bytes(rank) for rank in range(_RANKS[name]))
    return b"".join(base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(tokens))


class EmbeddedTokenizer:
    """A vocabulary inside splintr, loaded when it first counts."""

    exact = True

    def __init__(self, vocabulary: str) -> None:
        self.name = f"embedded:{vocabulary}"
        # The package's version stands for the vocabulary, which is a part of it and cannot change apart.
        made_by = f"splintr-rs {version('splintr-rs')} {vocabulary} {_RULES}"
        self.fingerprint = f"{self.name}@{blake2b(made_by.encode(), digest_size=8).hexdigest()}"
        self._vocabulary_name = vocabulary
        self._normalizes = vocabulary.startswith("qwen")
        self._marks = _MARKS.get(vocabulary, _MARKS_OF_OTHERS)
        self._is_gemma = vocabulary.startswith("gemma")

    def count(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """Tokens of each text. Other threads go on meanwhile."""
        counts = np.zeros(len(texts), np.int32)
        for start in range(0, len(texts), _TEXTS_PER_CALL):
            part = texts[start : start + _TEXTS_PER_CALL]
            try:
                counts[start : start + len(part)] = self._count_part(part)
            except UnicodeEncodeError:
                counts[start : start + len(part)] = self._count_part([without_surrogates(text) for text in part])
        return counts

    def first(self, text: str, limit: int) -> str:
        """The text of the first `limit` tokens, never ending inside a code point nor counting more than `limit`."""
        if limit <= 0:
            return ""
        tokens = self._encode(self._prepared(without_surrogates(text)))
        if len(tokens) <= limit:
            return text
        begun = b"".join(map(self._vocabulary.decode_token_bytes, tokens[:limit]))[self._dummy_bytes :]
        return prefix_of_tokens(text, begun, limit, self._count_one)

    @cached_property
    def _vocabulary(self) -> Any:
        import splintr

        return splintr.Tokenizer.from_pretrained(self._vocabulary_name)

    @cached_property
    def _encode(self) -> Callable[[str], list[int]]:
        """Gemma's runs of newlines and HTML tags are tokens that only `encode` finds; for others it is wrong."""
        return self._vocabulary.encode if self._is_gemma else self._vocabulary.encode_ordinary

    @cached_property
    def _dummy_bytes(self) -> int:
        """How many bytes the vocabulary puts before a text: 1 for SentencePiece's space, else 0."""
        return len(b"".join(map(self._vocabulary.decode_token_bytes, self._encode("a")))) - 1

    def _prepared(self, text: str) -> str:
        return unicodedata.normalize("NFC", text) if self._normalizes else text

    def _count_one(self, text: str) -> int:
        return int(self.count([text])[0])

    def _count_part(self, texts: Sequence[str]) -> NDArray[np.int32]:
        prepared = list(map(self._prepared, texts)) if self._normalizes else texts
        if self._is_gemma:
            return self._count_batch(prepared)
        careful = self._rows_with_marks(prepared)
        if not careful:
            return self._count_batch(prepared)
        plain = list(prepared)
        for row in careful:
            plain[row] = ""
        counts = self._count_batch(plain)
        counts[careful] = [len(self._encode(prepared[row])) for row in careful]
        return counts

    def _rows_with_marks(self, texts: Sequence[str]) -> list[int]:
        """The rows of texts in which a special token may be spelled out."""
        return sorted({row for mark in self._marks for row, text in enumerate(texts) if mark in text})

    def _count_batch(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """As `encode` counts: wrong for a text that spells a special, three times as fast for all others."""
        _ids, offsets = self._vocabulary.encode_batch_flat(list(texts))
        return np.diff(np.frombuffer(offsets, np.int64)).astype(np.int32)
