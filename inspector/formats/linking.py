"""Calls and results that do not belong together any more: a sign that a file has lost one, or has it elsewhere.

The check is the same for all formats. Formats whose results name no call at all are not meant.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from inspector.figures import counted
from inspector.model import Call, Conversation, Problem, Result, Severity, Workspace
from inspector.reading.source import FileSource

NAMELESS = "calls a tool without naming it"
CALL_IS_LOST = "which is not in the conversation"
"""Words of the problems of such parts, also where a reader that knows their places notes them."""


@dataclass(slots=True)
class _Loose:
    """A kind of such parts: what is said of them, and the ids of the messages that have one."""

    words: str
    severity: Severity
    messages: list[str] = field(default_factory=list)

    def problems(self, source: FileSource) -> Iterator[Problem]:
        if self.messages:
            more = f" (the first of {counted(len(self.messages), 'message')})" if len(self.messages) > 1 else ""
            yield source.problem(f"message {self.messages[0]}", self.words + more, self.severity)


def unlinked(source: FileSource, found: Workspace) -> Iterator[Problem]:
    """Yield a problem for calls without a tool name, and for results without their call, each naming the first.

    Those that the reader noted are left out.
    """
    nameless = _Loose(NAMELESS, "warning")
    idless = _Loose("has the result of a tool: expected the id of its call, found nothing", "info")
    orphans = _Loose(f"has the result of a call {CALL_IS_LOST}", "warning")
    for chat in found.conversations:
        if chat.is_read:
            _look(chat, nameless, idless, orphans)
    said = [problem.message for problem in found.problems]
    if not any(NAMELESS in one for one in said):
        yield from nameless.problems(source)
    if not any(CALL_IS_LOST in one for one in said):
        yield from (*idless.problems(source), *orphans.problems(source))


def _look(chat: Conversation, nameless: _Loose, idless: _Loose, orphans: _Loose) -> None:
    every = chat.tree.messages if chat.tree else chat.messages
    messages = [one for one in every if one.parts or one.role == "tool"]  # few of a million
    calls = {part.id for one in messages for part in one.parts if isinstance(part, Call)}
    has_ids = bool(calls - {""})
    for message in messages:
        results = [part for part in message.parts if isinstance(part, Result)]
        if any(isinstance(part, Call) and not part.name for part in message.parts):
            nameless.messages.append(message.id)
        if has_ids and (not all(one.id for one in results) or (message.role == "tool" and not results)):
            idless.messages.append(message.id)
        if any(one.id and one.id not in calls for one in results):
            orphans.messages.append(message.id)
