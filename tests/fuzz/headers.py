"""Mutations of binary fields: the keys and values of GGUF headers, and the numbered fields of SentencePiece models."""

import random
import struct
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import pairwise
from typing import Any

from tests.fuzz.odd import NUMBERS, odd_text

# GGUF: the size in bytes of each type of number; 8 is a text, 9 an array.
_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
_TEXT, _ARRAY = 8, 9
_KEYS = (
    *("tokenizer.ggml.model", "tokenizer.ggml.pre", "tokenizer.ggml.tokens", "tokenizer.ggml.scores", "general.name"),
    *("tokenizer.ggml.token_type", "tokenizer.ggml.merges", "tokenizer.chat_template", "general.architecture", "", "x"),
    *("tokenizer.ggml.bos_token_id", "llama.context_length", "tokenizer.ggml.add_space_prefix", "x" * 70_000),
)
_WORDS = ("gpt2", "llama", "gemma4", "bert", "t5", "llama-bpe", "qwen2", "deepseek-v3", "default", "x")

Entry = tuple[bytes, int, bytes]


def written_gguf(values: Mapping[str, Any], version: int = 3) -> bytes:
    """A GGUF header with these values and no weights."""
    return _header([(key.encode(), *_written(value)) for key, value in values.items()], version)


def _header(entries: list[Entry], version: int, count: int | None = None) -> bytes:
    keys = (struct.pack("<Q", len(key)) + key + struct.pack("<I", kind) + value for key, kind, value in entries)
    return b"GGUF" + struct.pack("<IQQ", version, 0, len(entries) if count is None else count) + b"".join(keys)


def _written(value: Any) -> tuple[int, bytes]:
    if isinstance(value, str):
        return _TEXT, _text(value.encode(errors="surrogatepass"))
    if isinstance(value, bool):
        return 7, struct.pack("<?", value)
    if isinstance(value, int):
        return 4, struct.pack("<I", value)
    if value and isinstance(value[0], str):
        return _ARRAY, struct.pack("<IQ", _TEXT, len(value)) + b"".join(_text(item.encode()) for item in value)
    kind, form = (6, "f") if value and isinstance(value[0], float) else (5, "i")
    return _ARRAY, struct.pack("<IQ", kind, len(value)) + struct.pack(f"<{len(value)}{form}", *value)


def _text(content: bytes) -> bytes:
    return struct.pack("<Q", len(content)) + content


def mutated_gguf(data: bytes, rng: random.Random) -> bytes | None:
    """The header with keys and values changed, or with counts that are wrong; None for one that cannot be read."""
    try:
        entries = list(_entries(data))
    except (struct.error, IndexError, KeyError):
        return None
    for _ in range(rng.choice((1, 1, 2, 4))):
        with suppress(struct.error, IndexError, KeyError, OverflowError):  # of values that an earlier change broke
            _change_entry(entries, rng)
    count = rng.choice((0, len(entries) + 1, 2**32, 2**63, 100_000)) if rng.random() < 0.08 else None
    return _header(entries, rng.choice((1, 2, 3, 3, 3, 3, 3, 3, 4, 2**24)), count)


def _entries(data: bytes) -> Iterator[Entry]:
    (count,) = struct.unpack_from("<Q", data, 16)
    place = 24
    for _ in range(count):
        (length,) = struct.unpack_from("<Q", data, place)
        key = data[place + 8 : place + 8 + length]
        (kind,) = struct.unpack_from("<I", data, place + 8 + length)
        begin = place + 12 + length
        place = _end(data, kind, begin)
        yield key, kind, data[begin:place]


def _end(data: bytes, kind: int, place: int) -> int:
    if kind == _TEXT:
        return place + 8 + struct.unpack_from("<Q", data, place)[0]
    if kind != _ARRAY:
        return place + _SIZES[kind]
    inner, length = struct.unpack_from("<IQ", data, place)
    place += 12
    for _ in range(length):
        place = _end(data, inner, place)
    return place


def _change_entry(entries: list[Entry], rng: random.Random) -> None:
    if not entries:
        return
    place = rng.randrange(len(entries))
    key, kind, value = entries[place]
    step = rng.randrange(10)
    if step == 0:
        del entries[place]
    elif step == 1:
        entries.insert(rng.randrange(len(entries)), (key, kind, value))
    elif step == 2:
        entries[place] = rng.choice(_KEYS).encode(), kind, value
    elif step == 3:
        entries[place] = key, rng.choice((*_SIZES, _TEXT, _ARRAY, 13, 2**32 - 1)), value
    elif step == 4:
        entries[place] = key, *_written(rng.choice((odd_text(rng), rng.choice(_WORDS), [], ["a"], [1], [0.5], True, 7)))
    elif step == 5:
        entries[place] = key, kind, value[: rng.randrange(len(value) + 1)]
    elif kind == _ARRAY:
        entries[place] = key, kind, _mutated_array(value, rng)
    elif kind == _TEXT:
        entries[place] = (
            key,
            *_written(rng.choice(_WORDS) if rng.random() < 0.5 else value[8:].decode("utf-8", "replace") + "x"),
        )
    else:
        entries[place] = key, kind, rng.choice((b"\0", b"\xff", b"\x7f", b"\x80")) * len(value)


def _mutated_array(value: bytes, rng: random.Random) -> bytes:
    """An array with another length, or with items that were changed, left out or put in."""
    kind, length = struct.unpack_from("<IQ", value)
    ends = [12]
    while len(ends) <= length and ends[-1] < len(value):  # the length may be one that was written here before
        ends.append(_end(value, kind, ends[-1]))
    items = [value[begin:end] for begin, end in pairwise(ends)]
    for _ in range(rng.choice((1, 1, 3))):
        place = rng.randrange(len(items) + 1)
        item = _odd_item(kind, items, rng)
        items[place : place + rng.choice((0, 1, 1, 5))] = [item] * rng.choice((1, 1, 1, 0, 300))
    written = len(items) if rng.random() < 0.85 else rng.choice((0, 1, length + 1, 2**32, 2**62, 4_000_000))
    return struct.pack("<IQ", kind, written) + b"".join(items)


def _odd_item(kind: int, items: list[bytes], rng: random.Random) -> bytes:
    if items and rng.random() < 0.4:
        return rng.choice(items)
    if kind == _TEXT:
        return _text(odd_text(rng).encode("utf-8", "surrogatepass")) if rng.random() < 0.9 else struct.pack("<Q", 2**63)
    size = _SIZES.get(kind, 4)
    return rng.choice((bytes(size), b"\xff" * size, b"\0" * (size - 1) + b"\x7f", rng.randbytes(size)))


Field = tuple[int, int, bytes]


def mutated_fields(data: bytes, rng: random.Random) -> bytes | None:
    """A message of protocol buffers with fields changed, doubled, moved or left out; None for what is none."""
    fields = _fields(data)
    if not fields:
        return None
    for _ in range(rng.choice((1, 1, 2, 5))):
        _change_field(fields, rng)
    return b"".join(map(_written_field, fields))


def _change_field(fields: list[Field], rng: random.Random) -> None:
    if not fields:
        return
    place = rng.randrange(len(fields)) if rng.random() < 0.6 else len(fields) - 1 - rng.randrange(min(4, len(fields)))
    number, wire, value = fields[place]
    step = rng.randrange(9)
    if step == 0:
        del fields[place]
    elif step == 1:
        fields.insert(rng.randrange(len(fields)), fields[place])
    elif step == 2:
        fields[place] = (rng.choice((0, 1, 2, 3, 4, 5, 15, 41, 500)), wire, value)
    elif step == 3:
        other = rng.randrange(len(fields))
        fields[place], fields[other] = fields[other], fields[place]
    elif wire == 2 and step < 8 and (inner := _fields(value)):
        _change_field(inner, rng)
        fields[place] = number, wire, b"".join(map(_written_field, inner))
    elif wire == 2:
        text = odd_text(rng).encode("utf-8", "surrogatepass")
        fields[place] = number, wire, rng.choice((text, b"", b"\xff", value * 2, rng.randbytes(30)))
    elif wire == 0:
        whole = [number for number in NUMBERS if isinstance(number, int) and number < 2**64]
        fields[place] = number, wire, _varint(rng.choice(whole) % 2**64)
    else:
        fields[place] = number, wire, rng.choice((b"\0", b"\xff", b"\x7f", b"\xc0")) * len(value)


def _fields(data: bytes) -> list[Field]:
    """Number, type and content of each field; nothing where the bytes are no such message."""
    found: list[Field] = []
    place = 0
    try:
        while place < len(data):
            key, place = _read_varint(data, place)
            begin, wire = place, key & 7
            if wire == 2:
                length, begin = _read_varint(data, place)
                place = begin + length
            elif wire == 0:
                _, place = _read_varint(data, place)
            else:
                place += {1: 8, 5: 4}[wire]
            if place > len(data):
                return []
            found.append((key >> 3, wire, data[begin:place]))
    except (IndexError, KeyError):
        return []
    return found


def _read_varint(data: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[place]
        value |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return value, place
        if shift > 63:
            raise IndexError


def _varint(value: int) -> bytes:
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + _varint(value >> 7)


def _written_field(field: Field) -> bytes:
    number, wire, value = field
    return _varint(number << 3 | wire) + (_varint(len(value)) if wire == 2 else b"") + value
