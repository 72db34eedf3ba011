"""Backups of Glaze (`.glz`): characters, personas, and the chats of each character with its memory books.

Layout: github.com/hydall/Glaze, `backupService.js` and `db.js`. The browser's own storage in it holds keys of services
and is not read. Single chats are exported as SillyTavern writes them.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.cards.card import read_card
from inspector.formats.content.turns import beside, pictures
from inspector.formats.format import Format
from inspector.formats.memories.fields import MemoryReader
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import Node, SavedChat, owners_of, versions_of, workspace_of
from inspector.formats.unique_ids import with_unique_ids
from inspector.model import Character, Lorebook, MemorySet, Message, Profile, Role, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, as_whole, items_of, mapping, objects, parse_time

_MARK = "_isGlazeBackup"
_CHATS = ("gz_chat_", "sc_chat_")
_ROLES: dict[str, Role] = {"user": "user", "char": "assistant", "assistant": "assistant", "system": "system"}


def sniff(source: FileSource) -> float:
    """Return how likely this is a backup of Glaze, by its mark."""
    value = mapping(source.sample) if source.shape == "json" and source.raw_items is None else {}
    return 0.98 if value.get(_MARK) is True else 0.0


def load(source: FileSource) -> Workspace:
    """Return the characters, personas, chats and memories of a backup.

    Raise UnreadableError if there is none of these.
    """
    notes = Notes(source.path)
    value = mapping(source.json)
    characters, books = _characters(value, source, notes)
    names = {as_text(one.get("id")): as_text(one.get("name")) for one in objects(value.get("characters"))}
    found = list(_sessions(mapping(value.get("keyvalue"))))
    chats = [_chat(talk, session, names.get(owner, ""), notes, place) for owner, talk, session, place in found]
    reader = MemoryReader(source.path)
    for chat, (owner, talk, session, _) in zip(chats, found, strict=True):
        kept = _memories(talk, session, reader, owner)
        chat.beside = {"memory_sets": [kept]} if kept else {}
    if not (characters or chats):
        raise notes.unreadable("$", "expected characters, personas or chats of Glaze, found none")
    of_chats = {"characters": characters, "lorebooks": tuple(book for _, book in books)}
    whole = workspace_of(chats, source, notes, **of_chats, problems=reader.problems())
    talks = [(frozenset((owner,)), chat.id) for chat, (owner, *_) in zip(chats, found, strict=True)]
    return changed(whole, lorebooks=tuple(changed(book, conversations=owners_of(one, talks)) for one, book in books))


def _characters(
    value: Mapping[str, Any], source: FileSource, notes: Notes
) -> tuple[tuple[Character, ...], list[tuple[str, Lorebook]]]:
    """Return the cards and personas with unique ids, and the lorebooks of the cards, each with its character."""
    found: list[Character] = []
    books: list[Lorebook] = []
    owners: list[str] = []
    for number, card in enumerate(objects(value.get("characters"))):
        character, own = read_card(card, f"$.characters[{number}]", source, notes.problems)
        found.append(character)
        books += own
        owners += [as_text(card.get("id"))] * len(own)
    found += map(_persona, objects(value.get("personas")))
    unique, doubled = with_unique_ids(found, lambda _: (source.path, "$.characters"))
    lore, more = with_unique_ids(books, lambda _: (source.path, "$.characters"))
    notes.problems += [*doubled, *more]
    return unique, list(zip(owners, lore, strict=True))


def _persona(persona: Mapping[str, Any]) -> Character:
    name = as_text(persona.get("name")).strip()
    texts = (as_text(persona.get(key)).strip() for key in ("prompt", "description"))
    facts = tuple(text for text in texts if text)
    return Character(f"persona:{name or as_text(persona.get('id'))}", profile=Profile(name=name, facts=facts))


def _sessions(stored: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any], str, str]]:
    """Yield each session of each character: the character's id, its chats, the session's name, and its place."""
    talks = {key[len(_CHATS[0]) :]: (key, talk) for key, talk in stored.items() if key.startswith(_CHATS)}
    old = {as_text(owner): (f"gz_chats.{owner}", talk) for owner, talk in mapping(stored.get("gz_chats")).items()}
    for owner, (key, talk) in {**old, **talks}.items():
        for session, messages in mapping(mapping(talk).get("sessions")).items():
            if items_of(messages):
                yield owner, mapping(talk), as_text(session), f"$.keyvalue.{key}.sessions.{session}"


def _chat(talk: Mapping[str, Any], session: str, name: str, notes: Notes, place: str) -> SavedChat:
    nodes: dict[str, Node] = {}
    above = ""
    for number, record in enumerate(items_of(mapping(talk["sessions"])[session])):
        at = f"{place}[{number}]"
        message = _message(mapping(record), name, notes, at)
        if message is None:
            continue
        node = f"m{number}"
        versions, shown = _versions(mapping(record), message)
        nodes |= versions_of(node, above, [(one,) for one in versions], shown, at)
        above = node
    title = f"{name} {session}".strip()
    return SavedChat(nodes, above or None, place, title, title)


def _message(record: Mapping[str, Any], name: str, notes: Notes, place: str) -> Message | None:
    role = _ROLES.get(as_text(record.get("role")))
    if role is None or not isinstance(record.get("text"), str):
        notes.add(place, "expected a message with text and a role: user, char or system; it was left out", "error")
        return None
    is_hidden = record.get("isHidden") is True
    recorded = {"recorded": {"action": "dropped", "reason": "hidden"}} if is_hidden else {}
    reasoning = as_text(record.get("reasoning"))
    speaker = as_text(mapping(record.get("persona")).get("name")) if role == "user" else name
    return Message(
        "",
        role,
        name="" if role == "system" else speaker,
        time=parse_time(record.get("timestamp")),
        excluded=is_hidden,
        parts=beside(as_text(record["text"]), thoughts=reasoning, media=pictures(int(bool(record.get("image"))))),
        metadata=recorded,
    )


def _versions(record: Mapping[str, Any], message: Message) -> tuple[list[Message], int]:
    """Return all versions of a message in order, and the index of the shown one, which is the message itself."""
    texts = [text for text in items_of(record.get("swipes")) if isinstance(text, str)]
    shown = min(max(as_whole(record.get("swipeId")) or 0, 0), len(texts))
    versions = [Message("", message.role, as_text(text), message.name) for text in texts]
    return [*versions[:shown], message, *versions[shown + 1 :]], shown


def _memories(talk: Mapping[str, Any], session: str, reader: MemoryReader, owner: str) -> MemorySet | None:
    """Return the memory book of a session, without drafts that were never accepted."""
    entries = mapping(mapping(talk.get("memoryBooks")).get(session)).get("entries")
    place = f"$.keyvalue.{_CHATS[0]}{owner}.memoryBooks.{session}.entries"
    placed = ((f"{place}[{number}]", entry) for number, entry in enumerate(objects(entries)))
    found = [memory for at, entry in placed if (memory := reader.read(_memory_fields(entry), at))]
    name = f"{owner} {session}"
    return MemorySet(name, reader.unique(found, place), name) if found else None


def _memory_fields(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of an entry that a memory can hold, without keys and search settings."""
    kept = {key: entry[key] for key in ("id", "content", "createdAt", "status") if key in entry}
    messages = entry.get("messageIds")
    return {**kept, "created_at": kept.pop("createdAt", None), **({"source_messages": messages} if messages else {})}


FORMAT = Format("glaze", "Glaze backup (.glz)", sniff, load, "`_isGlazeBackup`")
