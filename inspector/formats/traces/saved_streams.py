"""Streamed answers as they were saved: server-sent events as text, and lists or lines of events.

The events of OpenAI's Chat Completions and Responses, of Anthropic's Messages, of Gemini and of Ollama; their sources
are named in `inspector.recording.streams`, which joins them. Each answer of a file is a conversation of its own, since
a stream does not repeat the request. A log may keep each event below `data`, as text or as an object, beside its name
(`event`): the fields of html.spec.whatwg.org/multipage/server-sent-events.html. Gemini Code Assist, which Antigravity
asks, sends each event of Gemini below `response`, and a capture may hold the whole text of a stream under one of its
keys (larsderidder/context-lens, `test/fixtures/antigravity-streaming-response.json`).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from inspector.figures import counted
from inspector.formats.content.usage import read_usage
from inspector.formats.coverage import coverage_of
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import Node, SavedChat, first_values, values_of, workspace_of
from inspector.formats.traces.requests import chat_of_bodies
from inspector.formats.traces.streamed import api_of_event
from inspector.model import Workspace, changed
from inspector.reading.json import unwrapped
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.values import as_text, items_of, mapping, objects, parse_time
from inspector.recording.apis import Api
from inspector.recording.streams.answer import is_last, joined, usage_in
from inspector.recording.streams.events import is_end, numbered_data

_SURE = 0.97
"""More than of a single answer in the same layout: several events of one answer are found."""
_HEAD = 200_000  # bytes
_FIELD = re.compile(rb"(?:data|event|id|retry)?:|HTTP/\d")
_ANY_FIELD = re.compile(rb"(?:(?:data|event|id|retry)?:.*|(?:data|event|id|retry))?$")
_DATA = re.compile(rb"^data:", re.MULTILINE)
_LINE_END = re.compile(rb"\r\n|\n|\r")
_WITHOUT_ANSWER = ("ping", "error")
_PIECES = ("partial_json", "arguments", "obfuscation")
"""Keys of pieces of JSON, which are no texts alone."""
_TIMES = ("created", "created_at", "createTime")
_EXPECTED = "events of a stream of OpenAI, Anthropic, Gemini or Ollama"


def sniff(source: FileSource) -> float:
    """Return how likely the file holds the events of streamed answers."""
    try:
        text = _text_of(source)
        is_text = text is not None
        values = first_values(source if text is None else _lines(text[:_HEAD], source, cut=True))
    except UnreadableError:
        return 0.0
    events = [event for value in values if (event := _event(value)) is not None]
    if 2 * len(events) <= len(values):
        return 0.0
    return _SURE if is_text or _is_streamed(events) else 0.0


def _text_of(source: FileSource) -> bytes | None:
    """Return the server-sent events that the file is, or that it holds under one key; None if it holds none.

    Raise UnreadableError if the file is broken JSON.
    """
    if source.shape in ("text", "yaml"):
        return source.utf8 if _is_text(source.utf8) else None
    if source.shape != "json" or source.raw_items is not None:
        return None
    held = (text.encode() for text in mapping(source.json).values() if isinstance(text, str))
    return next(filter(_is_text, held), None)


def _is_text(text: bytes) -> bool:
    """Return whether a text is one of server-sent events, with the headers of the answer or without."""
    head = text[:_HEAD]
    return bool(_FIELD.match(head.lstrip())) and _DATA.search(head.replace(b"\r", b"\n")) is not None


def _lines(text: bytes, source: FileSource, cut: bool = False) -> FileSource:
    """Return the data of a text of events as lines of JSON, each on the line of the text on which it begins.

    The last event of a text that is `cut` is left out.
    """
    numbered = numbered_data(text)
    numbered = numbered[:-1] if cut and len(text) == _HEAD else numbered
    lines = [b""] * (max((number for number, _ in numbered), default=0))
    for number, piece in numbered:
        lines[number - 1] = b"" if is_end(piece) else piece.replace(b"\n", b" ").replace(b"\r", b" ")
    return FileSource(source.given, b"\n".join(lines), None if cut else source.budget, source.depth)


def _event(value: Any) -> Mapping[str, Any] | None:
    """Return the event of a value: the value itself, or what lies below one of its keys; None for others."""
    fields = mapping(value)
    for held in (fields, unwrapped(fields.get("data")), fields.get("event"), fields.get("response")):
        event = mapping(held)
        if api_of_event(event) or (event.get("type") in _WITHOUT_ANSWER) or (len(event) == 1 and "error" in event):
            return event
    return None


def _is_streamed(events: list[Mapping[str, Any]]) -> bool:
    """Return whether events are pieces of an answer: Gemini and Ollama send pieces that look like whole answers."""
    kinds = [api for event in events if (api := api_of_event(event))]
    if not kinds or kinds[0] not in ("gemini", "ollama"):
        return bool(kinds)
    return any(len(one.events) > 1 for one in _answers(("", event) for event in events))


@dataclass(slots=True)
class _Answer:
    """An answer while its events are gathered, and its place, which is that of the first of them."""

    api: Api
    place: str
    events: list[Mapping[str, Any]] = field(default_factory=list)

    @property
    def id(self) -> str:
        """The id that its events name, "" if they name none."""
        named = (event.get("responseId" if self.api == "gemini" else "id") for event in self.events)
        return next((as_text(one) for one in named if one), "")

    @property
    def has_ended(self) -> bool:
        """Whether the end of the answer has come."""
        if self.api == "chat":
            return any(one.get("finish_reason") for event in self.events for one in objects(event.get("choices")))
        return any(is_last(self.api, event) for event in self.events)


def _answers(events: Iterable[tuple[str, Mapping[str, Any]]]) -> list[_Answer]:
    """Return the answers of events in order; those of several answers may come by turns if they name their ids."""
    found: list[_Answer] = []
    for place, event in events:
        api = api_of_event(event)
        answer = _continued(found, api, event)
        if answer is None and api is not None:
            answer = _Answer(api, place)
            found.append(answer)
        if answer is not None:
            answer.events.append(event)
    return found


def _continued(found: list[_Answer], api: Api | None, event: Mapping[str, Any]) -> _Answer | None:
    """Return the answer that an event continues; None for the first event of another."""
    if api is None or not found:
        return found[-1] if found else None
    last = next((one for one in reversed(found) if one.api == api), None)
    if last is None or event.get("type") in ("message_start", "response.created"):
        return None
    id_ = as_text(event.get("responseId" if api == "gemini" else "id") or "") if api in ("chat", "gemini") else ""
    if id_ and last.id:
        return next((one for one in reversed(found) if one.id == id_), None)
    return None if last.has_ended and _says_more(api, event) else last


def _says_more(api: Api, event: Mapping[str, Any]) -> bool:
    """Return whether an event has a piece of an answer, which no event after the end of the answer has."""
    if api == "chat":
        deltas = [mapping(one.get("delta")) for one in objects(event.get("choices"))]
        return any(delta.get("content") or delta.get("tool_calls") for delta in deltas)
    return api == "ollama" or (api == "gemini" and bool(items_of(event.get("candidates"))))


def load(source: FileSource) -> Workspace:
    """Return each answer of a file as a conversation. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    text = _text_of(source)
    lines = source if text is None else _lines(text, source)
    if text is not None:
        _note_others(text, notes)
    answers = _answers(_events(lines, notes))
    chats = [chat for answer in answers if (chat := _chat(answer, notes)).nodes]
    if not chats:
        raise notes.unreadable("$", f"expected {_EXPECTED}, found none that add up to an answer")
    found = workspace_of(chats, source, notes)
    if lines is source:
        return found
    missed = coverage_of(lines, found, _PIECES).problems(source, found.problems)
    return changed(found, problems=(*found.problems, *missed))


def _events(source: FileSource, notes: Notes) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for place, value in values_of(source, notes):
        event = _event(value)
        if event is None:
            notes.add(place, f"expected {_EXPECTED}; it was left out")
        else:
            yield place, event


def _note_others(text: bytes, notes: Notes) -> None:
    """Note the lines of a text that are no fields of events."""
    others = [n for n, line in enumerate(_LINE_END.split(text), 1) if not _ANY_FIELD.match(line)]
    if others:
        notes.add(f"line {others[0]}", f"the first of {counted(len(others), 'line')} outside the events", "info")


def _chat(answer: _Answer, notes: Notes) -> SavedChat:
    body = joined(answer.api, answer.events)
    if body.get("error"):
        told = body["error"]
        reason = as_text(mapping(told).get("message", told))[:200]
        notes.add(answer.place, f"the stream broke off with an error: {reason}")
    elif not answer.has_ended:
        notes.add(answer.place, "the last event of this answer is missing: the answer may not be whole")
    chat = chat_of_bodies(answer.api, {"request": {}, "response": body}, notes, answer.place)
    if not chat.nodes:
        notes.add(answer.place, "the events of this answer add up to no message; it was left out")
        return chat
    chat.model = chat.model or as_text(body.get("model") or "")
    if answer.api == "responses":  # an answer of this API repeats what it was given beside the input
        chat.system = as_text(body["instructions"]) if isinstance(body.get("instructions"), str) else ""
        chat.tools = objects(body.get("tools"))
    chat.id = answer.id if answer.api in ("chat", "gemini") else as_text(body.get("id") or "")
    _finish(chat, body)
    return chat


def _finish(chat: SavedChat, body: Mapping[str, Any]) -> None:
    """Give the answer its time, and the token counts that the stream tells."""
    node, usage = chat.nodes.get(chat.leaf), read_usage(usage_in(body)).metadata
    time = next((time for key in _TIMES if (time := parse_time(body.get(key)))), None)
    if node is not None and node.messages:
        *before, last = (changed(message, time=message.time or time) for message in node.messages)
        last = changed(last, metadata={**usage, **last.metadata})
        chat.nodes[chat.leaf] = Node(node.parent, (*before, last), node.place)


FORMAT = Format(
    "streams",
    "Streamed answers, as saved",
    sniff,
    load,
    "events of a stream, as text (`data: {…}`), lines or a list",
    beside=_PIECES,
)
