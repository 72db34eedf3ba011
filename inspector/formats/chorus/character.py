"""Chorus Engine's characters: the YAML file, and the card, a PNG with such a YAML. Not its database or backups.

Follows the comments of its own character template: `system_prompt` is the prompt; `custom_system_prompt` is a switch
for text that the application adds to it.
"""

from collections.abc import Mapping
from typing import Any

from inspector.formats.cards.source import base64_decoded
from inspector.formats.format import Format
from inspector.model import Character, Memory, MemorySet, Problem, Workspace
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.values import as_number, as_text, as_truth, as_whole, items_of, mapping, stem, strings

_CHUNK = "chorus_card"
_SPEC = "chorus_card_v"
_PRIORITIES = {"low": 60, "medium": 80, "high": 95}
_MARKS = frozenset(
    ("immersion_level", "immersion_settings", "core_memories", "custom_system_prompt", "personality_traits")
)


def sniff(source: FileSource) -> float:
    """Return how likely this is a character of Chorus Engine."""
    if source.shape == "png":
        return 1.0 if any(chunk.keyword.lower() == _CHUNK for chunk in source.chunks) else 0.0
    if source.shape not in ("yaml", "json"):
        return 0.0
    value = source.sample
    if not isinstance(value, Mapping):
        return 0.0
    if as_text(value.get("spec")).startswith(_SPEC):
        return 1.0
    marks = len(value.keys() & _MARKS)
    return 0.95 if marks >= 2 and "system_prompt" in value else 0.85 if marks and "name" in value else 0.0


def load(source: FileSource) -> Workspace:
    """Return a workspace with the character and its core memories. Raise UnreadableError if there is no such object."""
    value, place = _character_of(source)
    problems: list[Problem] = []
    character = _character(value, place, source, problems)
    memories = _core_memories(value, place, character.id, source, problems)
    title = f"Core memories of {character.name}"
    return Workspace(
        characters=(character,),
        memory_sets=(MemorySet(f"{character.id}-core", memories, title),) if memories else (),
        problems=tuple(problems),
    )


def _character_of(source: FileSource) -> tuple[Mapping[str, Any], str]:
    """Return the fields of the character and their place; a card has them in `data`."""
    value, place = _card(source) if source.shape == "png" else (_document(source), "$")
    inner = mapping(value).get("data")
    if isinstance(inner, Mapping) and as_text(mapping(value).get("spec")).startswith(_SPEC):
        return inner, f"{place}.data"
    if not isinstance(value, Mapping):
        raise source.unreadable(place, "expected an object with the fields of a character")
    return value, place


def _document(source: FileSource) -> Any:
    return source.json if source.shape == "json" else source.yaml


def _card(source: FileSource) -> tuple[Any, str]:
    for chunk in source.chunks:
        if chunk.keyword.lower() != _CHUNK:
            continue
        data = base64_decoded(source.text_of(chunk))
        if data is None:
            raise source.unreadable(chunk.place, "expected base64 of YAML")
        inside = source.within(data)
        try:
            value = inside.yaml
        except UnreadableError as error:
            raise source.unreadable(f"{chunk.place}, {error.problem.place}", error.problem.message) from None
        source.problems += inside.problems
        return value, chunk.keyword
    raise source.unreadable("", f"expected a text chunk `{_CHUNK}`, found none")


def _character(value: Mapping[str, Any], place: str, source: FileSource, problems: list[Problem]) -> Character:
    problems += [
        source.problem(f"{place}.{field}", "expected text", "warning")
        for field in ("name", "system_prompt")
        if not isinstance(value.get(field), str)
    ]
    name = as_text(value.get("name")).strip() or stem(source.path)
    if not as_truth(value.get("custom_system_prompt")):
        level = as_text(value.get("immersion_level")) or "balanced"
        added = f"the application adds its guidance for the immersion level {level} to this, which is not in the file"
        problems.append(source.problem(f"{place}.system_prompt", added, "info"))
    return Character(
        id=as_text(value.get("id")).strip() or name,
        name=name,
        system_prompt=as_text(value.get("system_prompt")),
        preferred_llm=_preferred_llm(mapping(value.get("preferred_llm")), f"{place}.preferred_llm", source, problems),
    )


def _preferred_llm(
    settings: Mapping[str, Any], place: str, source: FileSource, problems: list[Problem]
) -> dict[str, Any]:
    """Return model, window and shares if they are set; the template writes null for "as the system has it"."""
    found: dict[str, Any] = {}
    if model := as_text(settings.get("model")).strip():
        found["model"] = model
    window = settings.get("context_window")
    if (tokens := as_whole(window)) is not None and tokens > 0:
        found["context_window"] = tokens
    elif window is not None:
        problems.append(source.problem(f"{place}.context_window", "expected a number of tokens", "warning"))
    ratios = {
        as_text(name): share
        for name, value in mapping(settings.get("budget_ratios")).items()
        if (share := as_number(value)) is not None
    }
    return {**found, "budget_ratios": ratios} if ratios else found


def _core_memories(
    value: Mapping[str, Any], place: str, character_id: str, source: FileSource, problems: list[Problem]
) -> tuple[Memory, ...]:
    written = value.get("core_memories")
    if written is not None and not isinstance(written, list):
        problems.append(source.problem(f"{place}.core_memories", "expected a list of memories", "warning"))
    memories: list[Memory] = []
    for number, entry in enumerate(items_of(written)):
        fields = entry if isinstance(entry, Mapping) else {"content": entry}
        content = as_text(fields.get("content")).strip()
        where = f"{place}.core_memories[{number}]"
        if not content:
            problems.append(source.problem(f"{where}.content", "expected text", "warning"))
            continue
        priority = _priority(fields.get("embedding_priority"), where, source, problems)
        tags = strings(fields.get("tags"))
        memories.append(Memory(f"{character_id}-core-{number}", content, type="core", priority=priority, tags=tags))
    return tuple(memories)


def _priority(value: Any, place: str, source: FileSource, problems: list[Problem]) -> float | None:
    word = as_text(value).strip().lower()
    if word and word not in _PRIORITIES:
        expected = "expected low, medium or high"
        problems.append(source.problem(f"{place}.embedding_priority", f"{expected}, found {word[:40]}", "warning"))
    return _PRIORITIES.get(word)


FORMAT = Format(
    "chorus",
    "Chorus Engine character",
    sniff,
    load,
    "`spec: chorus_card`, or keys such as `immersion_level` beside `system_prompt`",
)
