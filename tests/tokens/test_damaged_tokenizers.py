"""Files of tokenizers that would end the process, fill the memory or never end: each is one sentence, in seconds."""

import base64
import json
import os
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tokenizers
from tokenizers import decoders, models, normalizers, pre_tokenizers, trainers

from inspector.tokens.choice import choose_tokenizer
from inspector.tokens.converted.backends import converted_backend
from inspector.tokens.gguf.tokenizer import gguf_tokenizer
from inspector.tokens.huggingface import huggingface_tokenizer
from inspector.tokens.tokenizer import TokenizerUnavailableError, library_call

CORPUS = ["hello world, this is a test ", "the quick brown fox jumps ", "日本語のテキスト ", "def f(x):\n"] * 5
CHECKOUT = Path(__file__).resolve().parents[2]
SENTENCEPIECE = Path(__file__).parent / "sentencepiece"
SEEDS = 30


def _trained(model: Any, trainer: Any, normalizer: Any, pre_tokenizer: Any) -> dict[str, Any]:
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizer, pre_tokenizer
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(CORPUS, trainer)
    return json.loads(tokenizer.to_str())


def _values() -> dict[str, dict[str, Any]]:
    """Small tokenizers of each kind, as their tokenizer.json says them."""
    letters = pre_tokenizers.ByteLevel.alphabet()
    quiet: dict[str, Any] = {"show_progress": False}
    words = pre_tokenizers.Split(tokenizers.Regex(r" ?\p{L}+|\s+(?!\S)|\s+|[^\s\p{L}]+"), "isolated")
    byte_level = pre_tokenizers.Sequence([words, pre_tokenizers.ByteLevel(False, use_regex=False)])
    spaces = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    return {
        "pairs": _trained(
            models.BPE(),
            trainers.BpeTrainer(vocab_size=330, special_tokens=["<s>"], initial_alphabet=letters, **quiet),
            normalizers.NFC(),
            byte_level,
        ),
        "spaces": _trained(
            models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True),
            trainers.BpeTrainer(vocab_size=120, special_tokens=["<unk>"], **quiet),
            spaces,
            None,
        ),
        "wordpiece": _trained(
            models.WordPiece(unk_token="[UNK]"),
            trainers.WordPieceTrainer(vocab_size=90, special_tokens=["[UNK]", "[CLS]"], **quiet),
            normalizers.BertNormalizer(),
            pre_tokenizers.BertPreTokenizer(),
        ),
        "unigram": _trained(
            models.Unigram(),
            trainers.UnigramTrainer(vocab_size=80, special_tokens=["<unk>"], unk_token="<unk>", **quiet),
            normalizers.NFKC(),
            pre_tokenizers.Metaspace(),
        ),
        "words": _trained(
            models.WordLevel(unk_token="[UNK]"),
            trainers.WordLevelTrainer(special_tokens=["[UNK]"], **quiet),
            None,
            pre_tokenizers.Whitespace(),
        ),
    }


@pytest.fixture(scope="module")
def values() -> dict[str, dict[str, Any]]:
    return _values()


def _refusal(folder: Path, value: dict[str, Any]) -> str:
    (folder / "tokenizer.json").write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(TokenizerUnavailableError) as caught:
        huggingface_tokenizer(str(folder))
    return str(caught.value)


def _first_token(value: dict[str, Any]) -> str:
    return next(iter(value["model"]["vocab"]))


Change = Callable[[dict[str, Any]], object]
MANY = {"id": 0, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
TREE = base64.b64encode(struct.pack("<II", 4, 0xFFFFFFFF) + b"\0").decode()


def _add(step: dict[str, Any]) -> Change:
    return lambda value: value.update(normalizer=step)


def _split(pattern: str) -> Change:
    step = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    return lambda value: value.update(pre_tokenizer={"type": "Sequence", "pretokenizers": [step]})


HOSTILE: dict[str, tuple[str, Change, str]] = {
    "an id beyond 31 bits": (
        "wordpiece",
        lambda value: value["model"]["vocab"].update({_first_token(value): 2**31}),
        "Expected `int` <= 2097151",
    ),
    "a high id": (
        "pairs",
        lambda value: value["model"]["vocab"].update({_first_token(value): 2**21}),
        "Expected `int` <= 2097151",
    ),
    "a negative id": (
        "pairs",
        lambda value: value["model"]["vocab"].update({_first_token(value): -1}),
        "Expected `int` >= 0",
    ),
    "an added token's id": (
        "pairs",
        lambda value: value["added_tokens"][0].update(id=2**32 - 1),
        "Expected `int` <= 2097151",
    ),
    "no unknown token": ("wordpiece", lambda value: value["model"].update(unk_token="zz"), "Missing [UNK]"),
    "no unknown word": ("words", lambda value: value["model"].update(unk_token="zz"), "Missing [UNK]"),
    "no unknown piece": ("spaces", lambda value: value["model"].update(unk_token="zz"), "`zz` not found"),
    "a long token": ("unigram", lambda value: value["model"]["vocab"].append(["ab" * 1_001, -9.0]), "2,002 characters"),
    "many added tokens": (
        "pairs",
        lambda value: value.update(added_tokens=[{**MANY, "content": f"<{number}>"} for number in range(100_001)]),
        "100,001 added tokens",
    ),
    "a score beyond all": ("unigram", lambda value: value["model"]["vocab"].append(["zz", 10**400]), "out of range"),
    "a table that leads astray": (
        "words",
        _add({"type": "Precompiled", "precompiled_charsmap": TREE}),
        "leads out of its array",
    ),
    "a table in a step without a type": ("words", _add({"precompiled_charsmap": TREE}), "leads out of its array"),
    "a table that is none": ("words", _add({"type": "Precompiled", "precompiled_charsmap": None}), "not in base 64"),
    "an empty table": ("words", _add({"type": "Precompiled", "precompiled_charsmap": ""}), "announces 0 bytes"),
    "a text that grows": (
        "words",
        _add({"type": "Replace", "pattern": {"String": "a"}, "content": "b" * 10_000}),
        "256 times as long",
    ),
    "a text that grows and grows": (
        "pairs",
        lambda value: value["pre_tokenizer"]["pretokenizers"].extend([{"type": "ByteLevel"}] * 20),
        "256 times as long",
    ),
    "many steps": (
        "words",
        _add({"type": "Sequence", "normalizers": [{"type": "NFC"}] * 200}),
        " steps before",
    ),
    "steps without length": (
        "words",
        lambda value: value.update(pre_tokenizer={"type": "FixedLength", "length": 0}),
        "tokenizer",
    ),
    "a pattern that goes back and forth": ("pairs", _split("(a+)+$"), "retry-limit"),
    "another one": ("pairs", _split("(漢|漢漢)+$"), "retry-limit"),
    "one that needs a sign": ("pairs", _split(r"(?:\w|\d)*!"), "retry-limit"),
    "a slow pattern": ("pairs", _split(r"\s*\s*\s*x"), "takes too long"),
    "a pattern that is none": ("pairs", _split("("), "cannot be used"),
    "a long pattern": ("pairs", _split("a" * 50_001), "longer than 50,000"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_file_that_a_library_cannot_take_is_refused(
    case: str, values: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    kind, change, said = HOSTILE[case]
    value = json.loads(json.dumps(values[kind]))
    change(value)
    refusal = _refusal(tmp_path, value)
    assert said in refusal
    assert str(tmp_path) in refusal
    assert len(refusal) < 600
    choice = choose_tokenizer(f"hf:{tmp_path}", None)
    assert said in choice.reason
    assert not choice.exact


@pytest.mark.parametrize("kind", ["pairs", "spaces", "wordpiece", "unigram", "words"])
def test_an_ordinary_file_is_taken(kind: str, values: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text(json.dumps(values[kind]), encoding="utf-8")
    tokenizer = huggingface_tokenizer(str(tmp_path))
    assert tokenizer.count(["hello world", ""]).tolist()[1] == 0
    assert tokenizer.count(["hello world"])[0] > 0


def test_a_file_that_leaves_pairs_to_chance_counts_alike_each_time(
    values: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    value = json.loads(json.dumps(values["pairs"]))
    value["model"]["dropout"] = 0.5
    (tmp_path / "tokenizer.json").write_text(json.dumps(value), encoding="utf-8")
    tokenizer = huggingface_tokenizer(str(tmp_path))
    text = "hello world, this is a test " * 20
    assert len({len(tokenizer.spans(text).ids) for _ in range(10)}) == 1


@pytest.mark.parametrize(
    "content", [b"\xff", b'{"model": {"vocab": {"\xff": 0}}}', b"[" * 1_000_000, b'{"x":' * 100_000, b"{}", b"null"]
)
def test_what_is_no_such_file_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_bytes(content)
    with pytest.raises(TokenizerUnavailableError, match=r"tokenizer\.json is not usable"):
        huggingface_tokenizer(str(tmp_path))


@pytest.mark.parametrize("place", ["~nobody-of-this-name/x", "x" * 5_000, "a\0b", "\ud800"])
@pytest.mark.parametrize("make", [huggingface_tokenizer, gguf_tokenizer])
def test_a_place_that_can_be_none_is_refused(place: str, make: Callable[[str], object]) -> None:
    with pytest.raises(TokenizerUnavailableError) as caught:
        make(place)
    assert len(str(caught.value)) < 600


def test_a_word_that_is_too_long_for_a_vocabulary_is_told_and_not_quoted(tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_text("[UNK]\n" + "a" * 1_000_000 + "\n")
    with pytest.raises(TokenizerUnavailableError, match="1,000,000 characters, expected at most 2,000"):
        huggingface_tokenizer(str(tmp_path))
    (tmp_path / "vocab.json").write_text('{"a": 0}')
    (tmp_path / "merges.txt").write_text("a " + "b" * 1_000_000)
    with pytest.raises(TokenizerUnavailableError) as caught:
        converted_backend(tmp_path)
    assert len(str(caught.value)) < 600


def _text(text: str) -> bytes:
    return struct.pack("<Q", len(text.encode())) + text.encode()


def _texts(texts: list[str]) -> bytes:
    return struct.pack("<IIQ", 9, 8, len(texts)) + b"".join(map(_text, texts))


def _gguf(**values: bytes) -> bytes:
    keys = b"".join(_text(key.replace("__", ".")) + value for key, value in values.items())
    return b"GGUF" + struct.pack("<IQQ", 3, 0, len(values)) + keys


def _of_pieces(tokens: list[str], kind: int = 1) -> bytes:
    scores = struct.pack(f"<IIQ{len(tokens)}f", 9, 6, len(tokens), *([0.0] * len(tokens)))
    kinds = struct.pack(f"<IIQ{len(tokens)}i", 9, 5, len(tokens), 2, *([kind] * (len(tokens) - 1)))
    model = struct.pack("<I", 8) + _text("llama")
    return _gguf(
        tokenizer__ggml__model=model,
        tokenizer__ggml__tokens=_texts(tokens),
        tokenizer__ggml__scores=scores,
        tokenizer__ggml__token_type=kinds,
    )


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: _of_pieces(["<unk>", "a", "ab" * 1_001]), "2,002 characters"),
        (lambda: _of_pieces(["<unk>", *(f"{'a' * 1_990}{number}" for number in range(600))]), "put together"),
        (lambda: _of_pieces(["<unk>", *(f"<{number}>" for number in range(100_001))], kind=3), "100,001 added tokens"),
        (lambda: _gguf(other=struct.pack("<IQ", 8, 2**60)), "it ends at byte"),
        (lambda: _gguf(other=struct.pack("<IIQ", 9, 8, 2**62)), "values in an array"),
        (
            lambda: _gguf(**{f"other{number}": _texts([""] * 600_000) for number in range(2)}),
            "about nothing that is known",
        ),
    ],
    ids=["long token", "long tokens", "many marks", "long text", "long array", "many texts"],
)
def test_a_gguf_file_that_would_take_minutes_is_refused(make: Callable[[], bytes], said: str, tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(make())
    with pytest.raises(TokenizerUnavailableError, match=said):
        gguf_tokenizer(str(file))


def test_a_header_as_long_as_a_disk_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    with file.open("wb") as opened:
        opened.write(b"GGUF" + struct.pack("<IQQ", 3, 0, 1_000))
        for number in range(1_000):
            opened.write(_text(f"tokenizer.x{number}") + struct.pack("<IQ", 8, 15_999_999))
            opened.seek(15_999_999, os.SEEK_CUR)
        opened.write(b"\0")
    with pytest.raises(TokenizerUnavailableError, match="longer than 100,000,000 bytes"):
        gguf_tokenizer(str(file))


def _piece(text: str, score: float, kind: int) -> bytes:
    written = text.encode()
    message = b"\x0a" + _varint(len(written)) + written + b"\x15" + struct.pack("<f", score) + b"\x18" + _varint(kind)
    return b"\x0a" + _varint(len(message)) + message


def _varint(number: int) -> bytes:
    parts = []
    while number >= 0x80:
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*parts, number])


@pytest.mark.parametrize(
    ("texts", "said"),
    [(["ab" * 1_001], "2,002 characters"), ([f"{'a' * 1_990}{number}" for number in range(600)], "put together")],
    ids=["long piece", "long pieces"],
)
def test_a_sentencepiece_model_that_would_take_minutes_is_refused(texts: list[str], said: str, tmp_path: Path) -> None:
    pieces = [_piece("<unk>", 0, 2), *(_piece(text, -1, 1) for text in texts)]
    (tmp_path / "tokenizer.model").write_bytes(b"".join(pieces) + b"\x12\x02\x18\x02" + b"\x1a\x02\x18\x01")
    with pytest.raises(TokenizerUnavailableError, match=said):
        huggingface_tokenizer(str(tmp_path))


class _OfRust(BaseException):
    pass


_OfRust.__name__ = "PanicException"


def test_a_panic_is_an_error_like_any_other_and_what_is_none_passes() -> None:
    for error in (_OfRust("unwrap"), ValueError("x" * 10_000)):
        with pytest.raises(TokenizerUnavailableError, match="cannot count") as caught, library_call("cannot count"):
            raise error
        assert len(str(caught.value)) < 400
    for error in (KeyboardInterrupt(), SystemExit(), MemoryError(), TokenizerUnavailableError("own")):
        with pytest.raises(type(error)) as passed, library_call("cannot count"):
            raise error
        assert passed.value is error


def test_no_damage_ends_the_process(values: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    for kind, value in values.items():
        (whole / kind).mkdir(parents=True)
        (whole / kind / "tokenizer.json").write_text(json.dumps(value), encoding="utf-8")
    for name in ("unigram", "byte_pairs"):
        (whole / f"sentencepiece {name}").mkdir()
        (whole / f"sentencepiece {name}" / "tokenizer.model").write_bytes(
            (SENTENCEPIECE / f"{name}.model").read_bytes()
        )
    pairs, words = values["pairs"]["model"], values["wordpiece"]["model"]["vocab"]
    (whole / "vocabulary").mkdir()
    (whole / "vocabulary" / "vocab.json").write_text(json.dumps(pairs["vocab"]), encoding="utf-8")
    (whole / "vocabulary" / "merges.txt").write_text("\n".join(map(" ".join, pairs["merges"])), encoding="utf-8")
    (whole / "list").mkdir()
    (whole / "list" / "vocab.txt").write_text("\n".join(sorted(words, key=words.__getitem__)), encoding="utf-8")
    (whole / "model.gguf").write_bytes(_of_pieces(["<unk>", "▁", *"abehlorwd", "he", "ll", "hell", "hello"]))
    command = [sys.executable, "-m", "tests.tokens.damage", str(tmp_path), "0", str(SEEDS)]
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT), "RUST_BACKTRACE": "0"}
    done = subprocess.run(command, cwd=CHECKOUT, env=environment, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout[-2_000:] + done.stderr[-2_000:]
