"""Lorebooks of Marinara Engine: entries like SillyTavern's, in folders that can be disabled as a whole."""

from collections.abc import Mapping
from typing import Any

from inspector.formats.lore.foreign import ForeignEntry, foreign_book, set_only
from inspector.model import Lorebook, Problem
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, as_truth, as_whole, mapping, objects

_LOGIC = {"and": 0, "or": 0, "not_all": 1, "not": 2, "and_all": 3}  # as SillyTavern numbers them
_AT_DEPTH, _SILLY_TAVERN_AT_DEPTH = 2, 4
_SAME = (
    *("content", "constant", "selective", "probability", "scanDepth", "matchWholeWords", "caseSensitive", "useRegex"),
    *("outletName", "depth", "order", "role", "sticky", "cooldown", "delay", "group", "groupWeight"),
    *("preventRecursion", "excludeRecursion", "delayUntilRecursion"),
)
_KEPT: Mapping[str, Any] = dict.fromkeys(
    (
        *("ephemeral", "activationConditions", "schedule", "characterFilterIds", "characterTagFilters"),
        *("generationTriggerFilters", "additionalMatchingSources", "decisionStatement"),
    )
)


def lorebook_of(
    data: Mapping[str, Any], place: str, name: str, source: FileSource, problems: list[Problem]
) -> Lorebook:
    """Return the lorebook of an object with `lorebook`, `entries` and `folders`; `name` is its id if it has no name."""
    book = mapping(data.get("lorebook"))
    title = as_text(book.get("name")).strip() or name
    closed = {
        as_text(one.get("id")) for one in objects(data.get("folders")) if as_truth(one.get("enabled"), True) is False
    }
    common = {key: book[key] for key in ("scanDepth", "tokenBudget", "recursiveScanning") if book.get(key) is not None}
    is_on = as_truth(book.get("enabled"), True)
    listed = enumerate(objects(data.get("entries")))
    entries = [
        _entry(entry, f"{place}.entries[{number}]", common, is_on and as_text(entry.get("folderId")) not in closed)
        for number, entry in listed
    ]
    return foreign_book(entries, title, title, source, problems)


def _entry(entry: Mapping[str, Any], place: str, common: Mapping[str, Any], is_on: bool) -> ForeignEntry:
    """Return an entry under SillyTavern's names."""
    position = as_whole(entry.get("position"))
    fields = {
        **common,
        **{key: entry[key] for key in _SAME if entry.get(key) is not None},
        "id": as_text(entry.get("id")),
        "comment": as_text(entry.get("name")),
        "key": entry.get("keys", ()),
        "keysecondary": entry.get("secondaryKeys", ()),
        "selectiveLogic": _LOGIC.get(as_text(entry.get("selectiveLogic")), 0),
        "enabled": is_on and as_truth(entry.get("enabled"), True),
        "position": _SILLY_TAVERN_AT_DEPTH if position == _AT_DEPTH else position if position is not None else "",
    }
    return ForeignEntry(fields, place, set_only(entry, _KEPT))
