"""JSON lines, decoded in sequence: of a file of a million lines, only a single line is in memory as values.

Works on UTF-8 bytes without a byte order mark. Knows no file format.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import orjson
from msgspec import Struct

from inspector.model import Problem, changed
from inspector.reading.json import malformed, parse, repair_escapes, slow_decoder
from inspector.reading.values import UnreadableError

_BLOCK = 1 << 20  # bytes; the part of a file split into lines at a time
_NOT_SPACE = re.compile(r"\S", re.ASCII)  # else a line of other spaces would be empty and yet no error
_NUL = b"\\u0000"
_BROKEN: Any = object()


class Record(Struct, frozen=True, gc=False):
    """A value of a JSON-lines file and its line, counted from 1."""

    line: int
    value: Any


_DECODER = slow_decoder(Counter())
"""Made once: a file may have 100,000 broken lines."""


def numbered_lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, each with its number, counted from 1. Lines end at line feeds only."""
    for first, start, end in _blocks(data):
        yield from _lines(data, first, start, end)


def _blocks(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield whole lines, about `_BLOCK` bytes at a time: the number of the first, its start, and the end of the last.

    A single call of C code over a file of many MB would keep every other thread waiting.
    """
    first, start = 1, 0
    while start < len(data):
        end = min(start + _BLOCK, len(data))
        if end < len(data):  # a following line of gigabytes is not among these, and is copied once
            end = data.rfind(b"\n", start, end) + 1 or data.find(b"\n", end) + 1 or len(data)
        yield first, start, end
        first, start = first + data.count(b"\n", start, end), end


def _lines(data: bytes, first: int, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """Return the lines of a block that are not blank; a line that fills the block is copied only once."""
    feed = data.find(b"\n", start, end)
    lines = [data[start:feed]] if feed == end - 1 else [data[start:end]] if feed < 0 else data[start:end].split(b"\n")
    return ((number, line) for number, line in enumerate(lines, first) if line and not line.isspace())


def read_lines(
    data: bytes, path: str, problems: list[Problem], lost: set[int] | None = None, *, is_again: bool = False
) -> Iterator[Record]:
    """Yield the values of JSON lines, each decoded when its turn comes; problems of a line are added then.

    The numbers of lines without a value are added to `lost`. If all is read again, those in it are passed over.
    """
    for first, start, end in _blocks(data):
        holds_nul = data.find(_NUL, start, end) >= 0
        for number, line in _lines(data, first, start, end):
            # Here and not in a function of its own, which would take as long as decoding a short line does.
            try:
                value = _BROKEN if holds_nul and _NUL in line else orjson.loads(line)
            except orjson.JSONDecodeError:
                value = _BROKEN
            if value is not _BROKEN:
                yield Record(number, value)
            elif lost is None:
                yield from _read_slowly(number, line, path, problems)
            elif not (is_again and number in lost):
                found = _read_slowly(number, line, path, problems)
                if not found:
                    lost.add(number)
                yield from found


def read_line(number: int, line: bytes, path: str, problems: list[Problem]) -> list[Record]:
    """Return the values of a line, which may hold several; add a problem if it is not JSON, or was repaired."""
    try:
        if _NUL not in line:
            return [Record(number, orjson.loads(line))]
    except orjson.JSONDecodeError:
        pass
    return _read_slowly(number, line, path, problems)


def _read_slowly(number: int, line: bytes, path: str, problems: list[Problem]) -> list[Record]:
    """Diagnose a line that orjson refuses, and repair it if possible."""
    values = list(_side_by_side(number, line, path))
    if isinstance(values[-1], Problem):
        problems.append(values.pop())
        return [Record(number, value) for value in values]
    if len(values) > 1:
        return [Record(number, value) for value in values]
    try:
        parsed = parse(line, path)
    except UnreadableError:  # text that begins like JSON, but is none
        return [Record(number, values[0])]
    problems += [changed(found, place=f"line {number}") for found in parsed.problems]
    return [Record(number, parsed.value)]


def _side_by_side(number: int, line: bytes, path: str) -> Iterator[Any]:
    """Yield the values of a line in sequence, then the problem of an invalid rest."""
    text = repair_escapes(line)[0].decode(errors="replace")
    position = 0
    while found := _NOT_SPACE.search(text, position):
        try:
            value, position = _DECODER.raw_decode(text, found.start())
        except (RecursionError, json.JSONDecodeError) as error:
            yield changed(malformed(path, text, error, number), severity="warning")
            return
        yield value
