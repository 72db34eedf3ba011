"""The number of pages of a PDF, read from the tree of its pages (ISO 32000-1, 7.7.3), unpacked or in object streams."""

import re
import zlib
from collections.abc import Iterator

_TREE = re.compile(rb"/Type\s*/Pages\b")
_LEAF = re.compile(rb"/Type\s*/Page(?![A-Za-z])")
_COUNT = re.compile(rb"/Count\s+(\d{1,7})\b")
_PARENT = re.compile(rb"/Parent\b")
_FIRST = re.compile(rb"/Linearized\b[^>]{0,400}?/N\s+(\d{1,7})\b")
_PACKED = re.compile(rb"/Type\s*/ObjStm\b")
_STREAM = re.compile(rb"stream\r?\n")
_EDGE = re.compile(rb"<<|>>")
_FAR = 1 << 20  # bytes from the type of a node to the end of its dictionary: it names all its children
_MOST_INFLATED = 32 << 20
_MOST_STREAMS = 2_000


def pdf_pages(data: bytes) -> int | None:
    """Return the number of pages; None if their tree is encrypted, damaged, or beyond the limits."""
    if linear := _FIRST.search(data, 0, 1024):
        return int(linear[1]) or None
    roots = leaves = 0
    for text in (data, *_unpacked(data)):
        leaves += len(_LEAF.findall(text))
        for node in _nodes(text):
            count = _COUNT.search(node)
            if count and not _PARENT.search(node):
                roots = int(count[1])  # a later version of the tree replaces the earlier
    return roots or leaves or None


def _nodes(text: bytes) -> Iterator[bytes]:
    """Yield the dictionary around each node of the tree of pages."""
    for found in _TREE.finditer(text):
        start = _edge_before(text, found.start())
        end = _edge_after(text, found.end())
        yield text[start:end]


def _edge_before(text: bytes, place: int) -> int:
    depth, first = 0, max(0, place - _FAR)
    while depth >= 0:
        opens, closes = text.rfind(b"<<", first, place), text.rfind(b">>", first, place)
        place = max(opens, closes)
        if place < 0:
            return first
        depth += 1 if closes > opens else -1
    return place


def _edge_after(text: bytes, place: int) -> int:
    depth = 0
    for edge in _EDGE.finditer(text, place, place + _FAR):
        depth += 1 if edge[0] == b"<<" else -1
        if depth < 0:
            return edge.end()
    return min(len(text), place + _FAR)


def _unpacked(data: bytes) -> Iterator[bytes]:
    """Yield the texts of object streams, within the limits."""
    left = _MOST_INFLATED
    for number, found in enumerate(_PACKED.finditer(data)):
        stream = _STREAM.search(data, found.end(), found.end() + 4_096)
        if stream is None or left <= 0 or number >= _MOST_STREAMS:
            continue
        try:
            end = data.find(b"endstream", stream.end())
            text = zlib.decompressobj().decompress(data[stream.end() : end if end >= 0 else None], left)
        except zlib.error:
            continue  # encrypted, or packed in another way
        left -= len(text)
        yield text
