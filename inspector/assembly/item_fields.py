"""Overridable fields of items, with the values each may hold by the declaration of the item."""

import math
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from reprlib import repr as shown
from typing import Any

import msgspec

from inspector.model import (
    Attachment,
    Call,
    Character,
    Component,
    Document,
    Held,
    Image,
    LoreEntry,
    Memory,
    Message,
    Part,
    Passage,
    PastSummary,
    Result,
    Sound,
    Video,
    changed,
    with_parts,
    with_text,
)
from inspector.model.workspace import HIGHEST
from inspector.nearest import instead
from inspector.reading.decode import converted, hints_of

OVERRIDDEN: Mapping[str, type] = {
    "characters": Character,
    "components": Component,
    "messages": Message,
    "memories": Memory,
    "lorebooks": LoreEntry,
    "passages": Passage,
    "summaries": PastSummary,
    "documents": Document,
    "attachments": Attachment,
}
"""The kinds of items whose fields can be overridden, by the lists that hold them."""
_OLDER: Mapping[str, Any] = {"images": int, "tool_calls": tuple[Call, ...], "tool_call_id": str}
_OF_PARTS = frozenset({"content", *_OLDER})
"""The fields of a message that are parts of it."""
_FIXED = frozenset({"id", "path", "origin", "components", "parts"})
"""Fields that identify an item or hold others; a scenario cannot override them."""


def field_value(kind: type, name: str, value: Any) -> Any:
    """Convert a value to the type of this field of an item: times to times, lists to tuples.

    Raise ValueError for an invalid value or an unknown field.
    """
    hints = _fields_of(kind)
    if name not in hints:
        raise ValueError(f"is no field of such an item; {instead(name, list(hints), len(hints))}")
    try:
        is_parts = kind is Message and name == "content" and isinstance(value, list | tuple)
        held = converted(value, tuple[Part, ...] if is_parts else hints[name])
    except (msgspec.ValidationError, RecursionError) as problem:
        text = str(problem)
        raise ValueError(text[0].lower() + text[1:]) from None
    if isinstance(held, datetime) and held.tzinfo is None:
        return held.replace(tzinfo=UTC)
    if isinstance(held, int | float) and not isinstance(held, bool):
        _check_size(held, HIGHEST.get(kind, {}).get(name))
    return held


def _check_size(number: float, highest: float | None) -> None:
    if highest is not None and not 0 <= number <= highest:
        raise ValueError(f"expected 0 to {highest:,}, found {shown(number)}")
    if not math.isfinite(number):
        raise ValueError(f"expected a number, found {shown(number)}")


@cache
def _fields_of(kind: type) -> dict[str, Any]:
    older = _OLDER if kind is Message else {}
    return {name: hint for name, hint in {**hints_of(kind), **older}.items() if name not in _FIXED}


def overridden_item(item: Any, values: Mapping[str, Any]) -> Any:
    """Return an item with other values in these fields, as if its file had them."""
    if not isinstance(item, Message) or values.keys().isdisjoint(_OF_PARTS):
        return changed(item, **values)
    others = {name: value for name, value in values.items() if name not in _OF_PARTS}
    content = values.get("content")
    if isinstance(content, tuple):
        return with_parts(item, content, **others)
    said = item if content is None else with_text(item, content)
    parts = [one for one in said.whole if not isinstance(one, _dropped(values))]
    parts += [*(Image(),) * values.get("images", 0), *values.get("tool_calls", ())]
    if call := values.get("tool_call_id"):
        parts = [Result(call, item.name, said.content, tuple(one for one in parts if isinstance(one, Held)))]
    return with_parts(said, parts, **others)


def _dropped(values: Mapping[str, Any]) -> tuple[type, ...]:
    """Return the classes of parts that are given anew."""
    return (*((Image, Sound, Video) if "images" in values else ()), *((Call,) if "tool_calls" in values else ()))


def override_troubles(overrides: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield the item and field of each overriding value invalid for every kind of item, with the reason."""
    for item, fields in overrides.items():
        kinds = _kinds_of(item)
        for name, value in fields.items():
            if trouble := _trouble(kinds, name, value):
                yield (item, name), trouble


def _kinds_of(item: str) -> tuple[type, ...]:
    """Return the possible kinds of an item: any, unless its list is named first; the id of an attachment is a path."""
    named = OVERRIDDEN.get(item.partition("/")[0])
    return tuple(OVERRIDDEN.values()) if named is None else tuple(dict.fromkeys((named, Attachment)))


def _trouble(kinds: tuple[type, ...], name: str, value: Any) -> str:
    """Return why a value is invalid, as the first kind with the field says; "" if any kind accepts it."""
    troubles = []
    having = [kind for kind in kinds if name in _fields_of(kind)]
    for kind in having or kinds[:1]:
        try:
            field_value(kind, name, value)
        except ValueError as problem:
            troubles.append(str(problem))
        else:
            return ""
    return troubles[0]
