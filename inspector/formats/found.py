"""Which files some paths stand for: the files themselves, and those below the folders among them."""

import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from inspector.model import Problem, changed
from inspector.reading.files import status
from inspector.reading.folders import files_below
from inspector.reading.unreadable import UnreadableError


@dataclass(frozen=True, slots=True)
class FoundFiles:
    """The files to open, and whether the person gave exactly this path or only a folder around it."""

    files: dict[Path, bool]
    folders: tuple[Path, ...]
    problems: tuple[Problem, ...]


def find(paths: Sequence[str | Path]) -> FoundFiles:
    """The files that some paths stand for. Never raises: a path that leads nowhere is a problem."""
    files: dict[Path, bool] = {}
    folders: list[Path] = []
    problems: list[Problem] = []
    for path in map(Path, paths):
        try:
            is_folder = stat.S_ISDIR(status(path).st_mode)
        except UnreadableError as error:
            problems.append(error.problem)
            continue
        if not is_folder:
            files[path] = True
            continue
        listing = files_below(path)
        if not listing.files and listing.problems:
            problems += [changed(problem, severity="error") for problem in listing.problems]
            continue
        folders.append(path)
        problems += listing.problems
        for file in listing.files:
            files.setdefault(file, False)
    return FoundFiles(files, tuple(folders), tuple(problems))
