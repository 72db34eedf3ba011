"""Artefacts of Google Antigravity: the plans, lists of tasks and walkthroughs in the folder of a chat, as documents.

A Markdown file is one if its description is beside it, see `gathered`; the fields of that are those of Sinity/polylogue
(`polylogue/sources/parsers/antigravity.py`). The chats of the editor themselves are encrypted (`conversations/ID.pb`).
"""

from collections.abc import Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import surest
from inspector.model import Document, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, mapping, strings


def sniff(source: FileSource) -> float:
    """Return how likely the file is an artefact with its description."""
    return surest(source, lambda value: 0.97 if _is_artefact(value) else 0.0)


def _is_artefact(value: Any) -> bool:
    fields = mapping(value)
    return all(isinstance(fields.get(key), str) for key in ("artifactType", "file", "content"))


def load(source: FileSource) -> Workspace:
    """Return the artefact as a document. Raise UnreadableError if it has no text."""
    notes = Notes(source.path)
    held: Mapping[str, Any] = mapping(source.json)
    text = as_text(held.get("content") or "")
    if not text.strip():
        raise notes.unreadable("$", "expected the text of an artefact, found none")
    earlier = strings(held.get("earlier"))
    if earlier:
        notes.add("", f"earlier versions of {as_text(held.get('file'))} were not read: {', '.join(earlier)}", "info")
    name = "/".join(filter(None, (as_text(held.get("chat") or ""), as_text(held.get("file") or ""))))
    title = as_text(held.get("summary") or "") or as_text(held.get("file") or "")
    return Workspace(documents=(Document(name, text, title),), problems=tuple(notes.problems))


FORMAT = Format(
    "antigravity_artefact",
    "Antigravity artefact",
    sniff,
    load,
    "a Markdown file with `FILE.md.metadata.json` beside it",
    beside=("artifactType", "file", "chat", "earlier", "updatedAt"),
)
