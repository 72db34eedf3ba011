"""Text to YAML values by YAML 1.2 rules: `no`, `1e3`, `1.10` and dates stay the text that was written.

Safe loader only, and no alias bombs. Knows no file format.
"""

import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from math import isfinite
from operator import itemgetter
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

from inspector.model import Problem
from inspector.reading.json import syntax_problem, text_place
from inspector.reading.values import UnreadableError
from inspector.reading.yaml_loader import (
    SCALARS,
    CoreLoader,
    ExcessError,
    Limits,
    NoListError,
    PlainLoader,
    WrittenNumber,
)

_MAX_NODES = 1_000_000  # values that the aliases of a document may expand to
MAX_DEPTH = 150
"""The depth of a document; documents must be writable again, which takes Python's stack."""
MAX_BYTES = 20_000_000
"""Longer text is not considered as YAML."""
MAX_VALUES = 2_000_000  # each takes up to 2.5 µs to read
_DIRECTIVE = re.compile(r"(?:\A|[\n\r\x85\u2028\u2029])\ufeff?%[A-Z]")
_KEY_LINE = re.compile(r"""(?:[A-Za-z_][\w .-]*|"[^"\n]*"|'[^'\n]*')\s*:(?:\s|$)|- \S""")
_OWN_KEY = re.compile(r"[A-Za-z_][\w .-]*:(?=\s|$)")
_NESTED = re.compile(r"[ \t]+\S|- (?:- |[\w\"'.-]+[ \w.-]*:(?:\s|$)|[\[{])|\S[^\n]*:\s*(?:[\[{|>&!]|$)")
_HEAD, _LONG = 64_000, 500_000  # characters
_MOST_REPEATED = 2
_MOST_DIRECTIVES = 100  # libyaml compares each with all before it


class YamlMapping(dict[str, Any]):
    """A document read from YAML: a reader with a schema may take its plain scalars as text."""

    __slots__ = ()


def dump(value: Any) -> str:
    """Return a plain value (objects, lists, text, numbers) as YAML from which `parse` reads the same value.

    Raise ValueError if it is nested too deep for that.
    """
    if is_too_deep(value):
        raise ValueError("it holds a value that is nested too deep")

    return write(value)


def is_too_deep(value: Any) -> bool:
    """Return whether a plain value is nested deeper than YAML is read here."""
    values = [value]
    for _ in range(MAX_DEPTH):
        values = [inner for held in values for inner in _inner(held)]
    return any(isinstance(held, dict | list) for held in values)


def _inner(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def may_be_yaml(text: str) -> bool:
    """Return whether the first non-empty line is a key or an item of a list, as in YAML and in some other texts."""
    return _KEY_LINE.match(_first_line(text)) is not None


def says_yaml(text: str) -> bool:
    """Return whether the beginning of possible YAML identifies it, so that the rest need not be read for it."""
    return _first_line(text).startswith("format:") or text.lstrip().startswith(("---", "%YAML"))


def reads_as_lines(text: str) -> bool:
    """Return whether each line of possible YAML is independent, so that it should not be read as a document.

    In the log of a chat the same names recur, while a document has a key once. Long text without nesting is no document
    that is of use here, and reading it would take many seconds.
    """
    head = text[:_HEAD].split("\n---", 1)[0].split("\n")
    again = Counter(found[0] for line in head if (found := _OWN_KEY.match(line)))
    if max(again.values(), default=0) > _MOST_REPEATED:
        return True
    return len(text) > _LONG and not any(map(_NESTED.match, head))


def _first_line(text: str) -> str:
    lines = text[:_HEAD].split("\n", 200)  # avoids a copy of a line of gigabytes
    return next((line for line in lines if line.strip() and not line.startswith(("#", "---", "%"))), "")


def looks_like_keys(text: str) -> bool:
    """Return whether invalid YAML was meant as YAML, because most lines are keys or indented."""
    lines = [line for line in text.split("\n", 200)[:200] if line.strip() and not line.lstrip().startswith("#")]
    meant = sum(_KEY_LINE.match(line.lstrip()) is not None or line.startswith(("  ", "\t")) for line in lines)
    return meant > 0.8 * len(lines)


def parse(text: str, path: str) -> Any:
    """Return the first document of a YAML text. Raise UnreadableError with line and column."""
    with _reading(text, path):
        value = CoreLoader(text, _limits()).document()
    return YamlMapping(value) if isinstance(value, dict) else value


def parse_items(text: str, path: str, wanted: str = "a list") -> list[tuple[int, Any]]:
    """Return the items of a YAML list, each with its line; every scalar is the text that was written.

    An empty text has none. Raise UnreadableError with the line for anything but a list, or no YAML; `wanted` describes
    in its message the expected content.
    """
    with _reading(text, path):
        try:
            return list(PlainLoader(text, _limits()).items())
        except NoListError as error:
            raise UnreadableError(Problem(path, f"line {error.line}", f"expected {wanted}")) from None


def repeated_keys(text: str, levels: int) -> tuple[tuple[str, int], ...]:
    """Return duplicate keys in the upper `levels` of mappings of a text that `parse` reads, each with its line.

    `parse` takes the last value, so rewriting the document would lose the first.
    """
    with _reading(text, ""):
        loader = PlainLoader(text, _limits())
        loader.document()
    return tuple((key, line) for level, key, line in sorted(loader.repeated, key=itemgetter(0)) if level <= levels)


def _limits() -> Limits:
    return Limits(MAX_DEPTH, MAX_VALUES, _MAX_NODES)


@contextmanager
def _reading(text: str, path: str) -> Iterator[None]:
    """Convert errors of the reading inside the `with` to UnreadableError, also for text that would take hours."""
    try:
        if len(_DIRECTIVE.findall(text)) > _MOST_DIRECTIVES:
            raise ExcessError(f"has more than {_MOST_DIRECTIVES} directives")
        yield
    except ExcessError as error:
        raise UnreadableError(Problem(path, "", str(error))) from None
    except yaml.YAMLError as error:
        raise UnreadableError(_problem(path, error)) from None
    except (RecursionError, ValueError, OverflowError) as error:
        if isinstance(error, UnreadableError):
            raise
        raise UnreadableError(Problem(path, "", f"is not usable YAML: {error}")) from None


def _problem(path: str, error: yaml.YAMLError) -> Problem:
    mark = getattr(error, "problem_mark", None)
    place = text_place(mark.line + 1, mark.column + 1) if mark else ""
    return syntax_problem(path, "YAML", place, getattr(error, "problem", None) or str(error))


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
