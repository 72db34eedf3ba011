"""A request to a model server and the JSON of its answer. The kinds of requests are defined elsewhere."""

import json
from typing import Any

import orjson

from inspector import net
from inspector.tokens.servers.address import normal_address
from inspector.tokens.servers.server import ServerError, SilentServerError
from inspector.tokens.tokenizer import without_surrogates

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
