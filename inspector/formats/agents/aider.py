"""Aider's `.aider.chat.history.md`, and the history of its input line.

Follows `split_chat_history_markdown` of aider: a line that begins with `#### ` is the user's, a line with `> ` is
output of aider, anything else is the model's. Code may hold such lines, too; aider reads them as turns, and so does
this module, with a warning. Output of aider was never sent. Aider leaves out all lines that begin with `# `; here only
those that begin a session are left out, since answers have headings.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from inspector.figures import counted
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import title_of
from inspector.formats.unique_ids import unique_texts
from inspector.model import Conversation, Message, Role, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import parse_time, stem

_SESSION = "# aider chat started at "
_USER, _PRINTED = "#### ", "> "
_FENCE = re.compile(r"(?:```|~~~~)")
_MARK = _SESSION.encode()
_INPUT = re.compile(r"# (\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{1,6})$")
_LOOKED_AT = 4_000  # bytes
_TEXTUAL = ("text", "yaml")
_DROPPED = {"recorded": {"action": "dropped", "reason": "printed by aider, not sent"}}


def sniff(source: FileSource) -> float:
    """Return how likely this is a history of Aider: chats say so, input lines are dated and begin with +."""
    if source.shape not in _TEXTUAL:
        return 0.0
    if _MARK in source.utf8 and any(line.startswith(_SESSION) for line in source.text.split("\n")):
        return 0.95
    return 0.9 if _is_input(source.utf8[:_LOOKED_AT].decode(errors="replace").split("\n")) else 0.0


def _is_input(lines: Sequence[str]) -> bool:
    written = [line for line in lines if line.strip()]
    return len(written) > 1 and bool(_INPUT.match(written[0])) and written[1].startswith("+")


@dataclass(slots=True)
class _Session:
    """The lines of a session, and the number of its first line."""

    started: str
    first: int
    lines: list[str] = field(default_factory=list)


def load(source: FileSource) -> Workspace:
    """Return each session as a conversation, or the input lines as a single conversation.

    Raise UnreadableError if there is neither.
    """
    if source.shape not in (*_TEXTUAL, "json", "json_lines"):
        raise source.unreadable("", "expected the text of a log of aider")
    lines = [line.removesuffix("\r") for line in source.text.split("\n")]
    notes = Notes(source.path)
    if any(line.startswith(_SESSION) for line in lines):
        sessions = [_conversation(one, notes) for one in _sessions(lines)]
    else:
        sessions = [_input_lines(lines)]
    spoken = [one for one in sessions if any(message.role != "tool" for message in one.messages)]
    found = spoken or [one for one in sessions if one.messages]
    if silent := sum(bool(one.messages) for one in sessions) - len(found):
        notes.add(
            "", f"{counted(silent, 'session')} without a turn left out: only what Aider printed is in them", "info"
        )
    if not found:
        raise notes.unreadable("", f"expected sessions that begin with {_SESSION.strip()}, found none with a message")
    name = stem(source.path).lstrip(".")
    wanted = [name] if len(found) == 1 else [f"{name}-{number}" for number in range(1, len(found) + 1)]
    named = zip(found, unique_texts(wanted), strict=True)
    return Workspace(
        conversations=tuple(changed(one, id=id_, title=one.title or id_) for one, id_ in named),
        problems=tuple(notes.problems),
    )


def _sessions(lines: Sequence[str]) -> Iterator[_Session]:
    session = _Session("", 1)
    for number, line in enumerate(lines, 1):
        if line.startswith(_SESSION):
            yield session
            session = _Session(line.removeprefix(_SESSION).strip(), number + 1)
        else:
            session.lines.append(line)
    yield session


def _conversation(session: _Session, notes: Notes) -> Conversation:
    """Return the turns of a session; the first has the session's time."""
    messages = [message for message in _turns(session, notes) if message.content]
    if messages:
        messages[0] = changed(messages[0], time=parse_time(session.started))
    return Conversation("", _numbered(messages), title_of(messages))


def _numbered(messages: Sequence[Message]) -> tuple[Message, ...]:
    return tuple(changed(message, id=f"m{number}") for number, message in enumerate(messages))


def _turns(session: _Session, notes: Notes) -> Iterator[Message]:
    """Yield a message for each run of lines by the same side."""
    side: Role = "assistant"
    said: list[str] = []
    in_code = is_told = False
    for number, line in enumerate(session.lines, session.first):
        speaker, text = _said(line)
        if speaker == "assistant":
            if _FENCE.match(text):
                in_code, is_told = not in_code, False
        elif in_code and not is_told:
            notes.add(f"line {number}", "stands inside of code, but aider reads it as a turn of its own; so it is here")
            is_told = True
        if speaker != side:
            yield _message(side, said)
            side, said = speaker, []
        said.append(text)
    yield _message(side, said)


def _said(line: str) -> tuple[Role, str]:
    if line.startswith(_USER):
        return "user", line.removeprefix(_USER).rstrip()
    return ("tool", line.removeprefix(_PRINTED).rstrip()) if line.startswith(_PRINTED) else ("assistant", line)


def _message(role: Role, lines: Sequence[str]) -> Message:
    content = "\n".join(lines).strip()
    printed = role == "tool"
    return Message("", role, content, excluded=printed, metadata=_DROPPED if printed else {})


def _input_lines(lines: Sequence[str]) -> Conversation:
    """Return the typed input lines as user messages without answers."""
    messages: list[Message] = []
    typed: list[str] = []
    time = None
    for line in (*lines, "# 0"):
        if line.startswith("+"):
            typed.append(line[1:])
        elif typed:
            messages.append(Message("", "user", "\n".join(typed), time=time))
            typed = []
        if dated := _INPUT.match(line):
            time = parse_time(dated[1])
    return Conversation("", _numbered(messages), "Input of aider" if messages else "")


FORMAT = Format("aider", "Aider chat or inputs", sniff, load, "a text with `# aider chat started at` and `####` lines")
