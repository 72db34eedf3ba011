"""The values of YAML 1.2 by its core schema, and YAML events as values, in a time that grows only with the text."""

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Any, NamedTuple

import yaml
from yaml.events import (
    AliasEvent,
    MappingEndEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from inspector.reading.values import clean

NUMBER = re.compile(r"[-+]?(?:[0-9]+\.[0-9]+|\.[0-9]+|[0-9]+\.|[0-9]+(?:\.[0-9]*)?[eE][-+]?[0-9]+|0[0-9]+)$")
_LEAST, _MOST = -(2**63), 2**64 - 1
"""The range of whole numbers in JSON; numbers beyond have a point in both."""
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,400})$")
_TRUTHS = {"true": True, "false": False}
SCALARS = (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", r"~|null|Null|NULL|", "~nN"),
    ("int", _INTEGER.pattern.removesuffix("$"), "-+0123456789"),
    ("float", NUMBER.pattern.removesuffix("$"), "-+.0123456789"),
    ("merge", "<<", "<"),
)
"""The plain scalars that are no text: tag, pattern, and their possible first signs."""
_NO_TEXT = re.compile("|".join(f"(?P<{tag}>(?:{pattern})$)" for tag, pattern, _ in SCALARS))
_MAY_BE_NO_TEXT = frozenset("".join(first for _, _, first in SCALARS))


class WrittenNumber(str):
    """A plain scalar that is a number in YAML and whose text would be lost as a number, such as `1.10` or `1e3`."""

    __slots__ = ()


def plain_value(text: str) -> Any:
    """Return the value of an unquoted scalar without a tag."""
    if text and text[0] not in _MAY_BE_NO_TEXT:
        return clean(text)
    found = _NO_TEXT.match(text)
    return clean(text) if found is None else _MEANT[found.lastgroup or ""](text)


def tagged_value(tag: str, text: str) -> Any:
    """Return the value of a scalar tagged as `null`, `bool`, `int` or `float`; its text if it does not fit."""
    return _MEANT[tag](text) if _FITS[tag].fullmatch(text) else clean(text)


def _null(text: str) -> None:
    """Return None, whatever is written."""


def _truth(text: str) -> bool:
    return _TRUTHS[text.lower()]


def _integer(text: str) -> int | str:
    number = int(text)
    if _LEAST <= number <= _MOST:
        return number
    return WrittenNumber(text) if isfinite(float(text)) else text


def _float(text: str) -> float | str:
    number = float(text)
    if not isfinite(number):
        return text
    return number if repr(number) == text else WrittenNumber(text)


_MEANT = {"null": _null, "bool": _truth, "int": _integer, "float": _float, "merge": str}
"""The conversion of each plain scalar that is no text."""
_FITS = {"null": re.compile("(?s:.*)"), "bool": re.compile("(?i:true|false)"), "int": _INTEGER, "float": NUMBER}
"""The texts that fit each tag; other texts stay as written."""


_TAG = "tag:yaml.org,2002:"
_SEQUENCES = frozenset(f"{_TAG}{name}" for name in ("seq", "omap", "pairs"))
_MAPPINGS = frozenset(f"{_TAG}{name}" for name in ("map", "set"))
_TEXTS = frozenset(f"{_TAG}{name}" for name in ("str", "binary", "timestamp", "merge"))
_OTHERS = frozenset(f"{_TAG}{name}" for name in ("null", "bool", "int", "float"))
_MERGE = f"{_TAG}merge"

# Longer numbers can be chosen so that they all collide in a dictionary, which then takes the square of
# the time; so can floats.
_MOST_DIGITS_OF_KEYS = 18


class ExcessError(ValueError):
    """A document exceeds its limits; the message continues after the name of the file."""


class NoListError(ValueError):
    """A document is no list; `line` is its first line."""

    def __init__(self, line: int) -> None:
        super().__init__("it is no list")
        self.line = line


@dataclass(frozen=True, slots=True)
class Limits:
    """The depth of a document, the number of its values, and their number with its aliases written out."""

    depth: int
    values: int
    expanded: int


class _Anchored(NamedTuple):
    """The value of an alias; its text if it is a scalar. An unfinished value holds its own alias."""

    value: Any
    text: str | None
    size: int


_UNFINISHED = _Anchored(None, None, sys.maxsize)


class PlainLoader:
    """Reads the first document of a text. Every scalar is the text that was written, and tags are ignored.

    Raises YAMLError, and ExcessError as soon as the limits are exceeded. `repeated` are then the duplicate keys of a
    mapping: its depth (1: the outermost), the key, and the line of its later place.
    """

    def __init__(self, text: str, limits: Limits) -> None:
        self.repeated: list[tuple[int, str, int]] = []
        self._next: Callable[[], Any] = yaml.CBaseLoader(text).get_event
        self._limits = limits
        self._depth = 0
        self._values = 0
        self._written_out = 0
        self._anchors: dict[str, _Anchored] = {}
        self._keys: dict[str, str] = {}

    def document(self) -> Any:
        """Return the value of the document; None if there is none."""
        root = self._root()
        value = None if root is None else self._value(root)
        self._next()
        return value

    def items(self) -> Iterator[tuple[int, Any]]:
        """Yield the items of a document that is a list, each with its line; none if there is no document.

        Raise NoListError for any other document.
        """
        root = self._root()
        if root is None:
            return
        if type(root) is not SequenceStartEvent:
            raise NoListError(root.start_mark.line + 1)
        while type(event := self._next()) is not SequenceEndEvent:
            yield event.start_mark.line + 1, self._value(event)
        self._next()

    def _root(self) -> Any:
        """Return the first event of the document, None if the text ends without any."""
        self._next()
        return None if type(self._next()) is StreamEndEvent else self._next()

    def _value(self, event: Any) -> Any:
        kind = type(event)
        if kind is ScalarEvent:
            self._count()
            value = self._scalar(event)
            if event.anchor is not None:
                self._name(event, _Anchored(value, event.value, 1))
            return value
        if kind is AliasEvent:
            return self._alias(event).value
        return self._sequence(event) if kind is SequenceStartEvent else self._mapping(event)

    def _sequence(self, start: Any) -> list[Any]:
        before = self._begin(start)
        items: list[Any] = []
        while type(event := self._next()) is not SequenceEndEvent:
            items.append(self._value(event))
        self._end(start, items, before)
        return items

    def _mapping(self, start: Any) -> dict[Any, Any]:
        before = self._begin(start)
        mapping: dict[Any, Any] = {}
        merged: list[dict[Any, Any]] = []
        while type(event := self._next()) is not MappingEndEvent:
            if type(event) is ScalarEvent and self._is_merge(event):
                self._value(event)
                merged += self._merged(self._next())
                continue
            key = self._key(event)
            if key in mapping:
                self.repeated.append((self._depth, str(key), event.start_mark.line + 1))
            mapping[key] = self._value(self._next())
        if merged:
            mapping = {key: value for one in (*merged, mapping) for key, value in one.items()}
        self._end(start, mapping, before)
        return mapping

    def _begin(self, start: Any) -> int:
        """Begin a collection; return the number of values before it."""
        before = self._values + self._written_out
        self._count()
        self._check(start)
        self._depth += 1
        if self._depth > self._limits.depth:
            raise ExcessError(f"is nested deeper than {self._limits.depth:,} levels")
        if start.anchor is not None:
            self._name(start, _UNFINISHED)
        return before

    def _end(self, start: Any, value: Any, before: int) -> None:
        self._depth -= 1
        if start.anchor is not None:
            self._anchors[start.anchor] = _Anchored(value, None, self._values + self._written_out - before)

    def _merged(self, event: Any) -> list[dict[Any, Any]]:
        """Return the mappings behind `<<`, in ascending order of precedence."""
        value = self._value(event)
        others = value[::-1] if isinstance(value, list) else [value]
        if not all(isinstance(other, dict) for other in others):
            raise _error("expected a mapping for merging, but found something else", event)
        return others

    def _key(self, event: Any) -> Any:
        text: Any
        if type(event) is AliasEvent:
            key, text, _ = self._alias(event)
        else:
            key, text = self._value(event), event.value if type(event) is ScalarEvent else None
        if type(key) is str:
            return self._keys.setdefault(key, key)  # every item of a list repeats the same few
        if isinstance(key, list | dict):
            raise _error("found unhashable key", event)
        if text is None or not isinstance(key, int | float):
            return key
        return text if isinstance(key, float) or len(text) > _MOST_DIGITS_OF_KEYS else key

    def _alias(self, event: Any) -> _Anchored:
        self._count()
        found = self._anchors.get(event.anchor)
        if found is None:
            raise _error("found undefined alias", event)
        self._written_out += found.size - 1  # the alias itself was counted
        if self._values + self._written_out > self._limits.expanded:
            raise ExcessError(f"its aliases expand to more than {self._limits.expanded:,} values")
        return found

    def _name(self, event: Any, anchored: _Anchored) -> None:
        if event.anchor in self._anchors:
            raise _error("found duplicate anchor", event)
        self._anchors[event.anchor] = anchored

    def _count(self) -> None:
        self._values += 1
        if self._values > self._limits.values:
            raise ExcessError(f"holds more than {self._limits.values:,} values, too many for YAML")

    def _scalar(self, event: Any) -> Any:
        """Return the value of a scalar: its text, cleaned as by every reader, because an escape may produce NUL."""
        return clean(event.value)

    def _check(self, start: Any) -> None:
        """Raise an error if a collection's tag contradicts it."""

    def _is_merge(self, event: Any) -> bool:
        """Return whether a key merges the mappings behind it."""
        return False


class CoreLoader(PlainLoader):
    """The scalars of the core schema, except numbers whose text would be lost; unknown tags are errors."""

    def _scalar(self, event: Any) -> Any:
        text, tag = event.value, event.tag
        if tag is None or tag == "!":
            return plain_value(text) if event.implicit[0] else clean(text)
        if tag in _TEXTS:
            return clean(text)
        if tag not in _OTHERS:
            raise _tag_error(event, "scalar")
        return tagged_value(tag.removeprefix(_TAG), text)

    def _check(self, start: Any) -> None:
        is_sequence = type(start) is SequenceStartEvent
        if start.tag not in (None, "!") and start.tag not in (_SEQUENCES if is_sequence else _MAPPINGS):
            raise _tag_error(start, "sequence" if is_sequence else "mapping")

    def _is_merge(self, event: Any) -> bool:
        return event.tag == _MERGE or (event.value == "<<" and event.implicit[0])


def _error(what: str, event: Any) -> yaml.YAMLError:
    return yaml.MarkedYAMLError(None, None, what, event.start_mark)


def _tag_error(event: Any, found: str) -> yaml.YAMLError:
    """Return the error for an unknown tag, or for a tag that does not fit its value."""
    if event.tag in _SEQUENCES | _MAPPINGS | _TEXTS | _OTHERS:
        return _error(f"a {found} cannot be !!{event.tag.removeprefix(_TAG)}", event)
    return _error(f"could not determine a constructor for the tag {event.tag!r}", event)
