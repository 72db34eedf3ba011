"""The values of YAML scalars, by the core schema of YAML 1.2, except numbers whose text would be lost."""

import re
from math import isfinite
from typing import Any

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
