"""Opening a single file: finds its format and reads it, or says why not; an archive is read member by member.

How a format reads its file is in the module of the format.
"""

import logging
import stat
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from inspector.contained import contained
from inspector.formats.coverage import Coverage, coverage_of, empty_messages, wrong_values
from inspector.formats.format import Format, Listing
from inspector.formats.gathered import source_of
from inspector.formats.linking import unlinked
from inspector.formats.merging import merge, stamped
from inspector.formats.native.workspace import other_native_kind
from inspector.formats.registry import broken, certain_format, guesses, likely, rank_formats
from inspector.formats.uncounted import uncounted
from inspector.formats.unknown import (
    broken_place,
    description,
    listed,
    looks_like,
    offered,
    repaired,
    secrets_problem,
    unexplained_table,
)
from inspector.formats.wrapped import inner_documents
from inspector.model import Problem, Severity, Source, Workspace, changed
from inspector.model.workspace import waiting
from inspector.reading.budget import BeyondBudgetError, Budget, in_words
from inspector.reading.files import MAX_FILE_BYTES, ChangedFileError, FileText, read_file, status
from inspector.reading.pieces import Pieces, WrongCutError
from inspector.reading.source import FIRST_ITEMS, FileSource, UnreadableError
from inspector.reading.yaml import MAX_DEPTH, is_too_deep

_log = logging.getLogger(__name__)
_OWN = ("native", "probes")
"""The formats of this program, which report every unknown key themselves."""
_BEYOND_LISTED = 20
MAX_ARCHIVES_DEEP = 8
"""The depth to which archives may be nested: an archive that holds itself unpacks without an end."""
TOO_DEEP = f"is an archive inside of {MAX_ARCHIVES_DEEP} others; unpack the outer ones first"


@dataclass(slots=True)
class Opening:
    """The shared state of an opening: the candidate formats, and the memory that is left.

    `repairs` are the paths of broken files to repair on the user's request. `beyond` is the number of files in folders
    and archives that needed more memory than was left. In files of `listed_from` bytes or more, conversations are
    listed and not read; `wholes` are the functions that read them, by file, and `free` are the
    files with conversations that can be used without the others.
    """

    formats: Sequence[Format]
    budget: Budget
    repairs: Container[str] = ()
    listed_from: int | None = None
    beyond: int = 0
    wholes: dict[str, Callable[[], Workspace]] = field(default_factory=dict)
    free: set[str] = field(default_factory=set)

    def refused(self, error: UnreadableError, named: bool) -> Workspace:
        """Return a file that cannot be opened, as its problem; of many beyond the memory, only the first are warnings.

        A file that the user did not name is worth a warning.
        """
        if named or not isinstance(error, BeyondBudgetError):
            return _refused(error.problem, named)
        self.beyond += 1
        refused = _refused(error.problem, named)
        return refused if self.beyond < _BEYOND_LISTED else _with_severity(refused, "info")

    def many_beyond(self, last: str) -> Iterator[Problem]:
        """Yield a single warning for the files beyond the memory without their own; `last` is the last opened path."""
        if self.beyond >= _BEYOND_LISTED:
            more = f"{self.beyond - _BEYOND_LISTED + 1:,} more files need more memory than was left"
            allowed = f"an opening may take {in_words(self.budget.total)} in all"
            yield Problem(last, "", f"up to here {more}; {allowed} (opening_bytes in settings.yaml)", "warning")


def load_path(path: Path, named: bool, opening: Opening) -> Workspace:
    """Return the workspace of a file. Any failure is a problem of this file, so that the others are opened."""
    return _load(str(path), named, opening, lambda: _read(path, named, opening))


def load_unnamed(data: bytes, name: str, opening: Opening) -> Workspace:
    """Return the workspace of content without a file, such as standard input, under a name; never raises either."""

    from inspector.formats.unnamed import as_file

    def read() -> Workspace:
        with opening.budget.lent(len(data), name, "it would take"):
            unnamed = FileSource(name, data, opening.budget)
            content = as_file(unnamed, opening.formats)
            unnamed.give_back()
            return _load_counted(FileSource(name, content, opening.budget), True, opening)

    return _load(name, True, opening, read)


def _read(path: Path, named: bool, opening: Opening) -> Workspace:
    file, budget = str(path), opening.budget
    found = status(path)
    size = min(found.st_size, MAX_FILE_BYTES)
    # Files of the system claim to be empty and may have no end: they are read only if they are named.
    seems_empty = not size and not named and stat.S_ISREG(found.st_mode)
    with budget.lent(size, file, "it would take"):
        if (listed_at_once := _listed_in_pieces(path, size, named, opening)) is not None:
            return listed_at_once
        data = b"" if seems_empty else read_file(path, min(MAX_FILE_BYTES, size + budget.left))
        whole = source_of(path, data, budget)
        with budget.lent(0 if whole.data is data else whole.size, file, "with its other files it would take"):
            return _load_counted(whole, named, opening)


def _listed_in_pieces(path: Path, size: int, named: bool, opening: Opening) -> Workspace | None:
    """Return the listing of a large array, recognized by its first items, in a single pass; None for any other file.

    None also for an array with a broken part, or cut at a wrong place. Raise UnreadableError if the file cannot be
    read.
    """
    if not _is_to_be_listed(size, opening) or (text := FileText(path)).size != size:
        return None
    pieces = Pieces(text)
    source = FileSource(str(path), pieces, opening.budget)
    try:
        kind = certain_format(FileSource(source.given, pieces.first(FIRST_ITEMS), opening.budget), opening.formats)
        return _listed(source, kind, named, opening) if kind and kind.listing else None
    except (WrongCutError, ChangedFileError, UnreadableError):
        source.give_back()
        return None


def _is_to_be_listed(size: int, opening: Opening) -> bool:
    return opening.listed_from is not None and opening.listed_from <= size <= opening.budget.left


def _load(file: str, named: bool, opening: Opening, read: Callable[[], Workspace]) -> Workspace:
    try:
        return read()
    except UnreadableError as error:
        return opening.refused(error, named)
    except Exception as defect:  # noqa: BLE001 - said in a problem, and logged with its traceback
        return _refused(_unforeseen(file, defect), named)


def _load_counted(source: FileSource, named: bool, opening: Opening) -> Workspace:
    """Return the workspace of a file; if it is empty, its memory is released. Raise UnreadableError."""
    part = Workspace()
    try:
        part = _load_source(source, named, opening)
        return part
    finally:
        if not part.sources:
            source.give_back()


def _unforeseen(file: str, defect: Exception) -> Problem:
    """Return the problem of a file for an unexpected failure of this program, with a traceback in the log."""
    _log.error("%s could not be read", file, exc_info=defect)
    return Problem(file, "", f"could not be read, by a fault of this program: {type(defect).__name__}: {defect}")


def _only_problem(file: str, message: str, named: bool, is_table: bool = False) -> Workspace:
    severity: Severity = "error" if named else "info"
    return Workspace(problems=(Problem(file, "", message, severity, unopened=True, is_table=is_table),))


def _with_severity(part: Workspace, severity: Severity) -> Workspace:
    return changed(part, problems=tuple(changed(problem, severity=severity) for problem in part.problems))


def _load_source(source: FileSource, named: bool, opening: Opening) -> Workspace:
    """Read a file; broken JSON is repaired if the user asked for it, and otherwise the repair is offered.

    Raise UnreadableError if the kind of the file cannot be determined, or it needs too much memory.
    """
    try:
        part = _load_as_it_is(source, named, opening)
    except BeyondBudgetError:
        raise
    except UnreadableError as error:
        part = _refused(error.problem, named)
    broken_at = None if part.sources else broken_place(source)
    if broken_at is None:
        return part if part.sources else _with_looks(part, source)
    whole = repaired(source) if source.given in opening.repairs else None
    if whole is not None and (mended := _load_as_it_is(whole, named, opening)).sources:
        message = f"was repaired by guessing the missing parts ({broken_at.message}); the file itself is as it was"
        sources = tuple(changed(one, repaired=True) for one in mended.sources)
        return _beside(changed(mended, sources=sources), [changed(broken_at, message=message, severity="warning")])
    part = _with_looks(part, source)
    return changed(part, problems=tuple(offered(one) if one.unopened else one for one in part.problems))


def _with_looks(part: Workspace, source: FileSource) -> Workspace:
    """Return the unreadable file's problem, with the application it seems to be from if its JSON is broken."""
    if not part.problems or source.shape not in ("json", "json_lines") or source.sample is not None:
        return part
    if not (words := looks_like(source)):
        return part
    first, *others = part.problems
    return changed(part, problems=(changed(first, message=f"{first.message}; it looks like {words}"), *others))


def _load_as_it_is(source: FileSource, named: bool, opening: Opening) -> Workspace:
    """Read a file by the surest format that can; an archive that no format claims is read member by member.

    Raise UnreadableError if the kind of the file cannot be determined, or it needs too much memory.
    """
    if source.shape == "packed":
        return _load_unpacked(source, named, opening)
    ranked, defects = rank_formats(source, opening.formats)
    refused: list[Problem] = []
    found = _first_read(source, ranked, named, opening, defects, refused)
    if found is None:
        found = _read_as_other(source, named, opening, defects, refused)
    if found is not None:
        return _beside(found, defects)
    if refused:
        first, *also = refused
        others = [problem for problem in defects if problem is not first]
        part = _refused(changed(first, severity="error"), named)
        return _beside(part, listed([*_as_severe(also, named), *others], source.path))
    unclaimed = _load_members(source, named, opening) if source.shape == "zip" else _unclaimed(source, named)
    return _beside(unclaimed, defects)


def _first_read(
    source: FileSource,
    ranked: Sequence[Format],
    named: bool,
    opening: Opening,
    defects: list[Problem],
    refused: list[Problem],
) -> Workspace | None:
    """Return the workspace by the first format able to read the file, or by a later one that reads more.

    Return None if every format refuses it. The problems of the first refusal are added to an empty `refused`, and
    those of broken formats to `defects`.
    """
    for number, kind in enumerate(ranked, 1):
        try:
            found, coverage = _opened(source, kind, named, opening)
            if coverage.lost_more:
                found = _fuller(source, ranked[number:], opening, found, coverage.kept)
            if (nothing := _nothing_of(found)) is not None:
                raise nothing
            return found
        except BeyondBudgetError:
            raise
        except UnreadableError as error:
            refused += [] if refused else [error.problem, *error.also]
        except Exception as defect:  # noqa: BLE001 - `broken` says why, and logs it with its traceback
            defects.append(broken(kind, source, "could not be read", defect))
            refused += [] if refused else [defects[-1]]
    return None


def _read_as_other(
    source: FileSource, named: bool, opening: Opening, defects: list[Problem], refused: list[Problem]
) -> Workspace | None:
    """Return the workspace of an unknown file: of its inner document, or by a guess that covers more text."""
    inside = _read_inside(source, named, opening)
    if inside is not None and not any(one.is_spoken for one in inside[1].left):
        return inside[0]
    guessed = _first_read(source, guesses(source, opening.formats, defects), named, opening, defects, refused)
    if inside is None or (guessed is not None and coverage_of(source, guessed).kept > inside[1].kept):
        return guessed
    found, coverage = inside
    return _beside(found, list(coverage.problems(source, found.problems)))


def _read_inside(source: FileSource, named: bool, opening: Opening) -> tuple[Workspace, Coverage] | None:
    """Return the workspace of the inner document, with its coverage of the whole file; None without a known format.

    Unread texts inside of the document are already among the problems.
    """
    for inner in inner_documents(source):
        kinds = likely(inner.source, opening.formats)
        if (found := _first_read(inner.source, kinds, named, opening, [], [])) is not None:
            whole = coverage_of(source, found)
            outside = tuple(left for left in whole.left if not inner.holds(left.place))
            return inner.placed(found), Coverage(whole.kept, outside)
    return None


def _load_unpacked(source: FileSource, named: bool, opening: Opening) -> Workspace:
    """Return the workspace of a file that is packed as a whole. Raise UnreadableError if it cannot be unpacked."""
    if source.depth > MAX_ARCHIVES_DEEP:
        return _only_problem(source.path, f"is packed {MAX_ARCHIVES_DEEP} times over; unpack it first", named)
    inner = source.unpacked
    with source.budget.lent(len(inner.data), source.path, "it would take"):
        return _load_counted(inner, named, opening)


def _opened(source: FileSource, kind: Format, named: bool, opening: Opening) -> tuple[Workspace, Coverage]:
    """Return a file as a format reads or lists it, and how much of its text that is (nothing is known of a list)."""
    if kind.listing and not source.depth and _is_to_be_listed(source.size, opening):
        return _listed(source, kind, named, opening), Coverage()
    with contained():
        read = kind.load(source)
    return _finished(source, kind, read)


def _nothing_of(found: Workspace) -> UnreadableError | None:
    """Return the error of a file of which every message was left out and nothing else is there; None for any other."""
    chats = found.conversations
    if not chats or any(not chat.is_read or chat.messages or chat.tree for chat in chats):
        return None
    others = (name for name in found.__struct_fields__ if name not in ("conversations", "problems", "sources"))
    lost = [one for one in found.problems if one.severity != "info" and one.place and "left out" in one.message]
    if not lost or any(getattr(found, name) for name in others):
        return None
    return UnreadableError(changed(lost[0], severity="error"), lost[1:])


def _fuller(source: FileSource, others: Sequence[Format], opening: Opening, first: Workspace, kept: int) -> Workspace:
    """Return a file as the first format of which most was read has it: `first`, of which `kept` texts were read, or
    what one of the other candidates makes of it.
    """
    best = first
    for kind in others:
        try:
            with contained():
                read = kind.load(source)
            found, coverage = _finished(source, kind, read)
        except BeyondBudgetError:
            break
        except UnreadableError:
            continue
        except Exception as defect:  # noqa: BLE001 - the first format has read the file; logged with its traceback
            _log.error("the format %s failed at %s", kind.name, source.path, exc_info=defect)
            continue
        if coverage.kept > kept:
            best, kept = found, coverage.kept
    return best


def _listed(source: FileSource, kind: Format, named: bool, opening: Opening) -> Workspace:
    assert kind.listing is not None
    source.take(source.size, "its text would take")  # it may stay, unlike the text of a file that was read
    with contained():
        listing = kind.listing(source)
    if listing.needs_no_other:
        opening.free.add(source.given)
    opening.wholes[source.given] = partial(_whole, source, kind, listing, named, opening)
    return _with_origins(source, kind, listing.workspace)


def _whole(source: FileSource, kind: Format, listing: Listing, named: bool, opening: Opening) -> Workspace:
    """Return all of a listed file. It is opened anew if it has changed since, or if its format lost most of it: then
    another format may read more.
    """
    try:
        with contained():
            read = listing.whole()
        whole, coverage = _finished(source, kind, read)
        if not coverage.lost_more and _nothing_of(whole) is None:
            if source.pieces and not all(chat.is_read for chat in whole.conversations):
                source.pieces.file.keep()
            return whole
    except ChangedFileError:
        pass  # it is opened anew
    source.give_back()
    return load_path(Path(source.given), named, Opening(opening.formats, opening.budget, opening.repairs))


def _finished(source: FileSource, kind: Format, part: Workspace) -> tuple[Workspace, Coverage]:
    """Return the workspace read by a format, with further problems noticed on the way, and how much it has."""
    if not isinstance(part, Workspace):
        raise TypeError(f"load returned {type(part).__name__}, expected a Workspace")
    deep = [index for index, tool in enumerate(part.tools) if is_too_deep(tool.schema)]
    too_deep = (
        Problem(source.path, f"tool {index + 1}", f"is nested deeper than {MAX_DEPTH} levels; it was left out")
        for index in deep
    )
    secrets = secrets_problem(source, part)
    known = (*source.problems, *part.problems, *too_deep)
    coverage, left = Coverage(), ()
    if kind.name not in _OWN:
        coverage = coverage_of(source, part, kind.beside, kind.unsent)
        left = (
            *empty_messages(source, part),
            *unlinked(source, part),
            *coverage.problems(source, known),
            *wrong_values(source, known),
            *uncounted(source, part),
        )
    noted = (*left, *([secrets] if secrets else ()), *_left_members(source, kind))
    problems = listed((*known, *noted), source.path)
    tools = tuple(tool for index, tool in enumerate(part.tools) if index not in deep)
    return _with_origins(source, kind, changed(part, tools=tools, problems=problems)), coverage


def _with_origins(source: FileSource, kind: Format, part: Workspace) -> Workspace:
    columns = next((one.columns for one in part.sources), ())
    return stamped(part, source.path, sources=(Source(source.given, kind.name, columns=columns),))


def _left_members(source: FileSource, kind: Format) -> Iterator[Problem]:
    """Yield a problem for each member of an archive that its format did not read."""
    if source.shape == "zip":
        message = f"stands in a {kind.title} that does not need it, so it was not opened"
        for name in source.archive.names:
            if name not in source.archive.was_read:
                yield Problem(f"{source.path}/{name}", "", message, "info", unopened=True)


def _beside(part: Workspace, problems: Sequence[Problem]) -> Workspace:
    """Return the workspace with these problems added."""
    return changed(part, problems=(*part.problems, *problems)) if problems else part


def _refused(problem: Problem, named: bool) -> Workspace:
    severity = problem.severity if named else "warning"
    return Workspace(problems=(changed(problem, severity=severity, unopened=True),))


def _as_severe(problems: Sequence[Problem], named: bool) -> Iterator[Problem]:
    """Yield the problems of a file without any content; in a file the user did not name, errors become warnings."""
    for problem in problems:
        yield problem if named or problem.severity != "error" else changed(problem, severity="warning")


def _load_members(source: FileSource, named: bool, opening: Opening) -> Workspace:
    parts = [waiting(_member(source, name, opening)) for name in source.archive.names]
    found = merge([*parts, Workspace(problems=tuple(source.archive.problems))])
    if found.sources or not named:
        return found
    if any(problem.severity != "info" for problem in found.problems):
        problems = (one if one.severity == "info" else changed(one, severity="error") for one in found.problems)
        return changed(found, problems=tuple(problems))
    return _beside(found, [source.problem("", "nothing in this archive is of a format this program knows")])


def _member(source: FileSource, name: str, opening: Opening) -> Workspace:
    """Return the workspace of a member: it is unpacked, read and released before the next."""
    try:
        member = source.member(name)
        if member.depth > MAX_ARCHIVES_DEEP and member.shape == "zip":
            return _refused(member.problem("", TOO_DEEP, "warning"), False)
        with source.budget.lent(len(member.data), member.path, "it would take"):
            return _load_counted(member, False, opening)
    except UnreadableError as error:
        return opening.refused(error, False)
    except Exception as defect:  # noqa: BLE001 - said in a problem, and logged with its traceback
        return _refused(_unforeseen(f"{source.path}/{name}", defect), False)


def _unclaimed(source: FileSource, named: bool) -> Workspace:
    """Return a file that no format claims: quiet for our other files in a folder, else a problem that outlines it.

    Raise UnreadableError if it is not even valid JSON or YAML.
    """
    kind = other_native_kind(source)
    message = description(source)
    if kind and not named:
        return Workspace()
    if kind:
        message = f"is a file of kind {kind}, which holds no conversations; open its workspace"
    is_table = not source.depth and not kind and unexplained_table(source) is not None
    return _only_problem(source.path, message, named, is_table)
