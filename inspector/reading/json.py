"""Bytes to JSON values: a fast way for good files, repairs for the known defects, a place for all others.

Works on UTF-8 bytes without a byte order mark. Knows no file format.
"""

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

import msgspec
import orjson

from inspector.model import Problem, Severity, changed
from inspector.reading.values import UnreadableError


def text_place(line: int, column: int) -> str:
    """Return a place in a text, both counted from 1."""
    return f"line {line:d}, column {column:d}"


def syntax_problem(path: str, language: str, place: str, what: str) -> Problem:
    """Return the problem of a text that stops being JSON or YAML at a `text_place` ("" if unknown)."""
    return Problem(path, place, f"is not valid {language}: {what}")


MAX_DEPTH = 1_000
_LEAST, _MOST = -(2**63), 2**64 - 1
DUPLICATES_UP_TO = 2_000_000
"""Bytes; looking for duplicate keys costs several times the decoding."""
_ESCAPES = re.compile(
    rb"\\(?:[^u]|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[dD][89a-fA-F][0-9a-fA-F]{2}|u0000)"
)
_SPACE = " \t\r\n"
_NOT_SPACE = re.compile(rb"\S")
_NOT_SPACE_OR_COMMA = re.compile(r"[^\s,]")
_ARRAY_START = re.compile(rb'\[\s*(?:[\[{"\]]|(?:true|false|null|-?\d+(?:\.\d*)?(?:[eE][+-]?\d*)?)\s*(?:[,\]]|$))')
_OBJECT_START = re.compile(rb'\{\s*(?:["},]|$)')


@dataclass(slots=True)
class Parsed:
    """A JSON value and the problems of its text."""

    value: Any
    problems: list[Problem] = field(default_factory=list)


def may_be_json(data: bytes) -> bool:
    """Return whether a text begins like JSON. `[12:30] <nick>` and `[13.03.23, 22:15:30] Ann:` of chat logs do not."""
    start = data[:200].lstrip() or data.lstrip()
    if start.startswith(b"{"):
        return _OBJECT_START.match(start) is not None or _lines_are_objects(data)
    if start.startswith(b"["):
        return _ARRAY_START.match(start) is not None
    return start.startswith(b'"') and _is_document(data)


def is_lines(data: bytes) -> bool:
    """Return whether JSON text holds more than one document, most of them on lines of their own."""
    if not _has_two_lines(data) and _is_document(data):
        return False
    try:
        msgspec.json.decode(data, type=msgspec.Raw)
    except msgspec.DecodeError as error:
        return "trailing characters" in str(error) or _lines_are_objects(data)
    except RecursionError:
        return False
    return False


def _has_two_lines(data: bytes) -> bool:
    """Return whether text spans more than one line, without copying a file that may be large."""
    first = _NOT_SPACE.search(data)
    end = data.find(b"\n", first.start()) if first else -1
    return end >= 0 and _NOT_SPACE.search(data, end) is not None


def _is_document(data: bytes) -> bool:
    try:
        msgspec.json.decode(data, type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def _lines_are_objects(data: bytes) -> bool:
    """Return whether other lines are whole objects, for a text whose first document is broken."""
    lines = [line for line in data[:1_000_000].split(b"\n")[:200] if line.strip()]
    whole = sum(line.startswith(b"{") and line.rstrip().endswith(b"}") and _is_document(line) for line in lines)
    return len(lines) > 1 and 2 * whole >= len(lines)


def split_array(data: bytes) -> tuple[msgspec.Raw, ...] | None:
    """Return the items of a JSON array as undecoded slices; None if the text is not a (wholly valid) array."""
    if not data[:200].lstrip().startswith(b"["):
        return None
    try:
        return tuple(msgspec.json.decode(data, type=list[msgspec.Raw]))
    except (msgspec.DecodeError, RecursionError):
        return None


def repair_escapes(data: bytes) -> tuple[bytes, int]:
    """Return JSON text with unpaired `\\ud83d` escapes as `\\ufffd` and `\\u0000` as `\\u2400`, and their number."""
    count = 0

    def replaced(match: re.Match[bytes]) -> bytes:
        nonlocal count
        escape = match.group()
        if not escape.startswith(b"\\u") or len(escape) != 6:
            return escape
        count += 1
        return b"\\u2400" if escape == b"\\u0000" else b"\\ufffd"

    return _ESCAPES.sub(replaced, data), count


def parse(data: bytes, path: str, look_for_duplicates: bool = True) -> Parsed:
    """Return the value of a JSON document, repaired if that is safe.

    A document that is a string of JSON is unwrapped once. Raise UnreadableError with line and column.
    """
    parsed = _parse_document(data, path, look_for_duplicates)
    if isinstance(parsed.value, str) and may_be_json(inner := parsed.value.encode()):
        parsed.problems.append(_note(path, "", "the JSON stood inside a string and was unwrapped", "info"))
        unwrapped = _parse_document(inner, path)
        return Parsed(unwrapped.value, [*parsed.problems, *unwrapped.problems])
    return parsed


def unwrapped(value: Any) -> Any:
    """Return the value, or the decoded JSON object or list if it is such a text."""
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[")):
        return value
    try:
        return orjson.loads(value)
    except (orjson.JSONDecodeError, UnicodeEncodeError):
        return value


def unquoted(text: str) -> str:
    """Return the text that is written as JSON, and any other text as it is."""
    if not text.startswith('"'):
        return text
    try:
        return msgspec.json.decode(text, type=str)
    except msgspec.DecodeError:
        return text


def _parse_document(data: bytes, path: str, look_for_duplicates: bool = True) -> Parsed:
    if b"\\u0000" not in data:
        try:
            return Parsed(orjson.loads(data), duplicate_keys(data, path) if look_for_duplicates else [])
        except orjson.JSONDecodeError:
            pass  # the slow way below finds and repairs the defects
    repaired, count = repair_escapes(data)
    problems = []
    if count:
        problems.append(_note(path, "", f"{count} escapes are half a character or NUL and were replaced", "warning"))
    return _parse_slowly(repaired, path, problems)


def _note(path: str, place: str, message: str, severity: Severity) -> Problem:
    return Problem(path, place, message, severity)


def _parse_slowly(data: bytes, path: str, problems: list[Problem]) -> Parsed:
    text = data.decode(errors="replace")
    odd: Counter[str] = Counter()
    try:
        value = slow_decoder(odd).decode(text)
    except (RecursionError, json.JSONDecodeError) as error:
        raise UnreadableError(malformed(path, text, error)) from None
    problems += [
        _note(path, "", f"{what} ({times} times)" if times > 1 else what, "warning") for what, times in odd.items()
    ]
    return Parsed(value, problems)


def slow_decoder(odd: Counter[str]) -> json.JSONDecoder:
    """Return Python's decoder for text that orjson refuses; a number too large for any type stays text.

    Whole numbers beyond 64 bits are rounded to floats, as in orjson. `odd` counts the values not read as written.
    """

    def whole_number(digits: str) -> float | str:
        if isfinite(number := float(digits)):
            whole = int(digits)
            return whole if _LEAST <= whole <= _MOST else number
        odd[f"a number of {len(digits):,} digits was kept as text"] += 1
        return digits

    def fraction(written: str) -> float | str:
        if isfinite(number := float(written)):
            return number
        odd["a number that is too large was kept as text"] += 1
        return written

    def constant(name: str) -> None:
        odd[f"{name} is not JSON and was read as null"] += 1

    return json.JSONDecoder(parse_int=whole_number, parse_float=fraction, parse_constant=constant)


def malformed(path: str, text: str, error: RecursionError | json.JSONDecodeError, line: int = 0) -> Problem:
    """Return a decoder's error in a text that is not JSON as a problem: of a whole file, or of this line (from 1)."""
    if isinstance(error, RecursionError):
        place = f"line {line}" if line else ""
        return Problem(path, place, f"is nested deeper than {MAX_DEPTH:,} levels; no chat is")
    place = text_place(line or error.lineno, error.colno)
    if error.pos >= len(text.rstrip(_SPACE)) or error.msg.startswith("Unterminated string"):
        what = "line" if line else "file"
        return Problem(path, place, f"the {what} is cut off: the JSON that begins here has no end")
    what = {"Extra data": "a second document follows the first"}.get(error.msg, error.msg[0].lower() + error.msg[1:])
    found = text[error.pos : error.pos + 20].split("\n")[0]
    return syntax_problem(path, "JSON", place, f"{what}, found {found!r}")


def duplicate_keys(data: bytes, path: str) -> list[Problem]:
    """Return a problem for each duplicate key in an object of a JSON document; a large document is not searched."""
    if len(data) > DUPLICATES_UP_TO:
        return []
    doubled: Counter[str] = Counter()

    def look(pairs: list[tuple[str, Any]]) -> None:
        if len(pairs) != len(dict(pairs)):
            doubled.update(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)

    try:
        json.loads(data, object_pairs_hook=look, parse_int=len)
    except RecursionError:
        return []  # decoded values may be nested a little deeper than can be searched
    return [
        _note(path, "", f'the key "{key}" stands twice in one object; the last one counts', "warning")
        for key in doubled
    ]


def whole_items(data: bytes, path: str) -> tuple[list[Any], Problem | None]:
    """Return the items of a JSON array up to the first broken or truncated item, and the problem of that item."""
    text = repair_escapes(data)[0].decode(errors="replace")
    decoder = slow_decoder(Counter())
    values: list[Any] = []
    position = text.find("[") + 1
    while True:
        position = _after_space(text, position)
        if text.startswith("]", position):
            return values, None
        try:
            value, position = decoder.raw_decode(text, position)
        except (RecursionError, json.JSONDecodeError) as error:
            return values, _cut_at(malformed(path, text, error), len(values))
        values.append(value)


def _after_space(text: str, position: int) -> int:
    found = _NOT_SPACE_OR_COMMA.search(text, position)
    return found.start() if found else len(text)


def _cut_at(problem: Problem, items: int) -> Problem:
    return changed(problem, message=f"{problem.message}; the {items} items before it were read") if items else problem
