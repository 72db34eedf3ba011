"""Exports of brainos (`brain export`): facts, and the episodes they were found in.

A fact reads as its subject, predicate and object. `importance` of an episode says how well it is remembered, not how it
feels, so it stays in the metadata of the message.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.memories.fields import MemoryReader
from inspector.formats.openai.message import ROLES
from inspector.formats.unique_ids import unique_texts, with_unique_ids
from inspector.model import Conversation, Memory, MemorySet, Message, Problem, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, parse_time, stem

_PARTS = ("subject", "predicate", "object")
_KEPT = ("namespace", "importance", "reinforcement_count")


def sniff(source: FileSource) -> float:
    """Return how likely this is an export of brainos: lists of facts and of episodes."""
    if source.shape != "json":
        return 0.0
    value = mapping(source.sample)
    return 0.95 if isinstance(value.get("facts"), list) and isinstance(value.get("episodes"), list) else 0.0


def load(source: FileSource) -> Workspace:
    """Return a workspace with a memory set of the facts and a conversation for each session.

    Raise UnreadableError if there is neither a fact nor an episode.
    """
    problems: list[Problem] = []
    reader = MemoryReader(source.path)
    sessions: dict[str, list[Message]] = defaultdict(list)
    channels: dict[str, str] = {}
    for number, episode in enumerate(items_of(mapping(source.json).get("episodes"))):
        message = _message(episode, number, f"$.episodes[{number}]", reader)
        if message:
            session = as_text(episode.get("session_id"))
            sessions[session].append(message)
            channels.setdefault(session, as_text(episode.get("session_channel")))
    name = stem(source.path)
    facts = _facts(source, reader, {message.id: message for talk in sessions.values() for message in talk})
    if not facts and not sessions:
        raise source.unreadable("$", "expected facts and episodes, found none", reader.problems())
    conversations = tuple(
        Conversation(id_, _unique(talk, source, problems), title=f"Session {id_}", source=channels[session])
        for id_, (session, talk) in zip(unique_texts(one or name for one in sessions), sessions.items(), strict=True)
    )
    return Workspace(
        conversations=conversations,
        memory_sets=(MemorySet(name, facts, f"Facts of {name}"),) if facts else (),
        problems=(*reader.problems(), *problems),
    )


def _unique(talk: list[Message], source: FileSource, problems: list[Problem]) -> tuple[Message, ...]:
    messages, found = with_unique_ids(talk, lambda _: (source.path, "$.episodes"), "warning")
    problems += found
    return messages


def _message(episode: Any, number: int, place: str, reader: MemoryReader) -> Message | None:
    fields = mapping(episode)
    role = ROLES.get(as_text(fields.get("role")).lower())
    if role is None or not isinstance(fields.get("content"), str):
        reader.note(place, "expected an episode with content and a role: user, assistant, system or tool")
        return None
    kept = {name: fields[name] for name in _KEPT if fields.get(name) is not None}
    return Message(
        id=as_text(fields.get("id")) or f"m{number}",
        role=role,
        content=as_text(fields["content"]),
        time=parse_time(fields.get("timestamp")),
        metadata=kept,
    )


def _facts(source: FileSource, reader: MemoryReader, episodes: Mapping[str, Message]) -> tuple[Memory, ...]:
    memories: list[Memory] = []
    for number, fact in enumerate(items_of(mapping(source.json).get("facts"))):
        place = f"$.facts[{number}]"
        fields = mapping(fact)
        parts = [as_text(fields.get(part)).strip() for part in _PARTS]
        if not all(parts):
            reader.note(place, "expected a fact with subject, predicate and object")
            continue
        known = {key: value for key, value in fields.items() if key not in (*_PARTS, "namespace")}
        episode = episodes.get(as_text(fields.get("source_episode_id")))
        time = {"time": episode.time} if episode and episode.time else {}
        named = {"content": " ".join(parts), "type": "fact", "tags": as_text(fields.get("namespace"))}
        memory = reader.read({**known, **time, **named}, place)
        memories += [memory] if memory else []
    return reader.unique(memories, "$.facts")


FORMAT = Format("brain_export", "brainos export", sniff, load, "`facts` and `episodes`")
