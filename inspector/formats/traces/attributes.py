"""Attributes of spans as plain values: OTLP's typed pairs, flat names with dots, and objects.

open-telemetry/opentelemetry-proto, `opentelemetry/proto/common/v1/common.proto` (`KeyValue`, `AnyValue`).
"""

from collections.abc import Iterable, Mapping
from typing import Any

from inspector.reading.values import items_of, mapping

_DEEPEST = 24
_VALUES = ("stringValue", "boolValue", "intValue", "doubleValue", "bytesValue")


def nested(attributes: Any) -> dict[str, Any]:
    """Return the attributes of a span, given as an object or as OTLP's list of pairs, as objects and lists."""
    tree: dict[str, Any] = {}
    for name, value in pairs(attributes):
        _put(tree, name.split(".", _DEEPEST), value)
    return mapping_of(_with_lists(tree, _DEEPEST))


def mapping_of(value: Any) -> dict[str, Any]:
    """Return the value if it is an object, else an empty object."""
    return value if isinstance(value, dict) else {}


def pairs(attributes: Any) -> Iterable[tuple[str, Any]]:
    """Return the names and plain values of attributes, given as an object or as OTLP's list."""
    if isinstance(attributes, Mapping):
        return ((str(name), _plain_list(value)) for name, value in attributes.items())
    listed = (mapping(item) for item in items_of(attributes))
    return ((item["key"], plain_value(item.get("value"))) for item in listed if isinstance(item.get("key"), str))


def _plain_list(value: Any) -> Any:
    """Return a value; the inside of an OTLP list without its type (`values`) as a list."""
    inside = items_of(mapping(value).get("values")) if len(mapping(value)) == 1 else ()
    is_list = bool(inside) and all(len(mapping(one)) == 1 and mapping(one).keys() <= {*_VALUES} for one in inside)
    return [plain_value(one) for one in inside] if is_list else value


def plain_value(value: Any, depth: int = _DEEPEST) -> Any:
    """Return the plain value of an OTLP value, which names its type."""
    fields = mapping(value)
    if not depth:
        return None
    if "arrayValue" in fields:
        return [plain_value(item, depth - 1) for item in items_of(mapping(fields["arrayValue"]).get("values"))]
    if "kvlistValue" in fields:
        named = (mapping(item) for item in items_of(mapping(fields["kvlistValue"]).get("values")))
        return {str(pair.get("key")): plain_value(pair.get("value"), depth - 1) for pair in named}
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


def at_path(value: Any, path: Iterable[str]) -> Any:
    """Return the value at a path of names, None if there is none."""
    for name in path:
        value = mapping_of(value).get(name)
    return value
