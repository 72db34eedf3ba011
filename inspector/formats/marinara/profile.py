"""Profiles of Marinara Engine: everything of a user, as rows of tables or, in older profiles, as lists."""

from collections.abc import Mapping, Sequence
from typing import Any

from inspector.formats.cards.card import read_card
from inspector.formats.content.turns import beside
from inspector.formats.marinara.lorebook import lorebook_of
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import Node, SavedChat, owners_of, versions_of, workspace_of
from inspector.formats.unique_ids import unique_texts, with_unique_ids
from inspector.model import Character, Lorebook, Message, Profile, Role, Workspace, changed
from inspector.reading.json import unwrapped
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, as_whole, mapping, objects, parse_time

_FACTS = ("description", "personality", "backstory", "appearance", "scenario")
_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "system": "system", "narrator": "assistant"}
_EXPECTED = "characters, personas, lorebooks or chats of Marinara Engine"


def load_profile(data: Mapping[str, Any], source: FileSource) -> Workspace:
    """Return the characters, personas, lorebooks and chats of a profile. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    tables, place = _tables(data)
    characters, of_cards = _people(tables, source, notes, place)
    books = [*of_cards.values(), *_lorebooks(tables, source, notes, place)]
    chats = _chats(tables, characters, notes, place)
    if not (characters or books or chats):
        raise notes.unreadable(place, f"expected {_EXPECTED}, found none")
    people, doubled = with_unique_ids(list(characters.values()), lambda _: (source.path, place))
    lore, more = with_unique_ids(books, lambda _: (source.path, place))
    speakers = _speakers(tables, chats)
    found = workspace_of(chats, source, notes, characters=people, lorebooks=lore, problems=(*doubled, *more))
    talks = [(speaking, chat.id) for speaking, chat in zip(speakers, chats, strict=True)]
    own = [changed(book, conversations=owners_of(one, talks)) for one, book in zip(of_cards, lore, strict=False)]
    return changed(found, lorebooks=(*own, *lore[len(own) :]))


def persona_of(row: Mapping[str, Any]) -> Character:
    """Return a persona: the user's traits, in the order in which the application writes them."""
    name = as_text(row.get("name")).strip()
    facts = tuple(text for key in _FACTS if (text := as_text(row.get(key)).strip()))
    return Character(f"persona:{name or as_text(row.get('id'))}", profile=Profile(name=name, facts=facts))


def _tables(data: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    stored = mapping(mapping(data.get("fileStorage")).get("tables"))
    return (stored, "$.data.fileStorage.tables") if stored else (data, "$.data")


def _people(
    tables: Mapping[str, Any], source: FileSource, notes: Notes, place: str
) -> tuple[dict[str, Character], dict[str, Lorebook]]:
    """Return the characters and personas by row id, and the lorebooks inside cards by the row id of the card."""
    found: dict[str, Character] = {}
    books: dict[str, Lorebook] = {}
    for number, row in enumerate(objects(tables.get("characters"))):
        held = _unwrapped(row.get("data"))
        card = {**row, "data": held} if "spec" in row else held or row  # a row holds the content of a card, as text
        character, own = read_card(card, f"{place}.characters[{number}]", source, notes.problems)
        name = as_text(row.get("id")) or f"character {number}"
        found[name] = character
        if own:
            books[name] = own[0]
    for number, row in enumerate(objects(tables.get("personas"))):
        found[as_text(row.get("id")) or f"persona {number}"] = persona_of(row)
    return found, books


def _lorebooks(tables: Mapping[str, Any], source: FileSource, notes: Notes, place: str) -> list[Lorebook]:
    """Return the lorebooks, each with its entries beside it or in a table of their own."""
    found: list[Lorebook] = []
    entries, folders = (_by(tables.get(name), "lorebookId") for name in ("lorebook_entries", "lorebook_folders"))
    for number, row in enumerate(objects(tables.get("lorebooks"))):
        id_, at = as_text(row.get("id")), f"{place}.lorebooks[{number}]"
        book = row if "lorebook" in row else {"lorebook": row, "entries": entries.get(id_), "folders": folders.get(id_)}
        found.append(lorebook_of(book, at, f"lorebook {number + 1}", source, notes.problems))
    return [book for book in found if book.entries]


def _chats(tables: Mapping[str, Any], people: Mapping[str, Character], notes: Notes, place: str) -> list[SavedChat]:
    said, swipes = _by(tables.get("messages"), "chatId"), _by(tables.get("message_swipes"), "messageId")
    chats: list[SavedChat] = []
    for number, row in enumerate(objects(tables.get("chats"))):
        at = f"{place}.chats[{number}]"
        rows = sorted(said.get(as_text(row.get("id")), []), key=lambda one: as_text(one.get("createdAt")))
        turns = [(one, message) for one in rows if (message := _message(one, people, notes, at))]
        nodes, leaf = _nodes(turns, swipes, at)
        if nodes:
            title = as_text(row.get("name")).strip()
            chats.append(SavedChat(nodes, leaf, at, as_text(row.get("id")), title))
    return chats


def _speakers(tables: Mapping[str, Any], chats: Sequence[SavedChat]) -> list[frozenset[str]]:
    """Return the ids of the characters that speak in each chat."""
    said = _by(tables.get("messages"), "chatId")
    return [frozenset(as_text(one.get("characterId")) for one in said.get(chat.id, [])) for chat in chats]


def _nodes(
    turns: Sequence[tuple[Mapping[str, Any], Message]], swipes: Mapping[str, list[Mapping[str, Any]]], place: str
) -> tuple[dict[str, Node], str]:
    """Return the messages in sequence, each with its other versions beside it, and the last of them."""
    names = unique_texts(message.id or f"m{number}" for number, (_, message) in enumerate(turns))
    nodes: dict[str, Node] = {}
    above = ""
    for name, (row, message) in zip(names, turns, strict=True):
        versions, shown = _versions(row, message, swipes.get(message.id, []))
        nodes |= versions_of(name, above, [(one,) for one in versions], shown, place)
        above = name
    return nodes, above


def _versions(
    row: Mapping[str, Any], message: Message, swipes: Sequence[Mapping[str, Any]]
) -> tuple[list[Message], int]:
    """Return all versions of a message in order of their numbers, and the index of the shown one: the message itself.

    The row of the shown version may be older than the message, which has later edits.
    """
    written = sorted((one for one in swipes if isinstance(one.get("content"), str)), key=_number)
    versions = [_version(message, one) for one in written]
    named = as_whole(row.get("activeSwipeIndex")) or 0
    numbers = [_number(one) for one in written]
    shown = numbers.index(named) if named in numbers else len(versions)
    return [*versions[:shown], message, *versions[shown + 1 :]], shown


def _number(swipe: Mapping[str, Any]) -> int:
    return as_whole(swipe.get("index")) or 0


def _version(message: Message, swipe: Mapping[str, Any]) -> Message:
    """Return another version of a message, with its own time and thinking."""
    recorded = {key: kept for key, kept in message.metadata.items() if key == "recorded"}
    thought = as_text(_unwrapped(swipe.get("extra")).get("thinking"))
    return changed(
        message,
        content="",
        parts=beside(as_text(swipe["content"]), thoughts=thought),
        time=parse_time(swipe.get("createdAt")) or message.time,
        metadata=recorded,
    )


def _message(row: Mapping[str, Any], people: Mapping[str, Character], notes: Notes, place: str) -> Message | None:
    role = _ROLES.get(as_text(row.get("role")))
    if role is None or not isinstance(row.get("content"), str):
        id_ = as_text(row.get("id"))[:40]
        notes.add(f"{place}: {id_}", "expected a message with a role and content; it was left out", "error")
        return None
    extra = _unwrapped(row.get("extra"))
    is_hidden = extra.get("hiddenFromAI") is True
    recorded = {"recorded": {"action": "dropped", "reason": "hidden"}} if is_hidden else {}
    thought = as_text(extra.get("thinking"))
    speaker = people.get(as_text(row.get("characterId")))
    return Message(
        as_text(row.get("id")),
        role,
        name=speaker.name if speaker else "",
        time=parse_time(row.get("createdAt")),
        excluded=is_hidden,
        parts=beside(as_text(row["content"]), thoughts=thought),
        metadata=recorded,
    )


def _by(rows: Any, key: str) -> dict[str, list[Mapping[str, Any]]]:
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in objects(rows):
        found.setdefault(as_text(row.get(key)), []).append(row)
    return found


def _unwrapped(value: Any) -> Mapping[str, Any]:
    """Return an object that may be written as text."""
    return mapping(unwrapped(value))
