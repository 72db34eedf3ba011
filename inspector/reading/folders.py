"""The files of a folder, listed in a bounded time; unlisted parts are a problem. Opens no file."""

import os
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from inspector.model import Problem, changed
from inspector.reading.files import unreadable

MAX_FILES = 20_000
MAX_ENTRIES = 200_000
"""The limit of files, folders and hidden entries together."""

_OF_CHATS = (".system_generated", ".specstory")
"""Hidden folders in which programs keep chats beside the files of their users: Antigravity and SpecStory."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The files below a folder, and a problem for each unlisted part of it."""

    files: tuple[Path, ...]
    problems: tuple[Problem, ...]


def files_below(folder: Path) -> Listing:
    """Return the files below a folder by name, those of a folder before those of its folders.

    Hidden files are left out, but for those of chats, and links to folders are not followed. The limits above bound the
    search.
    """
    files: list[Path] = []
    problems: list[Problem] = []
    waiting, left = [str(folder)], MAX_ENTRIES
    while waiting and left and len(files) <= MAX_FILES:
        path = waiting.pop()
        try:
            entries = _entries(path, left)
        except OSError as error:
            problems.append(changed(unreadable(path, error).problem, severity="warning"))
            continue
        left -= len(entries)
        seen = sorted(filter(_is_seen, entries), key=lambda entry: entry.name)
        files += [Path(entry.path) for entry in seen if not _is_folder(entry)]
        waiting += [entry.path for entry in reversed(seen) if _is_folder(entry) and not entry.is_symlink()]
    if waiting or not left or len(files) > MAX_FILES:
        files = files[:MAX_FILES]
        limits = f"more than {MAX_FILES:,} files, or {MAX_ENTRIES:,} with its folders and hidden files"
        message = f"holds {limits}; {len(files):,} files of it are opened"
        problems.append(Problem(str(folder), "", message, "warning"))
    return Listing(tuple(files), tuple(problems))


def _entries(folder: str, most: int) -> list[os.DirEntry[str]]:
    """Return the entries of a folder, up to a limit. Raise OSError."""
    with os.scandir(folder) as found:
        return list(islice(found, most))


def _is_seen(entry: os.DirEntry[str]) -> bool:
    return not entry.name.startswith(".") or entry.name in _OF_CHATS


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a dangling link; opening it reports that
        return False
