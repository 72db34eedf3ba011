"""check_tokenizer passes every kind of built-in tokenizer, and refuses tokenizers that break one rule each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tokenizers import models

from inspector.testing import check_tokenizer
from inspector.tokens import packaged
from inspector.tokens.choice import load_tokenizer
from inspector.tokens.embedded import EMBEDDED_NAMES, embedded_ranks
from inspector.tokens.estimate import ESTIMATORS
from inspector.tokens.gguf.tokenizer import gguf_tokenizer
from inspector.tokens.huggingface import huggingface_tokenizer
from inspector.tokens.packaged import RanksTokenizer
from inspector.tokens.reconstructed.tokenizer import RECONSTRUCTED_NAMES
from inspector.tokens.standin.tokenizer import STANDIN_NAMES
from inspector.tokens.tokenizer import longest_prefix, prefix_of_tokens, spans_of_bytes, without_surrogates
from tests.examples import OF_EACH_KIND, cases
from tests.tokens.test_gguf import _header, _trained, _values
from tests.tokens.test_huggingface import ALPHABET, SPECIALS, trainers
from tests.tokens.test_huggingface import _trained as trained_folder
from tests.tokens.test_spans import _folder as sentence_piece_folder

NAMES = [
    *cases((f"embedded:{name}" for name in EMBEDDED_NAMES), [f"embedded:{name}" for name in OF_EACH_KIND]),
    *ESTIMATORS,
    *(f"reconstructed:{name}" for name in RECONSTRUCTED_NAMES),
    *(f"standin:{name}" for name in STANDIN_NAMES),
    "tiktoken:o200k_base",
    "tiktoken:gpt-4",
]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_always_here_keeps_the_rules(name: str) -> None:
    assert check_tokenizer(load_tokenizer(name)) is None


def test_folders_of_hugging_face_keep_the_rules(tmp_path: Path) -> None:
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=SPECIALS, initial_alphabet=ALPHABET, show_progress=False
    )
    check_tokenizer(huggingface_tokenizer(str(trained_folder(tmp_path / "letters", models.BPE(), trainer))))
    check_tokenizer(huggingface_tokenizer(str(sentence_piece_folder(tmp_path / "pieces", True))))


def test_gguf_files_keep_the_rules(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").write_bytes(_header(_values(_trained("qwen2"), "qwen2")))
    assert check_tokenizer(gguf_tokenizer(str(tmp_path / "model.gguf"))) is None


def test_ranks_of_packages_keep_the_rules() -> None:
    pattern = next(package.pattern for package in packaged.PACKAGES if package.pattern)
    assert check_tokenizer(RanksTokenizer("hf:Qwen/Qwen3.5-27B", embedded_ranks("o200k_base"), pattern, "")) is None


Counting = Callable[[Sequence[str]], Any]


def bytes_of(text: str) -> bytes:
    return without_surrogates(text).encode()


def byte_counts(texts: Sequence[str]) -> Any:
    return np.fromiter((len(bytes_of(text)) for text in texts), np.int32, len(texts))


def byte_spans(text: str) -> Any:
    return spans_of_bytes(list(bytes_of(text)), lambda byte: bytes([byte]))


def first_bytes(text: str, limit: int) -> Any:
    if limit <= 0:
        return ""
    whole = bytes_of(text)
    if len(whole) <= limit:
        return text
    return prefix_of_tokens(text, whole[:limit], limit, lambda begun: len(bytes_of(begun)))


@dataclass(frozen=True)
class Bytes:
    """Each byte is a token; every part can be another one."""

    name: Any = "bytes:all"
    print: Any = "bytes:all@1"
    exact: Any = True
    counted: Counting = byte_counts
    begun: Callable[[str, int], Any] = first_bytes
    shown: Callable[[str], Any] = byte_spans

    @property
    def fingerprint(self) -> Any:
        return self.print() if callable(self.print) else self.print

    def count(self, texts: Sequence[str]) -> Any:
        return self.counted(texts)

    def first(self, text: str, limit: int) -> Any:
        return self.begun(text, limit)

    def spans(self, text: str) -> Any:
        return self.shown(text)


def words(texts: Sequence[str]) -> Any:
    return np.fromiter((len(text.split()) for text in texts), np.int32, len(texts))


WORDS = Bytes(
    "words:all",
    "words:1",
    False,
    words,
    lambda text, limit: longest_prefix(text, limit, lambda begun: len(begun.split())),
    lambda text: None,
)
CALLS = count()


def raising(*_: Any) -> Any:
    raise ZeroDivisionError("no tokens at all")


def other_spans(**changes: Any) -> Callable[[str], Any]:
    def spans(text: str) -> Any:
        usual = byte_spans(text)
        return replace(usual, **{name: change(usual) for name, change in changes.items()})

    return spans


def grown_by_calls() -> Counting:
    """Counts more from the second time on that the same texts, the empty one first, are counted together."""
    calls = count()
    return lambda texts: byte_counts(texts) * (2 if len(texts) > 1 and not texts[0] and next(calls) else 1)


BROKEN: dict[str, tuple[Bytes, dict[str, Any]]] = {
    "its name is 'bytes', expected one such as": (Bytes(), {"name": "bytes"}),
    "its name is None": (Bytes(), {"name": None}),
    "its fingerprint is '', expected": (Bytes(), {"print": ""}),
    "its fingerprint is 'embedded:llama3@1', expected a text that begins with bytes:": (
        Bytes(),
        {"print": "embedded:llama3@1"},
    ),
    "another one in every run": (Bytes(), {"print": f"bytes:{object()}"}),
    r"its fingerprint was bytes:\d+ and now is": (Bytes(), {"print": lambda: f"bytes:{next(CALLS)}"}),
    "exact is 'yes'": (Bytes(), {"exact": "yes"}),
    "raised ZeroDivisionError: no tokens at all": (Bytes(), {"counted": raising}),
    r"count\(.*\) raised UnicodeEncodeError": (
        Bytes(),
        {"counted": lambda texts: byte_counts([text.encode().decode() for text in texts])},
    ),
    "count returned .* expected an array of as many 32-bit": (
        Bytes(),
        {"counted": lambda texts: byte_counts(texts).tolist()},
    ),
    "32-bit integers": (Bytes(), {"counted": lambda texts: byte_counts(texts).astype(float)}),
    "for 0 texts": (Bytes(), {"counted": lambda texts: byte_counts(texts or ["a"])}),
    "is below 0": (Bytes(), {"counted": lambda texts: -byte_counts(texts)}),
    "the empty text has tokens": (Bytes(), {"counted": lambda texts: byte_counts(texts) + 1}),
    r"tokens alone and \d+ among others": (
        Bytes(),
        {"counted": lambda texts: byte_counts(texts) * (1 if len(texts) < 2 else 2)},
    ),
    "in another order": (
        Bytes(),
        {"counted": lambda texts: byte_counts(texts) * (2 if len(texts) > 1 and not texts[-1] else 1)},
    ),
    "other counts the second time": (Bytes(), {"counted": grown_by_calls()}),
    "it is not exact, and yet has tokens": (Bytes(), {"exact": False}),
    "it is exact, so it has tokens to show": (WORDS, {"exact": True}),
    r"spans\('a'\) raised ZeroDivisionError": (
        Bytes(),
        {"shown": lambda text: raising() if text else byte_spans(text)},
    ),
    "the ids of its spans are 32-bit": (Bytes(), {"shown": other_spans(ids=lambda usual: usual.ids.astype(np.int64))}),
    "is 1 tokens, but has 0 ids": (
        Bytes(),
        {"shown": other_spans(ids=lambda usual: usual.ids[1:], ends=lambda usual: usual.ends[1:])},
    ),
    "do not end in order": (Bytes(), {"shown": other_spans(ends=lambda usual: usual.ends[::-1])}),
    "not at the end of the text": (Bytes(), {"shown": other_spans(ends=lambda usual: usual.ends // 2)}),
    "are of another text": (Bytes(), {"shown": other_spans(text=lambda usual: usual.text.swapcase())}),
    r"first\('a', 1\) is 'b', which is no prefix": (
        Bytes(),
        {"begun": lambda text, limit: first_bytes(text, limit).replace("a", "b")},
    ),
    "which is no prefix": (Bytes(), {"begun": lambda text, limit: None}),
    r"first\('a', -1\) counts 1": (Bytes(), {"begun": lambda text, limit: text}),
    "though the whole text counts": (Bytes(), {"begun": lambda text, limit: first_bytes(text, limit - 1)}),
    r"though '.*' counts no more than \d+ either": (
        Bytes(),
        {"begun": lambda text, limit: first_bytes(text, limit if limit >= len(bytes_of(text)) else limit - 1)},
    ),
    r"though 'Hello, ' counts no more than 1 either": (
        WORDS,
        {"begun": lambda text, limit: text if len(text.split()) <= limit else " ".join(text.split()[: max(limit, 0)])},
    ),
}


def test_what_the_broken_ones_are_made_from_is_sound() -> None:
    assert check_tokenizer(Bytes()) is None
    assert check_tokenizer(WORDS) is None


@pytest.mark.parametrize("sentence", BROKEN)
def test_a_tokenizer_that_breaks_a_rule_is_refused(sentence: str) -> None:
    sound, changes = BROKEN[sentence]
    with pytest.raises(AssertionError, match=f"Bytes: .*{sentence}"):
        check_tokenizer(replace(sound, **changes))


def test_a_tokenizer_has_all_its_parts() -> None:
    with pytest.raises(AssertionError, match="object: 'object' object has no attribute 'name'"):
        check_tokenizer(object())  # type: ignore[arg-type]
