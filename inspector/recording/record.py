"""An exchange as a line of the recorded file: `time`, `path`, `request`, `response`, `usage`, `status`, `seconds`.

Beside these `content_type` of the answer, `first_byte_seconds`, and `note` where anything was odd.
"""

import json
from collections.abc import Iterable
from typing import Any

import orjson

from inspector.recording.decoding import UndecodedError, decoded
from inspector.recording.exchange import Exchange, Kept
from inspector.recording.keys import keys_within, shown_path, without_keys, without_own_keys
from inspector.recording.streams.answer import Body, read_answer, read_body, usage_in
from inspector.secrets import masked_json

_FAILED = 400
_LEFT = "broken off: the application left, or recording ended"
_DIGITS = 4
_LINE_ENDS = bytes.maketrans(b"\r\n", b"  ")


def line_of(exchange: Exchange, mask: bool = False) -> bytes:
    """Return the line of an exchange, without keys; with `mask` also without the secrets in its texts."""
    request, response = _request(exchange), _response(exchange)
    is_error = exchange.status is None or exchange.status >= _FAILED
    left = _LEFT if exchange.was_left and not response.has_ended else ""
    notes = (exchange.note or left, request.note, response.note)
    fields: dict[str, Any] = {
        "time": exchange.began.isoformat(timespec="milliseconds"),
        "path": shown_path(exchange.path, exchange.keys),
        "request": orjson.Fragment(_written(request, exchange.keys, False)),
        "response": orjson.Fragment(_written(response, exchange.keys, is_error)),
        "usage": orjson.Fragment(_dumped(usage_in(response.value))),
        "status": exchange.status,
        "seconds": round(exchange.seconds, _DIGITS),
    }
    if exchange.content_type:
        fields["content_type"] = exchange.content_type
    if exchange.first_byte_seconds is not None:
        fields["first_byte_seconds"] = round(exchange.first_byte_seconds, _DIGITS)
    if any(notes):
        fields["note"] = "; ".join(filter(None, notes))
    line = orjson.dumps(fields)
    return (masked_json(line) if mask else line) + b"\n"


def _request(exchange: Exchange) -> Body:
    body = _body(exchange.request, "the request")
    if isinstance(body, Body):
        return body
    read = read_body(body, "the request")
    bare = without_own_keys(read.value)
    return read if bare is read.value else Body(bare, b"", read.note)


def _response(exchange: Exchange) -> Body:
    body = _body(exchange.response, "the answer")
    return body if isinstance(body, Body) else read_answer(exchange.api, body)


def _body(kept: Kept, what: str) -> bytes | Body:
    try:
        return decoded(kept)
    except UndecodedError as error:
        return Body(None, b"", f"{what} {error}")


def _written(body: Body, keys: Iterable[str], is_error: bool) -> bytes:
    """Return a body without keys as JSON on one line; a document as it was sent: its line ends are outside of texts."""
    text = body.json.translate(_LINE_ENDS).strip() if body.json else _dumped(body.value)
    found = keys_within(text, keys, is_error)
    return _dumped(without_keys(body.value, found)) if found else text


def _dumped(value: Any) -> bytes:
    try:
        return orjson.dumps(value)
    except orjson.JSONEncodeError:
        return json.dumps(value).encode()  # half surrogates, which JSON can only escape
