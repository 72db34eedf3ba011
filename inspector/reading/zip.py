"""Archives: which members may be read, and reading them in memory. Nothing is ever unpacked to disk."""

import io
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath

from inspector.model import Problem
from inspector.reading.source import FileSource
from inspector.reading.unreadable import UnreadableError

MAX_FILE_BYTES = 1_000_000_000
MAX_MEMBERS = 50_000
MAX_MEMBER_BYTES = 1_000_000_000
MAX_TOTAL_BYTES = 2_000_000_000
MAX_RATIO = 200
_RATIO_FROM_BYTES = 5_000_000  # small members may be as repetitive as they like


class Archive:
    """The members of a zip that may be read, in the order of their names; `problems` name the others.

    Raises UnreadableError when the archive is damaged or exceeds the limits as a whole.
    """

    def __init__(self, source: FileSource) -> None:
        self.path = source.path
        self.problems: list[Problem] = []
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(source.data))
        except (zipfile.BadZipFile, OSError, ValueError, RuntimeError) as error:
            raise source.unreadable("", f"is a damaged zip archive: {error}") from None
        entries = [entry for entry in self._zip.infolist() if not entry.is_dir()]
        self._refuse_if_too_large(source, entries)
        self._entries = {entry.filename: entry for entry in entries if self._may_be_read(entry)}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the members that may be read, sorted."""
        return tuple(sorted(self._entries))

    def read(self, name: str) -> FileSource:
        """One member. Raises UnreadableError when it is damaged or encrypted."""
        return FileSource(f"{self.path}/{name}", self.peek(name))

    def peek(self, name: str, size: int = -1) -> bytes:
        """The first bytes of a member, all of them by default. Raises UnreadableError as `read` does."""
        member = f"{self.path}/{name}"
        try:
            with self._zip.open(self._entries[name]) as file:
                return file.read(size)
        except (zipfile.BadZipFile, zlib.error, RuntimeError, OSError, EOFError) as error:
            raise UnreadableError(Problem(member, "", f"cannot be taken out of the archive: {error}")) from None

    def sources(self, names: tuple[str, ...] | None = None) -> Iterator[FileSource]:
        """The members (all, or those named) one after another; a damaged one is noted in `problems`."""
        for name in self.names if names is None else names:
            try:
                yield self.read(name)
            except UnreadableError as error:
                self.problems.append(error.problem)

    def _refuse_if_too_large(self, source: FileSource, entries: list[zipfile.ZipInfo]) -> None:
        if len(entries) > MAX_MEMBERS:
            raise source.unreadable("", f"holds {len(entries):,} files; at most {MAX_MEMBERS:,} are read")
        total = sum(entry.file_size for entry in entries)
        if total > MAX_TOTAL_BYTES:
            raise source.unreadable("", f"unpacks to {total:,} bytes; at most {MAX_TOTAL_BYTES:,} are read")

    def _may_be_read(self, entry: zipfile.ZipInfo) -> bool:
        reason = _reason_against(entry)
        if reason:
            self.problems.append(Problem(f"{self.path}/{entry.filename}", "", reason))
        return not reason


def _reason_against(entry: zipfile.ZipInfo) -> str:
    """Why a member is not read, or "" if it may be."""
    name = entry.filename
    if name.startswith(("/", "\\")) or ":" in name[:2] or ".." in PurePosixPath(name.replace("\\", "/")).parts:
        return "its name points outside of the archive, so it is not read"
    if entry.flag_bits & 1:
        return "is encrypted; unpack it first"
    if entry.file_size > MAX_MEMBER_BYTES:
        return f"unpacks to {entry.file_size:,} bytes; at most {MAX_MEMBER_BYTES:,} are read"
    ratio = entry.file_size / max(1, entry.compress_size)
    if entry.file_size > _RATIO_FROM_BYTES and ratio > MAX_RATIO:
        return (
            f"unpacks from {entry.compress_size:,} to {entry.file_size:,} bytes ({ratio:,.0f} times), as no chat does"
        )
    return ""
