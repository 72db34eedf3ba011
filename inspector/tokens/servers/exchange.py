"""One question to a server and its answer, with a limit on everything. Which questions to ask is not known here.

Built on `http.client`, which follows no redirect and knows no proxy: what is sent goes to the given address only.
"""

import json
import socket
import time
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any

import orjson

from inspector.tokens.servers.address import split_address
from inspector.tokens.servers.server import ServerError, SilentServerError
from inspector.tokens.tokenizer import without_surrogates

SILENCE_SECONDS = 2.0
"""How long a connection may take, and how long a server may say nothing."""
WHOLE_SECONDS = 6.0
"""How long an answer may take until it is complete."""
MAX_BYTES = 16 << 20
"""How large an answer may be. The ids of a million tokens take about 7 MB."""

_BLOCK = 1 << 16
_NO_KEY = (401, 403)


def ask(address: str, path: str, body: Any = None) -> Any:
    """The JSON value that a server answers to GET, or to POST where there is a body.

    Raises ServerError for a refusal or an answer that is no JSON, SilentServerError where no answer comes.
    """
    host, port = split_address(address)
    what = f"{'GET' if body is None else 'POST'} {path}"
    connection = _LimitedConnection(host, port, timeout=SILENCE_SECONDS)
    try:
        _send(connection, path, body)
        with connection.getresponse() as response:
            text = _whole(response, address, what)
    except TimeoutError:
        raise SilentServerError(_lateness(connection, address, what)) from None
    except OSError as problem:
        raise SilentServerError(_refusal(address, problem)) from None
    except HTTPException:
        raise SilentServerError(f"{address} does not speak HTTP: its answer to {what} makes no sense.") from None
    finally:
        connection.close()
    return _value(response, text, address, what)


class _LimitedSocket(socket.socket):
    """A socket that gives up in the middle of an answer, too: a server that trickles is never silent for long."""

    end = 0.0

    def recv_into(self, *arguments: Any, **keywords: Any) -> int:
        """Receive, waiting no longer than is left."""
        left = self.end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self.settimeout(min(SILENCE_SECONDS, left))
        return super().recv_into(*arguments, **keywords)


class _LimitedConnection(HTTPConnection):
    end: float | None = None
    """When the whole has to be over; None until there is a connection."""

    def connect(self) -> None:
        """Connect with a limit on the whole of what follows."""
        plain = socket.create_connection((self.host, self.port), SILENCE_SECONDS)
        limited = _LimitedSocket(fileno=plain.detach())
        limited.settimeout(SILENCE_SECONDS)
        self.end = limited.end = time.monotonic() + WHOLE_SECONDS
        self.sock = limited


def _send(connection: HTTPConnection, path: str, body: Any) -> None:
    headers = {"Accept": "application/json"}
    if body is None:
        connection.request("GET", path, headers=headers)
    else:
        text = without_surrogates(json.dumps(body, ensure_ascii=False))
        connection.request("POST", path, text.encode(), {**headers, "Content-Type": "application/json"})


def _whole(response: HTTPResponse, address: str, what: str) -> bytes:
    pieces: list[bytes] = []
    size = 0
    while piece := response.read1(_BLOCK):
        pieces.append(piece)
        size += len(piece)
        if size > MAX_BYTES:
            raise SilentServerError(f"{address} answers {what} with more than {MAX_BYTES >> 20} MB.")
    return b"".join(pieces)


def _value(response: HTTPResponse, text: bytes, address: str, what: str) -> Any:
    if 300 <= response.status < 400:
        raise ServerError(f"{address} sends {what} elsewhere, which is not followed.")
    if response.status in _NO_KEY:
        raise ServerError(f"{address} asks for a key before it answers {what}.")
    if response.status >= 400:
        raise ServerError(f"{address} answers {what} with error {response.status}.")
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        kind = "a web page" if text.lstrip()[:1] == b"<" else "something that is no JSON"
        raise ServerError(f"{address} answers {what} with {kind}.") from None


def _lateness(connection: _LimitedConnection, address: str, what: str) -> str:
    if connection.end is None:
        return f"{address} does not take the connection within {SILENCE_SECONDS:.0f} seconds."
    if time.monotonic() >= connection.end:
        return f"{address} has not finished its answer to {what} after {WHOLE_SECONDS:.0f} seconds."
    return f"{address} takes the connection, but says nothing to {what} for {SILENCE_SECONDS:.0f} seconds."


def _refusal(address: str, problem: OSError) -> str:
    if isinstance(problem, ConnectionRefusedError):
        return f"Nothing listens at {address}."
    if isinstance(problem, socket.gaierror):
        return f"{address} is not known: there is no machine of that name."
    if isinstance(problem, ConnectionError):
        return f"{address} broke the connection off."
    return f"{address} cannot be reached: {problem.strerror or problem}."
