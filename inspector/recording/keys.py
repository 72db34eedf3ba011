"""The keys that an application sends with a request, and texts without them.

Headers and addresses are not recorded; this keeps their secrets out of all else: a server may repeat a key in an error,
and a body may have keys of its own, as OpenAI's and Anthropic's have for the servers of tools (`authorization`,
`headers`, `mcp_servers`).
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl

from inspector.secrets import MARK, masked

_WORDS = ("auth", "key", "token", "secret", "password", "cookie", "signature", "credential")
_SHORT_NAMES = frozenset(("sig", "code", "pass", "pwd"))
_FIELDS = frozenset(
    (
        *("authorization", "authorization_token", "auth_token", "access_token", "token", "key", "api_key", "apikey"),
        *("api-key", "secret", "client_secret", "password", "cookie"),
    )
)
"""The fields of a request that are keys; `prompt_cache_key` and `max_tokens` are none."""
_ADDRESSES = frozenset(("url", "server_url", "base_url", "api_base"))
_HELD = ("tools", "mcp_servers", "headers", "extra_headers", "default_headers", "extra_query", "metadata")
_HEADERS = frozenset(("headers", "extra_headers", "default_headers"))
_SHORTEST_ECHO, _SHORTEST = 4, 16


def names_key(name: str) -> bool:
    """Return whether a header or a parameter of an address has the name of a key."""
    folded = name.lower()
    return folded in _SHORT_NAMES or any(word in folded for word in _WORDS)


def keys_of(headers: Iterable[tuple[str, str]], query: str) -> tuple[str, ...]:
    """Return the secrets among the headers and the query of a request."""
    named = [(name, value) for name, value in headers if names_key(name)]
    found = [piece for _, value in named for piece in _pieces(value)]
    found += [value for name, value in parse_qsl(query) if names_key(name)]
    return tuple(sorted({one for one in found if len(one) >= _SHORTEST_ECHO}, key=len, reverse=True))


def _pieces(value: str) -> Iterator[str]:
    """Yield a header's value, its credentials without their scheme, and the values of its cookies."""
    yield value
    yield value.rpartition(" ")[2]
    yield from (part.partition("=")[2].strip() for part in value.split(";") if "=" in part)


def without_keys(value: Any, keys: Iterable[str]) -> Any:
    """Return a plain value with each of these keys masked wherever a text holds it."""
    if isinstance(value, str):
        for key in keys:
            value = value.replace(key, MARK * len(key))
        return value
    if isinstance(value, Mapping):
        return {without_keys(name, keys): without_keys(one, keys) for name, one in value.items()}
    return [without_keys(one, keys) for one in value] if isinstance(value, list) else value


def keys_within(json_text: bytes, keys: Iterable[str], is_error: bool) -> tuple[str, ...]:
    """Return the keys that a JSON document may repeat.

    The stand-ins that local servers are given (`ollama`, `lm-studio`) are words of texts, too: short keys and keys
    without a figure are looked for in errors only.
    """
    told = (key for key in keys if is_error or (len(key) >= _SHORTEST and any(sign.isdigit() for sign in key)))
    return tuple(key for key in told if any(form in json_text for form in _forms(key)))


def _forms(key: str) -> Iterator[bytes]:
    for is_ascii in (True, False):
        yield json.dumps(key, ensure_ascii=is_ascii)[1:-1].encode("utf-8", "surrogatepass")


def without_own_keys(body: Any) -> Any:
    """Return a request without the keys in its fields beside the texts; the same object if it has none."""
    if not isinstance(body, Mapping):
        return body
    made = {name: _field(name, value, name in _HELD) for name, value in body.items()}
    return made if any(made[name] is not value for name, value in body.items()) else body


def _field(name: str, value: Any, is_inside: bool) -> Any:
    """Return a field of a request without keys; only what is `is_inside` one of the fields beside the texts is read."""
    if isinstance(value, str):
        return _text(name.lower(), value)
    if not is_inside:
        return value
    if isinstance(value, Mapping):
        is_header = name.lower() in _HEADERS
        made = {key: _header(one) if is_header else _field(key, one, True) for key, one in value.items()}
        return made if any(made[key] is not one for key, one in value.items()) else value
    if isinstance(value, list):
        listed = [_field("", one, True) for one in value]
        return listed if any(new is not old for new, old in zip(listed, value, strict=True)) else value
    return value


def _text(name: str, value: str) -> str:
    if name in _FIELDS:
        return MARK * len(value)
    return _address(value) if name in _ADDRESSES else value


def _header(value: Any) -> Any:
    return MARK * len(value) if isinstance(value, str) else value


def _address(value: str) -> str:
    """Return an address without its query and its keys."""
    head, sign, _ = value.partition("?")
    shown = masked(head)
    return value if shown == value else f"{shown}{sign}{MARK if sign else ''}"


def shown_path(path: str, keys: Iterable[str]) -> str:
    """Return the path of an address without its query and its keys."""
    bare = path.partition("?")[0]
    for key in keys:
        bare = bare.replace(key, MARK * len(key))
    return masked(bare)
