"""Archives: which members may be read, and unpacking them in memory. Nothing is ever unpacked to disk.

The list of members is zipfile's; the members are unpacked here, because zipfile trusts the list about their size and
unpacks some kinds without a bound. Layout: PKWARE's APPNOTE, sections 4.3.7 and 5.8.
"""

import gzip
import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import PurePosixPath
from typing import BinaryIO, cast

from inspector.derived import cached_property
from inspector.extras import install_command
from inspector.model import Problem
from inspector.reading.budget import Budget
from inspector.reading.values import UnreadableError

MAX_MEMBERS = 50_000
MAX_MEMBER_BYTES = 1_000_000_000
MAX_RATIO = 200
RATIO_FROM_BYTES = 5_000_000  # small members may be as repetitive as they like
_LISTED, _END = b"PK\x01\x02", b"PK\x05\x06"
_LIST_SIZE_AT, _UNKNOWN_SIZE = 12, 0xFFFFFFFF
_LOCAL = struct.Struct("<4s22x2H")  # signature, length of the name, length of the fields between name and data
_LZMA = struct.Struct("<2xHBI")  # length of the properties, their first byte, size of the dictionary
_ENCRYPTED, _PATCHED, _MASKED = 0x01, 0x20, 0x40
_LIST_DEFECTS = (zipfile.BadZipFile, struct.error, ValueError, ArithmeticError, LookupError, EOFError, OSError)
_MEMBER_DEFECTS = (zlib.error, struct.error, ValueError, ArithmeticError, EOFError, OSError)


class Archive:
    """The readable members of a zip, in order of their names; `problems` name the others.

    `was_read` are the names of the members read as a whole.

    Unpacked bytes count against the budget, and no more is unpacked at once than it has memory left for. Raises
    UnreadableError if the archive is damaged or holds too many files.
    """

    def __init__(self, path: str, data: bytes, budget: Budget) -> None:
        self.path = path
        self.problems: list[Problem] = []
        self.was_read: set[str] = set()
        self._data = data
        self._budget = budget
        if (count := _listed(data)) > MAX_MEMBERS:
            raise UnreadableError(Problem(path, "", f"holds {count:,} files; at most {MAX_MEMBERS:,} are read"))
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as file:
                entries = [entry for entry in file.infolist() if not entry.is_dir()]
        except (*_LIST_DEFECTS, RuntimeError) as error:  # RuntimeError: not implemented in zipfile
            raise UnreadableError(Problem(path, "", f"is a damaged zip archive: {error}")) from None
        self._entries = {entry.filename: entry for entry in entries if self._may_be_read(entry)}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The sorted names of the readable members."""
        return tuple(sorted(self._entries))

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def read(self, name: str) -> bytes:
        """Return a member, unpacked. Raise UnreadableError if it is damaged or needs more memory than is left."""
        entry = self._entries[name]
        self.was_read.add(name)
        content = self._unpacked(entry, entry.file_size)
        if len(content) != entry.file_size:
            raise self._damaged(name, f"it should hold {entry.file_size:,} bytes and holds {len(content):,} or more")
        if zlib.crc32(content) != entry.CRC:
            raise self._damaged(name, "its checksum is another one")
        return content

    def peek(self, name: str, size: int) -> bytes:
        """Return the first bytes of a member, unchecked. Raise UnreadableError as `read` does."""
        return self._unpacked(self._entries[name], size)[:size]

    def _unpacked(self, entry: zipfile.ZipInfo, size: int) -> bytes:
        """Return the first bytes of a member, up to one more than `size` to show whether there are more."""
        try:
            unpack = _WAYS.get(entry.compress_type)
            if unpack is None:
                raise ValueError(f"it is packed by method {entry.compress_type}, which is not read here")
            content = unpack(self._packed(entry), min(size, self._budget.most_unpacked) + 1)
        except _MEMBER_DEFECTS as error:
            raise self._damaged(entry.filename, str(error)) from None
        self._budget.count_unpacked(len(content), self._member(entry.filename), "unpacks to")
        return content

    def _packed(self, entry: zipfile.ZipInfo) -> memoryview:
        """Return the bytes of a member as packed in the archive, behind its own header. Raise ValueError."""
        start = entry.header_offset
        if not 0 <= start <= len(self._data) - _LOCAL.size:
            raise ValueError("the archive ends before it")
        signature, name, extra = _LOCAL.unpack_from(self._data, start)
        if signature != b"PK\x03\x04":
            raise ValueError("there is no member where it should stand")
        start += _LOCAL.size + name + extra
        return memoryview(self._data)[start : start + max(0, entry.compress_size)]

    def _member(self, name: str) -> str:
        return f"{self.path}/{name}"

    def _damaged(self, name: str, what: str) -> UnreadableError:
        return UnreadableError(Problem(self._member(name), "", f"cannot be taken out of the archive: {what}"))

    def _may_be_read(self, entry: zipfile.ZipInfo) -> bool:
        reason = _reason_against(entry)
        if reason:
            self.problems.append(Problem(self._member(entry.filename), "", reason, unopened=True))
        return not reason


def _listed(data: bytes) -> int:
    """Return the most members that the list at the end of an archive can have, without reading it."""
    end = data.rfind(_END)
    size = int.from_bytes(data[end + _LIST_SIZE_AT : end + _LIST_SIZE_AT + 4], "little") if end >= 0 else 0
    start = 0 if size == _UNKNOWN_SIZE else max(0, end - size)
    return data.count(_LISTED, start) if end >= 0 else 0


def _reason_against(entry: zipfile.ZipInfo) -> str:
    """Return the reason why a member is not read, or "" if it may be."""
    name = entry.filename
    if name.startswith(("/", "\\")) or ":" in name[:2] or (".." in name and ".." in _parts(name)):
        return "its name points outside of the archive, so it is not read"
    if entry.flag_bits & (_ENCRYPTED | _MASKED):
        return "is encrypted; unpack it first"
    if entry.flag_bits & _PATCHED:
        return "is a change to another file, which is not read"
    if entry.file_size > MAX_MEMBER_BYTES:
        return f"unpacks to {entry.file_size:,} bytes; at most {MAX_MEMBER_BYTES:,} are read"
    ratio = entry.file_size / max(1, entry.compress_size)
    if entry.file_size > RATIO_FROM_BYTES and ratio > MAX_RATIO:
        return (
            f"unpacks from {entry.compress_size:,} to {entry.file_size:,} bytes ({ratio:,.0f} times), as no chat does"
        )
    return ""


def _parts(name: str) -> tuple[str, ...]:
    return PurePosixPath(name.replace("\\", "/")).parts


def _stored(packed: memoryview, size: int) -> bytes:
    return bytes(packed[:size])


def _deflated(packed: memoryview, size: int) -> bytes:
    return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, size)


def _bzip2(packed: memoryview, size: int) -> bytes:
    try:
        import bz2
    except ImportError:
        raise ValueError("it is packed with bzip2, which this Python cannot unpack") from None
    return bz2.BZ2Decompressor().decompress(packed, size)


def _lzma(packed: memoryview, size: int) -> bytes:
    """Return a raw LZMA stream behind its properties: 9 and 5 are the numbers of values of the first two."""
    try:
        import lzma
    except ImportError:
        raise ValueError("it is packed with LZMA, which this Python cannot unpack") from None
    length, settings, dictionary = _LZMA.unpack_from(packed)
    if length != 5:
        raise ValueError("its settings are not those of LZMA")
    rest, context = divmod(settings, 9)
    position, literal = divmod(rest, 5)
    # The dictionary is never used beyond the text's length, and a request for 4 GB would be granted.
    used = min(dictionary, max(size, 4096))
    filters = [{"id": lzma.FILTER_LZMA1, "dict_size": used, "lc": context, "lp": literal, "pb": position}]
    try:
        return lzma.LZMADecompressor(lzma.FORMAT_RAW, None, filters).decompress(packed[_LZMA.size :], size)
    except lzma.LZMAError as error:
        raise ValueError(str(error)) from None


_WAYS: dict[int, Callable[[memoryview, int], bytes]] = {
    zipfile.ZIP_STORED: _stored,
    zipfile.ZIP_DEFLATED: _deflated,
    zipfile.ZIP_BZIP2: _bzip2,
    zipfile.ZIP_LZMA: _lzma,
}


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
    needed = f"is packed with Zstandard; reading it needs Python 3.14, or pyarrow: {install_command('archives')}"
    raise UnreadableError(Problem(path, "", needed))
