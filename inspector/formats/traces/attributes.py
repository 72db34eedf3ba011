"""Attributes of spans: turns flat names with dots, as in OpenTelemetry, into objects and lists.

`llm.input_messages.0.message.role` becomes `{"llm": {"input_messages": [{"message": {"role": …}}]}}`.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from inspector.reading.json import unwrapped
from inspector.reading.values import items_of, mapping

_DEEPEST = 24
_VALUES = ("stringValue", "boolValue", "intValue", "doubleValue", "bytesValue")


def nested(attributes: Any) -> dict[str, Any]:
    """Return the attributes of a span, given as an object or as OTLP's list of pairs, as objects and lists."""
    pairs = _pairs(attributes)
    tree: dict[str, Any] = {}
    for name, value in pairs:
        _put(tree, name.split(".", _DEEPEST), value)
    return mapping_of(_with_lists(tree, _DEEPEST))


def mapping_of(value: Any) -> dict[str, Any]:
    """Return the value if it is an object, else an empty object."""
    return value if isinstance(value, dict) else {}


def _pairs(attributes: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(attributes, Mapping):
        return ((str(name), value) for name, value in attributes.items())
    listed = (mapping(item) for item in items_of(attributes))
    return ((item["key"], _plain(item.get("value"), _DEEPEST)) for item in listed if isinstance(item.get("key"), str))


def _plain(value: Any, depth: int) -> Any:
    """Return the plain value of an OTLP value, which names its type."""
    fields = mapping(value)
    if not depth:
        return None
    if "arrayValue" in fields:
        return [_plain(item, depth - 1) for item in items_of(mapping(fields["arrayValue"]).get("values"))]
    if "kvlistValue" in fields:
        pairs = (mapping(item) for item in items_of(mapping(fields["kvlistValue"]).get("values")))
        return {str(pair.get("key")): _plain(pair.get("value"), depth - 1) for pair in pairs}
    return next((fields[key] for key in _VALUES if key in fields), None)


def _put(tree: dict[str, Any], path: list[str], value: Any) -> None:
    """Put a value into the tree; the first value wins if two collide."""
    for name in path[:-1]:
        tree = tree.setdefault(name, {})
        if not isinstance(tree, dict):
            return
    tree.setdefault(path[-1], value)


def _with_lists(value: Any, depth: int) -> Any:
    """Return the value with lists in place of objects with numeric names, and with dots in inner names taken apart."""
    if not depth or not isinstance(value, Mapping | list):
        return value
    if isinstance(value, list):
        return [_with_lists(item, depth - 1) for item in value]
    tree: dict[str, Any] = {}
    for name, item in value.items():
        _put(tree, str(name).split(".", _DEEPEST), item)
    if tree and all(name.isascii() and name.isdigit() and len(name) < 10 for name in tree):
        return [_with_lists(tree[name], depth - 1) for name in sorted(tree, key=int)]
    return {name: _with_lists(item, depth - 1) for name, item in tree.items()}


def listed(value: Any) -> tuple[Any, ...]:
    """Return the items of a list, which may be JSON text."""
    return items_of(unwrapped(value))
