"""Mutations of PNG files: their chunks, and the card that is written into them as base64 of JSON."""

import base64
import binascii
import random
import struct
import zlib
from collections.abc import Callable
from functools import cache

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_TEXTS = (b"tEXt", b"zTXt", b"iTXt")
_KEYWORDS = (b"chara", b"ccv3", b"chorus_card", b"Chara", b"", b"x" * 90, b"chara\xff", b"Comment")
_BOMB = 90 * 1024 * 1024
_MOST_UNPACKED = 1_000_000

Chunk = tuple[bytes, bytes]
Inner = Callable[[bytes, random.Random], bytes]


def chunks_of(data: bytes) -> list[Chunk]:
    """The kinds and bodies of the chunks of a picture."""
    found, place = [], len(SIGNATURE)
    while place + 8 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, place)
        found.append((kind, data[place + 8 : place + 8 + length]))
        place += 12 + length
    return found


def picture_of(chunks: list[Chunk]) -> bytes:
    """A PNG file of these chunks."""
    return SIGNATURE + b"".join(map(written_chunk, chunks))


def written_chunk(chunk: Chunk) -> bytes:
    """A chunk as a file has it."""
    kind, body = chunk
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def text_chunk(keyword: bytes, text: bytes, kind: bytes = b"tEXt") -> Chunk:
    """A chunk of one of the three kinds of text."""
    if kind == b"tEXt":
        return kind, keyword + b"\0" + text
    packed = zlib.compress(text)
    return kind, keyword + (b"\0\0" if kind == b"zTXt" else b"\0\1\0en\0\0") + packed


def without_pixels(data: bytes) -> bytes:
    """The same picture with hardly any pixels: its texts are what is read."""
    return picture_of([(kind, body[:20] if kind == b"IDAT" else body) for kind, body in chunks_of(data)])


def mutated_picture(data: bytes, rng: random.Random, inner: Inner) -> bytes | None:
    """The picture with one to three of its chunks changed; None where it has none."""
    chunks = chunks_of(data)
    if not chunks:
        return None
    for _ in range(rng.choice((1, 1, 2, 3))):
        texts = [place for place, (kind, _) in enumerate(chunks) if kind in _TEXTS]
        place = rng.choice(texts) if texts and rng.random() < 0.9 else rng.randrange(len(chunks))
        if chunks[place][0] in _TEXTS and rng.random() < 0.75:
            chunks[place] = _mutated_text(chunks[place], rng, inner)
        else:
            _change_chunks(chunks, place, rng)
        if not chunks:
            break
    written = bytearray(picture_of(chunks))
    if rng.random() < 0.1:
        _lie(written, chunks, rng)
    return bytes(written)


def _mutated_text(chunk: Chunk, rng: random.Random, inner: Inner) -> Chunk:
    """The card in a chunk taken out, changed and put back, as one of the kinds of text."""
    kind, body = chunk
    keyword, _, rest = body.partition(b"\0")
    text = _unpacked(kind, rest)
    try:
        plain = base64.b64decode(text, validate=False)
    except (binascii.Error, ValueError):
        plain = text
    if rng.random() < 0.02:
        return b"zTXt", keyword + b"\0\0" + _bomb()
    changed = _encoded(inner(plain, rng), rng)
    return text_chunk(rng.choice(_KEYWORDS) if rng.random() < 0.08 else keyword, changed, _other_kind(kind, rng))


@cache
def _bomb() -> bytes:
    """A text that is far larger than it is packed."""
    return zlib.compress(b"A" * _BOMB)


def _other_kind(kind: bytes, rng: random.Random) -> bytes:
    return rng.choice(_TEXTS) if rng.random() < 0.2 and kind == b"tEXt" else kind


def _unpacked(kind: bytes, rest: bytes) -> bytes:
    if kind == b"iTXt":
        packed, parts = rest[:1] == b"\1", rest[2:].split(b"\0", 2)
        rest = parts[2] if len(parts) == 3 else b""
        kind = b"zTXt" if packed else b"tEXt"
        rest = b"\0" + rest if packed else rest
    if kind == b"tEXt":
        return rest
    try:
        return zlib.decompressobj().decompress(rest[1:], _MOST_UNPACKED)
    except zlib.error:
        return b""


def _encoded(text: bytes, rng: random.Random) -> bytes:
    """The text as base64, rarely in a way that is not quite that."""
    written = base64.b64encode(text)
    way = rng.random()
    if way < 0.86:
        return written
    if way < 0.9:
        return base64.urlsafe_b64encode(text).rstrip(b"=")
    return rng.choice((text, written[:-3], written + b"=", b"\n".join((written[:50], written[50:])), b"\xff" + written))


def _change_chunks(chunks: list[Chunk], place: int, rng: random.Random) -> None:
    kind, body = chunks[place]
    step = rng.randrange(5)
    if step == 0:
        del chunks[place]
    elif step == 1:
        chunks.insert(rng.randrange(len(chunks)), (kind, body))
    elif step == 2:
        chunks[place] = (rng.choice((*_TEXTS, b"IEND", b"caBX", b"\0\0\0\0")), body)
    elif step == 3:
        chunks[place] = (kind, body[: rng.randrange(len(body) + 1)])
    else:
        chunks[place:place] = [(kind, body)] * rng.choice((2, 300))


def _lie(written: bytearray, chunks: list[Chunk], rng: random.Random) -> None:
    """Another length in front of a chunk."""
    place = len(SIGNATURE) + sum(12 + len(body) for _, body in chunks[: rng.randrange(max(1, len(chunks)))])
    if place + 4 <= len(written):
        written[place : place + 4] = struct.pack(">I", rng.choice((0, 1, 2**31, 2**32 - 1, len(written))))
