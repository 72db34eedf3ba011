"""One question to a model server, and the JSON of its answer. Which questions to ask is not known here."""

import json
from typing import Any

import orjson

from inspector import net
from inspector.tokens.servers.address import normal_address
from inspector.tokens.servers.server import ServerError, SilentServerError
from inspector.tokens.tokenizer import without_surrogates

LIMITS = net.Limits(silence_seconds=2.0, whole_seconds=6.0, max_bytes=16 << 20)
"""What one question may take. The ids of a million tokens take about 7 MB."""


def ask(address: str, path: str, body: Any = None) -> Any:
    """The JSON value that a server answers to GET, or to POST where there is a body.

    Raises ServerError for a refusal or an answer that is no JSON, SilentServerError where no answer comes.
    """
    what = f"{'GET' if body is None else 'POST'} {path}"
    question = None if body is None else without_surrogates(json.dumps(body, ensure_ascii=False)).encode()
    try:
        answer = net.ask(f"http://{normal_address(address)}{path}", LIMITS, question)
    except net.NoAnswerError as problem:
        raise SilentServerError(_silence(problem, address, what)) from None
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


def _silence(problem: net.NoAnswerError, address: str, what: str) -> str:
    match problem:
        case net.LateError():
            return _lateness(problem, address, what)
        case net.RefusedError():
            return f"Nothing listens at {address}."
        case net.UnknownHostError():
            return f"{address} is not known: there is no machine of that name."
        case net.BrokenOffError():
            return f"{address} broke the connection off."
        case net.NotHttpError():
            return f"{address} does not speak HTTP: its answer to {what} makes no sense."
        case net.TooLargeError():
            return f"{address} answers {what} with {problem}."
        case _:
            return f"{address} cannot be reached: {problem}."


def _lateness(problem: net.LateError, address: str, what: str) -> str:
    match problem.stage:
        case "connecting":
            return f"{address} does not take the connection within {problem.seconds:g} seconds."
        case "waiting":
            return f"{address} takes the connection, but says nothing to {what} for {problem.seconds:g} seconds."
        case "whole":
            return f"{address} has not finished its answer to {what} after {problem.seconds:g} seconds."
