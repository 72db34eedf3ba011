"""What YAML's nodes become: values of YAML 1.2's core schema, in a time that grows with the text and with nothing else.

`no`, `1e3`, `1.10` and dates stay the text that was written, also where a tag such as `!!timestamp` says otherwise.
"""

import re
from collections.abc import Hashable, Iterator
from math import isfinite
from typing import Any

import yaml

from inspector.reading.values import clean

_TAG = "tag:yaml.org,2002:"
NUMBER = re.compile(r"[-+]?(?:[0-9]+\.[0-9]+|\.[0-9]+|[0-9]+\.|[0-9]+(?:\.[0-9]*)?[eE][-+]?[0-9]+|0[0-9]+)$")
_LEAST, _MOST = -(2**63), 2**64 - 1
"""What JSON is read as a whole number; what lies beyond is a number with a point in both."""
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,400})$")
_TRUTHS = {"true": True, "false": False}
SCALARS = (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", r"~|null|Null|NULL|", "~nN"),
    ("int", _INTEGER.pattern.removesuffix("$"), "-+0123456789"),
    ("float", NUMBER.pattern.removesuffix("$"), "-+.0123456789"),
    ("merge", "<<", "<"),
)
"""The scalars that are no text where they stand plain: tag, pattern, and the signs that they may begin with."""

# Longer numbers can be chosen so that they all fall into one place of a dictionary, which then takes the square of
# the time; so can floats.
_MOST_DIGITS_OF_KEYS = 18


class WrittenNumber(str):
    """A plain scalar that YAML calls a number and whose text would be lost as one, such as `1.10` or `1e3`."""

    __slots__ = ()


class PlainLoader(yaml.CBaseLoader):
    """Every scalar is the text that was written."""

    def construct_scalar(self, node: yaml.ScalarNode) -> Any:
        """The text of a scalar, as every reader cleans it: an escape may stand for NUL."""
        return clean(super().construct_scalar(node))


class CoreLoader(yaml.CSafeLoader):
    """The scalars of the core schema, less those whose text would be lost; unknown tags are errors."""

    def construct_scalar(self, node: yaml.ScalarNode | yaml.MappingNode) -> Any:
        """The text of a scalar, as every reader cleans it: an escape may stand for NUL."""
        return clean(super().construct_scalar(node))


def _null(loader: CoreLoader, node: yaml.ScalarNode) -> None:
    loader.construct_scalar(node)


def _truth(loader: CoreLoader, node: yaml.ScalarNode) -> Any:
    text = loader.construct_scalar(node)
    return _TRUTHS.get(text.lower(), text)


def _integer(loader: CoreLoader, node: yaml.ScalarNode) -> Any:
    text = loader.construct_scalar(node)
    if not _INTEGER.match(text):
        return text
    number = int(text)
    if _LEAST <= number <= _MOST:
        return number
    return WrittenNumber(text) if isfinite(float(text)) else text


def _float(loader: CoreLoader, node: yaml.ScalarNode) -> Any:
    text = loader.construct_scalar(node)
    if not NUMBER.match(text):
        return text
    number = float(text)
    if not isfinite(number):
        return text
    return number if repr(number) == text else WrittenNumber(text)


def _text(loader: CoreLoader, node: yaml.ScalarNode) -> Any:
    return loader.construct_scalar(node)


def _sequence(loader: CoreLoader, node: yaml.SequenceNode) -> Iterator[list[Any]]:
    """Given before it is filled, so that what stands in it is not constructed by recursion."""
    items: list[Any] = []
    yield items
    items.extend(loader.construct_sequence(node))


def _mapping(loader: CoreLoader, node: yaml.MappingNode) -> Iterator[dict[Any, Any]]:
    """Given before it is filled, as a sequence is."""
    mapping: dict[Any, Any] = {}
    yield mapping
    if not isinstance(node, yaml.MappingNode):
        raise _error(f"expected a mapping node, but found {node.id}", node)
    for key_node, value_node in _pairs(node):
        mapping[_key(loader, key_node)] = loader.construct_object(value_node)


def _pairs(node: yaml.MappingNode) -> list[tuple[yaml.Node, yaml.Node]]:
    """The pairs of a mapping, after those that it takes from others by `<<`."""
    merged: list[tuple[yaml.Node, yaml.Node]] = []
    own: list[tuple[yaml.Node, yaml.Node]] = []
    for pair in node.value:
        if pair[0].tag != f"{_TAG}merge":
            own.append(pair)
            continue
        others = reversed(pair[1].value) if isinstance(pair[1], yaml.SequenceNode) else [pair[1]]
        for other in others:
            if not isinstance(other, yaml.MappingNode):
                raise _error(f"expected a mapping for merging, but found {other.id}", other)
            merged.extend(_pairs(other))
    return [*merged, *own]


def _key(loader: CoreLoader, node: yaml.Node) -> Any:
    key = loader.construct_object(node)
    if not isinstance(key, Hashable):
        raise _error("found unhashable key", node)
    is_number = isinstance(key, int | float) and isinstance(node, yaml.ScalarNode)
    return node.value if is_number and (isinstance(key, float) or len(node.value) > _MOST_DIGITS_OF_KEYS) else key


def _error(what: str, node: yaml.Node) -> yaml.YAMLError:
    return yaml.constructor.ConstructorError(None, None, what, node.start_mark)


def _set_up() -> None:
    CoreLoader.yaml_implicit_resolvers = {}
    for tag, pattern, first in SCALARS:
        letters = [*first, ""] if tag == "null" else list(first)
        CoreLoader.add_implicit_resolver(f"{_TAG}{tag}", re.compile(f"(?:{pattern})$"), letters)
    scalars = {"null": _null, "bool": _truth, "int": _integer, "float": _float}
    texts = dict.fromkeys(("str", "binary", "timestamp", "merge"), _text)
    collections = {"seq": _sequence, "omap": _sequence, "pairs": _sequence, "map": _mapping, "set": _mapping}
    for tag, construct in {**scalars, **texts, **collections}.items():
        CoreLoader.add_constructor(f"{_TAG}{tag}", construct)


_set_up()
