"""Reading on in a file of recorded requests that has grown: only its new lines are read.

The result is that of reading the whole file. `prompt-inspector record` adds whole lines and changes none.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from inspector.formats.merging import stamped
from inspector.formats.opening import Part, load_unnamed
from inspector.formats.saved_chats import headed
from inspector.formats.unknown import secrets_problem
from inspector.model import Branches, Conversation, Problem, Tool, Workspace, changed
from inspector.reading.files import file_state, open_file, read_file, unreadable
from inspector.reading.source import FileSource
from inspector.reading.values import UnreadableError, as_text

_NAME = "recorded"  # of the format
_COMPARED = 4_096
_APART = ("conversations", "characters", "tools", "sources", "problems")
"""The lists of a workspace of recorded requests."""


@dataclass(frozen=True, slots=True)
class Read:
    """A file read so far: its part, the bytes and lines that were read, and the last of these bytes."""

    part: Part
    size: int
    lines: int
    end: bytes


def is_recorded(part: Part) -> bool:
    """Return whether a part is a file of recorded requests alone."""
    return [source.format for source in part.workspace.sources] == [_NAME]


def read_on(file: str, before: Read | None) -> Read:
    """Return a file of recorded requests as it is now. Of one that only grew, the new lines alone are read.

    Raise UnreadableError if it cannot be read.
    """
    state = file_state(file)
    read = _read_on(file, before)
    return replace(read, part=replace(read.part, state=state))


def _read_on(file: str, before: Read | None) -> Read:
    added = None if before is None else _added(file, before)
    if before is None or added is None:
        return _read(file, read_file(file))
    whole = added[: added.rfind(b"\n") + 1]  # the rest is still being written
    if not whole:
        return before
    joined = _joined(before.part.workspace, _lines(file, whole, before.lines))
    if joined is None:
        return _read(file, read_file(file))
    end = (before.end + whole)[-_COMPARED:]
    part = replace(before.part, workspace=joined)
    return Read(part, before.size + len(whole), before.lines + whole.count(b"\n"), end)


def _lines(file: str, data: bytes, before: int) -> Workspace:
    """Return the requests of further lines; where there are none, the problems alone."""
    from inspector.formats.traces.requests import load_lines  # not needed for the first picture

    source = FileSource(file, data)
    try:
        found = load_lines(source, before)
    except UnreadableError as error:
        return Workspace(problems=tuple(error.also))
    secrets = secrets_problem(source, found)
    return stamped(found, file, problems=(*found.problems, *([secrets] if secrets else [])))


def _read(file: str, data: bytes) -> Read:
    """Return a whole file; if its last line has no end, the next reading begins anew."""
    part = load_unnamed(data, file)
    is_whole = data.endswith(b"\n")
    return Read(part, len(data) if is_whole else -1, data.count(b"\n"), data[-_COMPARED:])


def _added(file: str, before: Read) -> bytes | None:
    """Return the bytes after those read before; None if these are no longer there."""
    if before.size < 0:
        return None
    with open_file(file) as opened:
        try:
            opened.seek(before.size - len(before.end))
            if opened.read(len(before.end)) != before.end:
                return None
            return opened.read() or b""
        except OSError as error:
            raise unreadable(file, error) from None


def _joined(before: Workspace, more: Workspace) -> Workspace | None:
    """Return both as one file has them; None if either has more than requests with their tools."""
    if any(getattr(one, name) for one in (before, more) for name in one.__struct_fields__ if name not in _APART):
        return None
    problems = (*before.problems, *(problem for problem in more.problems if not _is_of_file(problem, before)))
    if not more.conversations:
        return changed(before, problems=problems)
    characters = before.characters
    first, second = before.conversations, more.conversations
    if [one.system_prompt for one in characters] != [one.system_prompt for one in more.characters]:
        characters = ()
        first, second = _headed(before), _headed(more)
    return changed(
        before,
        conversations=(*first, *second),
        characters=characters,
        tools=_tools(before, more),
        problems=problems,
    )


def _is_of_file(problem: Problem, before: Workspace) -> bool:
    """Return whether a problem is of the file as a whole and known already."""
    return any((problem.place, problem.message) == (known.place, known.message) for known in before.problems)


def _headed(workspace: Workspace) -> tuple[Conversation, ...]:
    """Return the conversations with the system prompt that they share at their heads."""
    shared = "".join(one.system_prompt for one in workspace.characters)
    if not shared:
        return workspace.conversations
    made = ((chat, headed(Branches(chat.messages, chat.tree), shared)) for chat in workspace.conversations)
    return tuple(changed(chat, messages=found.path, tree=found.tree) for chat, found in made)


def _tools(before: Workspace, more: Workspace) -> tuple[Tool, ...]:
    """Return the tools of both, each with the conversations that sent it; None for all of them."""
    chats = len(before.conversations) + len(more.conversations)
    found: dict[str, tuple[Any, str, list[str]]] = {}
    for tool, owners in (*_owned(before), *_owned(more)):
        found.setdefault(as_text(tool.schema), (tool.schema, tool.origin, []))[2].extend(owners)
    return tuple(
        Tool(schema, None if len(owners) == chats else tuple(owners), origin)
        for schema, origin, owners in found.values()
    )


def _owned(workspace: Workspace) -> Iterator[tuple[Tool, Sequence[str]]]:
    everyone = [chat.id for chat in workspace.conversations]
    yield from ((tool, everyone if tool.conversations is None else tool.conversations) for tool in workspace.tools)
