"""Versions of inspection files known to this window, so that saving never overwrites another version.

Overwritten versions are kept in a folder of the program, not of the user. Everything here touches files; independent of
Qt.
"""

import hashlib
import logging
import os
import re
import time
from pathlib import Path

from inspector.gui.files.fingerprint import Fingerprints
from inspector.settings import versions_folder
from inspector.writing import only_writer, write_file

MOST_KEPT = 100
"""The number of versions per file."""
_NUMBERED = re.compile(r"(\d+) ")
_log = logging.getLogger(__name__)


class ChangedOnDiskError(OSError):
    """The file was written by another program since this window last read or wrote it."""


class Versions:
    """All versions of inspection files read or written by this window, as SHA-256 of their content."""

    def __init__(self) -> None:
        self._seen: dict[str, list[str]] = {}

    def take(self, file: str | Path, sha256: str) -> None:
        """Record the version of a file after reading or writing it."""
        if sha256:
            self._seen.setdefault(os.path.abspath(file), []).append(sha256)

    def last(self, file: str | Path) -> str:
        """Return the last known version of a file, or ""."""
        return self._seen.get(os.path.abspath(file), [""])[-1]

    def check(self, file: str | Path) -> None:
        """Raise ChangedOnDiskError if the file exists in a version unknown to this window."""
        found = Fingerprints().of(str(file)) if os.path.lexists(file) else None
        if found is not None and found[1] not in self._seen.get(os.path.abspath(file), []):
            raise ChangedOnDiskError(f"{file} was changed since it was opened here; choose another name to keep both")


def keep_before(file: Path) -> None:
    """Keep a copy of a file before it is overwritten. A failure is only logged."""
    if not file.is_file():
        return
    folder = _folder_of(file)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with only_writer(folder):
            kept = _kept(folder)
            number = max(kept, default=0) + 1
            # The time is for the user; the number orders the versions independently of the clock.
            name = f"{number:06} {time.strftime('%Y-%m-%d %H.%M.%S')} {_short(file)}"
            write_file(folder / name, file.read_bytes(), (file,))
            for old in sorted(kept)[: -(MOST_KEPT - 1)]:
                kept[old].unlink()
    except OSError as error:
        _log.warning("the version before of %s is not kept: %s", file, error)


def _folder_of(file: Path) -> Path:
    """Return the folder for the versions of a file, with a name that distinguishes it from files of the same name."""
    place = os.path.realpath(file)
    return versions_folder() / f"{_short(Path(place))} {hashlib.sha256(os.fsencode(place)).hexdigest()[:12]}"


def _short(file: Path) -> str:
    """Return the end of a name, short enough for a prefix."""
    return file.name[-50:]


def _kept(folder: Path) -> dict[int, Path]:
    """Return the versions in a folder, by number."""
    numbered = ((_NUMBERED.match(file.name), file) for file in folder.iterdir())
    return {int(found[1]): file for found, file in numbered if found}
