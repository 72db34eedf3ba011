"""Values as YAML: libyaml's events, made of the values themselves, with no nodes in between.

Text that YAML 1.1 or 1.2 would misread is quoted. Repeated values are written twice.
"""

import io
import re
from math import isfinite
from typing import Any

import yaml
from yaml.events import (
    DocumentEndEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)

from inspector.reading.yaml_scalars import SCALARS, WrittenNumber

# Text that suits a block of lines, and text that only a quoted scalar with escapes preserves.
_BLOCK_TEXT = re.compile(
    r"[^\s#](?:[^\S\n\r\t\x85\xa0\u2028\u2029\ufeff]?[^\s\x00-\x1f\x7f-\x9f\ufeff]|\n+(?=[^\s]))*$"
)
_NEEDS_ESCAPES = re.compile(r"[\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]|^\s|\s$")
_WIDTH = 120
# The patterns that YAML 1.1 and 1.2 take for no text, by first sign.
_TAKEN = {sign: [pattern for _, pattern in found] for sign, found in yaml.SafeDumper.yaml_implicit_resolvers.items()}
for _, _pattern, _signs in SCALARS:
    for _sign in _signs or [""]:
        _TAKEN.setdefault(_sign, []).append(re.compile(f"(?:{_pattern})$"))
_MAPPING, _SEQUENCE = MappingStartEvent(None, None, True), SequenceStartEvent(None, None, True)
_MAPPING_END, _SEQUENCE_END = MappingEndEvent(), SequenceEndEvent()


def write(value: Any) -> str:
    """Return a plain value (objects, lists, text, numbers) as a YAML document. Raise TypeError for any other."""
    text = io.StringIO()
    emit = yaml.CBaseDumper(text, allow_unicode=True, width=_WIDTH).emit
    emit(StreamStartEvent())
    emit(DocumentStartEvent(explicit=False))
    _emit(value, emit)
    emit(DocumentEndEvent(explicit=False))
    emit(StreamEndEvent())
    return text.getvalue()


def _emit(value: Any, emit: Any) -> None:
    if isinstance(value, dict):
        emit(_MAPPING)
        for key, item in value.items():
            _emit(key, emit)
            _emit(item, emit)
        emit(_MAPPING_END)
    elif isinstance(value, list | tuple):
        emit(_SEQUENCE)
        for item in value:
            _emit(item, emit)
        emit(_SEQUENCE_END)
    else:
        emit(_scalar(value))


def _scalar(value: Any) -> ScalarEvent:
    """Return the event of a scalar; its pair says whether it is read back unchanged when plain, and when quoted."""
    kind = type(value)
    if kind is str:
        style = "|" if "\n" in value and _BLOCK_TEXT.match(value) else '"' if _NEEDS_ESCAPES.search(value) else None
        is_plain = not any(pattern.match(value) for pattern in _TAKEN.get(value[:1], ()))
        return ScalarEvent(None, None, (is_plain, True), value, style=style)
    if kind is WrittenNumber:
        return ScalarEvent(None, None, (True, False), str(value))
    if kind is float:
        return ScalarEvent(None, None, (True, False), _float_text(value))
    if kind is int or kind is bool or value is None:
        return ScalarEvent(None, None, (True, False), "null" if value is None else str(value).lower())
    raise TypeError(f"YAML here holds no {kind.__name__}")


def _float_text(number: float) -> str:
    """Return a number in a form that YAML 1.1 reads as a number, too: it wants a point before an exponent."""
    if not isfinite(number):
        return ".nan" if number != number else ".inf" if number > 0 else "-.inf"
    text = repr(number)
    return text if "." in text else text.replace("e", ".0e", 1)
