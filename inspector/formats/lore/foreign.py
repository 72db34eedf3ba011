"""Lorebooks of applications whose entries have more settings than our model: these are kept and named."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspector.formats.lore.world_info import read_book
from inspector.model import Lorebook, Problem, changed
from inspector.reading.source import FileSource

KEPT = "kept"
"""The activation key for those settings of an entry that nothing here reads."""


@dataclass(frozen=True, slots=True)
class ForeignEntry:
    """An entry under SillyTavern's names, its place, and the settings without a counterpart there."""

    fields: Mapping[str, Any]
    place: str
    kept: Mapping[str, Any] = field(default_factory=dict)


def foreign_book(
    entries: Sequence[ForeignEntry], id_: str, title: str, source: FileSource, problems: list[Problem]
) -> Lorebook:
    """Return the lorebook of these entries; entries whose content is no text are left out and noted in `problems`."""
    good: list[ForeignEntry] = []
    for entry in entries:
        if isinstance(entry.fields.get("content"), str):
            good.append(entry)
        else:
            problems.append(source.problem(entry.place, "expected an entry with a text; it was left out", "warning"))
    nowhere = {"position": ""}  # an entry without a position is not placed where SillyTavern would place it
    written = {"name": title, "entries": [{**nowhere, **entry.fields} for entry in good]}
    book = read_book(written, "$", id_, source, problems)
    names = dict.fromkeys(name for entry in good for name in entry.kept)
    if names:
        message = f"{', '.join(names)}: kept with the entries, but nothing here fires or places them by these"
        problems.append(source.problem("", message, "info"))
    found = (
        changed(one, activation={**one.activation, KEPT: dict(entry.kept)}) if entry.kept else one
        for one, entry in zip(book.entries, good, strict=True)
    )
    return changed(book, entries=tuple(found))


def set_only(fields: Mapping[str, Any], usual: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields named in `usual`, without those unset or equal to their usual value."""
    return {
        name: fields[name] for name, value in usual.items() if fields.get(name) not in (None, "", value, [], {}, False)
    }
