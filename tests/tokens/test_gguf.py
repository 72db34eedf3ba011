"""Tokenizers out of GGUF files written here: against what they were made from, and files that are none."""

import json
import random
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import splintr
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import AddedToken, Regex, models, normalizers, pre_tokenizers, trainers

from inspector.tokens.chat.messages import ChatTemplate
from inspector.tokens.choice import choose_tokenizer
from inspector.tokens.gguf.file import read_gguf
from inspector.tokens.gguf.patterns import CUTTINGS
from inspector.tokens.gguf.tokenizer import UnknownGgufTokenizerError, gguf_tokenizer, merges_by_score
from inspector.tokens.models.loading import load_models
from inspector.tokens.tokenizer import TokenizerUnavailableError
from tests.examples import examples

CORPUS = [
    "Hello world, this is a test. It's 2024!\n\n  def f(x): return x\n",
    "日本語のテキスト éclair don't WON'T ",
] * 5
SPECIALS = ["<|im_start|>", "<|im_end|>"]
PIECES = [
    "Hello",
    " world",
    " ",
    "   ",
    "\n\n",
    "日本語",
    "e\u0301",
    "😀",
    "<|im_end|>",
    "<think>",
    "12345",
    "don't",
    "▁",
]
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=8).map("".join)


def _text(text: str) -> bytes:
    return struct.pack("<Q", len(text.encode())) + text.encode()


def _value(value: Any) -> bytes:
    if isinstance(value, str):
        return struct.pack("<I", 8) + _text(value)
    if isinstance(value, bool):
        return struct.pack("<I?", 7, value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    kind, form = (6, "f") if value and isinstance(value[0], float) else (5, "i")
    if value and isinstance(value[0], str):
        return struct.pack("<IIQ", 9, 8, len(value)) + b"".join(map(_text, value))
    return struct.pack("<IIQ", 9, kind, len(value)) + struct.pack(f"<{len(value)}{form}", *value)


def _header(values: Mapping[str, Any], version: int = 3) -> bytes:
    keys = b"".join(_text(key) + _value(value) for key, value in values.items())
    return b"GGUF" + struct.pack("<IQQ", version, 0, len(values)) + keys


def _trained(pre: str) -> tokenizers.Tokenizer:
    """A small tokenizer that cuts as the name says, with two specials and one added token that is none."""
    cutting = CUTTINGS[pre]
    tokenizer = tokenizers.Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC() if cutting.normalizes else None
    cuts = [pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in cutting.patterns]
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([*cuts, pre_tokenizers.ByteLevel(False, use_regex=False)])
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(
        CORPUS, trainers.BpeTrainer(vocab_size=500, initial_alphabet=alphabet, show_progress=False)
    )
    tokenizer.add_special_tokens([AddedToken(special, normalized=False) for special in SPECIALS])
    tokenizer.add_tokens([AddedToken("<think>", normalized=False)])
    tokenizer.encode_special_tokens = True
    return tokenizer


def _values(tokenizer: tokenizers.Tokenizer, pre: str) -> dict[str, Any]:
    vocabulary = tokenizer.get_vocab()
    tokens = sorted(vocabulary, key=vocabulary.__getitem__)
    pairs = json.loads(tokenizer.to_str())["model"]["merges"]
    return {
        "general.architecture": "qwen2",
        "qwen2.context_length": 32768,
        "general.file_type": 7,
        "general.tags": ["chat", "text"],
        "other.list": ["passed", "over"],
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": pre,
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.merges": [" ".join(pair) for pair in pairs],
        "tokenizer.ggml.token_type": [3 if token in SPECIALS else 4 if token == "<think>" else 1 for token in tokens],
        "tokenizer.ggml.bos_token_id": vocabulary[SPECIALS[0]],
        "tokenizer.ggml.eos_token_id": vocabulary[SPECIALS[1]],
        "tokenizer.chat_template": "{{ bos_token }}",
    }


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def write(content: bytes | Mapping[str, Any], name: str = "model.gguf", version: int = 3) -> Path:
        file = tmp_path / name
        file.write_bytes(content if isinstance(content, bytes) else _header(content, version))
        return file

    return write


@pytest.mark.parametrize("pre", sorted(CUTTINGS))
def test_counts_like_what_it_was_made_from(pre: str, write: Callable[..., Path]) -> None:
    original = _trained(pre)
    tokenizer = gguf_tokenizer(str(write(_values(original, pre))))

    @given(text=TEXTS)
    @examples(15)
    def check(text: str) -> None:
        ids = original.encode(text, add_special_tokens=False).ids
        spans = tokenizer.spans(text)
        assert tokenizer.count([text]).tolist() == [len(ids)]
        assert spans.ids.tolist() == ids

    check()


PATTERNS = {
    "qwen2": splintr.QWEN2_PATTERN,
    "qwen35": splintr.QWEN35_PATTERN,
    "gpt-2": splintr.GPT2_PATTERN,
    "llama-bpe": splintr.LLAMA3_PATTERN,
    "gpt-4o": splintr.O200K_BASE_PATTERN,
    "tekken": splintr.MISTRAL_V3_PATTERN,
    "kimi-k2": splintr.KIMI_PATTERN,
}


@pytest.mark.parametrize("pre", list(PATTERNS))
@given(text=st.text(st.sampled_from("aB Z'stRE\n\r\t1239.,éß漢字かな😀\u0301\u3000ſ/Ω"), max_size=30))
@examples(80)
def test_words_are_cut_like_those_of_another_maker(pre: str, text: str) -> None:
    (pattern,) = CUTTINGS[pre].patterns
    ours, theirs = (pre_tokenizers.Split(Regex(one), "isolated") for one in (pattern, PATTERNS[pre]))
    assert ours.pre_tokenize_str(text) == theirs.pre_tokenize_str(text)


def test_what_else_the_file_says(write: Callable[..., Path]) -> None:
    file = write(_values(_trained("qwen2"), "qwen2"), version=2)
    tokenizer = gguf_tokenizer(str(file))
    assert tokenizer.chat_template == ChatTemplate(str(file), "{{ bos_token }}", tuple(SPECIALS), *SPECIALS)
    assert (tokenizer.context_length, tokenizer.remarks, tokenizer.exact) == (32768, (), True)
    assert tokenizer.name == f"gguf:{file}"
    assert gguf_tokenizer(str(file)) is tokenizer


def test_equal_vocabularies_have_equal_fingerprints_and_others_not(write: Callable[..., Path]) -> None:
    values = _values(_trained("qwen2"), "qwen2")
    first, copied = (gguf_tokenizer(str(write(values, name))).fingerprint for name in ("a.gguf", "b.gguf"))
    assert first == copied
    for changed in (
        {"tokenizer.ggml.pre": "llama-bpe"},
        {"tokenizer.ggml.merges": values["tokenizer.ggml.merges"][1:]},
    ):
        assert gguf_tokenizer(str(write(values | changed, "c.gguf"))).fingerprint != first
        gguf_tokenizer.cache_clear()


PIECE_TOKENS = [
    *("<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁▁", "▁▁▁▁", "aa", "aaaa"),
    *("▁H", "el", "lo", "▁Hel", "▁Hello", "▁w", "or", "ld", "▁wor", "▁world", "▁a", *"▁Helowrda.!\n日"),
]
_PLACES = range(len(PIECE_TOKENS))
PIECE_SCORES = [
    -1e9 if token in ("▁▁", "▁▁▁▁", "aa", "aaaa") else -float(place)
    for place, token in zip(_PLACES, PIECE_TOKENS, strict=True)
]
PIECE_VALUES = {
    "general.architecture": "llama",
    "tokenizer.ggml.model": "llama",
    "tokenizer.ggml.tokens": PIECE_TOKENS,
    "tokenizer.ggml.scores": PIECE_SCORES,
    "tokenizer.ggml.token_type": [2, 3, 3, *([6] * 256), *([1] * (len(PIECE_TOKENS) - 259))],
}


def test_pieces_are_merged_as_sentencepiece_does(write: Callable[..., Path]) -> None:
    tokenizer = gguf_tokenizer(str(write(PIECE_VALUES)))
    reference = splintr.SpmTokenizer(PIECE_TOKENS, PIECE_SCORES, 1, 2)

    @given(text=st.lists(st.sampled_from([*PIECES, "a" * 7, "</s>", "world", "."]), max_size=8).map("".join))
    @examples(150)
    def check(text: str) -> None:
        ids = reference.encode(text)
        assert tokenizer.count([text]).tolist() == [len(ids)]
        spans = tokenizer.spans(text)
        assert spans.ids.tolist() == ids
        assert spans.ends[-1:].tolist() == ([len(text)] if text else [])

    check()


def test_pieces_without_a_space_before_the_text(write: Callable[..., Path]) -> None:
    values = PIECE_VALUES | {"tokenizer.ggml.add_space_prefix": False}
    tokens = gguf_tokenizer(str(write(values))).spans("Hello Hello").ids
    assert [PIECE_TOKENS[token] for token in tokens] == ["H", "el", "lo", "▁Hello"]


def test_pieces_with_merges_as_gemma_4_has_them(write: Callable[..., Path]) -> None:
    pairs = list(merges_by_score(PIECE_TOKENS, PIECE_SCORES))
    values = PIECE_VALUES | {"tokenizer.ggml.model": "gemma4", "tokenizer.ggml.merges": list(map(" ".join, pairs))}
    tokens = gguf_tokenizer(str(write(values))).spans("Hello Hello\n日").ids
    assert [PIECE_TOKENS[token] for token in tokens] == ["H", "el", "lo", "▁Hello", "\n", "日"]


def _changed(**changes: Any) -> dict[str, Any]:
    values = _values(_trained("qwen2"), "qwen2")
    return values | {key.replace("__", "."): value for key, value in changes.items()}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"tokenizer__ggml__tokens": []}, "holds no tokenizer"),
        ({"tokenizer__ggml__tokens": ["a", "a"]}, "a token occurs twice"),
        ({"tokenizer__ggml__tokens": "a"}, "expected texts in tokenizer.ggml.tokens"),
        ({"tokenizer__ggml__token_type": [1]}, "but 1 types"),
        ({"tokenizer__ggml__merges": ["ab"]}, "has no two halves"),
        ({"tokenizer__ggml__merges": ["unheard of"]}, "is not usable"),
        ({"tokenizer__ggml__model": "llama"}, "but none scores"),
        ({"tokenizer__ggml__model": 3}, "expected a text"),
    ],
)
def test_a_tokenizer_that_contradicts_itself(changes: dict[str, Any], problem: str, write: Callable[..., Path]) -> None:
    file = write(_changed(**changes))
    with pytest.raises(TokenizerUnavailableError, match=problem) as raised:
        gguf_tokenizer(str(file))
    assert str(file) in str(raised.value)


@pytest.mark.parametrize(
    "changes",
    [
        {"tokenizer.chat_template": 7},
        {"tokenizer.ggml.bos_token_id": "first"},
        {"qwen2.context_length": "long"},
    ],
)
def test_what_is_wrong_besides_is_told_and_the_tokenizer_counts(
    changes: dict[str, Any], write: Callable[..., Path]
) -> None:
    tokenizer = gguf_tokenizer(str(write(_values(_trained("qwen2"), "qwen2") | changes)))
    assert tokenizer.chat_template is None
    assert "expected" in tokenizer.remarks[0]
    assert tokenizer.count(["Hello"])[0] > 0


def test_marks_outside_the_vocabulary_are_left_out(write: Callable[..., Path]) -> None:
    template = gguf_tokenizer(str(write(_changed(tokenizer__ggml__bos_token_id=10**6)))).chat_template
    assert template is not None
    assert (template.bos, template.eos) == ("", SPECIALS[1])


@pytest.mark.parametrize(
    ("changes", "stand_in", "said"),
    [
        ({"tokenizer__ggml__pre": "unheard"}, "embedded:qwen3", "the pre-tokenizer 'unheard'"),
        (
            {"tokenizer__ggml__pre": "unheard", "general__name": "Gemma 2 9B It"},
            "embedded:gemma2",
            "of the same family",
        ),
        ({"tokenizer__ggml__model": "rwkv", "general__architecture": "rwkv7"}, "standin:unknown", "estimates instead"),
        ({"tokenizer__ggml__pre": ""}, "embedded:qwen3", "no name for its pre-tokenizer"),
    ],
)
def test_what_stands_in_for_a_tokenizer_that_is_not_known(
    changes: dict[str, Any], stand_in: str, said: str, write: Callable[..., Path]
) -> None:
    file = write(_changed(**changes), "some.gguf")
    with pytest.raises(UnknownGgufTokenizerError):
        gguf_tokenizer(str(file))
    choice = choose_tokenizer(f"gguf:{file}", load_models().find("gpt-4o").row)
    assert (choice.tokenizer.name, choice.exact) == (stand_in, False)
    assert said in choice.reason
    assert str(file) in choice.reason


def test_chosen_and_told_what_is_wrong_besides(write: Callable[..., Path]) -> None:
    file = write(_changed(tokenizer__chat_template=7), "Qwen2.5-7B-Instruct-Q4_K_M.gguf")
    choice = choose_tokenizer(f"gguf:{file}", load_models().find("qwen2.5-7b").row)
    assert choice.exact
    assert "is the tokenizer of" in choice.reason
    assert "expected a text in tokenizer.chat_template" in choice.reason


GOOD = _header({"general.architecture": "llama", "tokenizer.ggml.tokens": ["a", "b"], "llama.context_length": 5})


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "not a usable GGUF file"),
        (b"GG", "does not begin with GGUF"),
        (b"PK\x03\x04 and so on", "does not begin with GGUF"),
        (_header({}, version=1), "its version is 1"),
        (b"GGUF" + struct.pack(">IQQ", 3, 0, 0), "big-endian"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 2**63), "9,223,372,036,854,775,808 keys"),
        (GOOD[:60], "it ends at byte 60"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 2**40), "bytes in a text"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + _text("k") + struct.pack("<I", 13), "unknown type 13"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + _text("k") + struct.pack("<IIQ", 9, 9, 1), "unknown type 9"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + _text("k") + struct.pack("<IIQ", 9, 12, 2**50), "values in an array"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + _text("k") + struct.pack("<IIQ", 9, 12, 10**6), "it ends at byte"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1) + b"\xff", "is not UTF-8"),
    ],
)
def test_a_file_that_is_none_says_so(content: bytes, problem: str, write: Callable[..., Path]) -> None:
    file = write(content)
    with pytest.raises(TokenizerUnavailableError, match=problem) as raised:
        gguf_tokenizer(str(file))
    assert str(file) in str(raised.value)


def test_what_is_no_file(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "absent.gguf"):
        with pytest.raises(TokenizerUnavailableError, match=r"expected a file|no such file"):
            gguf_tokenizer(str(place))


def _refusal(call: Callable[[], object], otherwise: str) -> str:
    try:
        call()
    except TokenizerUnavailableError as problem:
        return str(problem)
    return otherwise


def test_damaged_files_never_do_worse_than_say_so(tmp_path: Path) -> None:
    whole, file = _header(PIECE_VALUES), tmp_path / "damaged.gguf"

    @given(end=st.integers(0, len(whole)), seed=st.integers(), changes=st.integers(0, 20))
    @examples(300)
    def check(end: int, seed: int, changes: int) -> None:
        choose = random.Random(seed)
        content = bytearray(whole[:end])
        for _ in range(changes if content else 0):
            content[choose.randrange(len(content))] = choose.randrange(256)
        file.write_bytes(content)
        gguf_tokenizer.cache_clear()
        assert str(file) in _refusal(lambda: gguf_tokenizer(str(file)).count(["Hello world"]), str(file))

    check()


@given(content=st.binary(max_size=200))
@settings(max_examples=200)
def test_garbage_behind_the_magic(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.getbasetemp() / "garbage.gguf"
    file.write_bytes(b"GGUF" + struct.pack("<IQ", 3, 0) + content)
    assert str(file) in _refusal(lambda: read_gguf(file), str(file))
