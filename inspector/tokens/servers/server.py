"""Local model servers as values, their addresses as users write them, and requests to them."""

import json
from dataclasses import dataclass
from typing import Any

import orjson

from inspector import net
from inspector.tokens.tokenizer import without_surrogates


class ServerError(Exception):
    """A server cannot be asked, or its answer is useless; the message is a sentence naming its address."""


class SilentServerError(ServerError):
    """There is no useful answer from this address: other requests would only cost the same time again."""


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A model offered by a server. `context_length` is the length it runs with, `max_context_length` the most it
    supports; both in tokens, None if the server does not tell.
    """

    name: str
    context_length: int | None = None
    max_context_length: int | None = None
    loaded: bool = True

    @property
    def window(self) -> int | None:
        """The window to plan with: the running length, else the supported length, None if neither is known."""
        return self.context_length or self.max_context_length


@dataclass(frozen=True, slots=True)
class Server:
    """The server at an address (`HOST:PORT`). `kind` is "" if there was no useful answer; `problems` has the reason,
    and anything the server did not tell. `counts_tokens` says whether it can count.
    """

    kind: str
    address: str
    version: str = ""
    models: tuple[ServedModel, ...] = ()
    counts_tokens: bool = False
    problems: tuple[str, ...] = ()

    def model(self, name: str) -> ServedModel | None:
        """Return the model of this name, None if the server has none."""
        return next((model for model in self.models if model.name == name), None)


@dataclass(frozen=True, slots=True)
class Measured:
    """An item counted twice, in tokens: by our tokenizer, and by the server."""

    item: str
    ours: int
    theirs: int

    @property
    def difference(self) -> int:
        """Our count less the server's."""
        return self.ours - self.theirs


def normal_address(text: str) -> str:
    """Return the `HOST:PORT` of an address as users write it: `8080`, `localhost:8080`, `http://127.0.0.1:8080/v1`.

    Raises ServerError for anything else.
    """
    host, port = _split(text)
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_loopback(address: str) -> bool:
    """Return whether requests to this address stay on this machine."""
    return net.is_loopback(_split(address)[0])


def _split(text: str) -> tuple[str, int]:
    """Return host and port of an address. Raises ServerError if it is not valid."""
    wanted = text.strip()
    whole = wanted if "://" in wanted else f"http://{f'127.0.0.1:{wanted}' if wanted.isdigit() else wanted}"
    try:
        address = net.read_address(whole)
    except ValueError:
        raise _bad_address(text) from None
    if address.scheme != "http" or address.path not in ("", "/", "/v1", "/v1/") or address.port is None:
        raise _bad_address(text)
    return address.host, address.port


def _bad_address(text: str) -> ServerError:
    return ServerError(f"{text!r} is not the address of a server: expected HOST:PORT, such as 127.0.0.1:8080.")


LIMITS = net.Limits(silence_seconds=2.0, whole_seconds=6.0, max_bytes=16 << 20)
"""The limits of a request. The ids of a million tokens take about 7 MB."""


def ask(address: str, path: str, body: Any = None) -> Any:
    """Return the JSON value of a server's answer to GET, or to POST if there is a body.

    Raises ServerError for a refusal or an answer without JSON, SilentServerError if no answer comes.
    """
    what = f"{'GET' if body is None else 'POST'} {path}"
    question = None if body is None else without_surrogates(json.dumps(body, ensure_ascii=False)).encode()
    try:
        answer = net.ask(f"http://{normal_address(address)}{path}", LIMITS, question)
    except net.NoAnswerError as problem:
        raise SilentServerError(f"{address} {net.silence(problem, what)}.") from None
    return _value(answer, address, what)


def _value(answer: net.Answer, address: str, what: str) -> Any:
    if answer.is_elsewhere:
        raise ServerError(f"{address} sends {what} elsewhere, which is not followed.")
    if answer.needs_key:
        raise ServerError(f"{address} asks for a key before it answers {what}.")
    if answer.status >= 400:
        raise ServerError(f"{address} answers {what} with error {answer.status}.")
    try:
        return orjson.loads(answer.body)
    except orjson.JSONDecodeError:
        kind = "a web page" if answer.body.lstrip()[:1] == b"<" else "something that is no JSON"
        raise ServerError(f"{address} answers {what} with {kind}.") from None
