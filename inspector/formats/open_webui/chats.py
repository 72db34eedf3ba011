"""Chats of Open WebUI with every branch under `history`: exported alone, in an array, without wrapper, or `webui.db`.

Layout: github.com/open-webui/open-webui, `Chat.svelte` and `backend/open_webui/models/chats.py`.
"""

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspector.formats.content.at import At
from inspector.formats.content.media import made, medium_of
from inspector.formats.content.turns import beside, result_message
from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message
from inspector.formats.openai.responses import looks_like_items, read_items
from inspector.formats.saved_chats import Node, SavedChat, in_line, surest, values_of, workspace_of
from inspector.model import Call, Document, Held, Message, Part, Result, Workspace, changed, with_parts
from inspector.reading.json import unwrapped
from inspector.reading.source import FileSource
from inspector.reading.sqlite import has_tables, opened
from inspector.reading.values import as_text, as_whole, mapping, objects

_START = re.compile(r'<details\s+type="(reasoning|tool_calls|code_interpreter)"')
_END = "</details>"
_FENCE = re.compile(r"^[ \t]*```", re.MULTILINE)
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_SUMMARY = re.compile(r"\s*<summary>[^<]*</summary>\n?")


@dataclass(frozen=True, slots=True)
class Details:
    """A block: its type, its attributes with their escapes undone, and its text without its heading."""

    kind: str
    attributes: dict[str, str]
    text: str


def pieces_of(content: str) -> Iterator[str | Details]:
    """Yield the texts and the blocks of an answer in order; a block without an end is text."""
    written = position = 0
    fences = 0
    while start := _START.search(content, position):
        fences += len(_FENCE.findall(content, position, start.start()))
        if fences % 2:
            position = start.end()
            continue
        head = content.find(">", start.end())
        end = content.find(_END, head) if head >= 0 else -1
        if end < 0:
            break
        if text := content[written : start.start()].strip("\n"):
            yield text
        attributes = {name: html.unescape(value) for name, value in _ATTRIBUTE.findall(content[start.start() : head])}
        yield Details(start[1], attributes, _text(content[head + 1 : end]))
        written = position = end + len(_END)
    if text := content[written:].strip("\n") if written else content:
        yield text


def _text(inside: str) -> str:
    """Return the text of a block, without its heading and quotation marks (`>`)."""
    found = _SUMMARY.match(inside)
    lines = html.unescape(inside[found.end() if found else 0 :]).strip("\n").split("\n")
    return "\n".join(line.removeprefix(">").removeprefix(" ") if line.startswith(">") else line for line in lines)


def with_files(message: Message, record: Mapping[str, Any], at: At) -> Message:
    """Return the message with its pictures and the names of its other files in the metadata."""
    files = objects(record.get("files"))
    names = [_name(file) for file in files if not _is_image(file)]
    seen = [_picture(file, at.below(f".files[{n}]")) for n, file in enumerate(files) if _is_image(file)]
    metadata = {**message.metadata, "files": names} if names else message.metadata
    return with_parts(message, [*message.whole, *seen], metadata=metadata)


def _picture(file: Mapping[str, Any], at: At) -> Part:
    """Return a picture of a message: a data URL, an address of the server, or the id of a file."""
    if isinstance(file.get("url"), str):
        return medium_of("image", file, at)
    return made("image", name=_name(file), address=as_text(file.get("id")))


def documents_of(record: Mapping[str, Any], id_: str) -> Iterator[Document]:
    """Yield the files of a message or chat whose text is in the export; `id_` is the prefix of their ids."""
    for number, file in enumerate(objects(record.get("files"))):
        text = _file_text(file)
        if text.strip() and not _is_image(file):
            yield Document(f"{id_}/{number}", text, _name(file))


def _is_image(file: Mapping[str, Any]) -> bool:
    return file.get("type") == "image" or as_text(file.get("content_type")).startswith("image/")


def _name(file: Mapping[str, Any]) -> str:
    inner = mapping(file.get("file"))
    names = (file.get("name"), inner.get("filename"), mapping(inner.get("meta")).get("name"), file.get("id"))
    return next((name for value in names if isinstance(value, str) and (name := as_text(value))), "file")


def _file_text(file: Mapping[str, Any]) -> str:
    inner = mapping(mapping(file.get("file")).get("data")).get("content")
    return as_text(inner) if isinstance(inner, str) else ""


def sniff(source: FileSource) -> float:
    """Return how likely the file holds chats with a history of messages."""
    if source.shape == "sqlite":
        return 1.0 if has_tables(source, chat="id user_id title chat") else 0.0
    return surest(source, lambda value: 0.95 if _is_chat(_inner(value)) else 0.0)


def _inner(value: Any) -> Mapping[str, Any]:
    """Return the chat inside its wrapper; the first exports had none."""
    outer = mapping(value)
    return outer["chat"] if isinstance(outer.get("chat"), Mapping) else outer


def _is_chat(chat: Mapping[str, Any]) -> bool:
    history = mapping(chat.get("history"))
    messages = history.get("messages")
    if not isinstance(messages, Mapping):
        return False
    return "currentId" in history or any("childrenIds" in mapping(message) for message in messages.values())


def load(source: FileSource) -> Workspace:
    """Return the chats of an export. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    chats: list[SavedChat] = []
    for place, value in _rows(source) if source.shape == "sqlite" else values_of(source, notes):
        chat = _inner(value)
        if not _is_chat(chat) and not objects(chat.get("messages")):
            notes.add(place, "expected a chat with `history.messages`", "error")
            continue
        chats.append(_read(mapping(value), chat, notes, f"{place}.chat" if chat is not value else place))
        chats[-1].beside = {"documents": tuple(_documents(chat, f"{len(chats)}"))}
    if not chats:
        raise notes.unreadable("$", "expected chats of Open WebUI with `history.messages`, found none")
    return workspace_of(chats, source, notes)


def _rows(source: FileSource) -> Iterator[tuple[str, Any]]:
    """Yield the chats of the application's database, each stored as text."""
    with opened(source) as database:
        for row in database.rows("chat", "id", "title", "chat"):
            yield f"chat: {as_text(row.get('id'))}", {**row, "chat": unwrapped(row.get("chat"))}


def _documents(chat: Mapping[str, Any], name: str) -> Iterator[Document]:
    """Return the texts of the files of a chat, each once, whether the chat or its messages name them."""
    seen: set[str] = set()
    messages = mapping(mapping(chat.get("history")).get("messages"))
    for id_, record in ((name, chat), *messages.items()):
        for document in documents_of(mapping(record), as_text(id_)):
            if document.content not in seen:
                seen.add(document.content)
                yield document


def _read(outer: Mapping[str, Any], chat: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    history = mapping(chat.get("history"))
    below = f"{place}.history"
    nodes = {
        as_text(name): Node(_parent(record), _messages(record, notes, f"{below}.messages.{name}"), f"{below}.{name}")
        for name, record in mapping(history.get("messages")).items()
        if name
    }
    if not nodes:
        listed = enumerate(objects(chat.get("messages")))
        places = ((f"{place}.messages[{index}]", record) for index, record in listed)
        nodes = in_line((at, message) for at, record in places for message in _messages(record, notes, at))
    params = mapping(chat.get("params"))
    ids = (outer.get("id"), chat.get("id"))
    titles = (chat.get("title"), outer.get("title"))
    return SavedChat(
        nodes,
        history.get("currentId"),
        f"{below}.currentId",
        id=next((as_text(id_) for id_ in ids if isinstance(id_, str) and id_), ""),
        title=next((as_text(title) for title in titles if isinstance(title, str) and title), ""),
        system=as_text(params.get("system")).strip(),
        model=_model(chat, nodes),
        context_window=as_whole(params.get("num_ctx")),
    )


def _parent(record: Any) -> str:
    parent = mapping(record).get("parentId")
    return as_text(parent) if isinstance(parent, str) else ""


def _model(chat: Mapping[str, Any], nodes: Mapping[str, Node]) -> str:
    """Return the model set for the chat, or else that of its newest answer."""
    named = chat.get("models")
    first = named[0] if isinstance(named, list) and named and isinstance(named[0], str) else ""
    models = (message.metadata.get("model") for node in reversed(list(nodes.values())) for message in node.messages)
    return as_text(first) or as_text(next((model for model in models if model), ""))


def _messages(record: Any, notes: Notes, place: str) -> tuple[Message, ...]:
    """Return the messages of a node: a turn, its tool calls and their results; none if its role is unknown."""
    found = read_message(record, notes, place)
    if not found:
        return ()
    *results, message = found
    message = with_files(_marked(message, record), record, At(notes, place))
    if message.role == "assistant" and looks_like_items(record.get("output")):
        return _of_items(message, record["output"], notes, f"{place}.output")
    if message.role != "assistant" or "<details" not in message.content:
        return (*results, message)
    return (*results, *_taken_apart(message))


def _of_items(message: Message, items: Sequence[Any], notes: Notes, place: str) -> tuple[Message, ...]:
    """Return an answer by the items of which its content is the picture, as versions since 2026 keep both.

    Metadata and media of the whole answer stay with the last message.
    """
    told = [_as_call(item) for item in items]
    found = [changed(one, time=message.time) for one in read_items(told, notes, place)]
    last = max((number for number, one in enumerate(found) if one.role == "assistant"), default=-1)
    media = [part for part in message.parts if isinstance(part, Held)]
    if last < 0:
        return (*found, message)
    shown = {"shown": message.content} if "<details" in message.content else {}
    found[last] = with_parts(found[last], [*found[last].whole, *media], metadata={**message.metadata, **shown})
    return tuple(changed(one, id="") for one in found)


def _as_call(item: Any) -> Any:
    """Return an item with the type of the Responses API where the application has its own."""
    kind = as_text(mapping(item).get("type"))
    own = kind.removeprefix("open_webui:")
    return item if own == kind else {**item, "type": f"{own}_call"}


def _marked(message: Message, record: Mapping[str, Any]) -> Message:
    """Return the message with the metadata that the application recorded."""
    error = mapping(record.get("error")).get("content", record.get("error"))
    found = {
        "model": record.get("model") if isinstance(record.get("model"), str) else None,
        **read_usage(record.get("usage")).metadata,
        "error": as_text(error) if error and error is not True else None,
    }
    kept = {key: value for key, value in found.items() if value is not None}
    return changed(message, metadata={**message.metadata, **kept}) if kept else message


def _taken_apart(message: Message) -> list[Message]:
    """Return an answer as its separate messages. Metadata of the whole answer stays with the last."""
    turns: list[tuple[list[str], list[Call], list[Message]]] = [([], list(message.tool_calls), [])]
    thoughts, code = [message.reasoning], []
    for piece in pieces_of(message.content):
        if isinstance(piece, str):
            if turns[-1][2]:
                turns.append(([], [], []))
            turns[-1][0].append(piece)
        elif piece.kind == "tool_calls":
            call, result = _call(piece, f"{message.id}.call{sum(len(turn[1]) for turn in turns)}")
            turns[-1][1].append(call)
            turns[-1][2].append(changed(result, time=message.time))
        else:
            (thoughts if piece.kind == "reasoning" else code).append(piece.text)
    metadata = {**message.metadata, **({"code_interpreter": code} if code else {})}
    media = [part for part in message.parts if isinstance(part, Held)]
    found: list[Message] = []
    for texts, calls, results in turns:
        found += [with_parts(message, beside("\n".join(texts), calls=calls), metadata={}), *results]
    last = max(index for index, one in enumerate(found) if one.role == "assistant")
    parts = (*beside("", thoughts="\n".join(filter(None, thoughts))), *found[last].whole, *media)
    found[last] = with_parts(found[last], parts, metadata=metadata)
    return found


def _call(block: Details, id_: str) -> tuple[Call, Message]:
    """Return the call of a block and its result, both from attributes with JSON text."""
    name, named = block.attributes.get("name", ""), block.attributes.get("id") or id_
    arguments, result = (_unquoted(block.attributes.get(key, "")) for key in ("arguments", "result"))
    return Call(named, name, arguments), result_message(Result(named, name, result or block.text))


def _unquoted(text: str) -> str:
    """Return the text inside a JSON string, or the text itself."""
    if not text.startswith('"'):
        return as_text(text)
    found = unwrapped(f"[{text}]")
    return as_text(found[0]) if isinstance(found, list) and found and isinstance(found[0], str) else as_text(text)


FORMAT = Format("open_webui", "Open WebUI export or database", sniff, load, "a `chat` with `history.messages`")
