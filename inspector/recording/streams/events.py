"""The events of a streamed answer: server-sent events, lines of JSON, or a JSON array of pieces.

Server-sent events are read as html.spec.whatwg.org/multipage/server-sent-events.html has them: lines end with a line
feed, a carriage return or both, the `data` lines of an event belong together, a blank line ends it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

_LINE_END = re.compile(rb"\r\n|\n|\r")
_DATA = re.compile(rb"(?:^|[\r\n])data:")
_DONE = b"[DONE]"
_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Events:
    """The objects of a stream in order, the number of its events that are none, and whether `[DONE]` was there."""

    found: tuple[Mapping[str, Any], ...]
    broken: int = 0
    is_done: bool = False


def events_of(body: bytes) -> Events:
    """Return the events of a stream. An event that a broken stream cut off counts as broken."""
    body = body.removeprefix(_MARK)
    if body.lstrip()[:1] == b"[":
        return _listed(body)
    pieces = [piece for _, piece in numbered_data(body)] if _DATA.search(body) else _LINE_END.split(body)
    read = [_value(piece) for piece in pieces if piece.strip() and not is_end(piece)]
    found = tuple(one for one in read if isinstance(one, Mapping))
    return Events(found, len(read) - len(found), any(map(is_end, pieces[-3:])))


def numbered_data(body: bytes) -> list[tuple[int, bytes]]:
    """Return the data of each server-sent event with the number, from 1 on, of the line on which it begins.

    Other fields (`event`, `id`, `retry`, comments) say nothing that the data does not.
    """
    events: list[list[tuple[int, bytes]]] = [[]]
    for number, line in enumerate(_LINE_END.split(body), 1):
        if line.startswith(b"data:"):
            events[-1].append((number, line[5:].removeprefix(b" ")))
        elif not line and events[-1]:
            events.append([])
    return [piece for lines in events for piece in _pieces(lines)]


def is_end(piece: bytes) -> bool:
    """Return whether the data of an event is the mark of the end, which is no JSON."""
    return piece.strip() == _DONE


def _pieces(lines: list[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    """Return the lines of an event as one; each alone where blank lines between events were lost, as in some logs."""
    if not lines:
        return []
    whole = b"\n".join(line for _, line in lines)
    are_events = len(lines) > 1 and _value(whole) is None and _value(lines[0][1]) is not None
    return lines if are_events else [(lines[0][0], whole)]


def _value(piece: bytes) -> Any:
    try:
        return orjson.loads(piece)
    except orjson.JSONDecodeError:
        return None


def _listed(body: bytes) -> Events:
    """Return the pieces of an array, which Gemini streams unless asked for events; a cut array gives its whole ones."""
    whole = _value(body)
    if isinstance(whole, list):
        found = tuple(one for one in whole if isinstance(one, Mapping))
        return Events(found, len(whole) - len(found))
    import json

    decoder, text = json.JSONDecoder(), body.decode("utf-8", "replace").lstrip()
    pieces: list[Mapping[str, Any]] = []
    at = 1
    while (start := text.find("{", at)) >= 0:
        try:
            piece, at = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            return Events(tuple(pieces), 1)
        pieces.append(piece)
    return Events(tuple(pieces))
