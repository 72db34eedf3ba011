"""Lorebooks of NovelAI. Their budgets, ranges and places are its own: they are kept with the entries."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.lore.foreign import ForeignEntry, foreign_book, set_only
from inspector.model import Lorebook, Problem
from inspector.reading.source import FileSource
from inspector.reading.values import as_number, as_text, as_truth, items_of, mapping, objects, strings

_UNSAID: Mapping[str, Any] = {
    "contextConfig": None,
    "searchRange": 1000,
    "keyRelative": False,
    "nonStoryActivatable": False,
    "loreBiasGroups": None,
    "advancedConditions": None,
    "category": "",
}
_BOTH = " & "
_EXPRESSION = re.compile(r"/(?:[^/\\]|\\.)+/[a-z]*$")
_ANY = r"\s\S"


def is_lorebook(value: Any) -> bool:
    """Return whether a value is a lorebook of NovelAI."""
    fields = mapping(value)
    return "lorebookVersion" in fields and isinstance(fields.get("entries"), list)


def lorebook_of(book: Mapping[str, Any], place: str, id_: str, source: FileSource, problems: list[Problem]) -> Lorebook:
    """Return the lorebook; the entries of a disabled category are disabled, too."""
    off = {as_text(one.get("id")) for one in objects(book.get("categories")) if not as_truth(one.get("enabled"), True)}
    entries = [_entry(mapping(one), at, off) for at, one in _numbered(book.get("entries"), f"{place}.entries")]
    return foreign_book(entries, id_, id_, source, problems)


def _numbered(entries: Any, place: str) -> Iterator[tuple[str, Any]]:
    return ((f"{place}[{number}]", one) for number, one in enumerate(items_of(entries)))


def _entry(entry: Mapping[str, Any], place: str, off: set[str]) -> ForeignEntry:
    config = mapping(entry.get("contextConfig"))
    text = entry.get("text")
    keys = [key for one in strings(entry.get("keys")) if (key := _key(one))]
    unsaid = [one for one in strings(entry.get("keys")) if not _key(one)]
    priority = as_number(config.get("budgetPriority"))
    fields = {
        "uid": as_text(entry.get("id")),
        "key": keys,
        "comment": as_text(entry.get("displayName")),
        "content": _framed(as_text(text), config) if isinstance(text, str) else None,
        "constant": as_truth(entry.get("forceActivation")),
        "enabled": as_truth(entry.get("enabled"), True) and as_text(entry.get("category")) not in off,
        **({"order": priority} if priority is not None else {}),
    }
    kept = set_only(entry, _UNSAID)
    return ForeignEntry(fields, place, {**kept, **({"keys": unsaid} if unsaid else {})})


def _framed(text: str, config: Mapping[str, Any]) -> str:
    """Return the text between its prefix and suffix, as in a prompt, without the line end."""
    prefix, suffix = (as_text(config.get(key)) for key in ("prefix", "suffix"))
    return f"{prefix}{text}{suffix.rstrip()}"


def _key(key: str) -> str:
    """Return a key as in our model: a conjunction of words becomes an expression; "" if any word is an expression."""
    if _BOTH not in key or _EXPRESSION.match(key):
        return key
    parts = [part.strip() for part in key.split(_BOTH)]
    if any(not part or part.startswith("/") for part in parts):
        return ""
    expected = "".join(f"(?=[{_ANY}]*{_literal(part)})" for part in parts)
    return f"/^{expected}/i"


def _literal(text: str) -> str:
    """Return the text with the special characters of an expression escaped."""
    return re.sub(r"[\\^$.*+?()\[\]{}|/]", r"\\\g<0>", text)
