"""A SentencePiece model file (`tokenizer.model`, `spiece.model`), read and checked without SentencePiece or protobuf.

The file is a message in protobuf's wire format: pieces (field 1), the settings of the training (2) and of the
normalisation (3). Nothing of it reaches a native library before it is checked.
"""

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

from inspector.reading.files import read_file
from inspector.reading.values import UnreadableError
from inspector.tokens.converted.charsmap import charsmap_fault
from inspector.tokens.tokenizer import TokenizerUnavailableError
from inspector.tokens.vocabulary_limits import splitting_fault, vocabulary_fault

_VARINT, _EIGHT_BYTES, _COUNTED, _FOUR_BYTES = 0, 1, 2, 5
_LONGEST_VARINT = 63
_BYTE_PIECES = frozenset(f"<0x{byte:02X}>" for byte in range(256))


class PieceKind(IntEnum):
    """The kinds of pieces, numbered as in the file."""

    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    USER_DEFINED = 4
    UNUSED = 5
    BYTE = 6


class ModelKind(IntEnum):
    """The ways of choosing pieces, numbered as in the file."""

    UNIGRAM = 1
    BPE = 2
    WORD = 3
    CHAR = 4


@dataclass(frozen=True, slots=True)
class Piece:
    """An entry of the vocabulary; its place in the file is its id."""

    text: str
    score: float
    kind: PieceKind


@dataclass(frozen=True, slots=True)
class SentencePieceModel:
    """The settings that determine the tokens of a text. `charsmap` is the compiled normalisation, empty for none."""

    pieces: tuple[Piece, ...]
    kind: ModelKind
    unknown: int
    byte_fallback: bool
    charsmap: bytes
    add_dummy_prefix: bool
    remove_extra_whitespaces: bool


def read_sentencepiece(path: Path) -> SentencePieceModel:
    """Return the model in a file.

    Raises TokenizerUnavailableError with the file, the place in it and the expected content if the file is damaged, of
    another kind, or needs a feature this program lacks.
    """
    try:
        content = read_file(path)
    except UnreadableError as error:
        raise TokenizerUnavailableError(str(error)) from error
    try:
        return _model(content)
    except _FaultError as fault:
        what = "a file in tiktoken's format, not of SentencePiece" if _is_tiktoken(content) else str(fault)
        raise TokenizerUnavailableError(f"{path} is not usable: {what}") from fault


class _FaultError(ValueError):
    """A fault, worded to follow the name of the file in a sentence."""


def _is_tiktoken(content: bytes) -> bool:
    """Return whether the first line is a token in base 64 and its rank, as in Llama 3's tokenizer.model."""
    token, space, rank = content[:200].partition(b"\n")[0].partition(b" ")
    return bool(token and space and rank.isdigit() and not token.strip(_BASE_64))


_BASE_64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="


def _model(content: bytes) -> SentencePieceModel:
    pieces: list[Piece] = []
    parts: dict[int, dict[int, Any]] = {}
    for field, wire, value, place in _fields(content, 0, len(content)):
        if field == 1:
            pieces.append(_piece(content, *_message(wire, place, value), len(pieces)))
        elif field in (2, 3):
            parts[field] = _values(content, *_message(wire, place, value))
    if not pieces:
        raise _FaultError("it holds no pieces")
    if fault := vocabulary_fault([piece.text for piece in pieces]):
        raise _FaultError(fault)
    for field, what in ((2, "says how it was trained"), (3, "says how texts are normalised")):
        if field not in parts:
            raise _FaultError(f"it ends after {len(pieces):,} pieces, before the part that {what}")
    return _checked(tuple(pieces), parts[2], parts[3])


def _checked(pieces: tuple[Piece, ...], trained: dict[int, Any], normalised: dict[int, Any]) -> SentencePieceModel:
    """Return the model made of these parts, given by field number."""
    if trained.get(24):
        raise _FaultError("its pieces end with spaces (treat_whitespace_as_suffix), which this program does not do")
    if not normalised.get(5, 1):
        raise _FaultError("its pieces hold plain spaces (escape_whitespaces: false), which this program does not do")
    kind = trained.get(3, ModelKind.UNIGRAM)
    if kind not in (ModelKind.UNIGRAM, ModelKind.BPE):
        name = ModelKind(kind).name.lower() if kind in set(ModelKind) else kind
        raise _FaultError(f"its kind is {name}, expected unigram or bpe")
    charsmap = normalised.get(2, b"")
    if not isinstance(charsmap, bytes):
        raise _FaultError("its table of characters to normalise is a number")
    fault = charsmap_fault(charsmap) if charsmap else ""
    if fault:
        raise _FaultError(f"its table of characters to normalise {fault}")
    if kind == ModelKind.BPE and (fault := splitting_fault([piece.text for piece in pieces])):
        raise _FaultError(fault)
    byte_fallback = bool(trained.get(35, 0))
    flags = byte_fallback, charsmap, bool(normalised.get(3, 1)), bool(normalised.get(4, 1))
    return SentencePieceModel(pieces, ModelKind(kind), _unknown(pieces, byte_fallback), *flags)


def _unknown(pieces: tuple[Piece, ...], byte_fallback: bool) -> int:
    """Return the id of the unknown piece, once the whole vocabulary is checked."""
    places: dict[str, int] = {}
    for number, piece in enumerate(pieces):
        first = places.setdefault(piece.text, number)
        if first != number:
            raise _FaultError(f"piece {number:,} is {piece.text!r}, and so is piece {first:,}")
    unknown = [number for number, piece in enumerate(pieces) if piece.kind == PieceKind.UNKNOWN]
    if len(unknown) != 1:
        raise _FaultError(f"{len(unknown):,} of its pieces are for unknown text, expected 1")
    bytes_there = {piece.text for piece in pieces if piece.kind == PieceKind.BYTE}
    if byte_fallback and bytes_there != _BYTE_PIECES:
        raise _FaultError(
            f"it falls back to bytes and has {len(bytes_there & _BYTE_PIECES)} of the 256 pieces for them"
        )
    return unknown[0]


def _piece(content: bytes, begin: int, end: int, number: int) -> Piece:
    values = _values(content, begin, end)
    where = f"piece {number:,}, at byte {begin:,},"
    try:
        text = values.get(1, b"").decode()
        score = struct.unpack("<f", values.get(2, bytes(4)))[0]
        kind = PieceKind(values.get(3, PieceKind.NORMAL))
    except (UnicodeDecodeError, AttributeError, TypeError, struct.error, ValueError) as problem:
        raise _FaultError(f"{where} is not a text in UTF-8, a score and a kind from 1 to 6") from problem
    if not text:
        raise _FaultError(f"{where} is empty")
    if not math.isfinite(score):
        raise _FaultError(f"{where} has the score {score}, expected a finite number")
    if kind == PieceKind.UNUSED:
        raise _FaultError(f"{where} is marked as unused, which this program does not do")
    return Piece(text, score, kind)


def _values(content: bytes, begin: int, end: int) -> dict[int, Any]:
    """Return the last value of each field of a message: numbers, or bytes."""
    return {
        field: value if wire == _VARINT else content[place:value]
        for field, wire, value, place in _fields(content, begin, end)
    }


def _message(wire: int, begin: int, end: int) -> tuple[int, int]:
    if wire != _COUNTED:
        raise _FaultError(f"expected a message at byte {begin:,}, not a value of protobuf's kind {wire}")
    return begin, end


def _fields(content: bytes, place: int, end: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield each field of a message: its number and kind, its value or end, and its beginning."""
    while place < end:
        key, place = _varint(content, place, end)
        wire = key & 7
        if wire == _VARINT:
            value, after = _varint(content, place, end)
            yield key >> 3, wire, value, place
            place = after
            continue
        if wire == _COUNTED:
            length, place = _varint(content, place, end)
        elif wire in (_EIGHT_BYTES, _FOUR_BYTES):
            length = 8 if wire == _EIGHT_BYTES else 4
        else:
            raise _FaultError(f"expected a field at byte {place - 1:,}, not protobuf's kind {wire}")
        if length > end - place:
            raise _FaultError(f"{length:,} bytes are announced at byte {place:,}, and {end - place:,} follow")
        yield key >> 3, wire, place + length, place
        place += length


def _varint(content: bytes, place: int, end: int) -> tuple[int, int]:
    """Return a number in seven bits a byte, and the place after it."""
    if place < end and content[place] < 0x80:
        return content[place], place + 1
    value, shift = 0, 0
    for at in range(place, end):
        byte = content[at]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at + 1
        shift += 7
        if shift > _LONGEST_VARINT:
            break
    raise _FaultError(f"expected a number at byte {place:,}")
