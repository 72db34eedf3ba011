"""Messages of Vercel's AI SDK: UI messages, as `useChat` keeps and sends them, and model messages.

https://ai-sdk.dev/docs/reference/ai-sdk-core. A file is a list or lines of messages, or of chats, which are lists or
have `messages`.
"""

from collections.abc import Mapping
from typing import Any

from inspector.formats.content.at import At
from inspector.formats.content.media import medium_of
from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import role_of
from inspector.formats.saved_chats import SavedChat, in_line, surest, title_of, values_of, workspace_of
from inspector.formats.vercel.parts import Steps, is_tool
from inspector.model import Message, Usage, Workspace, changed
from inspector.reading.decode import kind_of
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, objects, parse_time

_OWN = frozenset(("step-start", "tool-invocation", "dynamic-tool", "source-url", "source-document"))
_MODEL_OWN = frozenset(("tool-call", "tool-result"))
_LOOKED_AT = 50


def sniff(source: FileSource) -> float:
    """Return how likely the file holds messages of the AI SDK."""
    return surest(source, lambda value: max(_sureness(value), max(map(_sureness, _inside(value)), default=0.0)))


def _inside(value: Any) -> tuple[Any, ...]:
    return _messages_of(value)[:_LOOKED_AT]


def _messages_of(value: Any) -> tuple[Any, ...]:
    """Return the messages of a chat: an object that keeps them, or a list."""
    return items_of(value) if isinstance(value, list) else items_of(mapping(value).get("messages"))


def _sureness(value: Any) -> float:
    """Return how likely a value is a message of the AI SDK; text alone is written alike by others."""
    message = mapping(value)
    if role_of(message) is None:
        return 0.0
    if "toolInvocations" in message or any(_is_own(part) for part in _parts(message)):
        return 0.9
    is_plain = any(part.get("type") == "text" and isinstance(part.get("text"), str) for part in _ui_parts(message))
    return 0.87 if is_plain and "id" in message else 0.0


def _ui_parts(message: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    return objects(message.get("parts"))


def _parts(message: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    return _ui_parts(message) or objects(message.get("content"))


def _is_own(part: Mapping[str, Any]) -> bool:
    kind = part.get("type")
    if not isinstance(kind, str):
        return False
    return kind in _OWN or ("toolCallId" in part and (kind in _MODEL_OWN or is_tool(kind)))


def load(source: FileSource) -> Workspace:
    """Return the chats of a file, and a chat of any messages on their own. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    chats: list[SavedChat] = []
    loose: list[tuple[str, Message]] = []
    for place, value in values_of(source, notes):
        fields = mapping(value)
        if isinstance(value, list) or (isinstance(fields.get("messages"), list) and role_of(fields) is None):
            at_list = place if isinstance(value, list) else f"{place}.messages"
            placed = ((f"{at_list}[{number}]", item) for number, item in enumerate(_messages_of(value)))
            chat = _saved([(at, message) for at, item in placed for message in _read(item, notes, at)], place)
            _describe(chat, fields)
            chats.append(chat)
        else:
            loose += ((place, message) for message in _read(value, notes, place))
    if loose:
        chats.insert(0, _saved(loose, "$"))
    if not any(chat.nodes for chat in chats):
        raise notes.unreadable("$", "expected messages of the AI SDK, found none")
    return workspace_of(chats, source, notes)


def _saved(messages: list[tuple[str, Message]], place: str) -> SavedChat:
    nodes = in_line(messages)
    return SavedChat(nodes, next(reversed(nodes), None), place, title=title_of(message for _, message in messages))


def _describe(chat: SavedChat, fields: Mapping[str, Any]) -> None:
    """Give a chat its metadata beside the messages."""
    texts = {
        key: as_text(fields[key]) for key in ("id", "title", "system", "model") if isinstance(fields.get(key), str)
    }
    chat.id = texts.get("id", "")
    chat.title = texts.get("title") or chat.title
    chat.system, chat.model = texts.get("system", ""), texts.get("model", "")


def _read(record: Any, notes: Notes, place: str) -> list[Message]:
    """Return the turns of a message; the first has its id."""
    message, role = mapping(record), role_of(record)
    if role is None:
        found = as_text(message.get("role"))[:40] or "nothing"
        notes.add(f"{place}.role", f"expected system, user, assistant or tool, found {found}; it was left out", "error")
        return []
    steps = Steps(role, notes)
    key = "parts" if items_of(message.get("parts")) else "content"
    content = message.get(key)
    if isinstance(content, str):
        _read_old(message, content, steps, At(notes, place))
    elif isinstance(content, list):
        for number, part in enumerate(content):
            steps.read(part, f"{place}.{key}[{number}]")
    elif content is not None:
        notes.add(f"{place}.{key}", f"expected text or a list of parts, found {kind_of(content)}")
    for number, file in enumerate(objects(message.get("experimental_attachments"))):
        steps.add([medium_of("file", file, At(notes, f"{place}.experimental_attachments[{number}]"))])
    steps.flush()
    return _marked(steps.messages, message)


def _read_old(message: Mapping[str, Any], content: str, steps: Steps, at: At) -> None:
    """Read a message without parts: text, and the calls beside it, which came before the text."""
    for number, invocation in enumerate(objects(message.get("toolInvocations"))):
        steps.add_invocation(invocation, at.below(f".toolInvocations[{number}]"))
    steps.add_text(content)


def _marked(turns: list[Message], message: Mapping[str, Any]) -> list[Message]:
    """Return the turns with the time and id of the message; the last spoken turn has the token counts."""
    about = mapping(message.get("metadata"))
    times = (parse_time(held.get("createdAt")) for held in (message, about))
    time = next((time for time in times if time), None)
    turns = [changed(turn, time=time) for turn in turns] if time else turns
    if turns and isinstance(message.get("id"), str):
        turns[0] = changed(turns[0], id=as_text(message["id"]))
    counts = _usage(about, is_single=not any(turn.role == "tool" for turn in turns)).metadata
    if turns and counts:
        turns[-1] = changed(turns[-1], metadata={**turns[-1].metadata, **counts})
    return turns


def _usage(about: Mapping[str, Any], is_single: bool) -> Usage:
    """Return the usage of an answer; the total of several requests says nothing about the prompt of any."""
    last, total = read_usage(about.get("usage")), read_usage(about.get("totalUsage"))
    if last != Usage():
        return last
    return total if is_single else Usage(thoughts=total.thoughts, answer=total.answer)


FORMAT = Format(
    "ai_sdk",
    "Vercel AI SDK messages",
    sniff,
    load,
    "messages with `parts`, or with `tool-call` and `tool-result` parts",
)
