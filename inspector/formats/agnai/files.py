"""Files of Agnai: memory books, chats with their branches, and characters.

Layout: github.com/agnaistic/agnai, `common/types`. An exported chat cuts the ids of its messages to eight characters
but not the id of its leaf.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.cards.card import component
from inspector.formats.content.turns import beside, pictures
from inspector.formats.format import Format
from inspector.formats.lore.foreign import ForeignEntry, foreign_book, set_only
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import Node, SavedChat, workspace_of
from inspector.formats.unique_ids import unique_texts
from inspector.model import Character, Component, Lorebook, Message, Problem, Role, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, as_truth, items_of, mapping, objects, parse_time, stem

_OF_THE_BOOK = ("scanDepth", "tokenBudget", "recursiveScanning")


def is_book(value: Any) -> bool:
    """Return whether a value is a memory book of Agnai."""
    fields = mapping(value)
    return fields.get("kind") == "memory" and isinstance(fields.get("entries"), list)


def lorebook_of(book: Mapping[str, Any], place: str, id_: str, source: FileSource, problems: list[Problem]) -> Lorebook:
    """Return the lorebook of a memory book."""
    common = {name: book[name] for name in _OF_THE_BOOK if book.get(name) is not None}
    listed = enumerate(items_of(book.get("entries")))
    entries = [_entry(mapping(one), number, common, f"{place}.entries[{number}]") for number, one in listed]
    return foreign_book(entries, id_, id_, source, problems)


def _entry(entry: Mapping[str, Any], number: int, common: Mapping[str, Any], place: str) -> ForeignEntry:
    """Return an entry under SillyTavern's names; a higher weight places it nearer to the end."""
    is_selective = as_truth(entry.get("selective"))
    fields = {
        "uid": number,
        "key": entry.get("keywords", ()),
        "keysecondary": entry.get("secondaryKeys", ()) if is_selective else (),
        "selective": is_selective,
        "comment": as_text(entry.get("name")),
        "content": entry.get("entry"),
        "order": entry.get("weight"),
        "enabled": as_truth(entry.get("enabled"), True),
        "constant": as_truth(entry.get("constant")),
        "position": as_text(entry.get("position")),
    }
    return ForeignEntry(fields, place, {**set_only(entry, {"priority": None}), **common})


_ID = 8  # characters of an id in an exported chat
_FIELDS = {"scenario": "scenario", "sampleChat": "example"}
_KINDS = "a memory book (kind memory), a chat (messages with msg) or a character (kind character)"


def sniff(source: FileSource) -> float:
    """Return how likely this is a memory book, a chat or a character of Agnai."""
    value = source.sample if source.shape == "json" and source.raw_items is None else None
    return 0.97 if is_book(value) or _is_chat(value) else 0.93 if _is_character(value) else 0.0


def _is_chat(value: Any) -> bool:
    fields = mapping(value)
    messages = objects(fields.get("messages"))
    if "treeLeafId" in fields and isinstance(fields.get("messages"), list):
        return True
    return any("msg" in one and one.keys() & {"_id", "userId", "characterId", "handle"} for one in messages[:5])


def _is_character(value: Any) -> bool:
    fields = mapping(value)
    return fields.get("kind") == "character" and "persona" in fields and "name" in fields


def load(source: FileSource) -> Workspace:
    """Return the workspace of a memory book, a chat or a character.

    Raise UnreadableError if the file is none of these.
    """
    value = mapping(source.json)
    problems: list[Problem] = []
    name = as_text(value.get("name")).strip() or stem(source.path)
    if is_book(value):
        return Workspace(lorebooks=(lorebook_of(value, "$", name, source, problems),), problems=tuple(problems))
    if _is_chat(value):
        return _chat(value, source)
    if _is_character(value):
        inner = mapping(value.get("characterBook"))
        book = lorebook_of(inner, "$.characterBook", name, source, problems)
        books = (book,) if book.entries else ()
        return Workspace(characters=(_character(value, name),), lorebooks=books, problems=tuple(problems))
    raise source.unreadable("$", f"expected a file of Agnai: {_KINDS}")


def _character(value: Mapping[str, Any], name: str) -> Character:
    persona = _persona(value.get("persona"))
    pieces = [component("description", persona)] if persona else []
    note = as_text(value.get("postHistoryInstructions")).strip()
    pieces += [*_components(value), *([component("post_history_instructions", note)] if note else [])]
    return Character(
        name,
        name,
        system_prompt=as_text(value.get("systemPrompt")),
        components=tuple(pieces),
        greeting=as_text(value.get("greeting")),
    )


def _components(value: Mapping[str, Any]) -> Iterator[Component]:
    for field, kind in _FIELDS.items():
        text = as_text(value.get(field)) if isinstance(value.get(field), str) else ""
        if text.strip():
            yield component(kind, text)


def _persona(persona: Any) -> str:
    """Return a persona as text: its attributes, each with its values, or its plain text."""
    attributes = mapping(mapping(persona).get("attributes"))
    if not attributes:
        return as_text(persona).strip() if isinstance(persona, str) else ""
    lines = ((as_text(key), [as_text(one) for one in items_of(values)]) for key, values in attributes.items())
    return "\n".join(
        " ".join(values) if key == "text" else f"{key}: {', '.join(values)}" for key, values in lines if values
    )


def _chat(value: Mapping[str, Any], source: FileSource) -> Workspace:
    notes = Notes(source.path)
    records = items_of(value.get("messages"))
    wanted = (as_text(mapping(one).get("_id")) or f"m{number}" for number, one in enumerate(records))
    chat = SavedChat({}, None, "$.treeLeafId", title=as_text(value.get("name")).strip())
    before = ""
    has_parents = any("parent" in one for one in objects(records))
    for number, (record, name) in enumerate(zip(records, unique_texts(wanted), strict=True)):
        at = f"$.messages[{number}]"
        fields = mapping(record)
        parent = as_text(fields.get("parent")) if has_parents else before
        message = _message(fields, notes, at)
        chat.nodes[name] = Node(parent, (message,) if message else (), at)
        chat.nodes |= {f"{name}.retry{n}": one for n, one in enumerate(_retries(fields, message, parent, at), 1)}
        before = name
    chat.leaf = _leaf(value.get("treeLeafId"), chat.nodes) or before or None
    character = _of_chat(value)
    return workspace_of([chat], source, notes, characters=character)


def _leaf(leaf: Any, nodes: Mapping[str, Node]) -> str:
    named = as_text(leaf)
    return next((name for name in (named, named[:_ID]) if name in nodes), named)


def _of_chat(value: Mapping[str, Any]) -> tuple[Character, ...]:
    """Return the character with the fields that a chat overrides."""
    pieces = tuple(_components(value))
    greeting = as_text(value.get("greeting"))
    return (Character("character", components=pieces, greeting=greeting),) if pieces or greeting else ()


def _retries(record: Mapping[str, Any], message: Message | None, parent: str, place: str) -> Iterator[Node]:
    """Yield a node for each answer that was also generated in place of a message."""
    for text in items_of(record.get("retries")) if message else ():
        if message and isinstance(text, str) and text != message.content:
            yield Node(parent, (Message("", message.role, as_text(text), name=message.name),), f"{place}.retries")


def _pictured(record: Mapping[str, Any]) -> int:
    return len(items_of(record.get("extras"))) if record.get("adapter") == "image" else 0


def _message(record: Mapping[str, Any], notes: Notes, place: str) -> Message | None:
    text = record.get("msg")
    if not isinstance(text, str):
        notes.add(f"{place}.msg", "expected text; the message was left out", "error")
        return None
    role: Role = "system" if record.get("system") is True else "user" if record.get("userId") else "assistant"
    is_aside = record.get("ooc") is True
    recorded = {"recorded": {"action": "dropped", "reason": "out of character"}} if is_aside else {}
    event = {"event": as_text(record["event"])} if record.get("event") else {}
    return Message(
        "",
        role,
        name=as_text(record.get("name") or record.get("handle")),
        time=parse_time(record.get("createdAt")),
        parts=beside(as_text(text), media=pictures(_pictured(record))),
        excluded=is_aside,
        metadata={**recorded, **event},
    )


FORMAT = Format(
    "agnai",
    "Agnai chat, character or memory book",
    sniff,
    load,
    "`kind: memory` or `character`, or messages with `msg` and a `treeLeafId`",
)
