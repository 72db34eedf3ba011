"""Chorus Engine's database: conversations with the inputs of selective context, memories and summaries."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import partial
from typing import Any

from inspector.formats.chorus import records
from inspector.formats.format import Format
from inspector.formats.memories.fields import MemoryReader
from inspector.formats.saved_chats import owners_of
from inspector.model import Conversation, Message, PastSummary, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.sqlite import Database, has_tables, opened
from inspector.reading.values import as_text

_MESSAGE = ("role", "content", "metadata", "created_at", "emotional_weight", "summary", "preserve_full_text")
_MEMORY = (
    *("id", "character_id", "memory_type", "content", "priority", "tags", "confidence", "category", "status"),
    *("source_messages", "durability", "source", "thread_id", "created_at"),
)
_PIN = (
    *("id", "character_id", "selected_message_ids", "what_happened", "why_model", "why_user", "quote_snippet"),
    *("tags", "archived", "created_at"),
)
_SUMMARY = ("summary", "message_range_start", "message_range_end", "key_topics", "tone", "open_questions", "created_at")

Rows = dict[Any, dict[str, Any]]


def sniff(source: FileSource) -> float:
    """Return how likely this is Chorus Engine's database."""
    marks = has_tables(source, messages="id thread_id role content preserve_full_text", threads="id conversation_id")
    return 1.0 if marks else 0.0


def load(source: FileSource) -> Workspace:
    """Return a workspace with a conversation for each thread, the memories and pins of each character, and summaries.

    Raise UnreadableError if the database is damaged.
    """
    reader = MemoryReader(source.path)
    with opened(source) as database:
        known = {row.get("id"): row for row in database.rows("conversations", "id", "character_id", "title", "source")}
        threads = list(_conversations(database, known, reader))
        talks, doubled = records.named([talk for _, talk in threads], "c", (source.path, "threads"))
        spoken = [(frozenset((character,)), talk.id) for (character, _), talk in zip(threads, talks, strict=True)]
        owners = partial(owners_of, talks=spoken)
        rows = ((f"memories: {as_text(row.get('id'))}", row) for row in database.rows("memories", *_MEMORY))
        sets = records.memory_sets(rows, reader, owners)
        pinned = ((f"moment_pins: {as_text(row.get('id'))}", row) for row in database.rows("moment_pins", *_PIN))
        pins = records.moment_pins(pinned, reader, owners)
        summaries = [
            summary
            for row in database.rows("conversation_summaries", "id", "conversation_id", *_SUMMARY)
            if (summary := _summary(row, known, owners, reader))
        ]
    told, doubled_too = records.named(summaries, "summary", (source.path, "conversation_summaries"))
    return Workspace(
        conversations=talks,
        memory_sets=(*sets, *pins),
        summaries=told,
        problems=(*reader.problems(), *doubled, *doubled_too),
    )


def _conversations(database: Database, talks: Rows, reader: MemoryReader) -> Iterator[tuple[str, Conversation]]:
    """Yield a conversation for each thread, with its character; messages of a missing thread get one of their own."""
    messages: dict[Any, list[Message]] = defaultdict(list)
    for row in database.rows("messages", "id", "thread_id", *_MESSAGE, "deleted_at"):
        message = records.message(row, f"messages: {as_text(row.get('id'))}", reader)
        if message:
            messages[row.get("thread_id")].append(message)
    threads = list(database.rows("threads", "id", "conversation_id", "title"))
    known = {thread.get("id") for thread in threads}
    threads += [{"id": id_, "conversation_id": id_} for id_ in messages if id_ not in known]
    counts = Counter(thread.get("conversation_id") for thread in threads)
    for thread in threads:
        of = thread.get("conversation_id")
        talk = talks.get(of, {"id": of})
        said = records.conversation(talk, thread, messages[thread.get("id")], counts[of])
        yield as_text(talk.get("character_id")), said


def _summary(row: dict[str, Any], talks: Rows, owners: records.OwnersOf, reader: MemoryReader) -> PastSummary | None:
    talk = talks.get(row.get("conversation_id"), {})
    place = f"conversation_summaries: {as_text(row.get('id'))}"
    found = records.summary(row, as_text(talk.get("title")), place, reader)
    return found and changed(found, conversations=owners(as_text(talk.get("character_id"))))


FORMAT = Format(
    "chorus_database",
    "Chorus Engine database",
    sniff,
    load,
    "a database of threads, and messages with `preserve_full_text`",
)
