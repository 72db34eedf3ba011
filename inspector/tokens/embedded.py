"""The vocabularies inside splintr: exact counts without files or network."""

import base64
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from importlib.metadata import version
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.derived import cached_property
from inspector.tokens.fast import FastEngine, fast_engine
from inspector.tokens.tokenizer import TokenSpans, prefix_of_tokens, spans_of_bytes, without_surrogates

LONGEST_WHOLE = 1_000_000
"""Characters; longer texts are counted in pieces: all tokens of a 50 MB text at once take several times its size."""
PIECE_CHARACTERS = 200_000
"""A piece ends at the first seam after this many characters."""
_PIECES_AT_ONCE = 8  # for engines that count several texts in parallel
_BEFORE, _BEHIND = r"[A-Za-z0-9,;.)\]}]", r"""[A-Za-z0-9"(\[{]"""
_BLANK = re.compile(f"{_BEFORE}(?= {_BEHIND})")
_SPACE_OR_LINE = re.compile(f"{_BEFORE}(?:(?= {_BEHIND})|\n(?={_BEHIND}))")

Count = Callable[[Sequence[str]], NDArray[np.int32]]


def counted(texts: Sequence[str], count: Count, adds_space: Callable[[], bool] = lambda: False) -> NDArray[np.int32]:
    """Return the tokens of each text, the long ones in pieces.

    With `adds_space`, for tokenizers like SentencePiece that add a space before every text, pieces lack their first
    space.
    """
    long = [row for row, text in enumerate(texts) if len(text) > LONGEST_WHOLE]
    if not long:
        return count(texts)
    short = list(texts)
    for row in long:
        short[row] = ""
    counts = count(short)
    for row in long:
        counts[row] = _sum(pieces_of(texts[row], without_space=adds_space()), count)
    return counts


def _sum(pieces: Iterator[str], count: Count) -> int:
    total = 0
    while some := list(islice(pieces, _PIECES_AT_ONCE)):
        total += int(count(some).sum())
    return total


def pieces_of(text: str, *, without_space: bool = False) -> Iterator[str]:
    """Yield the pieces of a text; `without_space` drops the space of the seam at the beginning of a piece."""
    pattern, start = _BLANK if without_space else _SPACE_OR_LINE, 0
    while seam := pattern.search(text, start + PIECE_CHARACTERS - 1):
        yield text[start : seam.end()]
        start = seam.end() + without_space
    yield text[start:]


EMBEDDED_NAMES: tuple[str, ...] = (
    *("cl100k_base", "o200k_base", "gpt-oss", "llama2", "llama3", "llama3.1", "llama3.2", "llama3.3", "codellama"),
    *("qwen2", "qwen2.5", "qwen3", "gemma2", "gemma3", "gemma4", "deepseek_v3", "deepseek_r1", "glm4", "glm4.5"),
    *("kimi_k2", "kimi_k3", "phi4", "olmo2", "mistral_v1", "mistral_v2", "mistral_v3"),
)

# Vocabularies that are another of splintr's: R1, V3.1 and V3.2 have tokens for thoughts, which V3 has not.
_CARRIED_AS = {"deepseek_r1": "deepseek_v3"}

# The numbers of tokens in the official files: the vocabularies hold more, for the marks of chats.
_RANKS = {"o200k_base": 199_998, "cl100k_base": 100_256}

# Increase it with any change of this module's rules that affects counts, to invalidate cached ones.
_RULES = 4

_SPACE = "▁".encode()

# Lists are copied while the interpreter is held; with parts of this size other threads wait 2 ms at most.
_TEXTS_PER_CALL = 1000

# Each special token of a vocabulary contains a mark listed here, so texts without marks may take the fast way.
_MARKS = {"cl100k_base": ("<|",), "o200k_base": ("<|",), "gpt-oss": ("<|",)}
_MARKS_OF_OTHERS = ("<", "[", "|||", "/nothink")

# Gemma's tags, such as <table>, are tokens everywhere, but its chat marks are not when typed.
_WITH_SYMBOLS = ("gemma2", "gemma3")
_CHAT_MARKS = ("<start_of_turn>", "<end_of_turn>", "<start_of_image>", "<end_of_image>")

# Longer texts are cut at the symbols here: for alternating spaces and line feeds, `encode` takes quadratic time.
_LONGEST_AT_ONCE = 10_000

# Added, but not special tokens in Hugging Face's files: they are tokens everywhere, even for a tokenizer set to split
# special tokens.
_CODE_SYMBOLS = (
    *("<tool_call>", "</tool_call>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|fim_pad|>"),
    *("<|repo_name|>", "<|file_sep|>"),
)
_THOUGHTS = ("<think>", "</think>")
_RESULTS = ("<tool_response>", "</tool_response>")
_OF_DEEPSEEK = (
    *("User", "Assistant", "fim▁hole", "fim▁begin", "fim▁end", "tool▁sep", "tool▁calls▁begin", "tool▁calls▁end"),
    *("tool▁call▁begin", "tool▁call▁end", "tool▁outputs▁begin", "tool▁outputs▁end"),
    *("tool▁output▁begin", "tool▁output▁end"),
)
SYMBOLS: dict[str, tuple[str, ...]] = {
    "qwen2.5": _CODE_SYMBOLS,
    "qwen3": (*_CODE_SYMBOLS, *_RESULTS, *_THOUGHTS),
    "deepseek_v3": tuple(f"<｜{name}｜>" for name in _OF_DEEPSEEK),
    "deepseek_r1": (*_THOUGHTS, *(f"<｜{name}｜>" for name in _OF_DEEPSEEK)),
    "glm4.5": (
        *(*_CODE_SYMBOLS[:2], *_RESULTS, *_THOUGHTS, "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>"),
        *("<|begin_of_box|>", "<|end_of_box|>", "<|image|>", "<|video|>"),
    ),
    "olmo2": (
        *("|||PHONE_NUMBER|||", "|||EMAIL_ADDRESS|||", "|||IP_ADDRESS|||"),
        *(f"<|extra_id_{number}|>" for number in range(11)),
    ),
}


@lru_cache
def embedded_tokenizer(name: str) -> "EmbeddedTokenizer":
    """Return the tokenizer of an embedded vocabulary, always the same object; `name` is in EMBEDDED_NAMES."""
    return EmbeddedTokenizer(name)


def embedded_ranks(name: str) -> bytes:
    """Return an embedded vocabulary of OpenAI's in tiktoken's file format: a line of base64 and rank for each token."""
    import splintr

    vocabulary = splintr.Tokenizer.from_pretrained(name)
    tokens = (vocabulary.decode_token_bytes(rank) for rank in range(_RANKS[name]))
    return b"".join(base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(tokens))


class EmbeddedTokenizer:
    """A vocabulary inside splintr, loaded at its first count."""

    exact = True

    def __init__(self, vocabulary: str) -> None:
        self.name = f"embedded:{vocabulary}"
        # The package's version identifies the vocabulary, which is part of the package.
        made_by = f"splintr-rs {version('splintr-rs')} {vocabulary} {_RULES}"
        self.fingerprint = f"{self.name}@{blake2b(made_by.encode(), digest_size=8).hexdigest()}"
        self._vocabulary_name = vocabulary
        self._normalizes = vocabulary.startswith("qwen")
        self._marks = _MARKS.get(vocabulary, _MARKS_OF_OTHERS)

    def count(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """Return the tokens of each text. Other threads run meanwhile."""
        return counted(texts, self._count_each, lambda: self._dummy_bytes > 0)

    def first(self, text: str, limit: int) -> str:
        """Return the text of the first `limit` tokens, cut between code points and counting at most `limit`."""
        if limit <= 0:
            return ""
        tokens = self._encode(self._prepared(without_surrogates(text)))
        if len(tokens) <= limit:
            return text
        begun = b"".join(map(self._spelled, tokens[:limit]))[self._dummy_bytes :]
        return prefix_of_tokens(text, begun, limit, self._count_one)

    def spans(self, text: str) -> TokenSpans:
        """Return the tokens of a text; the first includes SentencePiece's space before it, and may be nothing else."""
        tokens = self._encode(self._prepared(without_surrogates(text)))
        return spans_of_bytes(tokens, self._spelled, self._dummy_bytes)

    @cached_property
    def _vocabulary(self) -> Any:
        """splintr's object. Its creation blocks every other thread, and no way around it was found.

        The longest gap of a thread that beats each millisecond, on two cores: o200k_base 45 ms, llama3 and qwen2.5 30
        to 60 ms, gemma3 120 to 170 ms, gemma4 600 to 750 ms. All other ways hold the interpreter too, and longer: for
        o200k_base `Tokenizer.from_bytes` 176 ms, `Tokenizer` of a file 189 ms, `tiktoken.Encoding` 194 ms. The objects
        cannot be sent from another process.
        """
        import splintr

        return splintr.Tokenizer.from_pretrained(_CARRIED_AS.get(self._vocabulary_name, self._vocabulary_name))

    @cached_property
    def _encode(self) -> Callable[[str], list[int]]:
        if self._vocabulary_name in (*_WITH_SYMBOLS, *SYMBOLS):
            return self._encode_around_symbols
        return self._vocabulary.encode_ordinary

    def _encode_around_symbols(self, text: str) -> list[int]:
        """Return the tokens by `encode`, which knows the symbols, but with special tokens read as ordinary text."""
        at_once = self._vocabulary_name in _WITH_SYMBOLS and len(text) <= _LONGEST_AT_ONCE
        if at_once and not self._special.search(text):
            return self._vocabulary.encode(text)
        encoders = (self._vocabulary.encode_ordinary, self._vocabulary.encode)
        parts = enumerate(self._symbol.split(text))
        return [token for number, part in parts for token in encoders[number % 2](part)]

    @cached_property
    def _special(self) -> re.Pattern[str]:
        return _any_of({*self._vocabulary.special_tokens(), *_CHAT_MARKS})

    @cached_property
    def _symbol(self) -> re.Pattern[str]:
        """A pattern for the symbols, as a group: strings found only by `encode` and not special."""
        if self._vocabulary_name in SYMBOLS:
            return _any_of(SYMBOLS[self._vocabulary_name])
        spelled = map(self._vocabulary.decode_token_bytes, range(self._vocabulary.vocab_size))
        tags = {token.decode() for token in spelled if token[:1] in b"<[" and token[-1:] in b">]" and token.isascii()}
        encode, encode_ordinary = self._vocabulary.encode, self._vocabulary.encode_ordinary
        symbols = {tag for tag in tags if len(encode(tag)) == 1 < len(encode_ordinary(tag))}
        # A run of SentencePiece's sign for spaces is a symbol if typed as such, before spaces become the same sign.
        symbols |= {run for length in range(2, 32) if len(encode(run := _SPACE.decode() * length)) == 1}
        return _any_of(symbols - {*self._vocabulary.special_tokens(), *_CHAT_MARKS})

    @cached_property
    def _dummy_bytes(self) -> int:
        """The number of bytes the vocabulary puts before a text: 1 for SentencePiece's space, else 0."""
        return len(b"".join(map(self._spelled, self._encode("a")))) - 1

    def _spelled(self, token: int) -> bytes:
        """Return the bytes of a token; Gemma 4's vocabulary has SentencePiece's sign for a space."""
        spelled = self._vocabulary.decode_token_bytes(token) or self._vocabulary.decode_with_special([token]).encode()
        return spelled.replace(_SPACE, b" ") if self._vocabulary_name == "gemma4" else spelled

    def _prepared(self, text: str) -> str:
        return unicodedata.normalize("NFC", text) if self._normalizes else text

    def _count_one(self, text: str) -> int:
        return int(self.count([text])[0])

    def _count_each(self, texts: Sequence[str]) -> NDArray[np.int32]:
        try:
            return self._count_clean(texts)
        except UnicodeEncodeError:
            return self._count_clean([without_surrogates(text) for text in texts])

    def _count_clean(self, texts: Sequence[str]) -> NDArray[np.int32]:
        prepared = list(map(self._prepared, texts)) if self._normalizes else texts
        return self.engine.count(prepared) if self.engine else self._count_prepared(prepared)

    @cached_property
    def engine(self) -> FastEngine | None:
        """The faster engine, if the extra `fast` is installed and knows this vocabulary.

        Its counts are identical, so the fingerprint does not name the engine, and both share the cache.
        """
        return fast_engine(self._vocabulary_name, lambda: self._vocabulary, self._count_prepared)

    def _count_prepared(self, prepared: Sequence[str]) -> NDArray[np.int32]:
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
        """Return the rows of texts that may spell out a special token or are too long for a single call."""
        found = {row for mark in self._marks for row, text in enumerate(texts) if mark in text}
        if self._vocabulary_name in _WITH_SYMBOLS:
            found.update(row for row, text in enumerate(texts) if len(text) > _LONGEST_AT_ONCE)
        return sorted(found)

    def _count_batch(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """Return counts by `encode`: wrong for texts spelling a special token, three times as fast for all others."""
        parts = [np.empty(0, np.int32)]
        for start in range(0, len(texts), _TEXTS_PER_CALL):
            _ids, offsets = self._vocabulary.encode_batch_flat(list(texts[start : start + _TEXTS_PER_CALL]))
            parts.append(np.diff(np.frombuffer(offsets, np.int64)).astype(np.int32))
        return np.concatenate(parts)


def _any_of(strings: Iterable[str]) -> re.Pattern[str]:
    """Return a group matching any of the strings, the longest first."""
    return re.compile("(" + "|".join(map(re.escape, sorted(strings, key=len, reverse=True))) + ")")


def ids_in(vocabulary: str) -> Callable[[str], list[int]]:
    """Return a function from a text to its ids; special tokens spelled out in the text are ordinary text."""
    encode = _vocabulary(vocabulary).encode_ordinary

    def ids(text: str) -> list[int]:
        try:
            return encode(text)
        except UnicodeEncodeError:
            return encode(without_surrogates(text))

    return ids


@lru_cache
def _vocabulary(name: str) -> Any:
    import splintr

    return splintr.Tokenizer.from_pretrained(_CARRIED_AS.get(name, name))
