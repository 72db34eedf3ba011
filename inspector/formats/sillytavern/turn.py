"""A single line of a SillyTavern chat as messages: text, speaker, hidden lines, swipes and tool calls.

Follows SillyTavern's `script.js` and `openai.js`: `is_system` hides a line from the prompt, except for recorded tool
calls; a narrator's line is sent with role system.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from inspector.formats.content.media import made
from inspector.formats.content.turns import beside
from inspector.model import Attachment, Call, Message, Part, Problem, Result, Role, with_parts
from inspector.reading.source import FileSource, Record
from inspector.reading.values import as_text, as_truth, as_whole, items_of, mapping, objects, parse_time

_NARRATOR = "narrator"
_SHOWN_EXTRAS = ("type", "memory", "bookmark_link")


@dataclass(frozen=True, slots=True)
class Turn:
    """A line of the chat: the message with the results of its tools, its other versions, and its attachments.

    `before` and `after` are the other versions (swipes) before and after the shown one in the line. `memory` is the
    summary of the chat up to here by the Summarize extension; `unread_files` are names of attached files whose text is
    elsewhere.
    """

    messages: tuple[Message, ...]
    before: tuple[Message, ...] = ()
    after: tuple[Message, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    unread_files: tuple[str, ...] = ()
    memory: str = ""
    model: str = ""

    @property
    def alternatives(self) -> tuple[Message, ...]:
        """The other versions in order."""
        return self.before + self.after


def is_turn(value: Any) -> bool:
    """Return whether a record is a line of a chat, and not its header or something else."""
    return isinstance(value, Mapping) and ("mes" in value or "swipes" in value)


def read_turn(record: Record, number: int, source: FileSource, problems: list[Problem]) -> Turn:
    """Return the turn of a line for which `is_turn` holds; its message gets the id `m` + `number`."""
    line: Mapping[str, Any] = record.value
    extra = mapping(line.get("extra"))
    content, active = _content(line)
    if not isinstance(line.get("mes"), str | Mapping):
        problems.append(source.problem(f"line {record.line}, mes", "expected text", "warning"))
    invocations = objects(extra.get("tool_invocations"))
    message = Message(
        id=f"m{number}",
        role=_role(line, extra),
        name=as_text(line.get("name")).strip(),
        time=parse_time(line.get("send_date")),
        excluded=_is_hidden(line, invocations),
        parts=beside(
            "" if invocations else content,
            thoughts=as_text(extra.get("reasoning")).strip(),
            media=_media(extra),
            calls=[_tool_call(call, f"m{number}", place) for place, call in enumerate(invocations)],
        ),
        metadata=_metadata(line, extra, record.line, _is_hidden(line, invocations)),
    )
    results = (_tool_result(call, message, place) for place, call in enumerate(invocations))
    read, unread = _files(extra, message.id)
    others = tuple(_alternatives(line, message, active))
    shown = len(others) if active is None else active
    return Turn(
        messages=(message, *results),
        before=others[:shown],
        after=others[shown:],
        attachments=read,
        unread_files=unread,
        memory=as_text(extra.get("memory")).strip(),
        model=as_text(extra.get("model")).strip(),
    )


def names_of(messages: Iterable[Message], role: Role) -> Iterator[str]:
    """Yield the speaker of each message of a role, without comments and tool calls by the application."""
    return (
        message.name
        for message in messages
        if message.role == role and message.name and not message.excluded and not message.tool_calls
    )


def most_common(names: Iterable[str]) -> str:
    """Return the most frequent name, or "" if there is none."""
    counted = Counter(names)
    return counted.most_common(1)[0][0] if counted else ""


def _content(line: Mapping[str, Any]) -> tuple[str, int | None]:
    """Return the text of a line and its swipe number; `mes` wins over the swipe named by `swipe_id`."""
    swipes = [_text(swipe) for swipe in items_of(line.get("swipes"))]
    named = as_whole(line.get("swipe_id"))
    active = named if named is not None and 0 <= named < len(swipes) else None
    if line.get("mes") is None:
        active = 0 if active is None and swipes else active
        return ("" if active is None else swipes[active]), active
    content = _text(line["mes"])
    return content, swipes.index(content) if active is None and content in swipes else active


def _text(value: Any) -> str:
    """Return text, which Chub wraps as `{message}`."""
    return as_text(value.get("message")) if isinstance(value, Mapping) and "message" in value else as_text(value)


def _role(line: Mapping[str, Any], extra: Mapping[str, Any]) -> Role:
    if extra.get("type") == _NARRATOR:
        return "system"
    return "user" if as_truth(line.get("is_user")) else "assistant"


def _is_hidden(line: Mapping[str, Any], invocations: tuple[Any, ...]) -> bool:
    return as_truth(line.get("is_system")) and not invocations


def _metadata(line: Mapping[str, Any], extra: Mapping[str, Any], number: int, hidden: bool) -> dict[str, Any]:
    """Return the fields that policies do not read; `send_date` as written, `line` counted from 1."""
    metadata: dict[str, Any] = {"line": number}
    if hidden:
        metadata["recorded"] = {"action": "dropped", "reason": "hidden"}
    if (tokens := as_whole(extra.get("token_count"))) is not None:
        metadata["recorded_tokens"] = tokens
    if line.get("send_date") is not None:
        metadata["send_date"] = as_text(line["send_date"])
    for name in _SHOWN_EXTRAS:
        if text := as_text(extra.get(name)).strip():
            metadata[name] = text
    if objects(extra.get("tool_invocations")) and (shown := _content(line)[0]):
        metadata["display_text"] = shown
    return metadata


def _media(extra: Mapping[str, Any]) -> list[Part]:
    """Return the pictures, sounds and videos: a list `media` in newer versions, single fields in older."""
    listed = objects(extra.get("media"))
    if listed:
        return [
            made(_media_kind(one), name=as_text(one.get("title")), address=as_text(one.get("url"))) for one in listed
        ]
    return [made(name, address=as_text(extra[name])) for name in ("image", "video", "audio") if extra.get(name)]


def _media_kind(one: Mapping[str, Any]) -> str:
    kind = one.get("type")
    return kind if kind in ("image", "video", "audio") else "image"


def _tool_call(call: Mapping[str, Any], message_id: str, place: int) -> Call:
    arguments = as_text(call.get("parameters"))
    return Call(as_text(call.get("id")) or f"{message_id}.{place}", as_text(call.get("name")), arguments)


def _tool_result(call: Mapping[str, Any], message: Message, place: int) -> Message:
    asked = message.tool_calls[place]
    return Message(
        id=f"{message.id}.tool{place}",
        role="tool",
        name=asked.name,
        time=message.time,
        parts=(Result(asked.id, asked.name, as_text(call.get("result"))),),
    )


def _alternatives(line: Mapping[str, Any], message: Message, active: int | None) -> Iterator[Message]:
    """Yield the swipes other than the active one, each with any recorded time and thinking."""
    recorded = items_of(line.get("swipe_info"))
    for place, swipe in enumerate(items_of(line.get("swipes"))):
        if place == active:
            continue
        own = mapping(recorded[place]) if place < len(recorded) else {}
        metadata = {key: kept for key, kept in message.metadata.items() if key in ("line", "recorded")}
        reasoning = as_text(mapping(own.get("extra")).get("reasoning")).strip()
        yield with_parts(
            message,
            beside(_text(swipe), thoughts=reasoning),
            id=f"{message.id}.swipe{place}",
            time=parse_time(own.get("send_date")) or message.time,
            metadata=metadata,
        )


def _files(extra: Mapping[str, Any], message_id: str) -> tuple[tuple[Attachment, ...], tuple[str, ...]]:
    """Return attached files: those with their text, and the names of those whose text is not in the chat file."""
    files = (*objects(extra.get("files")), *objects([extra.get("file")]))
    read: list[Attachment] = []
    unread: list[str] = []
    for place, file in enumerate(files):
        name = as_text(file.get("name")) or as_text(file.get("url")) or str(place)
        if text := as_text(file.get("text")):
            read.append(Attachment(f"{message_id}/{name}", text, message_id))
        else:
            unread.append(name)
    return tuple(read), tuple(unread)
