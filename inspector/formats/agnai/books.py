"""Memory books of Agnai: the weight of an entry sets its place, and its priority how long it is kept."""

from collections.abc import Mapping
from typing import Any

from inspector.formats.lore.foreign import ForeignEntry, foreign_book, set_only
from inspector.model import Lorebook, Problem
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, as_truth, items_of, mapping

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
