"""Chats as Markdown with a heading for each turn, which names its role: `## User`, `## Assistant`.

So write Zed (zed-industries/zed, `crates/agent/src/db.rs`, `to_markdown`), Goose (block/goose,
`crates/goose-cli/src/commands/session.rs`: `### User:`), Continue (continuedev/continue, `core/util/historyUtils.ts`:
`#### _User_` above quoted text), Cherry Studio (CherryHQ/cherry-studio, `src/renderer/src/utils/export.ts`: a robot and
the name of the model) and many exporters of chats. A time in brackets after the role is read.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import ROLES
from inspector.formats.saved_chats import SavedChat, in_line, workspace_of
from inspector.model import Message, Role, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, parse_time

_HEAD = 100_000  # characters
_HEADING = re.compile(r"(#{1,6})[ \t]+(.+?)[ \t]*$")
_ROLE = re.compile(r"[\W_]*(?P<word>[A-Za-z]+)[\W_]*?(?:\((?P<time>[^()]*)\))?[\W_]*$", re.ASCII)
_RULE = re.compile(r"(?:-{3,}|\*{3,}|_{3,})[ \t]*")
_FENCE = re.compile(r"[ ]{0,3}(?:```|~~~)")
_TOOL = "tool"
_ROBOT = "\N{ROBOT FACE} "


@dataclass(slots=True)
class _Turn:
    """A turn: the line of its heading, its role, the time in the heading, and the lines below."""

    line: int
    role: Role
    time: str
    lines: list[str]

    @property
    def text(self) -> str:
        """The text without the lines drawn between turns, and without the marks of a quotation if it is one."""
        kept = "\n".join(self.lines).strip().split("\n")
        while kept and (_RULE.fullmatch(kept[-1]) or not kept[-1].strip()):
            kept.pop()
        while kept and (_RULE.fullmatch(kept[0]) or not kept[0].strip()):
            kept.pop(0)
        if kept and all(line.startswith(">") for line in kept):
            kept = [line[1:].removeprefix(" ") for line in kept]
        return "\n".join(kept)


def sniff(source: FileSource) -> float:
    """Return how likely the file is such a chat: headings of one level name a user and an assistant in turn."""
    if source.shape not in ("text", "yaml"):
        return 0.0
    _, turns = _read(source.utf8[:_HEAD].decode(errors="ignore"))
    spoken = [turn for turn in turns if turn.role != "system"]
    if {turn.role for turn in spoken} < {"user", "assistant"} or not any(turn.text for turn in spoken):
        return 0.0
    return 0.85 if spoken[0].role == "user" else 0.6


def load(source: FileSource) -> Workspace:
    """Return the chat. Raise UnreadableError if it has no turn."""
    notes = Notes(source.path)
    before, turns = _read(source.text)
    messages: list[tuple[str, Message]] = []
    for turn in turns:
        place = f"line {turn.line}"
        if text := turn.text:
            messages.append((place, Message("", turn.role, text, time=parse_time(turn.time) if turn.time else None)))
        else:
            notes.add(place, "expected a text below the heading, found none; the turn was left out")
    if not messages:
        raise notes.unreadable("", "expected headings of a user and an assistant with text below, found none")
    nodes = in_line(messages)
    title = next((match[2] for line in before if (match := _HEADING.match(line))), "")
    if other := [line for line in before if line.strip() and not _HEADING.match(line) and not _RULE.fullmatch(line)]:
        notes.add("line 1", f"the text above the first turn is no part of the chat: {as_text(other[0])[:40]!r}", "info")
    return workspace_of([SavedChat(nodes, next(reversed(nodes)), "", title=as_text(title))], source, notes)


def _read(text: str) -> tuple[list[str], list[_Turn]]:
    """Return the lines before the first turn, and the turns; their headings have the level of the first of them."""
    before: list[str] = []
    turns: list[_Turn] = []
    level = ""
    for number, line, is_code in _lines(text):
        heading = None if is_code else _HEADING.match(line)
        role, time = _speaker(heading[2]) if heading and (not level or heading[1] == level) else (None, "")
        if heading and role:
            level = heading[1]
            turns.append(_Turn(number, role, time, []))
        else:
            (turns[-1].lines if turns else before).append(line)
    return before, turns


def _speaker(heading: str) -> tuple[Role | None, str]:
    """Return the role that a heading names, None if it names none, and the time in it."""
    named = _ROLE.match(heading)
    role = ROLES.get(named["word"].lower()) if named else None
    if named and role and role != _TOOL:
        return role, named["time"] or ""
    return ("assistant" if heading.startswith(_ROBOT) else None), ""


def _lines(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield the lines with their numbers, and whether they are in a block of code."""
    is_code = False
    for number, line in enumerate(text.splitlines(), 1):
        is_fence = _FENCE.match(line) is not None
        yield number, line, is_code or is_fence
        is_code ^= is_fence


FORMAT = Format(
    "headed_markdown",
    "Markdown with a heading for each turn",
    sniff,
    load,
    "headings such as `## User` and `## Assistant`",
)
