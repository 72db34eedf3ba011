"""Files that no format should claim: empty, noise, cut off, nested too deep, of another kind. No rules here."""

import json
import random
from typing import Any

_ODD: tuple[Any, ...] = (None, True, 0, -1, 1e300, 10**30, "", "x", [], {}, [[]], [None], [{}], ["x", 5], {"": None})
_KEYS = (
    *("format", "spec", "data", "name", "messages", "conversations", "conversation", "mapping", "entries", "memories"),
    *("results", "facts", "episodes", "points", "agents", "blocks", "chat", "chats", "turns", "items", "role"),
    *("content", "text", "mes", "author", "prompt", "history", "input", "model", "id", "version", "created", "title"),
)
"""Keys that formats look for, each with values of every wrong kind."""


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


def _keys_with(odd: Any) -> dict[str, Any]:
    return dict.fromkeys(_KEYS, odd)


LOOK_ALIKES: dict[str, bytes] = {
    "an empty file": b"",
    "white space": b" \r\n\t\n",
    "a byte order mark alone": b"\xef\xbb\xbf",
    "NUL bytes": bytes(1_000),
    "noise": random.Random(1).randbytes(5_000),
    "half a UTF-8 character": "é".encode()[:1],
    "UTF-16": "a: [1]\n".encode("utf-16"),
    "a PNG signature": b"\x89PNG\r\n\x1a\n",
    "a PNG cut in a chunk": b"\x89PNG\r\n\x1a\n\0\0\xff\xfftEXtchara\0abc",
    "a zip signature": b"PK\x03\x04" + bytes(60),
    "an empty zip archive": b"PK\x05\x06" + bytes(18),
    "a SQLite signature": b"SQLite format 3\0" + bytes(200),
    "a Parquet signature": b"PAR1" + bytes(20) + b"PAR1",
    "JSON that is cut off": b'{"messages": [{"role": "user", "content": "Hel',
    "JSON with a trailing comma": b'[{"role": "user"},]',
    "JSON nested deep": b"[" * 100_000 + b"]" * 100_000,
    "objects nested deep": b'{"a":' * 5_000 + b"1" + b"}" * 5_000,
    "half a surrogate pair": b'{"messages": [{"role": "user", "content": "\\ud83d"}]}',
    "a long number": b'{"id": ' + b"9" * 5_000 + b"}",
    "JSON in a string": _json(_json({"messages": []}).decode()),
    "lines of JSON, some of them bad": b'{"a": 1}\nnot JSON\n[]\nnull\n{"b": ',
    "YAML nested deep": b"a: " + b"[" * 5_000,
    "YAML of aliases": b"a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\n",
    "YAML that is cut off": b'name: "Ann\nmessages:\n  - role: us',
    "a text": b"Once upon a time.\n\nThere was a file: it had lines.\n",
    "a table": b"id,content\n1,Tea\n2",
    "one long line": b"x" * 200_000,
    **{f"JSON of another kind, {_json(odd).decode()}": _json(odd) for odd in _ODD},
    **{f"known keys with {_json(odd).decode()}": _json(_keys_with(odd)) for odd in _ODD},
    **{f"a list of known keys with {_json(odd).decode()}": _json([_keys_with(odd)] * 2) for odd in _ODD},
    "known keys in one another": _json(_keys_with(_keys_with(_keys_with([])))),
}
"""A description of each, and its bytes."""
