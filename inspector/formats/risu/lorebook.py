"""Lorebooks of RisuAI: separate files, in modules and in chats. A folder only sorts entries and is no entry itself."""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.lore.foreign import ForeignEntry, foreign_book, set_only
from inspector.model import Lorebook, Problem
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, as_truth, items_of, mapping

_FOLDER, _CONSTANT = "folder", "constant"
_UNSAID: Mapping[str, Any] = {"mode": "normal", "folder": "", "bookVersion": None, "extentions": None}


def lorebook_of(
    entries: Any, place: str, id_: str, title: str, source: FileSource, problems: list[Problem]
) -> Lorebook:
    """Return the lorebook of a list of entries at `place`."""
    return foreign_book(list(_entries(entries, place)), id_, title, source, problems)


def _entries(entries: Any, place: str) -> Iterator[ForeignEntry]:
    for number, entry in enumerate(items_of(entries)):
        fields = mapping(entry)
        if fields.get("mode") != _FOLDER:
            yield _entry(fields, number, f"{place}[{number}]")


def _entry(entry: Mapping[str, Any], number: int, place: str) -> ForeignEntry:
    """Return an entry under SillyTavern's names; `activationPercent` is its probability."""
    chance = entry.get("activationPercent")
    is_selective = as_truth(entry.get("selective"))
    fields = {
        "uid": as_text(entry.get("id")) or number,
        "key": entry.get("key", ""),
        "keysecondary": entry.get("secondkey", "") if is_selective else "",
        "selective": is_selective,
        "comment": as_text(entry.get("comment")),
        "content": entry.get("content"),
        "order": entry.get("insertorder"),
        "constant": as_truth(entry.get("alwaysActive")) or entry.get("mode") == _CONSTANT,
        "useRegex": as_truth(entry.get("useRegex")),
        **({"probability": chance, "useProbability": True} if chance is not None else {}),
    }
    kept = {name: value for name, value in set_only(entry, _UNSAID).items() if value != _CONSTANT}
    return ForeignEntry(fields, place, kept)
