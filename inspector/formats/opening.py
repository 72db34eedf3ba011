"""Opening files, folders and archives, one after another within one measure of memory.

How one of them is read is said in `one_file`, what they become together in `merging`.
"""

import os
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from inspector.formats import one_file
from inspector.formats.format import Format
from inspector.formats.found import find
from inspector.formats.merging import merge
from inspector.formats.one_file import Opening, load_path
from inspector.formats.registry import built_in_formats
from inspector.model import Problem, Workspace
from inspector.model.belonging import waiting
from inspector.reading.budget import OPENING_BYTES, Budget

LISTED_FROM = 4_000_000
"""Files of so many bytes may be listed first; all of what is smaller is read in the time that this would save."""


@dataclass(frozen=True, slots=True)
class Part:
    """What one file (or archive) of an opening gave, by its path; "" for what was wrong with none of them alone.

    `named` says that this path was given, and not only a folder around it.
    `whole` is there where the conversations of a large file were only listed: it reads them, and makes the workspace
    that the file gives as a whole, with every problem in it.
    """

    file: str
    workspace: Workspace
    whole: Callable[[], Workspace] | None = field(default=None, compare=False)
    named: bool = True

    def completed(self) -> "Part":
        """The same after everything was read."""
        return self if self.whole is None else Part(self.file, self.whole(), named=self.named)

    @property
    def belonging(self) -> Workspace:
        """What it gave, of which nothing goes with the conversations of other files where nobody named it."""
        return self.workspace if self.named else waiting(self.workspace)

    @property
    def is_read(self) -> bool:
        """Whether anything came of the file."""
        return bool(self.workspace.sources)


def load_workspace(
    paths: Sequence[str | Path],
    on_progress: Callable[[str, float], None] | None = None,
    formats: Iterable[Format] | None = None,
    opening_bytes: int = OPENING_BYTES,
    repairs: Container[str] = (),
) -> Workspace:
    """Everything that the files and folders hold, as one workspace, in the order given.

    `on_progress(path, share)` is called before each file with the share of the files that is done, and once at the
    end with 1. `formats` are those that a file may have, by default the built-in ones. `opening_bytes` is the memory
    that all of them together may take; what needs more than is left is not opened, and the others are. `repairs` are
    files whose JSON is repaired where it is broken. Never raises for what the paths stand for or the files hold: what
    could not be used is in `problems`, with severity "error" where a path that was named gave nothing.
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
    """The same file by file, in the order given, for whoever adds, reads again or leaves out some of them.

    Files of `listed_from` bytes or more may be `Part`s whose conversations are still unread, and whose problems are not
    all there.
    """
    parts: list[Part] = []
    known = built_in_formats() if formats is None else formats if isinstance(formats, Sequence) else tuple(formats)
    found, opening = find(paths), Opening(known, Budget(opening_bytes), repairs, listed_from)
    for number, (file, named) in enumerate(found.files.items()):
        if on_progress:
            on_progress(str(file), number / len(found.files))
        part = load_path(file, named, opening)
        parts.append(Part(str(file), part, opening.wholes.get(str(file)), named))
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
    """What comes without a file, such as on standard input, recognised as a file is; plain text is one message.

    `name` stands where the path of a file does. Never raises, as `load_workspace` does not.
    """
    opening = Opening(built_in_formats() if formats is None else formats, Budget(opening_bytes), repairs)
    return Part(name, one_file.load_unnamed(data, name, opening))


def joined(parts: Iterable[Part]) -> Workspace:
    """The files of an opening as one workspace."""
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
    """What one file (or archive) holds. Never raises: a file that cannot be read is a problem of severity "error"."""
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
