"""Chats with a character of Character.AI, as the extension CAI Tools saves them: all histories, and the character.

An answer that was swiped away is marked as an alternative; it takes the place of the answer before it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.cards.card import component
from inspector.formats.content.media import made
from inspector.formats.content.turns import beside
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import Node, SavedChat, read_each, workspace_of
from inspector.model import Character, Message, Part, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, parse_time

_NAMES = ("name", "participant__name")
_EXPECTED = "a chat of CAI Tools (a list of `msgs`)"


def sniff(source: FileSource) -> float:
    """Return how likely the file holds the histories of a character."""
    value = source.sample if source.shape == "json" and source.raw_items is None else None
    return 0.95 if _histories(value) is not None and any(map(_is_history, items_of(_histories(value))[:5])) else 0.0


def _histories(value: Any) -> Any:
    listed = mapping(mapping(value).get("histories")).get("histories")
    return listed if isinstance(listed, list) else None


def _is_history(value: Any) -> bool:
    return isinstance(mapping(value).get("msgs"), list)


def load(source: FileSource) -> Workspace:
    """Return the histories as conversations, and the character. Raise UnreadableError if there is no history."""
    notes = Notes(source.path)
    listed = enumerate(items_of(_histories(source.json)))
    placed = ((f"$.histories.histories[{number}]", history) for number, history in listed)
    chats = read_each(placed, _is_history, _read, notes, _EXPECTED)
    about = mapping(mapping(mapping(source.json).get("info")).get("character"))
    return workspace_of(chats, source, notes, characters=_character(about))


def _character(about: Mapping[str, Any]) -> tuple[Character, ...]:
    """Return the known fields of the character: description, definition if its author shows it, and greeting."""
    texts = (about.get("description"), about.get("definition"))
    described = "\n".join(as_text(text).strip() for text in texts if isinstance(text, str) and text.strip())
    greeting = as_text(about.get("greeting"))
    name = next((as_text(about[key]).strip() for key in _NAMES if about.get(key)), "") or "character"
    if not described and not greeting:
        return ()
    pieces = (component("description", described),) if described else ()
    return (Character(name, name, components=pieces, greeting=greeting),)


def _read(history: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    nodes: dict[str, Node] = {}
    before = above = ""
    for number, record in enumerate(items_of(history["msgs"])):
        at, name = f"{place}.msgs[{number}]", f"m{number}"
        message = _message(mapping(record), notes, at)
        if message is None:
            continue
        is_other = mapping(record).get("is_alternative") is True and bool(before)
        nodes[name] = Node(above if is_other else before, (message,), at)
        if not is_other:
            before, above = name, before
    return SavedChat(nodes, before or None, place, as_text(history.get("external_id")))


def _message(record: Mapping[str, Any], notes: Notes, place: str) -> Message | None:
    speaker = mapping(record.get("src"))
    if not isinstance(record.get("text"), str) or not isinstance(speaker.get("is_human"), bool):
        notes.add(place, "expected a message with text and src.is_human; it was left out", "error")
        return None
    return Message(
        "",
        "user" if speaker["is_human"] else "assistant",
        name=as_text(speaker.get("name")),
        time=parse_time(record.get("created")),
        parts=beside(as_text(record["text"]), media=_picture(record)),
    )


def _picture(record: Mapping[str, Any]) -> Iterator[Part]:
    if path := record.get("image_rel_path"):
        yield made("image", address=as_text(path))


FORMAT = Format("cai_tools", "Character.AI chats (CAI Tools)", sniff, load, "`histories` of `msgs` with `src.is_human`")
