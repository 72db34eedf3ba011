"""Zep: facts of its graph (edges), and threads. An invalidated fact is excluded, as Zep would not use it.

Layout: help.getzep.com, graph search and threads.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from inspector.formats.format import Format
from inspector.formats.memories.fields import MemoryReader
from inspector.formats.openai.message import ROLES
from inspector.formats.unique_ids import unique_texts
from inspector.model import Conversation, Memory, MemorySet, Message, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, parse_time, stem

_LOOKED_AT = 5
_LISTS = ("edges", "facts")
_ENDS = (("invalid_at", "invalid"), ("expired_at", "expired"))
_FACT_FIELDS = ("uuid", "score", "created_at", "episodes", "confidence")


def sniff(source: FileSource) -> float:
    """Return how likely these are facts with their validity, or a thread whose messages name a `role_type`."""
    if source.shape != "json":
        return 0.0
    value = source.sample
    if _is_fact(value) or any(_is_fact(item) for item in _facts(value)[:_LOOKED_AT]):
        return 0.95
    messages = [value, *items_of(mapping(value).get("messages"))[:_LOOKED_AT]]
    return 0.95 if any(_is_turn(item) for item in messages) else 0.0


def load(source: FileSource) -> Workspace:
    """Return a workspace with any facts as a memory set and any messages as a conversation.

    Raise UnreadableError if there are neither.
    """
    value = source.json
    name = stem(source.path)
    facts, turns = _facts(value), items_of(mapping(value).get("messages"))
    if isinstance(value, list):
        facts, turns = ((), value) if any(map(_is_turn, value)) else (value, ())
    reader = MemoryReader(source.path)
    memories = [memory for i, fact in enumerate(facts) if (memory := _memory(fact, f"$[{i}]", reader))]
    messages = [turn for i, one in enumerate(turns) if (turn := _turn(one, f"$[{i}]", reader))]
    if not memories and not messages:
        raise source.unreadable(
            "$", "expected facts (edges) or the messages of a thread, found none", reader.problems()
        )
    ids = unique_texts(message.id or f"m{number}" for number, message in enumerate(messages))
    talk = tuple(changed(message, id=id_) for message, id_ in zip(messages, ids, strict=True))
    scale = reader.scale(memories)
    return Workspace(
        conversations=(Conversation(name, talk, name),) if talk else (),
        memory_sets=(MemorySet(name, reader.unique(memories, "$"), name, score_scale=scale),) if memories else (),
        problems=reader.problems(),
    )


def _is_fact(value: Any) -> bool:
    fields = mapping(value)
    return isinstance(fields.get("fact"), str) and bool(fields.keys() & {"valid_at", "invalid_at", "uuid"})


def _is_turn(value: Any) -> bool:
    fields = mapping(value)
    return isinstance(fields.get("role_type"), str) and isinstance(fields.get("content"), str)


def _facts(value: Any) -> tuple[Any, ...]:
    return next((items for name in _LISTS if (items := items_of(mapping(value).get(name)))), ())


def _memory(fact: Any, place: str, reader: MemoryReader) -> Memory | None:
    """Return a fact; the name of its edge is the category, the episodes it was found in are its sources."""
    fields = mapping(fact)
    if not isinstance(fields.get("fact"), str):
        reader.note(place, "expected an object with a text under `fact`")
        return None
    known = {name: fields[name] for name in _FACT_FIELDS if name in fields}
    time = {} if parse_time(fields.get("created_at")) else {"created_at": fields.get("valid_at")}
    named = {"content": fields["fact"], "type": "fact", "category": as_text(fields.get("name"))}
    memory = reader.read({**known, **time, **named}, place)
    return memory and _with_validity(memory, fields)


def _with_validity(memory: Memory, fields: Mapping[str, Any]) -> Memory:
    for name, status in _ENDS:
        end = parse_time(fields.get(name))
        if end and end <= datetime.now(UTC):
            return changed(memory, status=status, excluded=True)
    return memory


def _turn(value: Any, place: str, reader: MemoryReader) -> Message | None:
    """Return a message of a thread: `role_type` is the role, `role` (newer: `name`) the speaker."""
    fields = mapping(value)
    word = as_text(fields.get("role_type") or fields.get("role")).lower()
    role = ROLES.get(word)
    if role is None or not isinstance(fields.get("content"), str):
        reader.note(place, "expected a message with content and a role_type: user, assistant, system or tool")
        return None
    speaker = as_text(fields.get("name") or (fields.get("role") if "role_type" in fields else ""))
    time = parse_time(fields.get("created_at"))
    return Message(as_text(fields.get("uuid")), role, as_text(fields["content"]), name=speaker, time=time)


FORMAT = Format("zep", "Zep facts and threads", sniff, load, "facts with their validity, or messages with `role_type`")
