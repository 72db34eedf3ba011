"""What a file format is: a name, how to recognise it and how to read it. No format lives here."""

from collections.abc import Callable
from dataclasses import dataclass

from inspector.model import Workspace
from inspector.reading.source import FileSource


@dataclass(frozen=True, slots=True)
class Listing:
    """What a large file holds, before its conversations are read.

    `workspace` has them unread, with titles, models, ids, and all that is beside them, as `whole` has: that reads them
    all, and makes the workspace with every problem. Where they are too many to be kept, they stay unread in it.
    """

    workspace: Workspace
    whole: Callable[[], Workspace]


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file that the program can open.

    `name` is the short key shown in `Source.format`, `title` what a person reads. `sniff` answers how sure it is
    that a file has this format, 0 (it has not) to 1 (certain), and never raises. `load` turns the file into a
    workspace whose `problems` name what could not be used; it raises `UnreadableError` only when nothing can be.
    It is asked for files of which `sniff` said more than 0, and gives the same workspace for the same bytes.
    `inspector.testing.check_format` tries all of this on files. `sign` says by what a file of this format is known, in
    a few words such as "chats with `mapping` and `current_node`"; whoever lists the candidates of a file shows it.
    A format whose files may hold many conversations also has `listing`, which finds them sooner than `load` reads them:
    a large array of objects comes to it in `pieces`, so that the file need not be read as a whole.
    """

    name: str
    title: str
    sniff: Callable[[FileSource], float]
    load: Callable[[FileSource], Workspace]
    sign: str = ""
    listing: Callable[[FileSource], Listing] | None = None
