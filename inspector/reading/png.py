"""The text chunks of a PNG file: a walk over its chunks that needs no pixels and works on cut files.

Layout: PNG specification 1.2, sections 3.2 (chunks) and 4.2.3 (tEXt, zTXt, iTXt). Knows no card.
"""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_KINDS = (b"tEXt", b"zTXt", b"iTXt")
_MAX_INFLATED = 64 * 1024 * 1024  # bytes; the largest cards seen hold 4 MB


@dataclass(frozen=True, slots=True)
class TextChunk:
    """A text chunk: its keyword, its text as bytes, the byte where the chunk begins in the file.

    `defect` says what is wrong with it ("" for nothing); the text is then what could be read.
    """

    keyword: str
    text: bytes
    start: int
    defect: str = ""


def text_chunks(data: bytes) -> Iterator[TextChunk]:
    """The text chunks of a PNG in file order, before and after the pixels; nothing for other files."""
    position = len(SIGNATURE) if data.startswith(SIGNATURE) else len(data)
    while position + 8 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, position)
        body = data[position + 8 : position + 8 + length]
        if kind in _KINDS:
            cut = (
                f"the chunk should hold {length} bytes and the file ends after {len(body)}"
                if len(body) < length
                else ""
            )
            yield _text_chunk(kind, body, position, cut)
        position += 12 + length


def _text_chunk(kind: bytes, body: bytes, start: int, cut: str) -> TextChunk:
    keyword, _, rest = body.partition(b"\0")
    name = keyword.decode("latin-1")
    if kind == b"tEXt":
        return TextChunk(name, rest, start, cut)
    if kind == b"zTXt":
        return _inflated(name, rest[1:], start, cut)
    compressed = rest[:1] == b"\1"
    # An iTXt chunk goes on with compression flag and method, language tag, translated keyword, each ended by NUL.
    parts = rest[2:].split(b"\0", 2)
    text = parts[2] if len(parts) == 3 else b""
    return _inflated(name, text, start, cut) if compressed else TextChunk(name, text, start, cut)


def _inflated(name: str, packed: bytes, start: int, cut: str) -> TextChunk:
    inflater = zlib.decompressobj()
    try:
        text = inflater.decompress(packed, _MAX_INFLATED)
    except zlib.error as error:
        return TextChunk(name, b"", start, cut or f"cannot be decompressed ({error})")
    if inflater.unconsumed_tail:
        return TextChunk(name, b"", start, f"unpacks to more than {_MAX_INFLATED // 1024 // 1024} MB")
    return TextChunk(name, text, start, cut)
