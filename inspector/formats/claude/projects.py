"""Contents of a Claude.ai export beside its chats: projects with their instructions and documents, and memories.

An export does not say which chats belong to a project, so a project becomes a character that the user chooses.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from inspector.formats.notes import Notes
from inspector.formats.unique_ids import unique_texts
from inspector.model import Character, Component, Document, Memory, MemorySet
from inspector.reading.values import as_text, items_of, mapping, objects, parse_time


def is_project(value: Any) -> bool:
    """Return whether a value is a project of Claude.ai."""
    return isinstance(value, Mapping) and isinstance(value.get("docs"), list) and "prompt_template" in value


def is_memory(value: Any) -> bool:
    """Return whether a value is Claude.ai's memory of a user."""
    return isinstance(value, Mapping) and bool(value.keys() & {"conversations_memory", "project_memories"})


def characters_of(projects: Sequence[Mapping[str, Any]], with_documents: bool, beside_chats: bool) -> list[Character]:
    """Return a character for each project. With `with_documents`, its documents are pieces of it, present only with it.

    Beside chats, there is also a character without instructions, as a chat need not belong to any project.
    """
    found = [
        Character(
            id=as_text(project.get("uuid")) or f"project{number + 1}",
            name=as_text(project.get("name")),
            system_prompt=as_text(project.get("prompt_template")),
            components=tuple(_pieces(project)) if with_documents else (),
        )
        for number, project in enumerate(projects)
    ]
    return [Character("claude", name="Claude"), *found] if beside_chats and found else found


def _pieces(project: Mapping[str, Any]) -> Iterator[Component]:
    documents = documents_of(project)
    ids = unique_texts(document.title or document.id for document in documents)
    for number, (document, id_) in enumerate(zip(documents, ids, strict=True)):
        yield Component(id_, "document", document.content, priority=number + 1)


def documents_of(project: Mapping[str, Any]) -> list[Document]:
    """Return the documents of a project."""
    docs = objects(project.get("docs"))
    ids = unique_texts(as_text(doc.get("uuid")) or f"document{number + 1}" for number, doc in enumerate(docs))
    return [
        Document(id_, as_text(doc.get("content")), title=as_text(doc.get("filename")))
        for id_, doc in zip(ids, docs, strict=True)
    ]


def memory_sets_of(records: Sequence[Any], chats: Mapping[str, list[str]], notes: Notes) -> list[MemorySet]:
    """Return the memories of all chats, and those of each project; `chats` are the ids of a project's chats.

    The memory of a project with unknown chats belongs to none, until the user chooses it.
    """
    texts: list[Memory] = []
    sets: list[MemorySet] = []
    for record in map(mapping, records):
        if text := as_text(record.get("conversations_memory")).strip():
            time = parse_time(record.get("updated_at"))
            texts.append(Memory(f"memory{len(texts)}", text, type="explicit", time=time))
        for project, text in _project_memories(record, notes):
            memory = Memory("memory0", text, type="explicit")
            sets.append(MemorySet(project, (memory,), f"Project {project}", tuple(chats.get(project, ()))))
    return [*([MemorySet("memory", tuple(texts), "Memory of Claude")] if texts else []), *sets]


def _project_memories(record: Mapping[str, Any], notes: Notes) -> Iterator[tuple[str, str]]:
    """Yield the project and text of each memory, which is an object of texts or a list of objects."""
    held = record.get("project_memories")
    pairs: list[tuple[Any, Any]] = list(mapping(held).items())
    pairs += [(one.get("project_uuid", one.get("uuid")), one.get("memory")) for one in objects(items_of(held))]
    for project, text in pairs:
        if isinstance(text, str) and project:
            yield as_text(project), as_text(text)
        else:
            notes.add("$.project_memories", f"expected a text for the project {as_text(project)[:40] or '(none)'}")
