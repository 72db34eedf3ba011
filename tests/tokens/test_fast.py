"""The faster engine of the extra `fast`: the same counts as without it, for every code point; skips without it."""

import sys
import unicodedata
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from inspector.tokens import fast
from inspector.tokens.embedded import EMBEDDED_NAMES, EmbeddedTokenizer, embedded_tokenizer
from inspector.tokens.fast import FastEngine, fast_engine
from tests.examples import examples

COMPARED = [name for name in EMBEDDED_NAMES if name in fast._VOCABULARIES]
TEXTS = st.one_of(
    st.text(max_size=60),
    st.text(st.sampled_from("ab Z\n\r\t'1239.,<|>éß漢字かな한😀\u0301\u3000ſ=/\ud83d\u0c5c\U000323b0"), max_size=60),
    st.sampled_from(["<|im_end|>", "<|endoftext|> a", "[INST]", "</s>x", "<think>\n\n\n", "I'LL DON't", "=" * 40]),
)


def _slowly(texts: Sequence[str]) -> NDArray[np.int32]:
    return np.fromiter(map(len, texts), np.int32, len(texts))


@pytest.fixture(scope="module")
def installed() -> None:
    pytest.importorskip("gigatoken")


@pytest.fixture
def pretended(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The engine as if it were installed, counting code points, and the texts that it was given."""
    given_texts: list[list[str]] = []

    def loaded(vocabulary: str, carried: object):
        def count(texts: list[str]) -> NDArray[np.int32]:
            given_texts.append(texts)
            return _slowly(texts)

        return count

    monkeypatch.setattr(fast, "_loaded", loaded)
    monkeypatch.setattr(fast, "_version", lambda: "0.10.3")
    return given_texts


def test_without_room_for_its_file_the_other_engine_counts_on(
    pretended: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(fast, "_loaded", full)
    engine = fast_engine("o200k_base", str, _slowly)
    assert engine is not None
    assert engine.begin().wait(10)
    assert not engine.is_ready
    assert engine.count(["ab", "c"]).tolist() == [2, 1]


def test_it_loads_when_a_lot_is_counted_and_is_given_what_it_may_count(pretended: list[list[str]]) -> None:
    engine = fast_engine("o200k_base", str, _slowly)
    assert engine is not None
    assert engine.count(["ab", "c"]).tolist() == [2, 1]
    assert (pretended, engine.is_ready) == ([], False)
    engine.count(["a" * 1_000_000])
    assert engine.begin().wait(10)
    assert engine.is_ready
    del pretended[:]
    assert engine.count(["ab", "\U000323b0bc", "é"]).tolist() == [2, 3, 1]
    assert pretended == [["ab", "", "é"]]


def test_it_is_not_taken_when_it_counts_a_probe_otherwise(pretended: list[list[str]]) -> None:
    engine = FastEngine("o200k_base", str, lambda texts: _slowly(texts) + (1 if len(texts) > 1 else 0))
    assert engine.begin().wait(10)
    assert not engine.is_ready
    assert engine.count(["abc"]).tolist() == [3]
    assert pretended == [list(fast._PROBES)]


@pytest.mark.parametrize("version", ["", "0.9.9", "0.11.0", "1.0"])
def test_other_versions_and_vocabularies_are_not_trusted(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast, "_version", lambda: version)
    assert fast_engine("o200k_base", str, _slowly) is None
    monkeypatch.setattr(fast, "_version", lambda: "0.10.0")
    assert fast_engine("llama3", str, _slowly) is None
    assert fast_engine("gemma3", str, _slowly) is None


def _with_and_without(name: str) -> tuple[EmbeddedTokenizer, EmbeddedTokenizer]:
    quick, plain = EmbeddedTokenizer(name), EmbeddedTokenizer(name)
    plain.__dict__["engine"] = None
    assert quick.engine is not None
    assert quick.engine.begin().wait(60)
    assert quick.engine.is_ready
    return quick, plain


@pytest.mark.parametrize("name", COMPARED)
def test_random_texts_count_the_same(name: str, installed: None) -> None:
    quick, plain = _with_and_without(name)

    @given(texts=st.lists(TEXTS, max_size=20))
    @examples(300)
    def check(texts: list[str]) -> None:
        assert quick.count(texts).tolist() == plain.count(texts).tolist()

    check()
    assert quick.fingerprint == plain.fingerprint == embedded_tokenizer(name).fingerprint


@pytest.mark.parametrize("name", sorted({*COMPARED} - {"gpt-oss", "qwen2.5", "qwen3", "kimi_k3", "olmo2"}))
def test_every_code_point_counts_the_same(name: str, installed: None) -> None:
    """The ones left out share vocabulary and way of cutting with one that is here."""
    quick, plain = _with_and_without(name)
    letters = [chr(point) for point in range(sys.maxunicode + 1) if not 0xD800 <= point < 0xE000]
    for surrounding in ("{}&r {}A{}a", "1{}2 {}'s\n{} !{}"):
        texts = [surrounding.replace("{}", letter) for letter in letters]
        different = np.flatnonzero(quick.count(texts) != plain.count(texts))
        assert [unicodedata.name(letters[row], letters[row]) for row in different] == []


@pytest.mark.parametrize("problem", [OSError("no space left"), ValueError("another file"), ImportError("no module")])
def test_an_engine_that_cannot_load_leaves_the_counting_to_the_other(
    problem: Exception, pretended: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise problem

    monkeypatch.setattr(fast, "_loaded", fail)
    engine = FastEngine("o200k_base", lambda: None, _slowly)
    assert engine.begin().wait(60)
    assert not engine.is_ready
    assert engine.count(["abc"]).tolist() == [3]
