"""Opening files, folders and archives: finds the format of each file and reads it.

What the parts become together is said in `merging`; how one format reads its file, in the module of the format.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from inspector.formats.format import Format
from inspector.formats.merging import merge, stamped
from inspector.formats.native.kinds import other_native_kind
from inspector.formats.registry import broken, built_in_formats, rank_formats
from inspector.model import Problem, Severity, Source, Workspace, changed
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.zip import MAX_FILE_BYTES, Archive

MAX_FOLDER_FILES = 20_000
_BINARY_SHAPES = {"png": "a picture", "zip": "an archive", "sqlite": "a database", "parquet": "a Parquet file"}


@dataclass(frozen=True, slots=True)
class _Found:
    """A file to open; `named` when the person gave exactly this path, not only a folder or archive around it."""

    path: Path
    named: bool


def load_workspace(
    paths: Sequence[str | Path],
    on_progress: Callable[[str, float], None] | None = None,
    formats: Iterable[Format] | None = None,
) -> Workspace:
    """Everything that the files and folders hold, as one workspace, in the order given.

    `on_progress(path, share)` is called before each file with the share of the files that is done, and once at the
    end with 1. `formats` are those that a file may have, by default the built-in ones. Never raises for what stands in
    the files: what could not be used is in `problems`, with severity "error" where a path that was named gave nothing.
    """
    from inspector.formats.sillytavern.chats import link  # formats are imported when the first file is opened

    parts: list[Workspace] = []
    known = built_in_formats() if formats is None else tuple(formats)
    found, problems = _find(paths)
    for number, file in enumerate(found):
        if on_progress:
            on_progress(str(file.path), number / len(found))
        parts.append(_load_path(file.path, file.named, known))
    parts.append(Workspace(problems=(*problems, *_empty_folders(paths, parts))))
    if on_progress:
        on_progress("", 1.0)
    return link(merge(parts))


def load_file(path: str | Path) -> Workspace:
    """What one file (or archive) holds. Never raises: a file that cannot be read is a problem of severity "error"."""
    return _load_path(Path(path), True, built_in_formats())


def _find(paths: Sequence[str | Path]) -> tuple[list[_Found], list[Problem]]:
    found: dict[Path, _Found] = {}
    problems: list[Problem] = []
    for path in map(Path, paths):
        if path.is_dir():
            inside = [*_walk(path)]
            if len(inside) > MAX_FOLDER_FILES:
                message = f"holds {len(inside):,} files; the first {MAX_FOLDER_FILES:,} are opened"
                problems.append(Problem(str(path), "", message, "warning"))
            for file in inside[:MAX_FOLDER_FILES]:
                found.setdefault(file, _Found(file, named=False))
        elif path.exists():
            found[path] = _Found(path, named=True)
        else:
            problems.append(Problem(str(path), "", "there is no such file or folder"))
    return list(found.values()), problems


def _walk(folder: Path) -> Iterator[Path]:
    """The files below a folder by name, without hidden ones and without following links to folders."""
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(parent, name) for name in sorted(files) if not name.startswith("."))


def _empty_folders(paths: Sequence[str | Path], parts: Sequence[Workspace]) -> Iterator[Problem]:
    opened = [Path(source.path) for part in parts for source in part.sources]
    for folder in (path for path in map(Path, paths) if path.is_dir()):
        if not any(file.is_relative_to(folder) for file in opened):
            yield Problem(str(folder), "", "nothing in this folder is of a format this program knows")


def _load_path(path: Path, named: bool, formats: Sequence[Format]) -> Workspace:
    try:
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            return _only_problem(str(path), f"is {size:,} bytes long; at most {MAX_FILE_BYTES:,} are read", named)
        if not path.is_file():
            return _only_problem(str(path), "is not a regular file", named)
        return _load_source(FileSource(str(path), path.read_bytes()), named, formats)
    except OSError as error:
        return _only_problem(str(path), f"cannot be read: {error.strerror or error}", named)


def _only_problem(file: str, message: str, named: bool) -> Workspace:
    severity: Severity = "error" if named else "info"
    return Workspace(problems=(Problem(file, "", message, severity),))


def _load_source(source: FileSource, named: bool, formats: Sequence[Format]) -> Workspace:
    """Reads a file by the surest format that can; an archive that no format claims is read member by member."""
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
        return _beside(_refused(changed(refused, severity="error"), named), others)
    unclaimed = _load_members(source, named, formats) if source.shape == "zip" else _unclaimed(source, named)
    return _beside(unclaimed, defects)


def _opened(source: FileSource, kind: Format) -> Workspace:
    part = kind.load(source)
    if not isinstance(part, Workspace):
        raise TypeError(f"load returned {type(part).__name__}, expected a Workspace")
    problems = tuple(dict.fromkeys((*source.problems, *part.problems)))
    return stamped(changed(part, sources=(Source(source.path, kind.name),), problems=problems), source.path)


def _beside(part: Workspace, problems: Sequence[Problem]) -> Workspace:
    """The workspace with these among its problems, too."""
    return changed(part, problems=(*part.problems, *problems)) if problems else part


def _refused(problem: Problem, named: bool) -> Workspace:
    return Workspace(problems=(problem if named else changed(problem, severity="warning"),))


def _load_members(source: FileSource, named: bool, formats: Sequence[Format]) -> Workspace:
    try:
        archive = Archive(source)
    except UnreadableError as error:
        return _refused(error.problem, named)
    parts = [_member(member, formats) for member in archive.sources()]
    problems = list(archive.problems)
    if named and not any(part.sources for part in parts) and not problems:
        problems.append(source.problem("", "nothing in this archive is of a format this program knows"))
    return merge([*parts, Workspace(problems=tuple(problems))])


def _member(member: FileSource, formats: Sequence[Format]) -> Workspace:
    if member.shape == "zip":
        return _only_problem(member.path, "is an archive inside an archive; unpack the outer one first", named=False)
    return _load_source(member, False, formats)


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
    if source.shape == "text" and "\u2400" in source.text[:1_000]:
        return "is neither text nor anything else that this program knows"
    if source.shape == "text":
        return "is text of no format that this program knows"
    value = source.yaml if source.shape == "yaml" else source.sample if source.shape == "json_lines" else source.json
    return f"is not a format that this program knows: {_outline(value)}"


def _outline(value: object) -> str:
    if isinstance(value, dict):
        keys = [str(key) for key in list(value)[:12]]
        return (
            f"an object with the keys {', '.join(keys)}{', …' if len(value) > 12 else ''}"
            if keys
            else "an empty object"
        )
    if isinstance(value, list):
        return f"a list of {len(value):,} items, the first one: {_outline(value[0])}" if value else "an empty list"
    return f"a single value of type {type(value).__name__}"
