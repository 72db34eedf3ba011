"""Opening files, folders and archives in sequence, within a common memory budget.

`one_file` reads each of them, `merging` joins them.
"""

import os
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from inspector.formats import one_file
from inspector.formats.format import Format
from inspector.formats.looking import find
from inspector.formats.merging import merge
from inspector.formats.one_file import Opening, load_path
from inspector.formats.registry import built_in_formats
from inspector.model import Problem, Workspace
from inspector.model.workspace import waiting
from inspector.reading.budget import OPENING_BYTES, Budget
from inspector.reading.files import file_state

LISTED_FROM = 4_000_000
"""Files of at least this many bytes may be listed first; smaller files are read in the time that this would save."""


@dataclass(frozen=True, slots=True)
class Part:
    """The result of a file (or archive) of an opening, by its path; "" for problems that belong to no single file.

    `named`: this path was given, and not only a folder around it. `whole` is present if the conversations of a large
    file were only listed: it reads them, and returns the whole workspace of the file, with every problem in it.
    `is_free`: each of its conversations can be used without the others. `state`: that of the file just before it was
    read, by which a later change is noticed (None: unknown).
    """

    file: str
    workspace: Workspace
    whole: Callable[[], Workspace] | None = field(default=None, compare=False)
    named: bool = True
    is_free: bool = False
    state: tuple[int, ...] | None = field(default=None, compare=False)

    def completed(self) -> "Part":
        """Return the part after everything was read."""
        return self if self.whole is None else Part(self.file, self.whole(), named=self.named, state=self.state)

    def usable(self) -> "Part":
        """Return the part with all that a chat of it is used with: completed if its chats need each other."""
        return self if self.is_free else self.completed()

    @property
    def belonging(self) -> Workspace:
        """Return its workspace; if the file was not named, nothing in it goes with the conversations of other files."""
        return self.workspace if self.named else waiting(self.workspace)

    @property
    def is_read(self) -> bool:
        """Whether the file gave any content."""
        return bool(self.workspace.sources)


def load_workspace(
    paths: Sequence[str | Path],
    on_progress: Callable[[str, float], None] | None = None,
    formats: Iterable[Format] | None = None,
    opening_bytes: int = OPENING_BYTES,
    repairs: Container[str] = (),
) -> Workspace:
    """Return the contents of the files and folders as a single workspace, in the order given.

    `on_progress(path, share)` is called before each file with the share of the files that is done, and once at the end
    with 1. `formats` are the candidate formats, by default the built-in ones. `opening_bytes` is the memory that all of
    them together may take; a file that needs more than is left is not opened, and the others are. `repairs` are files
    to repair if their JSON is broken. Never raises for bad paths or contents: unusable parts are in `problems`, with
    severity "error" if a named path gave nothing.
    """
    return joined(load_parts(paths, on_progress, formats, opening_bytes, repairs))


def load_parts(
    paths: Sequence[str | Path],
    on_progress: Callable[[str, float], None] | None = None,
    formats: Iterable[Format] | None = None,
    opening_bytes: int = OPENING_BYTES,
    repairs: Container[str] = (),
    listed_from: int | None = None,
) -> tuple[Part, ...]:
    """Return the same file by file, in the order given, for adding, rereading or leaving out some of them.

    Files of `listed_from` bytes or more may be `Part`s with unread conversations and incomplete problems.
    """
    parts: list[Part] = []
    known = built_in_formats() if formats is None else formats if isinstance(formats, Sequence) else tuple(formats)
    found, opening = find(paths), Opening(known, Budget(opening_bytes), repairs, listed_from)
    for number, (file, named) in enumerate(found.files.items()):
        if on_progress:
            on_progress(str(file), number / len(found.files))
        name, state = str(file), file_state(file)
        part = load_path(file, named, opening)
        parts.append(Part(name, part, opening.wholes.get(name), named, name in opening.free, state))
    beyond = opening.many_beyond(str(next(reversed(found.files), "")))
    of_none = (*found.problems, *beyond, *_empty_folders(found.folders, parts))
    if on_progress:
        on_progress("", 1.0)
    return (*parts, Part("", Workspace(problems=of_none)))


def load_unnamed(
    data: bytes,
    name: str,
    formats: Sequence[Format] | None = None,
    opening_bytes: int = OPENING_BYTES,
    repairs: Container[str] = (),
) -> Part:
    """Return content without a file, such as standard input, recognised like a file; plain text is a single message.

    `name` replaces the path of a file. Never raises, just like `load_workspace`.
    """
    opening = Opening(built_in_formats() if formats is None else formats, Budget(opening_bytes), repairs)
    return Part(name, one_file.load_unnamed(data, name, opening))


def joined(parts: Iterable[Part]) -> Workspace:
    """Return the files of an opening as a single workspace."""
    from inspector.formats.sillytavern.chats import link  # formats are imported when the first file is opened

    workspace = link(merge([part.belonging for part in parts]))
    formats = {source.format for source in workspace.sources}
    if "slack" in formats:
        from inspector.formats.slack.link import link as link_days

        workspace = link_days(workspace)
    if "jan" in formats:
        from inspector.formats.jan.link import link as link_threads

        workspace = link_threads(workspace)
    return workspace


def load_file(path: str | Path) -> Workspace:
    """Return the workspace of a file (or archive).

    Never raises: an unreadable file is a problem of severity "error".
    """
    return load_path(Path(path), True, Opening(built_in_formats(), Budget()))


def _empty_folders(folders: Sequence[Path], parts: Sequence[Part]) -> Iterator[Problem]:
    for folder in folders:
        inside = [part.workspace for part in parts if Path(part.file).is_relative_to(folder)]
        if any(one.sources for one in inside):
            continue
        was_known = any(problem.severity == "warning" for one in inside for problem in one.problems)
        what = "could be opened" if was_known else "is of a format this program knows"
        has_files = any(files for _, _, files in os.walk(folder))
        said = f"nothing in this folder {what}" if has_files else "there is no file in this folder"
        yield Problem(str(folder), "", said)
