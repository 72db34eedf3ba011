"""What a scalar of YAML stands for, by the core schema of YAML 1.2, less the numbers whose text would be lost."""

import re
from math import isfinite
from typing import Any

from inspector.reading.values import clean

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
_NO_TEXT = re.compile("|".join(f"(?P<{tag}>(?:{pattern})$)" for tag, pattern, _ in SCALARS))
_MAY_BE_NO_TEXT = frozenset("".join(first for _, _, first in SCALARS))


class WrittenNumber(str):
    """A plain scalar that YAML calls a number and whose text would be lost as one, such as `1.10` or `1e3`."""

    __slots__ = ()


def plain_value(text: str) -> Any:
    """What a scalar without a tag is that is not quoted."""
    if text and text[0] not in _MAY_BE_NO_TEXT:
        return clean(text)
    found = _NO_TEXT.match(text)
    return clean(text) if found is None else _MEANT[found.lastgroup or ""](text)


def tagged_value(tag: str, text: str) -> Any:
    """What a scalar is that says that it is of the kind `null`, `bool`, `int` or `float`; its text where it is not."""
    return _MEANT[tag](text) if _FITS[tag].fullmatch(text) else clean(text)


def _null(text: str) -> None:
    """Nothing, whatever is written."""


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
"""What becomes of the text of a plain scalar that is no text."""
_FITS = {"null": re.compile("(?s:.*)"), "bool": re.compile("(?i:true|false)"), "int": _INTEGER, "float": NUMBER}
"""What a tag makes a value of, which otherwise stays the text that was written."""
