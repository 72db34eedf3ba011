"""Archives of Backyard AI (`.byaf`): a character, and scenarios, each with its texts and its chat.

Layout: github.com/ahoylabs/byaf, `specs/v1`. An answer has several outputs, of which the one shown last is active.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.cards.card import component
from inspector.formats.format import Format
from inspector.formats.lore.foreign import ForeignEntry, foreign_book
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import Node, SavedChat, workspace_of
from inspector.formats.unique_ids import unique_texts, with_unique_ids
from inspector.model import Character, Lorebook, Message, Problem, Workspace, changed
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.values import as_text, comma_strings, items_of, mapping, objects, parse_time, stem

_MANIFEST = "manifest.json"
_PEEK = 20_000  # bytes
_MARKS = (b'"schemaVersion"', b'"characters"', b'"scenarios"')


def sniff(source: FileSource) -> float:
    """Return how likely this is such an archive: its manifest lists characters and scenarios."""
    if source.shape != "zip":
        return 0.0
    try:
        head = source.archive.peek(_MANIFEST, _PEEK) if _MANIFEST in source.archive else b""
    except UnreadableError:
        return 0.0
    return 0.97 if all(mark in head for mark in _MARKS) else 0.0


def load(source: FileSource) -> Workspace:
    """Return the character in each of its scenarios, its lore, and the chats.

    A missing or damaged member is a problem, and the others are read. Raise UnreadableError if the manifest cannot be
    read, or names nothing readable.
    """
    notes = Notes(source.path, list(source.archive.problems))
    manifest = mapping(source.member(_MANIFEST).json)
    people = [person for name in items_of(manifest.get("characters")) if (person := _member(source, name, notes))]
    scenes = [scene for name in items_of(manifest.get("scenarios")) if (scene := _member(source, name, notes))]
    if not people and not scenes:
        raise notes.unreadable(_MANIFEST, "expected a character or a scenario, found none that can be read")
    person = people[0][1] if people else {}
    characters: list[Character] = []
    for _, scene in scenes or [("", {})]:
        if (one := _character(person, scene)) not in characters:
            characters.append(one)
    names = unique_texts(one.id for one in characters)
    chats = [_chat(scene, file, notes, source) for file, scene in scenes if objects(scene.get("messages"))]
    books = [book for file, one in people if (book := _lorebook(one, file, notes.problems)).entries]
    lore, doubled = with_unique_ids(books, lambda _: (source.path, _MANIFEST))
    notes.problems += doubled
    named = (changed(one, id=id_) for one, id_ in zip(characters, names, strict=True))
    return workspace_of(chats, source, notes, characters=tuple(named), lorebooks=lore)


def _member(source: FileSource, name: Any, notes: Notes) -> tuple[FileSource, Mapping[str, Any]] | None:
    """Return a file of the archive and the object in it."""
    path = as_text(name)
    if path not in source.archive:
        notes.add(f"{_MANIFEST}: {path[:80]}", "is missing from the archive")
        return None
    try:
        member = source.member(path)
        value = member.json
    except UnreadableError as error:
        notes.problems.append(changed(error.problem, severity="warning"))
        return None
    notes.problems += member.problems
    if not isinstance(value, Mapping):
        notes.problems.append(member.problem("$", "expected an object", "warning"))
        return None
    return member, value


def _character(person: Mapping[str, Any], scene: Mapping[str, Any]) -> Character:
    """Return the character as a scenario has it: persona, instructions and greeting."""
    name = _name(person)
    examples = "\n".join(as_text(one.get("text")) for one in objects(scene.get("exampleMessages")))
    texts = {"description": person.get("persona"), "scenario": scene.get("narrative"), "example": examples}
    pieces = (component(kind, as_text(text)) for kind, text in texts.items() if as_text(text).strip())
    return Character(
        name or "character",
        name,
        system_prompt=as_text(scene.get("formattingInstructions")).strip(),
        components=tuple(pieces),
        greeting=_greeting(scene),
    )


def _name(person: Mapping[str, Any]) -> str:
    return next((text for key in ("displayName", "name") if (text := as_text(person.get(key)).strip())), "")


def _greeting(scene: Mapping[str, Any]) -> str:
    return next((as_text(one.get("text")) for one in objects(scene.get("firstMessages"))), "")


def _lorebook(person: Mapping[str, Any], file: FileSource, problems: list[Problem]) -> Lorebook:
    listed = enumerate(objects(person.get("loreItems")))
    entries = [
        ForeignEntry(
            {"uid": number, "key": comma_strings(item.get("key")), "content": item.get("value")},
            f"$.loreItems[{number}]",
        )
        for number, item in listed
    ]
    name = _name(person) or stem(file.path)
    return foreign_book(entries, name, name, file, problems)


def _chat(scene: Mapping[str, Any], file: FileSource, notes: Notes, source: FileSource) -> SavedChat:
    """Return the chat of a scenario; the application regenerates the first message whenever it is shown."""
    nodes: dict[str, Node] = {}
    before = ""
    own = Notes(file.path)
    if greeting := _greeting(scene):
        before = "greeting"
        nodes[before] = Node("", (Message("", "assistant", greeting),), "$.firstMessages[0]")
    for number, record in enumerate(items_of(scene.get("messages"))):
        at = f"$.messages[{number}]"
        above = before
        for index, message in enumerate(_versions(mapping(record), own, at)):
            name = f"m{number}" if not index else f"m{number}.{index}"
            nodes[name] = Node(above, (message,), at)
            before = before if index else name
    notes.problems += own.problems
    title = as_text(scene.get("title")).strip() or stem(file.path)
    model = as_text(scene.get("model"))
    return SavedChat(
        nodes, before or None, file.path.removeprefix(f"{source.path}/"), stem(file.path), title, model=model
    )


def _versions(record: Mapping[str, Any], notes: Notes, place: str) -> Iterator[Message]:
    """Yield the versions of a message, the shown one first; none for a record without text."""
    outputs = [one for one in objects(record.get("outputs")) if isinstance(one.get("text"), str)]
    if record.get("type") == "human" and isinstance(record.get("text"), str):
        yield Message("", "user", as_text(record["text"]), time=parse_time(record.get("createdAt")))
    elif record.get("type") == "ai" and outputs:
        for one in sorted(outputs, key=lambda one: as_text(one.get("activeTimestamp")), reverse=True):
            yield Message("", "assistant", as_text(one["text"]), time=parse_time(one.get("createdAt")))
    else:
        notes.add(place, "expected a message of type human with text, or ai with outputs; it was left out", "error")


FORMAT = Format(
    "backyard",
    "Backyard AI archive (.byaf)",
    sniff,
    load,
    "an archive whose manifest lists `characters` and `scenarios`",
)
