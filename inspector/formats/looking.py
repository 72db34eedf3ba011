"""Looks at files without opening them: their candidate formats, or a description of unknown files."""

import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from inspector.formats.format import Format
from inspector.formats.gathered import pieces_among, source_of
from inspector.formats.native.workspace import other_native_kind
from inspector.formats.one_file import MAX_ARCHIVES_DEEP, TOO_DEEP
from inspector.formats.registry import Candidate, built_in_formats, candidates, likely
from inspector.formats.unknown import description
from inspector.formats.wrapped import inner_documents
from inspector.model import Problem, changed
from inspector.reading.budget import OPENING_BYTES, Budget
from inspector.reading.files import MAX_FILE_BYTES, read_file, status
from inspector.reading.folders import files_below
from inspector.reading.source import FileSource
from inspector.reading.values import UnreadableError


@dataclass(frozen=True, slots=True)
class FoundFiles:
    """The files to open, and whether the user gave exactly this path or only a folder around it."""

    files: dict[Path, bool]
    folders: tuple[Path, ...]
    problems: tuple[Problem, ...]


def find(paths: Sequence[str | Path]) -> FoundFiles:
    """Return the files for some paths, without those that are read with another one of their folder.

    Never raises: a path that does not exist is a problem.
    """
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
        pieces = pieces_among(listing.files)
        for file in listing.files:
            if file not in pieces:
                files.setdefault(file, False)
    return FoundFiles(files, tuple(folders), tuple(problems))


@dataclass(frozen=True, slots=True)
class Look:
    """The candidates of a file, the surest first; without any, `words` describe it, or say why that is impossible."""

    file: str
    candidates: tuple[Candidate, ...] = ()
    words: str = ""


def look(
    paths: Sequence[str | Path], formats: Iterable[Format] | None = None, opening_bytes: int = OPENING_BYTES
) -> Iterator[Look]:
    """Yield a look at each file in turn, including files of folders and members of archives of no known format.

    Never raises for bad paths or contents. The memory of a file is released before the next.
    """
    found = find(paths)
    known = built_in_formats() if formats is None else tuple(formats)
    for file in found.files:
        try:
            budget = Budget(opening_bytes)
            size = status(file).st_size
            with budget.lent(min(size, MAX_FILE_BYTES), str(file), "it would take"):
                yield from _looks(source_of(file, read_file(file), budget), known)
        except UnreadableError as error:
            yield Look(str(file), words=error.problem.message)
    for problem in found.problems:
        yield Look(problem.file, words=problem.message)


def look_unnamed(
    data: bytes, name: str, formats: Sequence[Format], opening_bytes: int = OPENING_BYTES
) -> Iterator[Look]:
    """Yield a look at content without a file, as it would be opened: text of no known format is a single message."""
    from inspector.formats.unnamed import as_file

    budget = Budget(opening_bytes)
    try:
        with budget.lent(len(data), name, "it would take"):
            unnamed = FileSource(name, data, budget)
            content = as_file(unnamed, formats)
            unnamed.give_back()
            yield from _looks(FileSource(name, content, budget), formats)
    except UnreadableError as error:
        yield Look(name, words=error.problem.message)


def _looks(source: FileSource, formats: Sequence[Format]) -> Iterator[Look]:
    """Yield the look at a file, and at its members if it is an archive of no known format."""
    try:
        if source.shape == "packed" and source.depth <= MAX_ARCHIVES_DEEP:
            inner = source.unpacked
            with source.budget.lent(len(inner.data), source.path, "it would take"):
                yield from _looks(inner, formats)
            return
        found = _candidates(source, formats)
        if found or source.shape != "zip" or source.depth > MAX_ARCHIVES_DEEP:
            yield Look(source.path, tuple(found), "" if found else _words(source))
            return
        yield from (Look(problem.file, words=problem.message) for problem in source.archive.problems)
        for name in source.archive.names:
            yield from _member(source, name, formats)
    except UnreadableError as error:
        yield Look(source.path, words=error.problem.message)


def _candidates(source: FileSource, formats: Sequence[Format]) -> list[Candidate]:
    """Return the candidates of a file, or of the document inside of it where nothing but a guess is left."""
    found, _ = candidates(source, formats)
    if found and not found[0].format.is_guess:
        return found
    for inner in inner_documents(source):
        if kinds := likely(inner.source, formats):
            return [one for one in candidates(inner.source, formats)[0] if one.format in kinds]
    return found


def _member(source: FileSource, name: str, formats: Sequence[Format]) -> Iterator[Look]:
    try:
        member = source.member(name)
        with source.budget.lent(len(member.data), member.path, "it would take"):
            yield from _looks(member, formats)
        member.give_back()
    except UnreadableError as error:
        yield Look(error.problem.file, words=error.problem.message)


def _words(source: FileSource) -> str:
    if source.shape == "zip" and source.depth > MAX_ARCHIVES_DEEP:
        return TOO_DEEP
    kind = other_native_kind(source)
    return f"is a file of kind {kind} of this program" if kind else description(source)
