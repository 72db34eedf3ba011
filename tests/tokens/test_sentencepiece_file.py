"""Damaged and odd SentencePiece files: one clear error, or a tokenizer that counts, and never a panic of a library."""

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.tokens.converted.charsmap import charsmap_fault
from inspector.tokens.converted.sentencepiece import ModelKind, PieceKind, read_sentencepiece
from inspector.tokens.huggingface import huggingface_tokenizer
from inspector.tokens.tokenizer import TokenizerUnavailableError
from tests.examples import examples

RECORDED = Path(__file__).parent / "sentencepiece"
UNIGRAM, BYTE_PAIRS = ((RECORDED / f"{name}.model").read_bytes() for name in ("unigram", "byte_pairs"))
TEXT = "The harbour: ＡAB é e\u0301 ﬁne\u00a0²\t\u200b日本"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tokenizer.model"


def _piece(text: str | bytes, score: float = 0.0, kind: int = 1) -> bytes:
    spelled = text.encode() if isinstance(text, str) else text
    return _counted(1, _counted(1, spelled) + b"\x15" + struct.pack("<f", score) + _number(3, kind))


def _counted(field: int, content: bytes) -> bytes:
    return bytes([field << 3 | 2]) + _varint(len(content)) + content


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _varint(value: int) -> bytes:
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + _varint(value >> 7)


PIECES = _piece("<unk>", kind=2) + _piece("a", -1.0) + _piece("b", -2.0)
ASTRAY = struct.pack("<I", 1024) + struct.pack("<I", 0x7FFFFC00) + bytes(1020) + b"a\0"
TRAINED, NORMALISED = _counted(2, _number(3, 2)), _counted(3, _number(3, 0))


def test_what_a_model_says() -> None:
    model = read_sentencepiece(RECORDED / "byte_pairs.model")
    assert (model.kind, model.unknown, model.byte_fallback, model.charsmap) == (ModelKind.BPE, 0, True, b"")
    assert (model.add_dummy_prefix, model.remove_extra_whitespaces) == (True, False)
    kinds = {piece.text: piece.kind for piece in model.pieces}
    assert kinds["<think>"] == PieceKind.CONTROL
    assert kinds["<sep>"] == PieceKind.USER_DEFINED
    assert kinds["<0x0A>"] == PieceKind.BYTE
    assert read_sentencepiece(RECORDED / "unigram.model").kind == ModelKind.UNIGRAM


def test_the_smallest_model(file: Path) -> None:
    file.write_bytes(PIECES + _piece("ab", 0.5) + TRAINED + NORMALISED)
    assert huggingface_tokenizer(str(file.parent)).spans("abba").ids.tolist() == [3, 2, 1]


ODD = [
    (b"", "it holds no pieces"),
    (PIECES, "it ends after 3 pieces, before the part that says how it was trained"),
    (PIECES + TRAINED, "it ends after 3 pieces, before the part that says how texts are normalised"),
    (PIECES + _counted(2, _number(3, 3)) + NORMALISED, "its kind is word, expected unigram or bpe"),
    (PIECES + _counted(2, _number(3, 9)) + NORMALISED, "its kind is 9, expected unigram or bpe"),
    (PIECES + _counted(2, _number(24, 1)) + NORMALISED, "treat_whitespace_as_suffix"),
    (PIECES + TRAINED + _counted(3, _number(5, 0)), "escape_whitespaces"),
    (PIECES + _counted(2, _number(35, 1)) + NORMALISED, "falls back to bytes and has 0 of the 256 pieces"),
    (PIECES + _piece("a") + TRAINED + NORMALISED, "piece 3 is 'a', and so is piece 1"),
    (_piece("a") + TRAINED + NORMALISED, "0 of its pieces are for unknown text, expected 1"),
    (PIECES + _piece("u", kind=2) + TRAINED + NORMALISED, "2 of its pieces are for unknown text, expected 1"),
    (PIECES + _piece("") + TRAINED + NORMALISED, "piece 3, at byte .*, is empty"),
    (PIECES + _piece(b"\xff") + TRAINED + NORMALISED, "piece 3, at byte .*, is not a text in UTF-8"),
    (PIECES + _piece("c", kind=7) + TRAINED + NORMALISED, "piece 3, at byte .*, is not a text .* a kind from 1 to 6"),
    (PIECES + _piece("c", float("nan")) + TRAINED + NORMALISED, "piece 3, at byte .*, has the score nan"),
    (PIECES + _piece("c", kind=5) + TRAINED + NORMALISED, "is marked as unused"),
    (b"\x08\x01" + PIECES, "expected a message at byte 1"),
    (b"\x0a\x7f" + PIECES, "127 bytes are announced at byte 2"),
    (b"\x0b\x00", "expected a field at byte 0, not protobuf's kind 3"),
    (b"\xff" * 20, "expected a number at byte 0"),
    (b"IQ== 0\nIg== 1\nIw== 2\n", "a file in tiktoken's format, not of SentencePiece"),
    (PIECES + TRAINED + _counted(3, _number(2, 1)), "its table of characters to normalise is a number"),
    (
        PIECES + TRAINED + _counted(3, _counted(2, ASTRAY)),
        "its table of characters to normalise leads out of its array",
    ),
]


@pytest.mark.parametrize(("content", "problem"), ODD)
def test_an_odd_file_says_so(content: bytes, problem: str, file: Path) -> None:
    file.write_bytes(content)
    with pytest.raises(TokenizerUnavailableError, match=f"tokenizer.model is not usable: .*{problem}"):
        huggingface_tokenizer(str(file.parent))


def test_pieces_with_one_score_are_said(file: Path) -> None:
    pairs = b"".join(_piece(text, -3.0) for text in ("ab", "ba"))
    file.write_bytes(PIECES + pairs + TRAINED + NORMALISED)
    tokenizer = huggingface_tokenizer(str(file.parent))
    assert not tokenizer.exact
    assert "some pieces have the score of another one (1)" in tokenizer.remarks[0]


@pytest.mark.parametrize("whole", [UNIGRAM, BYTE_PAIRS], ids=["unigram", "byte pairs"])
def test_damage_is_an_error_or_another_model(whole: bytes, file: Path) -> None:
    @given(data=st.data())
    @examples(120)
    def check(data: st.DataObject) -> None:
        damaged = bytearray(whole[: data.draw(st.one_of(st.just(len(whole)), st.integers(0, len(whole))))])
        for _ in range(data.draw(st.integers(0, 3)) if damaged else 0):
            damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
        file.write_bytes(damaged)
        huggingface_tokenizer.cache_clear()
        try:
            tokenizer = huggingface_tokenizer(str(file.parent))
        except TokenizerUnavailableError:
            return
        assert tokenizer.count([TEXT])[0] == len(tokenizer.spans(TEXT).ids)

    check()
    huggingface_tokenizer.cache_clear()


def test_a_table_of_characters_that_leads_astray_is_found() -> None:
    from tokenizers import normalizers

    charsmap = read_sentencepiece(RECORDED / "unigram.model").charsmap
    assert charsmap_fault(charsmap) == ""
    assert charsmap_fault(b"") != ""
    assert charsmap_fault(charsmap[:-1]) == "leads to texts of which the last has no end"
    assert charsmap_fault(struct.pack("<I", 2**31) + charsmap[4:]).startswith("has ")
    assert charsmap_fault(charsmap[:-2] + b"\xff\0").startswith("leads to texts that are not UTF-8")
    assert charsmap_fault(ASTRAY) == "leads out of its array"

    @given(place=st.integers(4, len(charsmap) - 1), byte=st.integers(0, 255))
    @examples(300)
    def check(place: int, byte: int) -> None:
        damaged = charsmap[:place] + bytes([byte]) + charsmap[place + 1 :]
        if not charsmap_fault(damaged):
            for letter in TEXT:
                normalizers.Precompiled(damaged).normalize_str(letter)

    check()
