"""Files packed as a whole, by gzip or Zstandard, as coding agents archive old sessions. Knows no format.

Python reads Zstandard from 3.14 on; before that pyarrow does, which is an extra.
"""

import gzip
import io
import zlib
from importlib import import_module
from importlib.util import find_spec
from typing import BinaryIO, cast

from inspector.model import Problem
from inspector.reading.budget import Budget
from inspector.reading.unreadable import UnreadableError
from inspector.reading.zip import MAX_MEMBER_BYTES, MAX_RATIO, RATIO_FROM_BYTES

MAGIC = (b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd")
"""The first bytes of gzip and Zstandard files."""
_ZSTD = MAGIC[1]
_BLOCK = 1 << 20
_DEFECTS = (OSError, EOFError, ValueError, zlib.error)


def unpacked(data: bytes, path: str, budget: Budget) -> bytes:
    """Return the content of a packed file.

    Raise UnreadableError if it is damaged, unpacks to more than a chat can or the budget allows, or if nothing is
    installed that unpacks it.
    """
    most = min(budget.most_unpacked, MAX_MEMBER_BYTES, max(RATIO_FROM_BYTES, MAX_RATIO * len(data)))
    try:
        with _opened(data, path) as file:
            content = _read(file, most + 1)
    except UnreadableError:
        raise
    except _DEFECTS as error:
        raise UnreadableError(Problem(path, "", f"is packed and cannot be unpacked: {error}")) from None
    budget.count_unpacked(len(content), path, "unpacks to")
    if len(content) > most:
        message = f"unpacks from {len(data):,} to more than {most:,} bytes, as no chat does"
        raise UnreadableError(Problem(path, "", message))
    return content


def _read(file: BinaryIO, most: int) -> bytes:
    """Return the bytes of a stream, up to a limit: it is read in pieces, as it may promise any length."""
    parts: list[bytes] = []
    left = most
    while left > 0 and (part := file.read(min(_BLOCK, left))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _opened(data: bytes, path: str) -> BinaryIO:
    """Return a stream of the file's content."""
    if not data.startswith(_ZSTD):
        return cast(BinaryIO, gzip.GzipFile(fileobj=io.BytesIO(data)))
    if find_spec("compression") is not None and find_spec("compression.zstd") is not None:
        return import_module("compression.zstd").ZstdFile(io.BytesIO(data))
    if find_spec("pyarrow") is not None:
        arrow = import_module("pyarrow")
        return arrow.CompressedInputStream(arrow.BufferReader(data), "zstd")
    needed = "Python 3.14, or pyarrow, which prompt-inspector[archives] installs"
    raise UnreadableError(Problem(path, "", f"is packed with Zstandard; reading it needs {needed}"))
