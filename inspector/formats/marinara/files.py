"""Files of Marinara Engine: an envelope with its `type` of content, alone or as `data.json` in an archive.

Layout: github.com/Pasta-Devs/Marinara-Engine, `packages/shared/src/types`. Single chats are exported as SillyTavern
writes them; a profile holds all chats as rows of tables.
"""

from collections.abc import Callable, Mapping
from typing import Any

from inspector.formats.cards.card import read_card
from inspector.formats.format import Format
from inspector.formats.marinara.lorebook import lorebook_of
from inspector.formats.marinara.profile import load_profile, persona_of
from inspector.formats.memories.fields import MemoryReader
from inspector.model import MemorySet, Problem, Workspace
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.values import as_text, mapping, objects, stem

_PREFIX = "marinara_"
_MEMBER = "data.json"
_PEEK = 400  # bytes


def sniff(source: FileSource) -> float:
    """Return how likely this is a file of Marinara Engine, by its type."""
    if source.shape == "zip":
        return 0.97 if _is_package(source) else 0.0
    value = source.sample if source.shape == "json" and source.raw_items is None else None
    return 0.98 if _type(value) else 0.0


def _is_package(source: FileSource) -> bool:
    try:
        return _MEMBER in source.archive and _PREFIX.encode() in source.archive.peek(_MEMBER, _PEEK)
    except UnreadableError:
        return False


def _type(value: Any) -> str:
    fields = mapping(value)
    kind = fields.get("type")
    return kind if isinstance(kind, str) and kind.startswith(_PREFIX) and "data" in fields else ""


def load(source: FileSource) -> Workspace:
    """Return the workspace of the file. Raise UnreadableError if nothing in it belongs to a chat."""
    if source.shape == "zip":
        member = source.member(_MEMBER)
        found = load(member)
        source.problems += member.problems
        return found
    value = mapping(source.json)
    kind = _type(value)
    reader = _KINDS.get(kind)
    if reader is None:
        what = kind.removeprefix(_PREFIX).replace("_", " ") or "file"
        message = f"is a {what} of Marinara Engine, in which there is neither chat nor character"
        raise source.unreadable("$.type", message)
    return reader(mapping(value["data"]), source)


def _character(data: Mapping[str, Any], source: FileSource) -> Workspace:
    problems: list[Problem] = []
    character, books = read_card(data, "$.data", source, problems)
    return Workspace(characters=(character,), lorebooks=books, problems=tuple(problems))


def _persona(data: Mapping[str, Any], source: FileSource) -> Workspace:
    persona = persona_of(data)
    if not persona.profile or not (persona.profile.name or persona.profile.facts):
        raise source.unreadable("$.data", "expected a persona with a name or a description")
    return Workspace(characters=(persona,))


def _lorebook(data: Mapping[str, Any], source: FileSource) -> Workspace:
    problems: list[Problem] = []
    book = lorebook_of(data, "$.data", stem(source.path), source, problems)
    return Workspace(lorebooks=(book,), problems=tuple(problems))


def _recall(data: Mapping[str, Any], source: FileSource) -> Workspace:
    """Return pieces of a chat kept for later retrieval."""
    reader = MemoryReader(source.path)
    name = as_text(mapping(data.get("sourceChat")).get("name")).strip() or stem(source.path)
    pieces = ((f"$.data.chunks[{number}]", chunk) for number, chunk in enumerate(objects(data.get("chunks"))))
    read = (
        reader.read({"content": chunk.get("content"), "time": chunk.get("firstMessageAt")}, place)
        for place, chunk in pieces
    )
    memories = [memory for memory in read if memory]
    if not memories:
        raise source.unreadable("$.data.chunks", "expected pieces of a chat with content, found none")
    found = MemorySet(name, reader.unique(memories, "$.data.chunks"), name)
    return Workspace(memory_sets=(found,), problems=tuple(reader.problems()))


_KINDS: dict[str, Callable[[Mapping[str, Any], FileSource], Workspace]] = {
    "marinara_character": _character,
    "marinara_persona": _persona,
    "marinara_lorebook": _lorebook,
    "marinara_memory_recall": _recall,
    "marinara_profile": load_profile,
}

FORMAT = Format(
    "marinara",
    "Marinara Engine character, persona, lorebook, memories or profile",
    sniff,
    load,
    "`type` that begins with marinara_, and `data`",
)
