"""Recorded requests: what `prompt-inspector record` keeps of an application's requests, a line each.

The layout is that of `inspector.recording.record`: `time`, `path`, `request`, `response`, `usage`, `status`, `seconds`.
Each request is a conversation with its answer. Bodies are in the layouts of OpenAI, Anthropic, Gemini and Ollama
(github.com/ollama/ollama/blob/main/docs/api.md); the path says which.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any

from inspector.formats.claude.api import Exchange, chat_of
from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.gemini.bodies import Body, schemas_of
from inspector.formats.gemini.parts import linked
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message
from inspector.formats.openai.records import read_chat
from inspector.formats.saved_chats import Node, SavedChat, in_line, read_each, surest, title_of, values_of, workspace_of
from inspector.model import Message, SentRequest, Workspace, changed
from inspector.reading.lines import read_lines
from inspector.reading.source import FileSource
from inspector.reading.values import as_number, as_text, as_whole, items_of, mapping, objects, parse_time, stem
from inspector.recording.apis import Api, api_of

_KEYS = frozenset(("time", "path", "request", "response", "usage", "status", "seconds"))
_EXPECTED = "a recorded request, with time, path, request, response, usage, status and seconds"
_FAILED = 400


def sniff(source: FileSource) -> float:
    """Return how likely the file holds recorded requests."""
    return surest(source, lambda value: 0.98 if _is_record(value) else 0.0)


def _is_record(value: Any) -> bool:
    fields = mapping(value)
    return fields.keys() >= _KEYS and isinstance(fields["path"], str) and _api(fields) is not None


def _api(record: Mapping[str, Any]) -> Api | None:
    return api_of("POST", as_text(record["path"]))


def load(source: FileSource) -> Workspace:
    """Return the requests of a file, each a conversation. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    return _workspace(_placed(source, notes), source, notes)


def load_lines(source: FileSource, before: int) -> Workspace:
    """Return the requests in the further lines of a file, of which there are so many `before` them.

    Raise UnreadableError if there is none.
    """
    notes = Notes(source.path)
    records = read_lines(b"\n" * before + source.utf8, source.path, notes.problems)  # so that lines have their numbers
    values = ((f"line {record.line}: $", record.value) for record in records)
    return _workspace(values, source, notes)


def _workspace(values: Iterable[tuple[str, Any]], source: FileSource, notes: Notes) -> Workspace:
    chats = read_each(values, _is_record, _chat, notes, _EXPECTED)
    for chat in chats:
        chat.id = f"{stem(source.path)}{_numbered(chat.place)}"
    if not any(chat.nodes or chat.system for chat in chats):
        raise notes.unreadable("$", f"expected {_EXPECTED}, found none that holds a message")
    return workspace_of([chat for chat in chats if chat.nodes or chat.system], source, notes)


def _placed(source: FileSource, notes: Notes) -> Iterator[tuple[str, Any]]:
    """Yield the values of a file with their places; a record that is alone in it has its line, too."""
    for place, value in values_of(source, notes):
        if place == "$":
            begun = len(source.utf8) - len(source.utf8.lstrip())
            line = source.utf8.count(b"\n", 0, begun) + 1
            place = f"line {line}: $"
        yield place, value


def _numbered(place: str) -> str:
    """Return the number of a record by its place in the file; reading on later numbers the next ones the same way."""
    line, item = re.match(r"line (\d+)", place), re.match(r"\$\[(\d+)", place)
    return f"-{line[1]}" if line else f"-{int(item[1]) + 1}" if item else ""


def _chat(record: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    api = _api(record)
    assert api is not None
    _note_troubles(record, notes, place)
    bodies = {"request": mapping(record["request"]), "response": mapping(record["response"])}
    chat = chat_of_bodies(api, bodies, notes, place)
    if not chat.nodes:
        notes.add(f"{place}.request", "holds no message that could be read; it was left out")
        return chat
    chat.model = chat.model or _model(record, bodies)
    _finish(chat, record, _answered(api, bodies["response"], notes.file))
    return chat


def _answered(api: Api, response: Mapping[str, Any], file: str) -> int:
    """Return how many messages an answer has."""
    answer = chat_of_bodies(api, {"request": {}, "response": response}, Notes(file), "") if response else None
    return 0 if answer is None else sum(len(node.messages) for node in _path(answer))


def _path(chat: SavedChat) -> Iterator[Node]:
    """Yield the nodes of the active path, the last first."""
    node = chat.nodes.get(chat.leaf)
    while node is not None:
        yield node
        node = chat.nodes.get(node.parent)


def _note_troubles(record: Mapping[str, Any], notes: Notes, place: str) -> None:
    """Note a request without a usable body, without an answer, or with an error for an answer."""
    if not isinstance(record["request"], Mapping):
        notes.add(f"{place}.request", "expected an object; the application sent something else")
    if isinstance(record.get("note"), str):
        notes.add(place, as_text(record["note"]), "info")
    if _has_failed(record):
        told = mapping(record["response"]).get("error", record["response"])
        reason = as_text(mapping(told).get("message", told))[:200] if told else "nothing"
        notes.add(f"{place}.response", f"was answered by status {as_text(record['status'])}: {reason}", "info")


def _model(record: Mapping[str, Any], bodies: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the model of the request, of its address (Gemini) or of its answer."""
    named = (bodies["request"].get("model"), _in_path(as_text(record["path"])), bodies["response"].get("model"))
    return next((as_text(name) for name in named if isinstance(name, str) and name), "")


def _in_path(path: str) -> str:
    """Return the model in an address of Gemini's: /v1beta/models/NAME:generateContent."""
    _, sign, rest = path.rpartition("/models/")
    return rest.partition(":")[0] if sign and ":" in rest else ""


def _finish(chat: SavedChat, record: Mapping[str, Any], answered: int) -> None:
    """Give the answer its time and its usage, the last message the request, and the chat its last question as title."""
    messages = [message for node in chat.nodes.values() for message in node.messages]
    last = chat.nodes.get(chat.leaf)
    began, seconds = parse_time(record["time"]), as_number(record["seconds"])
    if last is not None and last.messages:
        told = last.messages
        is_answer = told[-1].role == "assistant" and not _has_failed(record)
        if is_answer:
            ended = began + timedelta(seconds=seconds or 0.0) if began else None
            usage = read_usage(record["usage"]).metadata
            told = tuple(changed(one, time=one.time or ended, metadata={**usage, **one.metadata}) for one in told)
        path = as_text(record["path"])
        request = SentRequest(began, seconds, as_whole(record["status"]), path, answered if is_answer else 0)
        final = changed(told[-1], metadata={**told[-1].metadata, **request.metadata})
        chat.nodes[chat.leaf] = Node(last.parent, (*told[:-1], final), last.place)
    chat.title = title_of(reversed(messages))


def _has_failed(record: Mapping[str, Any]) -> bool:
    status = as_whole(record["status"])
    return status is None or status >= _FAILED


_Bodies = Mapping[str, Mapping[str, Any]]


def chat_of_bodies(api: Api, bodies: _Bodies, notes: Notes, place: str) -> SavedChat:
    """Return the chat of a `request` and its `response`, either of which may be empty, in the layout of an API."""
    return _READERS[api](bodies, notes, place)


def _openai(bodies: _Bodies, notes: Notes, place: str) -> SavedChat:
    chat = read_chat(bodies, notes, place)
    if chat is None:
        return SavedChat({}, None, place)
    saved = _saved(chat.messages, chat.endings, chat.shared, place)
    saved.model, saved.tools = chat.model, chat.tools
    return saved


def _anthropic(bodies: _Bodies, notes: Notes, place: str) -> SavedChat:
    answer = bodies["response"] if bodies["response"].get("content") else {}
    return chat_of(Exchange(bodies["request"], answer, "", ".request", ".response"), notes, place)


def _gemini(bodies: _Bodies, notes: Notes, place: str) -> SavedChat:
    body = Body(notes)
    body.read(bodies, place)
    saved = _saved(linked(body.messages), body.other_answers, body.shared, place)
    saved.system, saved.model, saved.tools = body.system, body.model, list(schemas_of(body))
    return saved


def _ollama(bodies: _Bodies, notes: Notes, place: str) -> SavedChat:
    request, answer = bodies["request"], bodies["response"]
    if "messages" in request or "message" in answer:
        asked = [(f"{place}.request.messages[{n}]", one) for n, one in enumerate(items_of(request.get("messages")))]
        told: Any = answer.get("message")
        at = f"{place}.response.message"
    else:
        prompt = {"role": "user", "content": request.get("prompt"), "images": _images(request)}
        asked = [(f"{place}.request", prompt)] if request else []
        told = {"role": "assistant", "content": answer.get("response"), "thinking": answer.get("thinking")}
        told, at = (told if "response" in answer else None), f"{place}.response"
    asked += [(at, told)] if isinstance(told, Mapping) else []
    saved = _saved([one for at, record in asked for one in read_message(_with_name(record), notes, at)], (), 0, place)
    saved.system = as_text(request["system"]) if isinstance(request.get("system"), str) else ""
    saved.tools = objects(request.get("tools"))
    saved.context_window = as_whole(mapping(request.get("options")).get("num_ctx"))
    return saved


def _images(request: Mapping[str, Any]) -> list[Any]:
    return list(items_of(request.get("images")))


def _with_name(record: Any) -> Any:
    """Return a message with the name of the tool whose result it is, which Ollama has under `tool_name`."""
    name = mapping(record).get("tool_name")
    return {**record, "name": name} if isinstance(name, str) and "name" not in record else record


def _saved(messages: Sequence[Message], endings: Sequence[Sequence[Message]], shared: int, place: str) -> SavedChat:
    """Return a chat of messages; each of the endings is another continuation of the first `shared` of them."""
    nodes = in_line((place, message) for message in messages)
    leaf = next(reversed(nodes), None)
    before = list(nodes)[shared - 1] if 0 < shared <= len(nodes) else ""
    for number, ending in enumerate(endings, 1):
        if ending:
            nodes[f"choice{number}"] = Node(before, tuple(ending), place)
    return SavedChat(nodes, leaf, place)


_READERS: Mapping[Api, Callable[[_Bodies, Notes, str], SavedChat]] = {
    "chat": _openai,
    "responses": _openai,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "ollama": _ollama,
}

_OF_ERRORS = frozenset(("error", "type", "request_id"))


def is_refusal(value: Mapping[str, Any]) -> bool:
    """Return whether an object is the error of a server in place of an answer; its message is among the problems."""
    return "message" in mapping(value.get("error")) and value.keys() <= _OF_ERRORS


FORMAT = Format(
    "recorded",
    "Recorded requests",
    sniff,
    load,
    "lines with `time`, `path`, `request`, `response` and `seconds`",
    unsent=is_refusal,
)
