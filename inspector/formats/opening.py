"""Opening files, folders and archives: finds the format of each file and reads it.

What the parts become together is said in `merging`; how one format reads its file, in the module of the format.
"""

import logging
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from inspector.formats.format import Format
from inspector.formats.merging import merge, stamped
from inspector.formats.native.kinds import other_native_kind
from inspector.formats.registry import broken, built_in_formats, rank_formats
from inspector.model import Problem, Severity, Source, Workspace
from inspector.reading.budget import OPENING_BYTES, Budget
from inspector.reading.files import MAX_FILE_BYTES, read_file, status
from inspector.reading.folders import files_below
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.text import decode

_log = logging.getLogger(__name__)

_OUTLINED = 3  # lists in lists
_BINARY_SHAPES = {"png": "a picture", "zip": "an archive", "sqlite": "a database", "parquet": "a Parquet file"}


@dataclass(frozen=True, slots=True)
class _Found:
    """The files to open, and whether the person gave exactly this path or only a folder around it."""

    files: dict[Path, bool]
    folders: tuple[Path, ...]
    problems: tuple[Problem, ...]


def load_workspace(
    paths: Sequence[str | Path],
    on_progress: Callable[[str, float], None] | None = None,
    formats: Iterable[Format] | None = None,
    opening_bytes: int = OPENING_BYTES,
) -> Workspace:
    """Everything that the files and folders hold, as one workspace, in the order given.

    `on_progress(path, share)` is called before each file with the share of the files that is done, and once at the
    end with 1. `formats` are those that a file may have, by default the built-in ones. `opening_bytes` is the memory
    that all of them together may take; what needs more than is left is not opened, and the others are. Never raises for
    what the paths stand for or the files hold: what could not be used is in `problems`, with severity "error" where a
    path that was named gave nothing.
    """
    from inspector.formats.sillytavern.chats import link  # formats are imported when the first file is opened

    parts: list[Workspace] = []
    known = built_in_formats() if formats is None else tuple(formats)
    found, budget = _find(paths), Budget(opening_bytes)
    for number, (file, named) in enumerate(found.files.items()):
        if on_progress:
            on_progress(str(file), number / len(found.files))
        parts.append(_load_path(file, named, known, budget))
    parts.append(Workspace(problems=(*found.problems, *_empty_folders(found.folders, parts))))
    if on_progress:
        on_progress("", 1.0)
    return link(merge(parts))


def load_file(path: str | Path) -> Workspace:
    """What one file (or archive) holds. Never raises: a file that cannot be read is a problem of severity "error"."""
    return _load_path(Path(path), True, built_in_formats(), Budget())


def _find(paths: Sequence[str | Path]) -> _Found:
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
            problems += [replace(problem, severity="error") for problem in listing.problems]
            continue
        folders.append(path)
        problems += listing.problems
        for file in listing.files:
            files.setdefault(file, False)
    return _Found(files, tuple(folders), tuple(problems))


def _empty_folders(folders: Sequence[Path], parts: Sequence[Workspace]) -> Iterator[Problem]:
    for folder in folders:
        if not any(Path(source.path).is_relative_to(folder) for part in parts for source in part.sources):
            yield Problem(str(folder), "", "nothing in this folder is of a format this program knows")


def _load_path(path: Path, named: bool, formats: Sequence[Format], budget: Budget) -> Workspace:
    """What one file holds. Whatever goes wrong with it is a problem of this file, so that the others are opened."""
    file = str(path)
    try:
        size = min(status(path).st_size, MAX_FILE_BYTES)
        with budget.lent(size, file, "it would take"):
            # The system's own files say that they hold nothing and may have no end: they are read where they are named.
            data = read_file(path, min(MAX_FILE_BYTES, size + budget.left)) if size or named else b""
            return _load_counted(FileSource(file, data, budget), named, formats)
    except UnreadableError as error:
        return _refused(error.problem, named)
    except Exception as defect:  # noqa: BLE001 - said in a problem, and logged with its traceback
        return _refused(_unforeseen(file, defect), named)


def _load_counted(source: FileSource, named: bool, formats: Sequence[Format]) -> Workspace:
    """What a file holds; where nothing came of it, the memory that it took is free again."""
    part = _load_source(source, named, formats)
    if not part.sources:
        source.give_back()
    return part


def _unforeseen(file: str, defect: Exception) -> Problem:
    """The problem of a file at which this program failed in a way that it should not, with a traceback in the log."""
    _log.error("%s could not be read", file, exc_info=defect)
    return Problem(file, "", f"could not be read, by a fault of this program: {type(defect).__name__}: {defect}")


def _only_problem(file: str, message: str, named: bool) -> Workspace:
    severity: Severity = "error" if named else "info"
    return Workspace(problems=(Problem(file, "", message, severity),))


def _load_source(source: FileSource, named: bool, formats: Sequence[Format]) -> Workspace:
    """Reads a file by the surest format that can; an archive that no format claims is read member by member.

    Raises UnreadableError where it cannot even be seen what the file is.
    """
    _ = source.shape
    ranked, defects = rank_formats(source, formats)
    refused: Problem | None = None
    for kind in ranked:
        try:
            return _beside(_opened(source, kind), defects)
        except UnreadableError as error:
            refused = refused or error.problem
        except Exception as defect:  # noqa: BLE001 - `broken` says why, and logs it with its traceback
            defects.append(broken(kind, source, "could not be read", defect))
            refused = refused or defects[-1]
    if refused:
        others = [problem for problem in defects if problem is not refused]
        return _beside(_refused(replace(refused, severity="error"), named), others)
    unclaimed = _load_members(source, named, formats) if source.shape == "zip" else _unclaimed(source, named)
    return _beside(unclaimed, defects)


def _opened(source: FileSource, kind: Format) -> Workspace:
    part = kind.load(source)
    if not isinstance(part, Workspace):
        raise TypeError(f"load returned {type(part).__name__}, expected a Workspace")
    problems = tuple(dict.fromkeys((*source.problems, *part.problems)))
    return stamped(part, source.path, sources=(Source(source.path, kind.name),), problems=problems)


def _beside(part: Workspace, problems: Sequence[Problem]) -> Workspace:
    """The workspace with these among its problems, too."""
    return replace(part, problems=(*part.problems, *problems)) if problems else part


def _refused(problem: Problem, named: bool) -> Workspace:
    return Workspace(problems=(problem if named else replace(problem, severity="warning"),))


def _load_members(source: FileSource, named: bool, formats: Sequence[Format]) -> Workspace:
    parts = [_member(source, name, formats) for name in source.archive.names]
    problems = list(source.archive.problems)
    if named and not any(part.sources for part in parts) and not problems:
        problems.append(source.problem("", "nothing in this archive is of a format this program knows"))
    return merge([*parts, Workspace(problems=tuple(problems))])


def _member(source: FileSource, name: str, formats: Sequence[Format]) -> Workspace:
    """What one member holds: it is unpacked, read and freed here, before the next one is."""
    try:
        member = source.member(name)
        if member.shape == "zip":
            return _only_problem(member.path, "is an archive inside an archive; unpack the outer one first", False)
        return _load_counted(member, False, formats)
    except UnreadableError as error:
        return Workspace(problems=(error.problem,))
    except Exception as defect:  # noqa: BLE001 - said in a problem, and logged with its traceback
        return _refused(_unforeseen(f"{source.path}/{name}", defect), False)


def _unclaimed(source: FileSource, named: bool) -> Workspace:
    """A file that no format claims: quiet for our other files in a folder, else a problem that outlines it."""
    try:
        kind = other_native_kind(source)
        message = _description(source)
    except UnreadableError as error:
        return _refused(error.problem, named)
    if kind and not named:
        return Workspace()
    if kind:
        message = f"is a file of kind {kind}, which holds no conversations; open the workspace that it belongs to"
    return _only_problem(source.path, message, named)


def _description(source: FileSource) -> str:
    """What an unknown file looks like. Raises UnreadableError when it is not even valid JSON or YAML."""
    if source.shape == "empty":
        return "is empty; expected a saved chat, a character, a lorebook or a workspace"
    if source.shape in _BINARY_SHAPES:
        return f"is {_BINARY_SHAPES[source.shape]} in which nothing that this program knows was found"
    if source.shape == "binary" or (source.shape == "text" and "\u2400" in decode(source.data[:1_000]).text):
        return "is neither text nor anything else that this program knows"
    if source.shape == "text":
        return "is text of no format that this program knows"
    if source.shape == "json_lines":
        value = source.records[0].value if source.records else None
    else:
        value = source.yaml if source.shape == "yaml" else source.json
    return f"is not a format that this program knows: {_outline(value)}"


def _outline(value: object, depth: int = 0) -> str:
    if isinstance(value, dict):
        keys = [str(key)[:40] for key in islice(value, 12)]
        more = ", …" if len(value) > len(keys) else ""
        return f"an object with the keys {', '.join(keys)}{more}" if keys else "an empty object"
    if isinstance(value, list):
        if not value:
            return "an empty list"
        first = f", the first one: {_outline(value[0], depth + 1)}" if depth < _OUTLINED else ""
        return f"a list of {len(value):,} items{first}"
    return f"a single value of type {type(value).__name__}"
