"""Sessions of Google's Agent Development Kit: events whose contents are those of Gemini.

google/adk-python: `src/google/adk/sessions/session.py` (`id`, `app_name`, `user_id`, `events`) and
`src/google/adk/events/event.py` (`author`, `content`, `timestamp`, `partial`); both under names in camel case or with
`_`. Its web server and `adk web` save sessions so; sets of evaluations hold them, too.
"""

from collections.abc import Mapping
from typing import Any

from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.gemini.bodies import Body
from inspector.formats.gemini.parts import is_content, linked
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import SavedChat, in_line, read_each, surest, title_of, values_of, workspace_of
from inspector.model import Message, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, parse_time

_EXPECTED = "a session of ADK (an object with events of an author and a content)"
_USAGES = ("usageMetadata", "usage_metadata")


def sniff(source: FileSource) -> float:
    """Return how likely the file holds sessions of ADK."""
    return surest(source, lambda value: 0.95 if _is_session(value) else 0.0)


def _is_session(value: Any) -> bool:
    return any(map(_is_event, items_of(mapping(value).get("events"))[:8]))


def _is_event(value: Any) -> bool:
    fields = mapping(value)
    return isinstance(fields.get("author"), str) and is_content(fields.get("content"))


def load(source: FileSource) -> Workspace:
    """Return a chat for each session. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    chats = read_each(values_of(source, notes), _is_session, _chat, notes, _EXPECTED)
    if not any(chat.nodes for chat in chats):
        raise notes.unreadable("$", f"expected {_EXPECTED}, found none")
    return workspace_of(chats, source, notes)


def _chat(session: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    placed: list[tuple[str, Message]] = []
    for number, event in enumerate(items_of(session["events"])):
        at = f"{place}.events[{number}]"
        placed += ((at, message) for message in _messages(event, notes, at))
    joined = zip((at for at, _ in placed), linked([message for _, message in placed]), strict=True)
    nodes = in_line(joined)
    title = title_of(message for _, message in placed)
    return SavedChat(nodes, next(reversed(nodes), None), place, as_text(session.get("id") or ""), title)


def _messages(event: Any, notes: Notes, place: str) -> list[Message]:
    """Return the messages of an event; a piece of a stream is repeated by the whole, and a mere change of state says
    nothing.
    """
    fields = mapping(event)
    if not isinstance(event, Mapping):
        notes.add(place, "expected an event with an author and a content; it was left out", "error")
    if fields.get("partial") is True or (fields and fields.get("content") is None):
        if fields and not fields.keys() & {"content", "actions", "errorCode", "error_code", "partial"}:
            notes.add(f"{place}.content", "expected a content with parts, found nothing; the event was left out")
        return []
    body = Body(notes)
    body.add(fields["content"], f"{place}.content") if fields else None
    usage = next((held for key in _USAGES if (held := read_usage(fields.get(key)).metadata)), {})
    time, author = parse_time(fields.get("timestamp")), as_text(fields.get("author") or "")
    found = [changed(one, time=time, name=_name(one, author)) for one in body.messages]
    if found and usage:
        found[-1] = changed(found[-1], metadata={**found[-1].metadata, **usage})
    return found


def _name(message: Message, author: str) -> str:
    return author if message.role == "assistant" and author not in ("model", "assistant") else message.name


FORMAT = Format("adk", "Google ADK sessions", sniff, load, "`events` with an `author` and a `content` of parts")
