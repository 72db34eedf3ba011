"""Versions of inspection files: what this window has seen of each, so that saving writes over nothing else.

What is written over is kept in a folder of the program, not in the person's. All of it touches files, and knows no Qt.
"""

import hashlib
import logging
import os
import re
import time
from pathlib import Path

from inspector.gui.fingerprint import Fingerprints
from inspector.settings import versions_folder
from inspector.writing import only_writer, write_file

MOST_KEPT = 100
"""Of each file."""
_NUMBERED = re.compile(r"(\d+) ")
_log = logging.getLogger(__name__)


class ChangedOnDiskError(OSError):
    """The file is not what this window read or wrote last: somebody else has written it since."""


class Versions:
    """What inspection files were each time that this window read or wrote them, as SHA-256 of their content."""

    def __init__(self) -> None:
        self._seen: dict[str, list[str]] = {}

    def take(self, file: str | Path, sha256: str) -> None:
        """Remember what a file was when it was read or written."""
        if sha256:
            self._seen.setdefault(os.path.abspath(file), []).append(sha256)

    def last(self, file: str | Path) -> str:
        """What the file was last; "" where this window has not seen it."""
        return self._seen.get(os.path.abspath(file), [""])[-1]

    def check(self, file: str | Path) -> None:
        """Raises ChangedOnDiskError where the file is there and is nothing that this window has seen."""
        found = Fingerprints().of(str(file)) if os.path.lexists(file) else None
        if found is not None and found[1] not in self._seen.get(os.path.abspath(file), []):
            raise ChangedOnDiskError(f"{file} was changed since it was opened here; choose another name to keep both")


def keep_before(file: Path) -> None:
    """Keep a copy of a file that is about to be written over. Where that cannot be, only the log says."""
    if not file.is_file():
        return
    folder = _folder_of(file)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with only_writer(folder):
            kept = _kept(folder)
            number = max(kept, default=0) + 1
            # The time is for the reader; the number says which one is the newest, whatever the clock says.
            name = f"{number:06} {time.strftime('%Y-%m-%d %H.%M.%S')} {_short(file)}"
            write_file(folder / name, file.read_bytes(), (file,))
            for old in sorted(kept)[: -(MOST_KEPT - 1)]:
                kept[old].unlink()
    except OSError as error:
        _log.warning("the version before of %s is not kept: %s", file, error)


def _folder_of(file: Path) -> Path:
    """The folder of the versions of one file, whose name tells it from others of its name."""
    place = os.path.realpath(file)
    return versions_folder() / f"{_short(Path(place))} {hashlib.sha256(os.fsencode(place)).hexdigest()[:12]}"


def _short(file: Path) -> str:
    """The end of a name, such that something goes before it."""
    return file.name[-50:]


def _kept(folder: Path) -> dict[int, Path]:
    """The versions in a folder, by their numbers."""
    numbered = ((_NUMBERED.match(file.name), file) for file in folder.iterdir())
    return {int(found[1]): file for found, file in numbered if found}
