"""Events of OpenAI's Realtime API, sent and received in a session, as a conversation.

openai/openai-python, `src/openai/types/realtime` (and `types/beta/realtime` before): `session.created` and
`session.updated` tell the instructions, model and tools; items come by `conversation.item.created` (`added`, `done`),
`conversation.item.create`, `response.output_item.done` and `response.done`; the words of spoken input come later, by
`conversation.item.input_audio_transcription.completed`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.responses import read_items
from inspector.formats.saved_chats import SavedChat, in_line, surest, title_of, values_of, workspace_of
from inspector.model import Message, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, objects

_ITEM = "conversation.item."
_RESULT = "function_call_output"
_WORDS = "input_audio_transcription.completed"
_SESSIONS = ("session.created", "session.updated", "session.update", "transcription_session.updated")
_ITEMS = frozenset(
    (
        *(f"{_ITEM}{ending}" for ending in ("created", "added", "done", "create", "retrieved")),
        *("response.output_item.added", "response.output_item.done"),
    )
)
_LISTS = ("events", "messages", "data")


def sniff(source: FileSource) -> float:
    """Return how likely the file holds events of the Realtime API."""
    return surest(source, lambda value: 0.95 if any(map(_is_event, (value, *_listed(value)[:5]))) else 0.0)


def _listed(value: Any) -> tuple[Any, ...]:
    return next((items for key in _LISTS if (items := items_of(mapping(value).get(key)))), ())


def _event(value: Any) -> Mapping[str, Any]:
    """Return the event of a value: itself, or below `event` or `payload` where a log keeps its time beside."""
    fields = mapping(value)
    inner = (mapping(fields.get(key)) for key in ("event", "payload", "data"))
    return fields if isinstance(fields.get("type"), str) else next((one for one in inner if "type" in one), fields)


def _is_event(value: Any) -> bool:
    """Return whether a value is an event that no other API sends."""
    event = _event(value)
    kind = event.get("type")
    if not isinstance(kind, str):
        return False
    if kind in _SESSIONS:
        return isinstance(event.get("session"), Mapping)
    return kind in _ITEMS and kind.startswith(_ITEM) and isinstance(event.get("item"), Mapping)


@dataclass(slots=True)
class _Session:
    """A session while its events are read: items by id in order, each with its place."""

    notes: Notes
    about: dict[str, Any] = field(default_factory=dict)
    items: dict[str, tuple[str, Mapping[str, Any]]] = field(default_factory=dict)
    usages: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def read(self, event: Mapping[str, Any], place: str) -> None:
        """Read an event; those that repeat pieces of others (deltas, buffers, limits) say nothing more."""
        kind = as_text(event.get("type"))
        if kind in _SESSIONS:
            self.about |= {key: value for key, value in mapping(event.get("session")).items() if value}
        elif kind in _ITEMS:
            self.put(event.get("item"), f"{place}.item", event.get("previous_item_id"))
        elif kind == "response.done":
            self._answer(mapping(event.get("response")), f"{place}.response")
        elif kind == f"{_ITEM}{_WORDS}":
            self._words(event)
        elif kind == f"{_ITEM}deleted":
            self.items.pop(as_text(event.get("item_id")), None)

    def put(self, item: Any, place: str, after: Any = None) -> None:
        """Keep an item; a later one of the same id replaces it, unless it holds less."""
        held = mapping(item)
        if held.get("type") == _RESULT and not isinstance(held.get("output"), str):
            self.notes.add(f"{place}.output", "expected the text of a result")
        id_ = as_text(held.get("id")) or f"{place}"
        before = self.items.get(id_)
        if before is None and isinstance(after, str) and after in self.items and after != next(reversed(self.items)):
            self._insert(id_, (place, held), after)
        elif before is None or len(as_text(held)) >= len(as_text(before[1])):
            self.items[id_] = (place, held)

    def _insert(self, id_: str, item: tuple[str, Mapping[str, Any]], after: str) -> None:
        found = list(self.items.items())
        place = 1 + next(number for number, (name, _) in enumerate(found) if name == after)
        self.items = dict([*found[:place], (id_, item), *found[place:]])

    def _answer(self, response: Mapping[str, Any], place: str) -> None:
        output = items_of(response.get("output"))
        for number, item in enumerate(output):
            self.put(item, f"{place}.output[{number}]")
        usage = response.get("usage")
        id_ = as_text(mapping(output[-1]).get("id")) if output else ""
        if isinstance(usage, Mapping) and id_:
            self.usages[id_] = usage
        elif usage:
            wanted = "usage" if id_ else "output"
            self.notes.add(f"{place}.{wanted}", f"expected the {wanted} of the answer; its usage was left out", "info")

    def _words(self, event: Mapping[str, Any]) -> None:
        """Add the words of a spoken input to its item."""
        id_, words = as_text(event.get("item_id")), event.get("transcript")
        if id_ not in self.items or not isinstance(words, str):
            return
        place, item = self.items[id_]
        number = event.get("content_index", 0)
        content = [
            {**mapping(part), "transcript": words} if place_ == number else part
            for place_, part in enumerate(items_of(item.get("content")))
        ]
        self.items[id_] = (place, {**item, "content": content})

    def messages(self) -> list[tuple[str, Message]]:
        """Return the messages of the items, with the usage of the answers that they end."""
        kept = [_without_empty(item) for _, item in self.items.values()]
        found = read_items(kept, self.notes, "$.items")
        told = {id_: read_usage(usage).metadata for id_, usage in self.usages.items()}
        places = {id_: place for id_, (place, _) in self.items.items()}
        return [
            (
                places.get(one.id, "$"),
                changed(one, metadata={**one.metadata, **told.get(one.id, {})}) if one.id else one,
            )
            for one in found
        ]


def _without_empty(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the item with `text` where an output of sound is given by its words alone."""
    content = item.get("content")
    if not isinstance(content, list):
        return item
    return {**item, "content": [_spoken(part) for part in content]}


def _spoken(part: Any) -> Any:
    fields = mapping(part)
    is_words = isinstance(fields.get("transcript"), str) and not fields.get("audio") and not fields.get("data")
    return {"type": "text", "text": fields["transcript"]} if is_words else part


def load(source: FileSource) -> Workspace:
    """Return the conversation of the events. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    session = _Session(notes)
    for place, value in values_of(source, notes):
        inside = _listed(value)
        placed = [(f"{place}[{number}]", one) for number, one in enumerate(inside)] if inside else [(place, value)]
        for at, one in placed:
            event = _event(one)
            if isinstance(event.get("type"), str):
                session.read(event, at)
            else:
                notes.add(at, "expected an event with a type; it was left out", "error")
    messages = session.messages()
    if not messages:
        raise notes.unreadable("$", "expected items of a conversation in the events, found none")
    nodes = in_line(messages)
    told = {key: as_text(session.about.get(key, "")) for key in ("id", "model", "instructions")}
    chat = SavedChat(
        nodes,
        next(reversed(nodes), None),
        "$",
        told["id"],
        title_of(message for _, message in messages),
        told["instructions"],
        told["model"],
        tools=objects(session.about.get("tools")),
    )
    return workspace_of([chat], source, notes)


FORMAT = Format("realtime", "OpenAI Realtime events", sniff, load, "`session.created` and `conversation.item.created`")
