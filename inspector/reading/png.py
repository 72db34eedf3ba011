"""The text chunks of a PNG file: a walk over its chunks that needs no pixels and works on truncated files.

Layout: PNG specification 1.2, sections 3.2 (chunks) and 4.2.3 (tEXt, zTXt, iTXt). Knows no card.
"""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from inspector.model import Problem
from inspector.reading.budget import Budget
from inspector.reading.files import read_head
from inspector.reading.values import UnreadableError

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_KINDS = (b"tEXt", b"zTXt", b"iTXt")
_MAX_CHUNKS = 500_000  # pictures of 1 GB have a quarter of this
_MAX_INFLATED = 64 * 1024 * 1024  # bytes; the largest cards seen hold 4 MB


@dataclass(frozen=True, slots=True)
class TextChunk:
    """A text chunk: keyword, text as bytes (perhaps still packed), and the byte of the file where it begins.

    `cut` describes the missing part ("" for none).
    """

    keyword: str
    packed: bytes
    start: int
    is_packed: bool = False
    cut: str = ""

    @property
    def place(self) -> str:
        """The place in words."""
        return f"chunk {self.keyword} at byte {self.start}"


def text_chunks(data: bytes) -> Iterator[TextChunk]:
    """Yield the text chunks of a PNG in file order, before and after the pixels; none for other files."""
    position = len(SIGNATURE) if data.startswith(SIGNATURE) else len(data)
    for _ in range(_MAX_CHUNKS):
        if position + 8 > len(data):
            return
        length, kind = struct.unpack_from(">I4s", data, position)
        if kind in _KINDS:
            yield _text_chunk(kind, data[position + 8 : position + 8 + length], position, length)
        position += 12 + length


def text_of(chunk: TextChunk, path: str, budget: Budget) -> bytes:
    """Return the text of a chunk of the file `path`, unpacked. Raise UnreadableError if it is truncated or damaged.

    Unpacked bytes count against the budget, and no more is unpacked at once than it has memory left for.
    """
    if chunk.cut:
        raise UnreadableError(Problem(path, chunk.place, f"is cut off: {chunk.cut}"))
    if not chunk.is_packed:
        return chunk.packed
    try:
        text = zlib.decompressobj().decompress(chunk.packed, min(_MAX_INFLATED, budget.most_unpacked) + 1)
    except zlib.error as error:
        raise UnreadableError(Problem(path, chunk.place, f"cannot be unpacked ({error})")) from None
    if len(text) > _MAX_INFLATED:
        message = f"unpacks to more than {_MAX_INFLATED // 1024 // 1024} MB"
        raise UnreadableError(Problem(path, chunk.place, message))
    budget.count_unpacked(len(text), path, f"the {chunk.place} unpacks to")
    return text


def _text_chunk(kind: bytes, body: bytes, start: int, length: int) -> TextChunk:
    keyword, _, rest = body.partition(b"\0")
    name = keyword.decode("latin-1")
    cut = "" if len(body) == length else f"it should hold {length} bytes and the file ends after {len(body)}"
    if kind == b"tEXt":
        return TextChunk(name, rest, start, False, cut)
    if kind == b"zTXt":
        return TextChunk(name, rest[1:], start, True, cut)
    # An iTXt chunk goes on with compression flag and method, language tag, translated keyword, each ended by NUL.
    parts = rest[2:].split(b"\0", 2)
    return TextChunk(name, parts[2] if len(parts) == 3 else b"", start, rest[:1] == b"\1", cut)


KEY, TEXT = "Software", "Prompt Inspector"
"""Keyword and text of the PNG chunk that names the creator (PNG specification, section 11.3.4.2)."""
_HEAD_BYTES = 4096


def is_own_picture(file: Path) -> bool:
    """Return whether a file is a picture made by this program; False for unreadable files."""
    try:
        head = read_head(file, _HEAD_BYTES)
    except UnreadableError:
        return False
    return any((chunk.keyword, chunk.packed) == (KEY, TEXT.encode()) for chunk in text_chunks(head))
