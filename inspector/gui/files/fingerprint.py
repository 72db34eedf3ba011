"""Fingerprints of files and folders, by which a saved inspection recognizes them. Bounded and never blocking."""

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from inspector.reading.files import open_file
from inspector.reading.folders import MAX_FILES, files_below
from inspector.reading.values import UnreadableError

MOST_BYTES = 2_000_000_000
_BLOCK = 1 << 20


class Fingerprints:
    """Computes fingerprints up to a total number of bytes and files.

    `go_on` is called regularly; an exception that it raises ends the work.
    """

    def __init__(
        self,
        go_on: Callable[[], None] = lambda: None,
        most_bytes: int = MOST_BYTES,
        most_files: int = MAX_FILES,
    ) -> None:
        self._go_on = go_on
        self._bytes, self._files = most_bytes, most_files

    def of(self, path: str) -> tuple[int, str] | None:
        """Return the size in bytes and the SHA-256 of a file, or of a folder's opened files and their names.

        Returns None if there is no file or folder, and beyond the limits.
        """
        try:
            return self._digest(self._below(path) if os.path.isdir(path) else [("", path)])
        except (OSError, UnreadableError, _BeyondError):
            return None

    def _digest(self, files: Sequence[tuple[str, str]]) -> tuple[int, str]:
        """Return the digest of files and of their names ("": without a name)."""
        total, digest = 0, hashlib.sha256()
        for name, file in files:
            self._go_on()
            self._files -= 1
            if self._files < 0:
                raise _BeyondError
            digest.update(f"{name}\0".encode(errors="surrogateescape") if name else b"")
            for block in self._blocks(file):
                digest.update(block)
                total += len(block)
        return total, digest.hexdigest()

    def _blocks(self, file: str) -> Iterator[bytes]:
        with open_file(file) as opened:
            while block := opened.read(_BLOCK):
                self._go_on()
                self._bytes -= len(block)
                if self._bytes < 0:
                    raise _BeyondError
                yield block

    def _below(self, folder: str) -> list[tuple[str, str]]:
        """Return the files opened with a folder, by relative name and sorted by name."""
        if min(self._bytes, self._files) < 0:
            raise _BeyondError
        listing = files_below(Path(folder))
        if listing.problems:
            raise _BeyondError
        found = [(file.relative_to(folder), str(file)) for file in listing.files if os.path.isfile(file)]
        return [(name.as_posix(), file) for name, file in sorted(found)]


class _BeyondError(Exception):
    """There is more to read than the limits allow."""
