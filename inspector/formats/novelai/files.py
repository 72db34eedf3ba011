"""Files of NovelAI: a `.lorebook` (also inside a picture), a `.scenario`, and a `.story`.

Stories used to hold their text in fragments with their authors. Since 2023 it is a document in an encoding of NovelAI's
own, which is not read; the memory, the note and the lorebook beside it are.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.cards.card import component
from inspector.formats.cards.source import base64_decoded
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.novelai.lorebook import is_lorebook, lorebook_of
from inspector.formats.saved_chats import SavedChat, in_line, workspace_of
from inspector.model import Character, Lorebook, Message, Problem, Role, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, objects, stem

_CHUNK = "naidata"
_ROLES: dict[str, Role] = {"ai": "assistant", "prompt": "user", "user": "user", "edit": "user", "root": "user"}
_KINDS = "lorebookVersion with entries, scenarioVersion with a prompt, or storyContainerVersion with content"


def sniff(source: FileSource) -> float:
    """Return how likely this is a file of NovelAI, by its version key."""
    if source.shape == "png":
        return 1.0 if any(chunk.keyword.lower() == _CHUNK for chunk in source.chunks) else 0.0
    value = source.sample if source.shape == "json" and source.raw_items is None else None
    return 0.97 if is_lorebook(value) or _is_scenario(value) or _is_story(value) else 0.0


def _is_scenario(value: Any) -> bool:
    fields = mapping(value)
    return "scenarioVersion" in fields and bool(fields.keys() & {"prompt", "lorebook", "context"})


def _is_story(value: Any) -> bool:
    fields = mapping(value)
    return "storyContainerVersion" in fields and isinstance(fields.get("content"), Mapping)


def load(source: FileSource) -> Workspace:
    """Return the workspace of the file. Raise UnreadableError if it is none of these."""
    value = mapping(_in_picture(source) if source.shape == "png" else source.json)
    problems: list[Problem] = []
    name = as_text(value.get("title")).strip() or stem(source.path)
    if is_lorebook(value):
        return Workspace(lorebooks=(lorebook_of(value, "$", name, source, problems),), problems=tuple(problems))
    if _is_scenario(value):
        character = _character(value, name, as_text(value.get("prompt")), "$", source, problems)
        books = _lorebook(value, "$", name, source, problems)
        return Workspace(characters=character, lorebooks=books, problems=tuple(problems))
    if _is_story(value):
        return _story(value, source, problems)
    raise source.unreadable("$", f"expected a file of NovelAI: {_KINDS}")


def _in_picture(source: FileSource) -> Any:
    for chunk in source.chunks:
        if chunk.keyword.lower() == _CHUNK:
            data = base64_decoded(source.text_of(chunk))
            if data is None:
                raise source.unreadable(chunk.place, "expected base64 of JSON")
            return source.within(data).json
    raise source.unreadable("", f"expected a text chunk `{_CHUNK}`, found none")


def _lorebook(
    value: Mapping[str, Any], place: str, name: str, source: FileSource, problems: list[Problem]
) -> tuple[Lorebook, ...]:
    book = mapping(value.get("lorebook"))
    found = lorebook_of(book, f"{place}.lorebook", name, source, problems)
    return (found,) if found.entries else ()


def _character(
    value: Mapping[str, Any], name: str, greeting: str, place: str, source: FileSource, problems: list[Problem]
) -> tuple[Character, ...]:
    """Return the memory, at the head of the prompt, and the author's note further down; none if both are empty."""
    texts = [as_text(mapping(one).get("text")).strip() for one in items_of(value.get("context"))]
    memory, note = (*texts, "", "")[:2]
    if value.get("ephemeralContext"):
        told = "comes and goes by the step of the story; it is not read"
        problems.append(source.problem(f"{place}.ephemeralContext", told, "info"))
    if not (memory or note or greeting):
        return ()
    pieces = (component("authors_note", note),) if note else ()
    return (Character(name, name, system_prompt=memory, components=pieces, greeting=greeting),)


def _story(value: Mapping[str, Any], source: FileSource, problems: list[Problem]) -> Workspace:
    content = mapping(value["content"])
    title = as_text(mapping(value.get("metadata")).get("title")).strip() or stem(source.path)
    notes = Notes(source.path)
    fragments = mapping(content.get("story")).get("fragments")
    nodes = in_line(("$.content.story", one) for one in _turns(fragments, notes))
    beside = {
        "characters": _character(content, title, "", "$.content", source, problems),
        "lorebooks": _lorebook(content, "$.content", title, source, problems),
    }
    if not nodes:
        told = "expected the fragments of a story; a document in NovelAI's own encoding is not read"
        if not any(beside.values()):
            raise notes.unreadable("$.content.document", told)
        problems.append(source.problem("$.content.document", told, "error"))
        return Workspace(problems=(*notes.problems, *problems), **beside)
    chat = SavedChat(nodes, next(reversed(nodes)), "$", title=title)
    chat.model = as_text(mapping(content.get("settings")).get("model"))
    return workspace_of([chat], source, notes, problems=problems, **beside)


def _turns(fragments: Any, notes: Notes) -> Iterator[Message]:
    """Yield consecutive text of each side as a single message; an edit is the user's."""
    role: Role = "user"
    texts: list[str] = []
    for number, fragment in enumerate(objects(fragments)):
        text, origin = fragment.get("data"), as_text(fragment.get("origin"))
        if not isinstance(text, str) or origin not in _ROLES:
            known = ", ".join(_ROLES)
            place = f"$.content.story.fragments[{number}]"
            notes.add(place, f"expected a text whose origin is one of {known}; it was left out")
            continue
        if texts and _ROLES[origin] != role:
            yield Message("", role, "".join(texts))
            texts = []
        role = _ROLES[origin]
        texts += [as_text(text)] if text else []
    if texts:
        yield Message("", role, "".join(texts))


FORMAT = Format(
    "novelai",
    "NovelAI lorebook, scenario or story",
    sniff,
    load,
    "`lorebookVersion` or `scenarioVersion`, or a picture with `naidata`",
)
