"""gigatoken, the extra `fast`, as the engine under embedded vocabularies: the same counts, several times as fast.

It is used only where it was compared with splintr: the vocabularies below, version 0.10, every code point of Unicode in
several surroundings. Texts with known differences are kept from it: it knows the letters of Unicode 17, the other
engines those of 16.
"""

import base64
import logging
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import import_module, metadata
from itertools import filterfalse
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.tokens.tokenizer import TokenizerUnavailableError, library_call

Counts = NDArray[np.int32]
CountSlowly = Callable[[Sequence[str]], Counts]
Carried = Callable[[], Any]

_log = logging.getLogger(__name__)
_PROVEN_VERSION = "0.10."

# vocabulary: gigatoken's name for its way to cut words, number of tokens in the ranks
_VOCABULARIES = {
    "o200k_base": ("o200k", 199_998),
    "gpt-oss": ("o200k", 199_998),
    "cl100k_base": ("gpt4", 100_256),
    "qwen2": ("qwen2", 151_643),
    "qwen2.5": ("qwen2", 151_643),
    "qwen3": ("qwen2", 151_643),
    "kimi_k2": ("kimi", 163_584),
    "kimi_k3": ("kimi", 163_584),
    "phi4": ("olmo3", 100_256),
    "olmo2": ("olmo3", 100_256),
    "deepseek_v3": ("deepseek_v3", 128_000),
    "deepseek_r1": ("deepseek_v3", 128_000),
}

# All code points at which gigatoken 0.10 and splintr 0.22 ever cut differently, each new in Unicode 17, and the
# surrogates, which gigatoken refuses.
_UNSETTLED = (
    "88F C5C CDC 1ACF-1ADD 1AE0-1AEB 20C1 2B96 A7CE-A7CF A7D2 A7D4 A7F1 D800-DFFF FBC3-FBD2 FD90-FD91 "
    "FDC8-FDCE 10940-10959 10EC5-10EC7 10ED0-10ED8 10EFA-10EFB 11B60-11B67 11DB0-11DDB 11DE0-11DE9 16EA0-16EB8 "
    "16EBB-16ED3 16FF2-16FF6 187F8-187FF 18D09-18D1E 18D80-18DF2 1CCFA-1CCFC 1CEBA-1CED0 1CEE0-1CEF0 "
    "1E6C0-1E6DE 1E6E0-1E6F5 1E6FE-1E6FF 1F6D8 1F777-1F77A 1F8D0-1F8D8 1FA54-1FA57 1FA8A 1FA8E 1FAC8 1FACD "
    "1FAEA 1FAEF 1FBFA 2B73A-2B73F 2CEA2-2CEAD 323B0-33479"
)

# Loading takes 0.6 s beside the counting, so small chats do without.
_WORTH_CHARACTERS = 1_000_000

_PROBES = (
    "Hello, world! This is a test.",
    "\n\n\n\tindented\r\n    code = {'a': [1, 2, 3]}  # 1234567890",
    "don't WON'T I'll he'd THEY'RE ſ e\u0301 é ﬁ ½ ① İı ß",
    "日本語のテキスト、中文文本。 한국어 텍스트 नमस्ते العربية עברית ไทย Ελληνικά",
    "👩‍👩‍👧‍👦🏳️‍🌈 😀😍 <b>bold</b><br/>\u00a0\u200b\u3000|\x00\x07\x1f <|im_end|><|endoftext|>",
    "",
)


class FastEngine:
    """An engine that starts loading on the first large count, and is used once loaded and verified."""

    def __init__(self, vocabulary: str, carried: Carried, count_slowly: CountSlowly) -> None:
        """`carried` returns splintr's object for the vocabulary, which is loaded only once because other threads wait
        for it.

        `count_slowly` is the reference for its counts and the fallback; any thread may call it.
        """
        self._vocabulary = vocabulary
        self._carried = carried
        self._count_slowly = count_slowly
        self._count: Callable[[list[str]], Counts] | None = None
        self._seen = 0
        self._decided: Event | None = None

    @property
    def is_ready(self) -> bool:
        """Whether it is loaded and has counted all probes like the other engine."""
        return self._count is not None

    def begin(self) -> Event:
        """Start loading unless done, without waiting; the event is set once it is decided whether it counts."""
        if self._decided is None:
            self._decided = Event()
            Thread(target=self._load, args=[self._decided], name=f"gigatoken {self._vocabulary}").start()
        return self._decided

    def count(self, texts: Sequence[str]) -> Counts:
        """Return the tokens of each text."""
        if self._count is None:
            self._seen += sum(map(len, texts))
            if self._seen >= _WORTH_CHARACTERS:
                self.begin()
            return self._count_slowly(texts)
        if not _has_unsettled("".join(filterfalse(str.isascii, texts))):
            return self._count(list(texts))
        unsettled = [row for row, text in enumerate(texts) if _has_unsettled(text)]
        settled = list(texts)
        for row in unsettled:
            settled[row] = ""
        counts = self._count(settled)
        counts[unsettled] = self._count_slowly([texts[row] for row in unsettled])
        return counts

    def _load(self, decided: Event) -> None:
        try:
            with library_call("gigatoken cannot be used"):
                count = _loaded(self._vocabulary, self._carried())
                if (count(list(_PROBES)) == self._count_slowly(_PROBES)).all():
                    self._count = count
        except (OSError, TokenizerUnavailableError) as problem:
            _log.warning("gigatoken is not used: %s", problem)  # the other engine continues
        finally:
            decided.set()


def fast_engine(vocabulary: str, carried: Carried, count_slowly: CountSlowly) -> FastEngine | None:
    """Return the engine for an embedded vocabulary; None if not installed or not compared for it."""
    usable = vocabulary in _VOCABULARIES and _version().startswith(_PROVEN_VERSION)
    return FastEngine(vocabulary, carried, count_slowly) if usable else None


def _has_unsettled(text: str) -> bool:
    """Return whether the engine must not count the text, by a table: a pattern would take longer than counting."""
    if text.isascii():
        return False
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    return bool(_unsettled_table()[points].any())


@lru_cache(maxsize=1)
def _unsettled_table() -> NDArray[np.bool_]:
    table = np.zeros(sys.maxunicode + 1, np.bool_)
    for entry in _UNSETTLED.split():
        first, _, last = entry.partition("-")
        table[int(first, 16) : int(last or first, 16) + 1] = True
    return table


@lru_cache(maxsize=1)
def _version() -> str:
    try:
        return metadata.version("gigatoken")
    except metadata.PackageNotFoundError:
        return ""


def _loaded(vocabulary: str, carried: Any) -> Callable[[list[str]], Counts]:
    """Return the library's object. It reads ranks only from a file, without special tokens: all text is ordinary."""
    # An optional package, missing when types are checked.
    gigatoken: Any = import_module("gigatoken")
    cutting, tokens = _VOCABULARIES[vocabulary]
    with tempfile.TemporaryDirectory(prefix="prompt-inspector-") as folder:
        file = Path(folder) / "vocabulary.tiktoken"
        file.write_bytes(_ranks(carried, tokens))
        tokenizer = gigatoken.Tokenizer.from_tiktoken(str(file), cutting, {})

    def count(texts: list[str]) -> Counts:
        offsets = np.asarray(tokenizer.backend.encode_batch(texts).layout.offsets)
        return np.diff(offsets).astype(np.int32)

    return count


def _ranks(carried: Any, tokens: int) -> bytes:
    """Return the tokens of a vocabulary in order, in tiktoken's format; ids do not matter for mere counts."""
    specials = set(carried.special_tokens().values())
    spelled = (carried.decode_token_bytes(token) for token in range(tokens) if token not in specials)
    return b"".join(base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(spelled))
