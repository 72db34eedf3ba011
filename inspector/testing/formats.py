"""The check of formats: their results on their own files, on pieces of these, and on files of other kinds.

Rules of a single format, or rules for built-in formats only, do not belong here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import msgspec

from inspector.formats.format import Format
from inspector.formats.native.write import workspace_value
from inspector.formats.registry import built_in_formats, guesses, rank_formats, sureness
from inspector.model import Problem, Severity, Workspace, changed
from inspector.reading.files import read_file
from inspector.reading.source import FileSource, UnreadableError
from inspector.testing.look_alikes import LOOK_ALIKES

CUTS = 24
"""The number of pieces of a file tried, all from its beginning."""

_READ_ONLY = ("json", "yaml", "first_records")


def check_format(format: Format, *files: str | Path) -> None:
    """Try a format on files of its kind and on look-alikes. Raise AssertionError with a sentence about the fault.

    `sniff` returns a number from 0 to 1 for any bytes, the same for the same bytes, and for each of `files` a higher
    number than every built-in format. `load` returns the same workspace for the same bytes, with ids that are unique in
    their lists, problems that name the file, and a workspace unchanged by saving and opening it; or it raises
    UnreadableError, but not for `files`. A file cut off anywhere is loaded or refused in the same manner. The content
    read must not be changed.
    """
    _check_declaration(format)
    if not files:
        raise AssertionError(f"{format.name}: name at least one file that has this format")
    for name, content in LOOK_ALIKES.items():
        _Trial(format, "look-alike", content, name).check()
    for file in map(Path, files):
        _check_file(format, file)


def _check_declaration(format: Format) -> None:
    """Check: a format has a unique name, and a title."""
    if not isinstance(format, Format):
        raise AssertionError(f"{format!r} is not a Format(name, title, sniff, load)")
    texts = (format.name, format.title)
    if not all(isinstance(text, str) and text.strip() for text in texts):
        raise AssertionError(f"{format.name!r}: a format has a name and a title, both text")
    if format not in built_in_formats() and format.name in {known.name for known in built_in_formats()}:
        raise AssertionError(f"{format.name}: a built-in format has this name")


def _check_file(format: Format, file: Path) -> None:
    content = read_file(file)
    whole = _Trial(format, str(file), content, str(file))
    whole.check_surest()
    workspace = whole.loaded()
    if workspace is None:
        raise whole.fault("load refused a file of its own with UnreadableError")
    whole.check_saved(workspace)
    for length in _lengths(len(content)):
        _Trial(format, str(file), content[:length], f"the first {length:,} bytes of {file}").check()
    if read_file(file) != content:
        raise whole.fault("the file is another one after it was loaded")


def _lengths(size: int) -> list[int]:
    """Return the lengths of the pieces of a file of this size: near its ends, and evenly between them."""
    wanted = {1, 2, 16, size - 2, size - 1, *(size * part // CUTS for part in range(CUTS))}
    return sorted(length for length in wanted if 0 <= length < size)


@dataclass(frozen=True)
class _Trial:
    """A format and the bytes on which it is tried."""

    format: Format
    path: str
    content: bytes
    where: str

    def fault(self, what: str) -> AssertionError:
        """Return the fault as an error to raise."""
        return AssertionError(f"{self.format.name}: {what} ({self.where})")

    def check(self) -> None:
        """Check bytes that may or may not be of this format."""
        if self.sureness() > 0:
            self.loaded()

    def check_surest(self) -> None:
        """Check bytes of this format: no other is surer of them, or as sure and asked earlier."""
        if not self.sureness() > 0:
            raise self.fault("sniff answered 0 for a file of its own")
        others = (known for known in built_in_formats() if known is not self.format)
        among = built_in_formats() if self.format in built_in_formats() else (*others, self.format)
        source = FileSource(self.path, self.content)
        first = (rank_formats(source, among)[0] or guesses(source, among, []))[0]
        if first is not self.format:
            raise self.fault(f"the format {first.name} is as sure or surer that this file is its own")

    def sureness(self) -> float:
        """Return the checked result of `sniff`."""
        source = FileSource(self.path, self.content)
        try:
            answers = sureness(self.format, source), sureness(self.format, source)
            again = sureness(self.format, FileSource(self.path, self.content))
        except Exception as problem:
            raise self.fault(f"sniff failed: {type(problem).__name__}: {problem}") from problem
        if {*answers, again} != {again}:
            raise self.fault("sniff gave another answer the second time")
        self._check_unchanged(source)
        return again

    def loaded(self) -> Workspace | None:
        """Return the checked workspace; None if the file is refused with UnreadableError."""
        first, second = self._load(), self._load()
        if first != second:
            raise self.fault("load gave another workspace, or another problem, the second time")
        if isinstance(first, Problem):
            self._check_problem(first)
            return None
        for problem in first.problems:
            self._check_problem(problem)
        for place, ids in _lists_of_ids(first):
            self._check_ids(place, ids)
        return first

    def check_saved(self, workspace: Workspace) -> None:
        """Check: a workspace file keeps everything loaded."""
        native = next(known for known in built_in_formats() if known.name == "native")
        plain = changed(workspace, sources=(), problems=())
        try:
            content = msgspec.json.encode(workspace_value(plain))
            back = native.load(FileSource("saved.workspace.json", content))
        except Exception as problem:
            raise self.fault(
                f"its workspace cannot be saved and opened again: {type(problem).__name__}: {problem}"
            ) from problem
        for found in back.problems[:1]:
            raise self.fault(f"saved as a workspace and opened again, it has the problem {found}")
        for place in _differences(plain, back, "workspace"):
            raise self.fault(f"saved as a workspace and opened again, {place} is another one")

    def _load(self) -> Workspace | Problem:
        source = FileSource(self.path, self.content)
        try:
            workspace = self.format.load(source)
        except UnreadableError as error:
            return error.problem
        except Exception as problem:
            what = f"load raised {type(problem).__name__}: {problem}; expected a workspace or UnreadableError"
            raise self.fault(what) from problem
        if not isinstance(workspace, Workspace):
            raise self.fault(f"load returned {type(workspace).__name__}, expected a Workspace")
        for name in Workspace.__struct_fields__:
            if not isinstance(getattr(workspace, name), tuple):
                raise self.fault(f"{name} of its workspace is no tuple")
        if source.data != self.content:
            raise self.fault("load changed the bytes that it was given")
        return changed(workspace, problems=(*source.problems, *workspace.problems))

    def _check_unchanged(self, source: FileSource) -> None:
        """Check: the content of a file shared by formats is unchanged."""
        fresh = FileSource(self.path, self.content)
        if source.data != self.content:
            raise self.fault("sniff changed the bytes that it was given")
        for name in _READ_ONLY:
            # Lazily read values are kept in the source under their names.
            if name in vars(source) and vars(source)[name] != getattr(fresh, name):
                raise self.fault(f"sniff changed the {name} of the file, which the other formats read too")

    def _check_problem(self, problem: Problem) -> None:
        if not isinstance(problem, Problem) or not all(isinstance(text, str) for text in _texts_of(problem)):
            raise self.fault(f"{problem!r} is not a Problem(file, place, message, severity)")
        if problem.file != self.path and not problem.file.startswith(f"{self.path}/"):
            raise self.fault(f"a problem names the file {problem.file!r}, expected {self.path!r}: {problem.message}")
        if not problem.message.strip() or problem.severity not in get_args(Severity):
            raise self.fault(
                f"a problem has no message, or is of another severity than {', '.join(get_args(Severity))}"
            )

    def _check_ids(self, place: str, ids: list[Any]) -> None:
        seen: set[str] = set()
        for id_ in ids:
            if not isinstance(id_, str) or not id_:
                raise self.fault(f"an id in {place} is {id_!r}, expected text")
            if id_ in seen:
                raise self.fault(f"the id {id_} is there twice in {place}")
            seen.add(id_)


def _texts_of(problem: Problem) -> tuple[Any, ...]:
    return problem.file, problem.place, problem.message, problem.severity


def _lists_of_ids(workspace: Workspace) -> Iterator[tuple[str, list[Any]]]:
    """Yield the lists in which ids have to be unique, with their ids."""
    for name in ("conversations", "memory_sets", "characters", "lorebooks", "passages", "summaries", "documents"):
        yield name, [item.id for item in getattr(workspace, name)]
    for talk in workspace.conversations:
        yield f"the conversation {talk.id}", [message.id for message in talk.messages]
        if talk.tree is not None:
            yield f"the tree of the conversation {talk.id}", [node.id for node in talk.tree.messages]
    for kept in workspace.memory_sets:
        yield f"the memory set {kept.id}", [memory.id for memory in kept.memories]
    for character in workspace.characters:
        yield f"the character {character.id}", [component.id for component in character.components]
    for book in workspace.lorebooks:
        yield f"the lorebook {book.id}", [entry.id for entry in book.entries]


def _differences(one: Any, other: Any, place: str) -> Iterator[str]:
    """Yield the places where two values of the model differ, in order."""
    if type(one) is not type(other) or not (isinstance(one, tuple | msgspec.Struct)):
        if one != other:
            yield f"{place} ({one!r:.80} and {other!r:.80})"
    elif isinstance(one, tuple):
        if len(one) != len(other):
            yield f"the length of {place} ({len(one):,} and {len(other):,})"
        for number, pair in enumerate(zip(one, other, strict=False)):
            yield from _differences(*pair, f"{place}[{number}]")
    else:
        for name in one.__struct_fields__:
            yield from _differences(getattr(one, name), getattr(other, name), f"{place}.{name}")
