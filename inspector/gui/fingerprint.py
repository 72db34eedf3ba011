"""Fingerprints of files and folders, by which a saved inspection knows them again. Bounded, and never waiting."""

import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from inspector.reading.files import open_file
from inspector.reading.unreadable import UnreadableError

MOST_BYTES = 2_000_000_000
MOST_ENTRIES = 20_000
_BLOCK = 1 << 20


class Fingerprints:
    """Makes fingerprints until so many bytes are read, or so many entries of folders looked at, for all of them.

    `go_on` is called now and then; what it raises ends the work.
    """

    def __init__(
        self,
        go_on: Callable[[], None] = lambda: None,
        most_bytes: int = MOST_BYTES,
        most_entries: int = MOST_ENTRIES,
    ) -> None:
        self._go_on = go_on
        self._bytes, self._entries = most_bytes, most_entries

    def of(self, path: str) -> tuple[int, str] | None:
        """Size in bytes and SHA-256 of a file, or of all files below a folder with their names.

        None where there is none: for what is gone or no file or folder, and beyond the bounds. Links to folders are not
        followed.
        """
        try:
            return self._digest(self._below(path) if os.path.isdir(path) else [("", path)])
        except (OSError, UnreadableError, _BeyondError):
            return None

    def _digest(self, files: list[tuple[str, str]]) -> tuple[int, str]:
        """Of files with the names that are part of it, "" for none."""
        total, digest = 0, hashlib.sha256()
        for name, file in files:
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
        """Every regular file below a folder, by its name from there, in the order of the names."""
        found: list[tuple[str, str]] = []
        waiting = [folder]
        while waiting:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    self._count_entry()
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    elif os.path.isfile(entry.path):
                        found.append((Path(os.path.relpath(entry.path, folder)).as_posix(), entry.path))
        return sorted(found, key=lambda pair: pair[0].split("/"))

    def _count_entry(self) -> None:
        self._go_on()
        self._entries -= 1
        if self._entries < 0:
            raise _BeyondError


class _BeyondError(Exception):
    """There is more than is looked at."""
