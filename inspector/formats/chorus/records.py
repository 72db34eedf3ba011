"""The records of Chorus Engine, as rows of its database and as JSON of its backups: messages, memories, summaries.

Layout: github.com/whatsthisaithing/chorus-engine, `models`. Truth values are the texts true and false there; roles are
enum names in the database (`SCENE_CAPTURE`) and lower case in backups.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from inspector.formats.memories.fields import MemoryReader
from inspector.formats.unique_ids import Identified, unique_texts, with_unique_ids
from inspector.model import Conversation, Memory, MemorySet, Message, Owners, PastSummary, Problem, Role, changed
from inspector.reading.json import unwrapped
from inspector.reading.values import as_share, as_text, as_truth, mapping, parse_time, strings

_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "system": "system", "scene_capture": "system"}
_SCENE = "scene_capture"
_OLD_TYPES = {"implicit": "fact"}
_UNTITLED = "Conversation"
_MEMORY_FIELDS = (
    *("id", "content", "priority", "confidence", "category", "status", "durability", "source", "thread_id"),
    *("tags", "source_messages", "created_at"),
)

Record = Mapping[str, Any]
OwnersOf = Callable[[str], Owners]
"""The conversations of a character, by the character's id."""


def of_no_one(_character: str) -> Owners:
    """Return None, as in a file of a single character all conversations are its own."""
    return None


def message(record: Record, place: str, reader: MemoryReader) -> Message | None:
    """Return a message. Deleted messages and pictures of a scene were never sent, so they are excluded."""
    role = as_text(record.get("role")).strip().lower()
    if role not in _ROLES or not isinstance(record.get("content"), str):
        reader.note(place, "expected a message with content and a role: user, assistant, system or scene_capture")
        return None
    dropped = "deleted" if record.get("deleted_at") else "a picture of the scene" if role == _SCENE else ""
    kept = mapping(unwrapped(record.get("metadata", record.get("meta_data"))))
    recorded = {"recorded": {"action": "dropped", "reason": dropped}} if dropped else {}
    summary = as_text(record.get("summary"))
    preserved = record.get("preserve_full_text")
    return Message(
        id=as_text(record.get("id")),
        role=_ROLES[role],
        content=as_text(record["content"]),
        time=parse_time(record.get("created_at")),
        summary=summary or None,
        emotional_weight=as_share(record.get("emotional_weight")),
        key_moment=None if preserved is None else as_truth(preserved),
        excluded=bool(dropped),
        metadata={**kept, **recorded},
    )


def conversation(talk: Record, thread: Record, messages: Sequence[Message], threads: int) -> Conversation:
    """Return a thread, the unit that Chorus sends; it is named as the conversation if that has only one."""
    id_, thread_id = as_text(talk.get("id")), as_text(thread.get("id"))
    title = as_text(talk.get("title")).strip() or _UNTITLED
    several = threads > 1
    part = as_text(thread.get("title")).strip() or thread_id
    unique = unique_texts(one.id or f"m{number}" for number, one in enumerate(messages))
    return Conversation(
        id=f"{id_}:{thread_id}" if several else id_ or thread_id,
        messages=tuple(changed(one, id=name) for one, name in zip(messages, unique, strict=True)),
        title=f"{title}: {part}" if several else title,
        thread_id=thread_id,
        source=as_text(talk.get("source")),
    )


def memory_sets(
    records: Iterable[tuple[str, Record]], reader: MemoryReader, owners: OwnersOf = of_no_one
) -> tuple[MemorySet, ...]:
    """Return a set of memories for each character with any, with the conversations of the character.

    `records` have their places.
    """
    by_character: dict[str, list[Memory]] = defaultdict(list)
    for place, record in records:
        kind = as_text(record.get("memory_type")).strip().lower()
        known = {name: unwrapped(record.get(name)) for name in _MEMORY_FIELDS}
        memory = reader.read({**known, "type": _OLD_TYPES.get(kind, kind)}, place)
        if memory:
            by_character[as_text(record.get("character_id")) or "memories"].append(memory)
    return tuple(
        MemorySet(character, reader.unique(memories, "memories"), f"Memories of {character}", owners(character))
        for character, memories in by_character.items()
    )


def moment_pins(
    records: Iterable[tuple[str, Record]], reader: MemoryReader, owners: OwnersOf = of_no_one
) -> tuple[MemorySet, ...]:
    """Return a set of pinned moments for each character, in the words that Chorus writes into prompts.

    `records` have their places. The copied messages behind a moment are read only by a tool. Archived moments are
    excluded.
    """
    by_character: dict[str, list[Memory]] = defaultdict(list)
    for place, record in records:
        known = {
            "id": record.get("id"),
            "content": "\n".join(_pinned(record)),
            "type": "moment_pin",
            "tags": unwrapped(record.get("tags")),
            "source_messages": unwrapped(record.get("selected_message_ids")),
            "created_at": record.get("created_at"),
            "excluded": as_truth(record.get("archived")),
        }
        memory = reader.read(known, place)
        if memory:
            by_character[as_text(record.get("character_id")) or "memories"].append(memory)
    return tuple(
        MemorySet(
            f"{character}-pins",
            reader.unique(pins, "moment_pins"),
            f"Pinned moments of {character}",
            owners(character),
        )
        for character, pins in by_character.items()
    )


def _pinned(record: Record) -> Iterator[str]:
    """Yield the event, its importance (in the user's words if there are any) and the quote."""
    why = as_text(record.get("why_user")).strip() or as_text(record.get("why_model")).strip()
    parts = (
        ("what_happened", record.get("what_happened")),
        ("why", why),
        ("quote_snippet", record.get("quote_snippet")),
    )
    for name, value in parts:
        if text := as_text(value).strip():
            yield f"{name}: {text}"


def summary(record: Record, title: str, place: str, reader: MemoryReader) -> PastSummary | None:
    """Return the summary of a range of messages of a conversation."""
    if not isinstance(record.get("summary"), str) or not as_text(record["summary"]).strip():
        reader.note(place, "expected a summary with text")
        return None
    first, last = record.get("message_range_start"), record.get("message_range_end")
    which = f"{title}, messages {first}–{last}" if first is not None and last is not None else title
    return PastSummary(
        id=as_text(record.get("id")),
        summary=as_text(record["summary"]),
        title=which,
        tone=as_text(record.get("tone")),
        topics=strings(unwrapped(record.get("key_topics"))),
        open_questions=strings(unwrapped(record.get("open_questions"))),
        time=parse_time(record.get("created_at")),
    )


def named(
    items: Sequence[Identified], word: str, place: tuple[str, str]
) -> tuple[tuple[Identified, ...], list[Problem]]:
    """Return the items with unique ids, and the problems of those that had to change.

    Items without an id are called `word` and their number. `place` is their file and the place in it.
    """
    found = tuple(item if item.id else changed(item, id=f"{word}{number}") for number, item in enumerate(items))
    return with_unique_ids(found, lambda _: place)
