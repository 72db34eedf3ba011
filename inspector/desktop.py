"""The program in a Linux desktop: installing and uninstalling menu entry, icons, description and file types.

The files in `resources/desktop` have the layout of a user's data folder. A record beside them lists the installed
files, so a newer version replaces only its own files.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from inspector.json_text import json_document
from inspector.resources import resource
from inspector.writing import write_file

_RECORD = Path("prompt-inspector", "desktop.json")
_ENTRY = Path("applications", "prompt-inspector.desktop")
_PROGRAM = "Exec=prompt-inspector "
_DATABASES = {"update-mime-database": "mime", "update-desktop-database": "applications"}


@dataclass(frozen=True, slots=True)
class Step:
    """The action on a file: `written`, `removed`, `unchanged`, or `left` because it is not ours."""

    path: Path
    done: str


def data_home() -> Path:
    """Return the folder in which desktops look for a user's installed files: $XDG_DATA_HOME, or ~/.local/share."""
    given = Path(os.environ.get("XDG_DATA_HOME") or ".")
    return given if given.is_absolute() else Path.home() / ".local" / "share"


def own_command() -> list[str]:
    """Return the words to start this very program, wherever it is installed."""
    return [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "inspector"]


def install(home: Path, command: Sequence[str]) -> list[Step]:
    """Install every missing shipped file, with `command` in the menu entry.

    A file made or changed by others stays unchanged. Raise OSError if a file cannot be written.
    """
    record = _Record.read(home)
    try:
        return [_put(home, place, content, record) for place, content in _shipped(command)]
    finally:
        record.write(home)  # including the files written before a failure


def uninstall(home: Path, command: Sequence[str]) -> list[Step]:
    """Remove the files put in place by `install` and unchanged since. Raise OSError if a file cannot be removed."""
    record = _Record.read(home)
    sums = {place: _sum(content) for place, content in _shipped(command)} | record.sums
    steps = [_take(home / place, known) for place, known in sums.items() if os.path.lexists(home / place)]
    (home / _RECORD).unlink(missing_ok=True)
    return steps


def remove_empty_folders(home: Path) -> None:
    """Remove empty shipped folders."""
    files = (_RECORD, *(place for place, _ in _shipped([])))
    folders = {folder for file in files for folder in file.parents if folder != Path()}
    for folder in sorted(folders, key=lambda folder: -len(folder.parts)):
        with suppress(OSError):  # not empty, or missing
            (home / folder).rmdir()


def update_databases(home: Path) -> list[str]:
    """Let the desktop read its folders again. Return the missing or failed commands for this."""
    folders = ((tool, home / folder) for tool, folder in _DATABASES.items())
    return [f"{tool} {folder}" for tool, folder in folders if folder.is_dir() and not _ran(tool, folder)]


def _ran(tool: str, folder: Path) -> bool:
    place = shutil.which(tool)
    quiet = subprocess.DEVNULL
    return place is not None and subprocess.run([place, folder], stdout=quiet, stderr=quiet).returncode == 0


def _shipped(command: Sequence[str]) -> Iterator[tuple[Path, bytes]]:
    """Yield the place in a data folder, and the content, of each file."""
    top = resource("desktop")
    for file in sorted(file for file in top.rglob("*") if file.is_file()):
        place, content = file.relative_to(top), file.read_bytes()
        if place == _ENTRY:
            content = content.replace(_PROGRAM.encode(), f"Exec={' '.join(map(_quoted, command))} ".encode())
        yield place, content


def _quoted(word: str) -> str:
    """Return a word of the key Exec: quoted, then escaped once more like every string of a desktop entry."""
    for character in '\\"`$':
        word = word.replace(character, "\\" + character)
    return '"' + word.replace("\\", "\\\\").replace("%", "%%") + '"'


def _put(home: Path, place: Path, content: bytes, record: "_Record") -> Step:
    path = home / place
    there, wanted = _sum_of_file(path), _sum(content)
    is_known = there is not None and there in (wanted, record.sums.get(place))
    if os.path.lexists(path) and not is_known:
        return Step(path, "left")
    if there != wanted:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, content, ())
    record.sums[place] = wanted
    return Step(path, "unchanged" if there == wanted else "written")


def _take(path: Path, known: str) -> Step:
    if _sum_of_file(path) != known:
        return Step(path, "left")
    path.unlink()
    return Step(path, "removed")


def _sum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _sum_of_file(path: Path) -> str | None:
    """Return the hash of a file, None for a folder, a link or a stream, which are never ours."""
    return None if path.is_symlink() or not path.is_file() else _sum(path.read_bytes())


@dataclass
class _Record:
    """The installed files, by their place in the data folder, with the sums of their contents."""

    sums: dict[Path, str] = field(default_factory=dict)

    @classmethod
    def read(cls, home: Path) -> "_Record":
        """Read the record; a missing or damaged record is empty: then only equal contents are ours."""
        try:
            value: Any = orjson.loads((home / _RECORD).read_bytes())
        except (FileNotFoundError, orjson.JSONDecodeError):
            return cls()
        entries = value.items() if isinstance(value, Mapping) else ()
        return cls({Path(place): known for place, known in entries if isinstance(known, str) and _is_inside(place)})

    def write(self, home: Path) -> None:
        (home / _RECORD).parent.mkdir(parents=True, exist_ok=True)
        write_file(home / _RECORD, json_document({place.as_posix(): known for place, known in self.sums.items()}), ())


def _is_inside(place: str) -> bool:
    return not Path(place).is_absolute() and ".." not in Path(place).parts
