"""Histories of Pydantic AI: lists of requests and responses, whose parts name their kind.

pydantic/pydantic-ai, `pydantic_ai_slim/pydantic_ai/messages.py` (`ModelMessagesTypeAdapter`): `kind` is request or
response; parts have `part_kind`: system-prompt, user-prompt, tool-return, builtin-tool-return, retry-prompt, text,
thinking, tool-call, builtin-tool-call, file, compaction (a provider's summary of all before it). Contents of a prompt
or a result are texts and objects with `kind`: text-content, image-url, audio-url, video-url, document-url, binary,
uploaded-file, and cache-point, which is not sent. A retry-prompt is sent with the words of `model_response`.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from inspector.formats.compaction import SUMMARY_MARK
from inspector.formats.content.at import At
from inspector.formats.content.media import made
from inspector.formats.content.reader import read_content, read_part
from inspector.formats.content.turns import result_message
from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import SavedChat, in_line, is_itself, surest, title_of, values_of, workspace_of
from inspector.model import Call, Medium, Message, Part, Result, Text, Thought, Unknown, Workspace, changed
from inspector.reading.media_sizes import MediaSize
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, parse_time

_LISTS = ("messages", "all_messages", "message_history")
_KINDS = frozenset(("request", "response"))
_CALL, _RESULT, _COMPACTION = "tool-call", "tool-return", "compaction"
"""Kinds of parts; tools of a provider have kinds that end so."""
_URLS = {"image-url": "image", "audio-url": "audio", "video-url": "video", "document-url": "file"}
_FILES = frozenset((*_URLS, "binary", "uploaded-file"))


def sniff(source: FileSource) -> float:
    """Return how likely the file holds a history of Pydantic AI."""
    return surest(source, lambda value: 0.95 if any(map(_is_message, _messages_in(value)[:8])) else 0.0)


def _messages_in(value: Any) -> tuple[Any, ...]:
    held = next((items_of(mapping(value)[key]) for key in _LISTS if items_of(mapping(value).get(key))), ())
    return held or (items_of(value) if isinstance(value, list) else (value,))


def _is_message(value: Any) -> bool:
    fields = mapping(value)
    is_kind = fields.get("kind") in list(_KINDS)
    return is_kind and any("part_kind" in mapping(part) for part in items_of(fields.get("parts")))


def load(source: FileSource) -> Workspace:
    """Return a chat of the messages of a file, and one of each list in it. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    loose: list[tuple[str, Any]] = []
    chats: list[SavedChat] = []
    for place, value in values_of(source, notes):
        held = _messages_in(value)
        if is_itself(held, value):
            loose.append((place, value))
        else:
            key = next((f".{key}" for key in _LISTS if key in mapping(value)), "")
            chats.append(_chat([(f"{place}{key}[{number}]", one) for number, one in enumerate(held)], notes, place))
    if loose:
        chats.insert(0, _chat(loose, notes, "$"))
    chats = [chat for chat in chats if chat.nodes]
    if not chats:
        raise notes.unreadable("$", "expected requests and responses with parts, found none")
    return workspace_of(chats, source, notes)


def _chat(values: Iterable[tuple[str, Any]], notes: Notes, place: str) -> SavedChat:
    placed: list[tuple[str, Message]] = []
    instructions, model = "", ""
    for at, value in values:
        placed += ((at, message) for message in _read(value, At(notes, at)))
        told = mapping(value).get("instructions")
        instructions = told if isinstance(told, str) and told else instructions
        model = as_text(mapping(value).get("model_name") or "") or model
    if instructions:
        placed.insert(0, (place, Message("", "system", as_text(instructions))))
    nodes = in_line(placed)
    return SavedChat(nodes, next(reversed(nodes), None), place, title=title_of(one for _, one in placed), model=model)


def _read(value: Any, at: At) -> list[Message]:
    """Return the messages of a request or a response; the instructions of the last request are sent, no others."""
    fields = mapping(value)
    if fields.get("kind") not in list(_KINDS) or not isinstance(fields.get("parts"), list):
        at.note("expected a request or a response with parts; it was left out", "error")
        return []
    parts = ((part, at.below(f".parts[{number}]")) for number, part in enumerate(fields["parts"]))
    if fields["kind"] == "request":
        return [message for part, where in parts for message in _asked(mapping(part), where)]
    said = [one for part, where in parts for one in _answered(mapping(part), where)]
    results = [result_message(one) for one in said if isinstance(one, Result)]
    own = tuple(one for one in said if not isinstance(one, Result))
    usage = read_usage(fields.get("usage")).metadata
    time = parse_time(fields.get("timestamp"))
    is_summary = any(mapping(part).get("part_kind") == _COMPACTION for part in fields["parts"])
    about = {**usage, **({SUMMARY_MARK: True} if is_summary else {})}
    return [Message("", "assistant", time=time, parts=own, metadata=about), *results]


def _asked(part: Mapping[str, Any], at: At) -> Iterator[Message]:
    """Yield the message of a part of a request."""
    kind, time = part.get("part_kind"), parse_time(part.get("timestamp"))
    if _ends(kind, _RESULT) or (kind == "retry-prompt" and part.get("tool_name")):
        yield changed(result_message(_result(part, at)), time=time)
        return
    if kind not in ("system-prompt", "user-prompt", "retry-prompt"):
        at.below(".part_kind").note(f"expected the kind of a part, found {as_text(kind)[:40] or 'nothing'}")
    content = part.get("content")
    if kind == "retry-prompt" and content is not None:
        parts: list[Part] = [Text(_retry_text(part))]
    else:
        parts = list(_content(content, at.below(".content")))
    yield Message("", "system" if kind == "system-prompt" else "user", time=time, parts=tuple(parts))


def _content(content: Any, at: At) -> Iterator[Part]:
    if not isinstance(content, list):
        if not isinstance(content, str):
            at.note("expected text or a list of contents; it was left out")
        yield from read_content(content, at.notes, at.place)
        return
    for number, one in enumerate(content):
        fields, where = mapping(one), at.below(f"[{number}]")
        if fields.get("kind") in list(_FILES):
            yield _file(fields, where)
        elif fields.get("kind") != "cache-point":
            yield from read_part(one if "content" not in fields else {"type": "text", **fields}, where)


def _file(fields: Mapping[str, Any], at: At) -> Medium:
    """Return the medium of an address, of data, or of a file that its provider keeps."""
    kind, media = as_text(fields.get("kind")), as_text(fields.get("media_type") or "")
    if kind in _URLS:
        return made(_URLS[kind], address=as_text(fields.get("url")))
    if kind == "uploaded-file":
        return made(media.partition("/")[0], media_type=media, address=as_text(fields.get("file_id")))
    data = as_text(fields.get("data"))
    size = MediaSize("", len(data) * 3 // 4)
    return made(media.partition("/")[0], size, media, place=at.source(".data"))


def _result(part: Mapping[str, Any], at: At) -> Result:
    """Return the result of a call: its data, and the files among them, which are sent beside it."""
    content, id_, name = part.get("content"), as_text(part.get("tool_call_id")), as_text(part.get("tool_name"))
    if content is None:
        at.below(".content").note("expected the result of the call, found nothing")
    if part.get("part_kind") == "retry-prompt":
        return Result(id_, name, _retry_text(part) if content is not None else "")
    listed = content if isinstance(content, list) else [content]
    files = [(number, one) for number, one in enumerate(listed) if mapping(one).get("kind") in list(_FILES)]
    data = [_data(one) for one in listed if mapping(one).get("kind") not in list(_FILES)]
    step = "[{}]" if isinstance(content, list) else ""
    media = tuple(_file(mapping(one), at.below(".content" + step.format(number))) for number, one in files)
    is_single = len(data) == 1 and (bool(files) or not isinstance(content, list))
    return Result(id_, name, as_text(data[0] if is_single else data) if data else "", media)


def _data(value: Any) -> Any:
    """Return a value of a result; a text with data for the application is the text."""
    return mapping(value).get("content", value) if mapping(value).get("kind") == "text-content" else value


def _retry_text(part: Mapping[str, Any]) -> str:
    """Return a request to try again as it is sent: with the errors as JSON, and for no tool under a heading."""
    content, tool = part.get("content"), part.get("tool_name")
    if isinstance(content, str):
        told = as_text(content) if tool else f"Validation feedback:\n{as_text(content)}"
    else:
        errors = [_error(one, bool(tool)) for one in items_of(content)]
        listed = json.dumps(errors, indent=2, ensure_ascii=False)
        told = f"{len(errors)} validation error{'' if len(errors) == 1 else 's'}:\n```json\n{listed}\n```"
    return f"{told}\n\nFix the errors and try again."


def _error(error: Any, with_input: bool) -> Any:
    """Return an error without its context, and without the input that an answer to no tool already is."""
    held = mapping(error)
    is_inner = len(items_of(held.get("loc"))) > 1
    left_out = ("ctx",) if with_input or is_inner else ("ctx", "input")
    return {key: value for key, value in held.items() if key not in left_out} if held else error


def _ends(kind: Any, with_: str) -> bool:
    return isinstance(kind, str) and kind.endswith(with_)


def _answered(part: Mapping[str, Any], at: At) -> Iterator[Part]:
    """Yield the parts of a part of a response."""
    kind, content = part.get("part_kind"), part.get("content")
    if _ends(kind, _CALL):
        if not isinstance(part.get("tool_name"), str):
            at.below(".tool_name").note("expected the name of a tool, found nothing")
        yield Call(as_text(part.get("tool_call_id")), as_text(part.get("tool_name")), as_text(part.get("args") or ""))
    elif _ends(kind, _RESULT):
        yield _result(part, at)
    elif kind == "file":
        yield from _content([content], at.below(".content"))
    elif kind == _COMPACTION and content is None:
        yield Unknown("compaction", len(as_text(part.get("provider_details") or "")), at.source(".provider_details"))
    elif not isinstance(content, str):
        at.below(".content").note("expected text, found nothing; the part was left out")
    elif kind == "thinking":
        yield Thought(as_text(content)) if content else Thought("", encrypted=bool(part.get("signature")))
    else:
        if kind not in ("text", _COMPACTION):
            at.below(".part_kind").note(f"expected the kind of a part, found {as_text(kind)[:40] or 'nothing'}")
        yield Text(as_text(content))


FORMAT = Format("pydantic_ai", "Pydantic AI messages", sniff, load, "messages with `kind` and parts with `part_kind`")
