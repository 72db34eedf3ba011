"""Character cards V1, V2 and V3: JSON, PNG, CHARX, JPEG with a CHARX behind it, Pygmalion, plain text keys.

Turns the object found by `cards.source` into a character and its lorebook. Creator's notes never enter a prompt and are
not read. Placeholders such as `{{user}}` and `{{original}}` stay as they are.
"""

from collections.abc import Mapping
from typing import Any

from inspector.formats.cards.source import find_card, has_card
from inspector.formats.format import Format
from inspector.formats.lore.world_info import read_book
from inspector.model import Character, Component, Lorebook, Problem, Severity, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, as_whole, items_of, mapping, stem

# SillyTavern's permanent parts are required. Lower numbers come first, as in its default prompt order.
COMPONENTS: Mapping[str, tuple[int, bool]] = {
    "description": (2, True),
    "personality": (3, True),
    "scenario": (4, True),
    "example": (5, False),
    "authors_note": (6, False),
    "depth_prompt": (7, False),
    "post_history_instructions": (8, False),
}
_ROLES = ("system", "user", "assistant")
_DEPTH = 4  # SillyTavern's depth_prompt_depth_default
_FIELDS = {
    "description": "description",
    "personality": "personality",
    "scenario": "scenario",
    "mes_example": "example",
    "post_history_instructions": "post_history_instructions",
}
_PYGMALION = {
    "char_name": "name",
    "char_persona": "description",
    "world_scenario": "scenario",
    "char_greeting": "first_mes",
    "example_dialogue": "mes_example",
}
_OTHER_NAMES = {**_PYGMALION, "first_message": "first_mes", "example_messages": "mes_example"}


def component(kind: str, content: str, condition: bool = True) -> Component:
    """Return a piece of a character's system message; `kind` is a key of `COMPONENTS` and its id."""
    priority, required = COMPONENTS[kind]
    return Component(kind, kind, content, priority, required=required, condition=condition)


def placed(piece: Component, depth: Any, role: Any) -> Component:
    """Return a note with its depth among the messages and its role, where SillyTavern wrote them."""
    number = as_whole(depth)
    return changed(piece, depth=None if number is None or number < 0 else number, role=role_of(role))


def role_of(role: Any) -> str | None:
    """Return the role that SillyTavern wrote as its number or its name, None for anything else."""
    said = role if isinstance(role, int) and not isinstance(role, bool) else None
    return _ROLES[said] if said is not None and 0 <= said < len(_ROLES) else role if role in _ROLES else None


def sniff(source: FileSource) -> float:
    """Return how likely this is a character card."""
    if source.shape in ("png", "zip"):
        return has_card(source)
    value = source.sample if source.shape == "json" and source.raw_items is None else None
    return _sureness(value) if isinstance(value, Mapping) else 0.0


def _sureness(value: Mapping[str, Any]) -> float:
    if as_text(value.get("spec")).startswith("chara_card_v"):
        return 1.0
    if {"char_name", "char_persona"} <= value.keys():
        return 0.9
    fields = _inner(value) or value
    others = {"description", "personality", "scenario", "mes_example"} & fields.keys()
    return 0.85 if "first_mes" in fields and others and "name" in fields else 0.0


def load(source: FileSource) -> Workspace:
    """Return a workspace with the card's character and its lorebook, if it has any.

    Raise UnreadableError if there is no card, if it is cut off, and for encrypted RisuAI cards.
    """
    found = find_card(source)
    problems = list(found.problems)
    character, books = read_card(found.value, found.place, source, problems)
    return Workspace(characters=(character,), lorebooks=books, problems=tuple(problems))


def read_card(
    value: Mapping[str, Any], place: str, source: FileSource, problems: list[Problem]
) -> tuple[Character, tuple[Lorebook, ...]]:
    """Return the character of a card at `place` of a file, and its lorebook, if it has any."""
    fields, below = _fields_of(value, place)
    character = _character(fields, below, source, problems)
    return character, _lorebook(fields, below, character.name, source, problems)


def _inner(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the object `data` of a card V2 or V3, empty for V1."""
    inner = mapping(value.get("data"))
    return inner if "name" in inner or "spec" in value else {}


def _fields_of(value: Mapping[str, Any], at: str) -> tuple[Mapping[str, Any], str]:
    """Return the fields of a card under their V2 names, and their place: `data` wins over a copy beside it."""
    inner = _inner(value)
    fields, place = (inner, f"{at}.data") if inner else (value, at)
    renamed = {ours: fields[theirs] for theirs, ours in _OTHER_NAMES.items() if theirs in fields and ours not in fields}
    return {**fields, **renamed}, place


def _character(fields: Mapping[str, Any], place: str, source: FileSource, problems: list[Problem]) -> Character:
    def text(name: str) -> str:
        value = fields.get(name)
        if value is not None and not isinstance(value, str):
            problems.append(source.problem(f"{place}.{name}", "expected text", "warning"))
        return as_text(value)

    name = text("name").strip()
    if not name:
        problems.append(source.problem(f"{place}.name", "expected the character's name; its file's is used", "warning"))
        name = stem(source.path)
    pieces = [component(kind, content) for field, kind in _FIELDS.items() if (content := text(field)).strip()]
    depth_prompt = mapping(mapping(fields.get("extensions")).get("depth_prompt"))
    if (content := as_text(depth_prompt.get("prompt"))).strip():
        pieces.append(placed(component("depth_prompt", content), depth_prompt.get("depth"), depth_prompt.get("role")))
    problems += _remarks(fields, place, source)
    return Character(
        id=name,
        name=name,
        system_prompt=text("system_prompt"),
        components=tuple(sorted(pieces, key=lambda piece: piece.priority)),
        greeting=text("first_mes"),
    )


def _remarks(fields: Mapping[str, Any], place: str, source: FileSource) -> list[Problem]:
    """Return remarks for the user on fields of a card that have no place in a workspace."""

    def remark(field: str, message: str, severity: Severity = "info") -> None:
        remarks.append(source.problem(f"{place}.{field}", message, severity))

    remarks: list[Problem] = []
    if greetings := len(items_of(fields.get("alternate_greetings"))):
        remark("alternate_greetings", f"{_greetings(greetings)} in the card; the greeting is its first message")
    if greetings := len(items_of(fields.get("group_only_greetings"))):
        remark("group_only_greetings", f"{_greetings(greetings)} in the card for group chats; none of them is used")
    if nickname := as_text(fields.get("nickname")).strip():
        remark("nickname", f"the application writes {nickname} for {{{{char}}}}; here it is the name")
    extensions = mapping(fields.get("extensions"))
    depth_prompt = mapping(extensions.get("depth_prompt"))
    if as_text(depth_prompt.get("prompt")).strip():
        depth = as_text(depth_prompt.get("depth", _DEPTH))
        where = f"{depth} messages from the end"
        remark(
            "extensions.depth_prompt",
            f"the application puts the character's note {where}, as policies of SillyTavern do",
        )
    world = as_text(extensions.get("world")).strip()
    if world and not fields.get("character_book"):
        remark("extensions.world", f"the card goes with the lorebook {world}, which is a file of its own")
    return remarks


def _greetings(count: int) -> str:
    return "1 further greeting is" if count == 1 else f"{count} further greetings are"


def _lorebook(
    fields: Mapping[str, Any], place: str, name: str, source: FileSource, problems: list[Problem]
) -> tuple[Lorebook, ...]:
    book = fields.get("character_book")
    if not isinstance(book, Mapping):
        if book is not None:
            problems.append(source.problem(f"{place}.character_book", "expected an object with entries", "warning"))
        return ()
    lorebook = read_book(book, f"{place}.character_book", name, source, problems)
    return (lorebook,) if lorebook.entries else ()


FORMAT = Format(
    "card",
    "Character card (V1, V2, V3, CHARX)",
    sniff,
    load,
    "`spec: chara_card_v2` or `v3`, a picture with `chara` or `ccv3`, or the keys of a V1 card",
)
