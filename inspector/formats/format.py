"""A file format: its name, how to recognise it and how to read it. No format lives here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from inspector.model import Workspace
from inspector.reading.source import FileSource


@dataclass(frozen=True, slots=True)
class Listing:
    """The contents of a large file, before its conversations are read.

    `workspace` has them unread, with titles, models, ids and everything beside them, as in the result of `whole`. That
    reads all conversations and returns the workspace with every problem. If they are too many to keep, they stay unread
    in it. `needs_no_other`: a conversation can be used without the others, since nothing beside the conversations is
    found only by reading them.
    """

    workspace: Workspace
    whole: Callable[[], Workspace]
    needs_no_other: bool = False


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file that the program can open.

    `name` is the short key shown in `Source.format`, `title` the display name. `sniff` returns how likely it is that a
    file has this format, from 0 (it has not) to 1 (certain), and never raises. `load` turns the file into a workspace
    whose `problems` name the unusable parts; it raises `UnreadableError` only if nothing is usable. It is called for
    files for which `sniff` returned more than 0, and gives the same workspace for the same bytes.
    `inspector.testing.check_format` tests all of this on files. `sign` is the mark by which a file of this format is
    recognized, in a few words such as "chats with `mapping` and `current_node`", shown in the list of a file's
    candidates. A format whose files may hold many conversations also has `listing`, which finds them faster than `load`
    reads them: a large array of objects comes to it in `pieces`, so that the file need not be read as a whole.
    `beside` are the keys of texts that such files have and that belong to no prompt; any other text that is left is
    reported. `unsent` tells whether an object in such a file, with all that is in it, was never part of a prompt, such
    as a message that the program showed on its screen. A format that `is_guess` knows nothing of the program behind a
    file: it is used only where no other reads anything, even if that lost much.
    """

    name: str
    title: str
    sniff: Callable[[FileSource], float]
    load: Callable[[FileSource], Workspace]
    sign: str = ""
    listing: Callable[[FileSource], Listing] | None = None
    beside: tuple[str, ...] = ()
    unsent: Callable[[Mapping[str, Any]], bool] | None = None
    is_guess: bool = False
